/** The rows of saved nominations: their cells, corrections, deletion, and what is written. */
import { recordPath } from '../../../api/contract/routes.ts';
import { addChoices, changedEntries, type Choices, isChosen } from './choices.tsx';
import { useDraft } from './drafts.ts';
import type { Making } from './making.ts';
import { editHref } from './naming.ts';
import type { LoadedNight } from './night-state.ts';
import { type CeremonyEntry, type Listed, read } from './reading.ts';
import { columnLabels, Meanings, type TextColumn } from './row-table.tsx';
import { type Answer, type Answers, idOfCell, type ReadRow, readRows, rowOfNomination } from './rows.ts';
import type { Row } from './sheet-text.ts';

type Nomination = Listed<'nominations'>;
/** Id of a nomination → what is typed over it. */
type Corrections = Readonly<Record<number, Partial<Row>>>;

/** Corrections of the saved nominations of a category, which nominations go, and which entries are to win. */
export function useSavedRows(night: LoadedNight, entries: readonly CeremonyEntry[]) {
  const [corrections, setCorrections] = useDraft<Corrections>('corrections', {});
  const [removed, setRemoved] = useDraft<readonly number[]>('removed', []);
  const [choices, setChoices] = useDraft<Choices>('choices', {});
  const nominations = entries.flatMap((entry) => entry.nominations);
  const corrected = nominations.filter((one) => isCorrected(one, corrections[one.id]));
  const gone = nominations.filter(({ id }) => removed.includes(id));
  return {
    choices,
    removed,
    changes: changedEntries(entries, choices).length + corrected.length + gone.length,
    rowOf: (one: Nomination): Row => ({ ...rowOfNomination(one), ...corrections[one.id] }),
    isWinner: (entry: CeremonyEntry) => isChosen(entry, choices),
    correct: (id: number, change: Partial<Row>) =>
      setCorrections((now) => ({ ...now, [id]: { ...now[id], ...change } })),
    toggle: (id: number) =>
      setRemoved((now) => (now.includes(id) ? now.filter((own) => own !== id) : [...now, id])),
    choose: (more: Choices) => setChoices((now) => ({ ...now, ...more })),
    forget() {
      setCorrections({});
      setRemoved([]);
      setChoices({});
    },
    /** Adds the writes of all changes. */
    async make(making: Making, answers: Answers) {
      for (const one of corrected.filter((own) => !gone.includes(own))) {
        const row = { ...rowOfNomination(one), ...corrections[one.id] };
        const others = night.saved.filter((own) => own !== one);
        const [meant] = await readRows([row], { ...night, saved: others }, answers);
        await addCorrection(one, meant!, making);
      }
      for (const { id } of gone) {
        const path = recordPath('nominations', id);
        making.writes.push({ method: 'DELETE', path, if_match: (await read(path)).etag });
      }
      const kept = entries.filter(({ nominations: own }) => own.some((one) => !gone.includes(one)));
      await addChoices(kept, choices, making);
    },
  };
}
export type SavedRows = ReturnType<typeof useSavedRows>;

function isCorrected(one: Nomination, correction: Partial<Row> | undefined): boolean {
  const row = rowOfNomination(one);
  return Object.entries(correction ?? {}).some(([column, value]) => row[column as keyof Row] !== value);
}

/** Adds the write of a corrected nomination: the members that differ. */
async function addCorrection(one: Nomination, meant: ReadRow, making: Making): Promise<void> {
  const controlOf = (column: string) => `saved-${one.id}-${column}`;
  const { row, film, song, people, faults } = meant;
  const before = rowOfNomination(one);
  const isNew = (column: keyof Row) => row[column] !== before[column];
  for (const [column, message] of Object.entries(faults))
    if (isNew(column as keyof Row)) making.faults.push({ control: controlOf(column), message });
  if (isNew('name') && people.length > 1)
    making.faults.push({ control: controlOf('name'), message: 'must be one: this row is one nomination' });
  if (making.faults.length > 0) return;
  const body: Record<string, unknown> = {};
  if (isNew('film')) body.movie_id = await idOfCell(film!, controlOf('film'), making);
  if (isNew('name')) body.nominee_id = await idOfCell(people[0]!, controlOf('name'), making);
  if (isNew('song')) body.song_id = song ? await idOfCell(song, controlOf('song'), making) : null;
  const details: Record<string, unknown> = {};
  for (const column of ['character', 'credited_as'] as const)
    if (isNew(column)) details[column] = row[column].trim() || null;
  const path = recordPath('nominations', one.id);
  const whole = Object.keys(details).length > 0 ? { ...body, details } : body;
  const { etag } = await read(path);
  making.writes.push({ method: 'PATCH', path, body: whole, if_match: etag, controlOf });
}

interface SavedRowProps {
  entry: CeremonyEntry;
  nomination: Nomination;
  columns: readonly TextColumn[];
  state: SavedRows;
  /** What the corrected row means; undefined for one that is as it is saved. */
  read: ReadRow | undefined;
  faultOf: (control: string) => string;
  onAnswer: (key: string, answer: Answer) => void;
}

export function SavedRow({
  entry,
  nomination,
  columns,
  state,
  read: meant,
  faultOf,
  onAnswer,
}: SavedRowProps) {
  const { id, nominee, movie } = nomination;
  const row = state.rowOf(nomination);
  const isGone = state.removed.includes(id);
  const saved = rowOfNomination(nomination);
  const hrefs: Partial<Record<TextColumn, string>> = {
    film: editHref('movies', nomination.movie_id),
    name: editHref('nominees', nomination.nominee_id),
    ...(nomination.song_id !== null && { song: editHref('songs', nomination.song_id) }),
  };
  return (
    <tr class={isGone ? 'saved gone' : 'saved'}>
      <td>
        <input
          type="checkbox"
          aria-label={`Won: ${nominee}, ${movie}`}
          checked={state.isWinner(entry)}
          disabled={isGone}
          onChange={() => state.choose({ [entry.key]: !state.isWinner(entry) })}
        />
      </td>
      {columns.map((column) => {
        const control = `saved-${id}-${column}`;
        const href = row[column] === saved[column] ? hrefs[column] : undefined;
        return (
          <td key={column} data-label={columnLabels[column]}>
            <div class="cell">
              <input
                id={control}
                aria-label={`${columnLabels[column]}: ${nominee}, ${movie}`}
                aria-invalid={faultOf(control) !== ''}
                autocomplete="off"
                disabled={isGone}
                value={row[column]}
                onInput={({ currentTarget: { value } }) => state.correct(id, { [column]: value })}
              />
              {href && (
                <a class="open" href={href} aria-label={`Edit ${row[column]}`}>
                  ↗
                </a>
              )}
              {row[column] !== saved[column] && <Meanings column={column} read={meant} onAnswer={onAnswer} />}
            </div>
            {faultOf(control) && <small class="fault">{faultOf(control)}</small>}
          </td>
        );
      })}
      <td class="end">
        <a href={editHref('nominations', id)} aria-label={`no. ${id}: ${nominee}, ${movie}`}>
          no. {id}
        </a>
        <button
          type="button"
          class="quiet"
          aria-label={`${isGone ? 'Keep' : 'Delete'} ${nominee}, ${movie}`}
          onClick={() => state.toggle(id)}
        >
          {isGone ? '↺' : '×'}
        </button>
      </td>
    </tr>
  );
}
