/** The desk: the night that is next, the newest changes, what is to do, and ways to new records. */
import { useEffect, useState } from 'preact/hooks';
import { writableResources } from '../../../api/contract/names.ts';
import { capitalized, count, date, nouns, number } from '../shared/format.ts';
import { useChanges } from './latest.ts';
import { entriesIn, type LoadedNight, loadNight, nextOpen } from './night-state.ts';
import { hasWon, list } from './reading.ts';
import { ReceiptList } from './receipt-list.tsx';
import { findReceipts, type Receipt } from './requests.ts';
import { findTasks, type Task } from './tasks.ts';
import { type Access, Heading } from './work.tsx';

const newestReceipts = 12;
/** Things to do that are shown at once, of each kind; the others are folded away, up to a limit. */
const shownItems = 5;
const listedItems = 200;

/** The next ceremony that is not held yet; else the newest. */
async function ceremonyOfDesk(): Promise<number | undefined> {
  const today = new Date().toISOString().slice(0, 10);
  const ceremonies = await list('ceremonies');
  const coming = ceremonies.filter((one) => (one.date ?? '') >= today).sort((a, b) => a.id - b.id);
  return (coming[0] ?? ceremonies[0])?.id;
}

export function Desk({ access }: { access: Access }) {
  return (
    <>
      <Heading text="Desk" />
      <div class="desk">
        <NightCard />
        <NewRecords />
        <Newest access={access} />
        <Tasks />
      </div>
    </>
  );
}

/** The ceremony that is next, how far it is, and ways into it. */
function NightCard() {
  const [night, setNight] = useState<LoadedNight | 'none'>();
  const read = async () => {
    const id = await ceremonyOfDesk();
    setNight(id === undefined ? 'none' : await loadNight(id));
  };
  useEffect(() => void read(), []);
  useChanges(read);
  if (night === undefined) return <section class="pane">Reading the ceremony …</section>;
  if (night === 'none') return <section class="pane">There is no ceremony yet.</section>;
  return <NightProgress night={night} />;
}

function NightProgress({ night }: { night: LoadedNight }) {
  const address = `/edit/ceremonies/${night.ceremony}`;
  const [nominated, decided] = [
    night.current.filter(({ id }) => entriesIn(night, id).length > 0),
    night.current.filter(({ id }) => entriesIn(night, id).some(hasWon)),
  ];
  const open = nextOpen(night);
  const waiting = nominated.filter((category) => !decided.includes(category));
  const all = night.current.length;
  const day = night.date ? date(night.date) : `in ${night.year}`;
  return (
    <section class="pane coming" aria-labelledby="night-heading">
      <h2 id="night-heading">
        <a href={address}>{night.title}</a> <small>{day}</small>
      </h2>
      <Progress label="categories with nominations" value={nominated.length} max={all} />
      <Progress label="categories with a winner" value={decided.length} max={all} />
      <p class="ways">
        <a class="button primary" href={`${address}/sheet`}>
          Nominations from a sheet
        </a>
        <a class="button" href={`${address}/winners`}>
          Choose winners
        </a>
        <a class="button" href={`${address}/honors`}>
          Honors
        </a>
        {open && (
          <a class="button" href={`${address}/categories/${open.id}`}>
            Next: {open.category_name}
          </a>
        )}
      </p>
      {waiting.length > 0 && (
        <details>
          <summary>{count(waiting.length, 'category', 'categories')} without a winner</summary>
          <ul class="short-list">
            {waiting.map(({ id, category_name }) => (
              <li key={id}>
                <a href={`${address}/categories/${id}`}>{category_name}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Progress({ label, value, max }: { label: string; value: number; max: number }) {
  return (
    <p class="progress">
      <progress aria-label={label} value={value} max={max} />
      <span>
        <b>
          {value} of {max}
        </b>{' '}
        {label}
      </span>
    </p>
  );
}

function NewRecords() {
  return (
    <section class="pane" aria-labelledby="new-heading">
      <h2 id="new-heading">New</h2>
      <p class="ways">
        {writableResources.map((name) => (
          <a key={name} class="button" href={`/edit/${name}/new`}>
            {capitalized(nouns[name].one)}
          </a>
        ))}
      </p>
    </section>
  );
}

/** The newest receipts, each with the way back. */
function Newest({ access }: { access: Access }) {
  const [receipts, setReceipts] = useState<Receipt[]>();
  const [isFailed, setFailed] = useState(false);
  const read = async () => {
    if (access.key === '') return;
    const found = await findReceipts(`limit=${newestReceipts}`, access.key).catch(() => undefined);
    setFailed(found === undefined);
    if (found) setReceipts(found.receipts);
  };
  useEffect(() => void read(), [access.key]);
  useChanges(read);
  return (
    <section class="pane" aria-labelledby="newest-heading">
      <h2 id="newest-heading">
        Newest changes <a href="/edit/receipts">All receipts</a>
      </h2>
      {access.key === '' && <p class="empty">Sign in with your key to see who changed what.</p>}
      {isFailed && <p class="empty">The receipts cannot be read. Check your key and the network.</p>}
      {access.key !== '' && !receipts && !isFailed && <p class="empty">Reading the receipts …</p>}
      {receipts?.length === 0 && <p class="empty">Nothing was changed yet.</p>}
      {receipts && <ReceiptList Title="h3" receipts={receipts} access={access} onChange={read} />}
    </section>
  );
}

function Tasks() {
  const [tasks, setTasks] = useState<Task[]>();
  const read = async () => setTasks(await findTasks());
  useEffect(() => void read(), []);
  useChanges(read);
  return (
    <section class="pane" aria-labelledby="tasks-heading">
      <h2 id="tasks-heading">To do</h2>
      {!tasks && <p class="empty">Looking through the record …</p>}
      {tasks?.length === 0 && <p class="empty">Nothing: the record is complete.</p>}
      {tasks?.map((task) => (
        <TaskList key={task.title} task={task} />
      ))}
    </section>
  );
}

function TaskList({ task: { title, reason, items } }: { task: Task }) {
  const list = (some: Task['items']) => (
    <ul class="changes">
      {some.map(({ href, label, note }) => (
        <li key={href}>
          <a href={href}>{label}</a> <small>{note}</small>
        </li>
      ))}
    </ul>
  );
  return (
    <details class="task">
      <summary>
        {title} <b>{number(items.length)}</b>
      </summary>
      <p class="soft">{reason}</p>
      {list(items.slice(0, shownItems))}
      {items.length > shownItems && (
        <details>
          <summary>{`${Math.min(items.length, listedItems) - shownItems} more`}</summary>
          {list(items.slice(shownItems, listedItems))}
        </details>
      )}
    </details>
  );
}
