/** Nominations of films, nominees and ceremonies as the press counts them. */
import { entryKey, isActingGroup } from '../contract/entries.ts';
import type { CountedResource } from '../contract/names.ts';
import { type NominationTable, referenceTo } from './tables.ts';
import { allRows } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

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
 * @param numbers see entryNumbers()
 * @param selected rows of the nominations that count; default all
 */
export function countEntries(
  table: NominationTable,
  numbers: Int32Array,
  resource: CountedResource,
  selected?: Int32Array,
): Counts {
  const { rows, table: records } = table[referenceTo[resource]];
  const counts: Counts = {
    entries: new Uint32Array(records.count),
    wins: new Uint32Array(records.count),
    nominations: new Uint32Array(records.count),
  };
  // Each record with each of its entries, as one number.
  const [counted, won] = [new Set<number>(), new Set<number>()];
  for (const row of selected ?? allRows(table.count)) {
    const record = rows[row]!;
    const pair = record * table.count + numbers[row]!;
    counts.nominations[record]! += 1;
    counted.add(pair);
    if (table.winner[row] === 1) won.add(pair);
  }
  for (const pair of counted) counts.entries[Math.floor(pair / table.count)]! += 1;
  for (const pair of won) counts.wins[Math.floor(pair / table.count)]! += 1;
  return counts;
}

/** The entries of a few nominations, and those that won. */
export function countFew(
  table: NominationTable,
  nominations: readonly number[],
): { entries: number; wins: number } {
  // Most records have one.
  if (nominations.length === 1) return { entries: 1, wins: table.winner[nominations[0]!] === 1 ? 1 : 0 };
  const keyAt = entryKeys(table);
  const entriesOf = (rows: readonly number[]) => new Set(rows.map(keyAt)).size;
  return {
    entries: entriesOf(nominations),
    wins: entriesOf(nominations.filter((row) => table.winner[row] === 1)),
  };
}

function numberEntries(table: NominationTable): Int32Array {
  const keyAt = entryKeys(table);
  const numbers = new Map<string, number>();
  return allRows(table.count).map((row) => {
    const key = keyAt(row);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

/** The key of the entry of a nomination. */
function entryKeys({ ceremony, category, movie, nominee, song, entry, categories }: NominationTable) {
  // Few nominations have no number of an entry.
  const isActing = (row: number) => isActingGroup(categories.group.values[category.rowAt(row)]!);
  return (row: number): string =>
    entryKey(
      {
        ceremony_id: ceremony.idAt(row),
        category_id: category.idAt(row),
        movie_id: movie.idAt(row),
        nominee_id: nominee.idAt(row),
        song_id: song.has(row) ? song.idAt(row) : null,
        entry: entry[row]!,
      },
      entry[row] === null && isActing(row),
    );
}
