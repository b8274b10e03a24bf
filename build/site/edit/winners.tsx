/** The winners of a night: one action each, for all categories on one page, also on a phone. */
import { count } from '../shared/format.ts';
import { addChoices, changedEntries, type Choices, isChosen, isTie, TieQuestion } from './choices.tsx';
import { useDraft } from './drafts.ts';
import { type Making, sendOnce, useAttempt } from './making.ts';
import { changesIn, entriesIn, type LoadedState } from './night-state.ts';
import { hasWon } from './reading.ts';
import type { Category } from './rows.ts';
import {
  type Access,
  changedMeanwhile,
  type Notice,
  noticeOf,
  SaveForm,
  savedBefore,
  useWork,
} from './work.tsx';

export function Winners({ state, access }: { state: LoadedState; access: Access }) {
  const { night, reload, forgetNews } = state;
  const [choices, setChoices] = useDraft<Choices>('choices', {});
  const [ties, setTies] = useDraft<readonly number[]>('ties', []);
  const attempt = useAttempt();
  const working = useWork(access, () => '');
  const changed = changedEntries(night.entries, choices);
  const open = (category: Category) =>
    isTie(entriesIn(night, category.id), choices) && !ties.includes(category.id);
  const make = async (making: Making) => {
    for (const category of night.categories.filter(open))
      making.faults.push({
        control: `tie-${category.id}`,
        message: `${category.category_name} has two winners: say whether it is a tie`,
      });
    await addChoices(night.entries, choices, making);
  };
  const forget = () => {
    setChoices({});
    setTies([]);
  };
  /** Others changed a winner: shows it, and saves nothing. */
  const onStale = async (): Promise<Notice | undefined> => {
    const now = await reload();
    forgetNews();
    const isSaved = changedEntries(now.entries, choices).length === 0;
    const lines = await changesIn(night.entries, now.entries, access.key);
    if (isSaved && lines.length <= changed.length) {
      forget();
      return savedBefore;
    }
    return lines.length === 0 ? undefined : changedMeanwhile(lines);
  };
  const save = async (): Promise<Notice | undefined> => {
    if (changed.length === 0 && !attempt.current) return undefined;
    const before = night.entries;
    const now = attempt.current ? night : await reload();
    const news = await changesIn(before, now.entries, access.key);
    const others = news.filter((line) => /winner|wins$|wins \(/.test(line));
    if (others.length > 0) return changedMeanwhile(others);
    const outcome = await sendOnce(attempt, make, working.signature);
    forget();
    await reload();
    const rows = count(outcome.receipts.length, 'row');
    return noticeOf(outcome, `Saved: ${count(changed.length, 'winner')} chosen or taken back, ${rows}.`);
  };
  const address = `/edit/ceremonies/${night.ceremony}`;
  const group = (category: Category) => {
    const entries = entriesIn(night, category.id);
    return (
      <fieldset key={category.id} class={entries.some((entry) => isChosen(entry, choices)) ? 'done' : ''}>
        <legend>
          <a href={`${address}/categories/${category.id}`}>{category.category_name}</a>
        </legend>
        {entries.map((entry) => (
          <label key={entry.key} class="choice">
            <input
              type="checkbox"
              checked={isChosen(entry, choices)}
              onChange={() => setChoices((now) => ({ ...now, [entry.key]: !isChosen(entry, now) }))}
            />
            <span>{entry.label}</span>
          </label>
        ))}
        {entries.length === 0 && <p class="empty">No nominations yet.</p>}
        {open(category) && (
          <TieQuestion
            id={category.id}
            onTie={() => setTies((now) => [...now, category.id])}
            onOne={() => {
              const chosen = entries.filter((entry) => choices[entry.key]).at(-1);
              const lost = entries.filter((entry) => entry !== chosen);
              setChoices((now) => ({ ...now, ...Object.fromEntries(lost.map(({ key }) => [key, false])) }));
            }}
          />
        )}
      </fieldset>
    );
  };
  const held = night.past.filter(({ id }) => entriesIn(night, id).length > 0);
  const decided = night.current.filter(({ id }) => entriesIn(night, id).some(hasWon)).length;
  return (
    <SaveForm
      working={working}
      unsaved={changed.length > 0 ? count(changed.length, 'changed outcome') : ''}
      onSave={() => void working.work(save, onStale)}
      onDiscard={forget}
      show={reload}
    >
      <p class="soft">
        {decided} of {count(night.current.length, 'category has', 'categories have')} a winner.
      </p>
      <div class="cards">{[...night.current, ...held].map(group)}</div>
    </SaveForm>
  );
}
