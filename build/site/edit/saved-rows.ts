/** The saved nominations of a category: corrections, deletions, outcomes, and what is written. */
import { addChoices, changedEntries, type Choices, isChosen } from './choices.tsx';
import { useCorrections } from './corrections.ts';
import { useDraft } from './drafts.ts';
import { useLatestOrLast } from './latest.ts';
import { addChange, addDeletions, type Making } from './making.ts';
import type { LoadedNight } from './night-state.ts';
import type { CeremonyEntry, Listed } from './reading.ts';
import { columnLabels } from './row-table.tsx';
import { type Answers, idOfCell, type ReadRow, readRows, rowOfNomination } from './rows.ts';
import type { Row } from './sheet-text.ts';

type Nomination = Listed<'nominations'>;

/** Corrections of the saved nominations of a category, which nominations go, and which entries are to win. */
export function useSavedRows(night: LoadedNight, entries: readonly CeremonyEntry[], answers: Answers) {
  const [choices, setChoices] = useDraft<Choices>('choices', {});
  const nominations = entries.flatMap((entry) => entry.nominations);
  const corrections = useCorrections<Row>(rowsOf(entries));
  const { corrected, gone, rowOf } = corrections;
  const rows = corrected.map(rowOf);
  const reads = useLatestOrLast(JSON.stringify([rows, answers]), () =>
    readRows(rows, { ...night, saved: [] }, answers),
  );
  return {
    ...corrections,
    /** What a corrected row means; undefined for one that is as it is saved. */
    readOf: (id: number): ReadRow | undefined => reads?.[corrected.indexOf(id)],
    choices,
    changes: changedEntries(entries, choices).length + corrected.length + gone.length,
    isWinner: (entry: CeremonyEntry) => isChosen(entry, choices),
    choose: (more: Choices) => setChoices((now) => ({ ...now, ...more })),
    forget() {
      corrections.forget();
      setChoices({});
    },
    /** What others wrote into the cells that are typed over, a line each. */
    contestedIn: (now: readonly CeremonyEntry[]): string[] =>
      corrections.takeContested(rowsOf(now)).map(({ id, column, theirs }) => {
        const label = column === 'winner' ? 'Won' : columnLabels[column];
        return `${rowOf(id).name}, ${rowOf(id).film}: ${label} is now “${theirs}”`;
      }),
    /** Adds the writes of all changes. */
    async make(making: Making) {
      for (const one of nominations.filter(({ id }) => corrected.includes(id) && !gone.includes(id))) {
        const others = night.saved.filter((own) => own !== one);
        const [meant] = await readRows([rowOf(one.id)], { ...night, saved: others }, answers);
        await addCorrection(one, meant!, making);
      }
      await addDeletions('nominations', gone, making);
      const kept = entries.filter(({ nominations: own }) => own.some(({ id }) => !gone.includes(id)));
      await addChoices(kept, choices, making);
    },
  };
}
export type SavedRows = ReturnType<typeof useSavedRows>;

const rowsOf = (entries: readonly CeremonyEntry[]): ReadonlyMap<number, Row> =>
  new Map(entries.flatMap((entry) => entry.nominations.map((one) => [one.id, rowOfNomination(one)])));

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
  const whole = Object.keys(details).length > 0 ? { ...body, details } : body;
  await addChange('nominations', one.id, whole, making, controlOf);
}
