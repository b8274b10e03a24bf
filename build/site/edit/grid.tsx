/** The nominations of a category: the saved ones to correct, and rows for new ones. One save is one batch. */
import { count } from '../shared/format.ts';
import { isTie, TieQuestion } from './choices.tsx';
import { type Making, sendOnce, useAttempt } from './making.ts';
import { changesIn, entriesIn, type LoadedState, nextOpen } from './night-state.ts';
import { columnsOf, TableHead, TypedRow } from './row-table.tsx';
import { addWrites, type Category, isCopy } from './rows.ts';
import { SavedRow } from './saved-row.tsx';
import { useSavedRows } from './saved-rows.ts';
import { newWinners, savedWords, useMeanings, useTypedRows } from './typed-rows.ts';
import {
  type Access,
  changedMeanwhile,
  type Notice,
  noticeOf,
  SaveForm,
  useFirstFocus,
  useWork,
} from './work.tsx';

type Props = { state: LoadedState; category: Category; access: Access };

/** Rows for new nominations that are shown at least. */
const shownRows = 6;

export function Grid({ state, category, access }: Props) {
  const { night, reload, forgetNews } = state;
  const entries = entriesIn(night, category.id);
  useFirstFocus('0-film');
  const columns = columnsOf(category, night.acting.has(category.id));
  const typed = useTypedRows(night.ceremony, category.category_name, columns);
  const { rows, put } = typed;
  const meanings = useMeanings(rows, night);
  const saved = useSavedRows(night, entries, meanings.answers);
  const attempt = useAttempt();
  const working = useWork(access, (control) => labelOf(control));
  const isOpenTie =
    isTie(entries, saved.choices, newWinners(meanings.reads, category.id)) &&
    !meanings.ties.includes(category.id);
  const filled = rows.flatMap((row, at) => (row.category === '' ? [] : [at]));
  const total = filled.length + saved.changes;
  const make = async (making: Making) => {
    const reads = await meanings.load();
    for (const [i, read] of reads.entries())
      if (!isCopy(read)) await addWrites(read, night, making, (column) => `${filled[i]}-${column}`);
    const newOnes = newWinners(reads, category.id);
    if (isTie(entries, saved.choices, newOnes) && !meanings.ties.includes(category.id))
      making.faults.push({ control: `tie-${category.id}`, message: 'Two winners: say whether it is a tie' });
    await saved.make(making);
    if (making.writes.length === 0 && making.faults.length === 0)
      making.faults.push({ control: '', message: 'This nomination is there already' });
  };
  const forget = () => {
    typed.forget();
    saved.forget();
    meanings.forget();
  };
  /** Shows what others changed; what is typed stays. */
  const onStale = async (): Promise<Notice | undefined> => {
    const now = await reload();
    forgetNews();
    const lines = await changesIn(night.entries, now.entries, access.key);
    return lines.length === 0 ? undefined : changedMeanwhile(lines);
  };
  const save = async (): Promise<Notice | undefined> => {
    if (total === 0 && !attempt.current) return undefined;
    const reads = await meanings.load();
    // Beside a winner that another editor chose, a save is asked about.
    const now = attempt.current ? night : await reload();
    const news = await changesIn(night.entries, now.entries, access.key);
    const contested = saved.contestedIn(entriesIn(now, category.id));
    if (contested.length > 0 || news.some((line) => /winner|wins/.test(line)))
      return changedMeanwhile([...news, ...contested]);
    const outcome = await sendOnce(attempt, make, working.signature);
    forget();
    const { entries: stored } = await reload();
    const words = savedWords(reads, outcome);
    const next = stored.length > 0 ? nextOpen(night, category.id) : undefined;
    const lines = next ? { lines: [`Next: ${next.category_name}.`] } : {};
    return { ...noticeOf(outcome, `Saved: ${words || 'nothing new'}.`), ...lines };
  };
  return (
    <SaveForm
      working={working}
      unsaved={total > 0 ? count(total, 'changed row') : ''}
      onSave={() => void working.work(save, onStale)}
      onDiscard={forget}
      show={reload}
    >
      {isOpenTie && (
        <TieQuestion
          id={category.id}
          onTie={() => meanings.addTie(category.id)}
          onOne={() => {
            const last = filled.findLast((at) => rows[at]!.winner);
            for (const at of filled) if (at !== last && rows[at]!.winner) put(at, { winner: false });
            const chosen = last === undefined ? entries.findLast(({ key }) => saved.choices[key]) : undefined;
            const lost = entries.filter((entry) => entry !== chosen);
            saved.choose(Object.fromEntries(lost.map(({ key }) => [key, false])));
          }}
        />
      )}
      <table class="grid">
        <TableHead columns={columns} />
        <tbody>
          {entries.flatMap((entry) =>
            entry.nominations.map((one) => (
              <SavedRow
                key={one.id}
                entry={entry}
                nomination={one}
                columns={columns}
                state={saved}
                read={saved.readOf(one.id)}
                faultOf={working.faultsOf}
                onAnswer={meanings.answer}
              />
            )),
          )}
          {Array.from({ length: Math.max(shownRows, rows.length + 1) }, (_, at) => (
            <TypedRow
              key={`new ${at}`}
              at={at}
              row={typed.rowAt(at)}
              read={meanings.reads[filled.indexOf(at)]}
              columns={columns}
              faultOf={(column) => working.faultsOf(`${at}-${column}`)}
              onChange={(change) => put(at, change)}
              onAnswer={meanings.answer}
              onPaste={(event, column) => void typed.paste(event, at, column)}
              onRemove={() => typed.remove(at)}
            />
          ))}
        </tbody>
      </table>
    </SaveForm>
  );
}

/** "Row 3, Film" for the control `2-film`. */
function labelOf(control: string): string {
  const [, row, column = ''] = /^(\d+)-(.*)$/.exec(control) ?? [];
  const words = control.replace(/^saved-\d+-/, '').replace('_', ' ');
  if (control.startsWith('tie-') || control === '') return '';
  return row === undefined ? words : `Row ${Number(row) + 1}, ${column.replace('_', ' ')}`;
}
