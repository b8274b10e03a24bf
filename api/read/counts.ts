/**
 * Nominations as the press counts them. An entry counts once, however many nominations it has. What people
 * read counts official entries and names the others beside them; the API counts all unless it is asked.
 */
import { entryKey, isActingGroup } from '../contract/entries.ts';
import type { CountedResource } from '../contract/names.ts';
import type { OfficialCounts } from '../contract/resources.ts';
import { Postings } from './columns.ts';
import { allRows } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import { type NominationTable, referenceTo } from './tables.ts';

/** Per row of a table: entries, entries that won, individual nominations. */
export interface Counts {
  entries: Uint32Array;
  wins: Uint32Array;
  nominations: Uint32Array;
}

/** The number of the entry of each nomination, from 0: nominations with the same number count as one. */
export const entryNumbers = (snapshot: Snapshot): Promise<Int32Array> =>
  snapshot.derive('entry numbers', ['nominations'], async () =>
    numberEntries(await snapshot.table('nominations')),
  );

/** The counts of all films, nominees or ceremonies. */
export const countsOf = (snapshot: Snapshot, resource: CountedResource): Promise<Counts> =>
  snapshot.derive(`counts of ${resource}`, ['nominations'], async () =>
    countEntries(await snapshot.table('nominations'), await entryNumbers(snapshot), resource),
  );

/**
 * The counts of all films, nominees or ceremonies.
 * @param numbers of nominations: those with the same number count as one. See entryNumbers()
 * @param selected rows of the nominations that count; default all
 */
export function countEntries(
  table: NominationTable,
  numbers: Int32Array,
  resource: CountedResource,
  selected: Int32Array = allRows(table.count),
): Counts {
  const { rows, table: records } = table[referenceTo[resource]];
  const counts: Counts = {
    entries: new Uint32Array(records.count),
    wins: new Uint32Array(records.count),
    nominations: new Uint32Array(records.count),
  };
  const references = new Int32Array(selected.length);
  for (let i = 0; i < selected.length; i += 1) references[i] = rows[selected[i]!]!;
  const byRecord = Postings.of(references, records.count);
  // Per entry the last record that counted it, from 1. Replaces a set per record.
  const [counted, countedWins] = [new Int32Array(table.count), new Int32Array(table.count)];
  for (let record = 0; record < records.count; record += 1)
    for (let at = byRecord.offsets[record]!; at < byRecord.offsets[record + 1]!; at += 1) {
      const row = selected[byRecord.rows[at]!]!;
      const entry = numbers[row]!;
      counts.nominations[record]! += 1;
      if (counted[entry] !== record + 1) counts.entries[record]! += 1;
      counted[entry] = record + 1;
      if (table.winner[row] !== 1) continue;
      if (countedWins[entry] !== record + 1) counts.wins[record]! += 1;
      countedWins[entry] = record + 1;
    }
  return counts;
}

/** A function that counts the official entries among some nominations, and the others beside them. */
export async function officialCounter(
  snapshot: Snapshot,
): Promise<(rows: ArrayLike<number>) => OfficialCounts> {
  const [table, numbers] = [await snapshot.table('nominations'), await entryNumbers(snapshot)];
  const count = counterOfWins(table, numbers);
  return (rows) => {
    const all = count(rows);
    const { entries, wins } = count(Array.from(rows).filter((row) => table.official[row] === 1));
    return { entries, wins, unofficial: all.entries - entries, unofficial_wins: all.wins - wins };
  };
}

/** A function that counts the entries among some nominations, and those that won. */
export function counterOfWins(
  table: NominationTable,
  numbers: Int32Array,
): (rows: ArrayLike<number>) => { entries: number; wins: number } {
  const count = distinctCounter(numbers, table.count);
  return (rows) => ({
    entries: count(rows),
    wins: count(Array.from(rows).filter((row) => table.winner[row] === 1)),
  });
}

/** A function that counts the different values of some rows. @param limit above the highest value */
export function distinctCounter(values: Int32Array, limit: number): (rows: ArrayLike<number>) => number {
  // Per value the last call that had it. Replaces a set per call.
  const seen = new Int32Array(limit);
  let call = 0;
  return (rows) => {
    call += 1;
    let count = 0;
    for (let i = 0; i < rows.length; i += 1) {
      const value = values[rows[i]!]!;
      if (seen[value] !== call) count += 1;
      seen[value] = call;
    }
    return count;
  };
}

function numberEntries(table: NominationTable): Int32Array {
  const { ceremony, category, movie, nominee, song, entry, categories } = table;
  const [held, of] = [ceremony.rows, category.rows];
  const isActing = (row: number) => isActingGroup(categories.group.values[of[row]!]!);
  const keyOf = (row: number): string => {
    const fields = {
      ceremony_id: ceremony.idAt(row),
      category_id: category.idAt(row),
      movie_id: movie.idAt(row),
      nominee_id: nominee.idAt(row),
      song_id: song.has(row) ? song.idAt(row) : null,
      entry: null,
    };
    return entryKey(fields, isActing(row));
  };
  // Nearly all have a number within ceremony and category: numbers are many times as fast as texts as keys.
  const awards = new Map<number, Map<number | string, number>>();
  const numbers = new Int32Array(table.count);
  let count = 0;
  for (let row = 0; row < table.count; row += 1) {
    const award = held[row]! * categories.count + of[row]!;
    const known = awards.get(award) ?? new Map<number | string, number>();
    awards.set(award, known);
    const key = entry[row] ?? keyOf(row);
    const number = known.get(key) ?? count++;
    known.set(key, number);
    numbers[row] = number;
  }
  return numbers;
}
