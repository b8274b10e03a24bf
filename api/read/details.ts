/** What `include` adds to answers: details of nominations, and counts of records as the press counts. */
import type { CountedResource } from '../contract/names.ts';
import { blockSpans, type DetailShard } from '../contract/snapshot.ts';
import { fold } from '../contract/text.ts';
import { IdColumn, joinRepeats } from './columns.ts';
import { nominationText } from './documents.ts';
import type { Snapshot } from './snapshot.ts';
import type { EntryTable, NominationTable } from './tables.ts';

/** One shard of details. */
export class DetailBlock extends IdColumn {
  readonly character: readonly (string | null)[];
  readonly note: readonly (string | null)[];
  readonly #category: Int32Array;
  readonly #names: readonly (string | null)[];

  constructor(shard: DetailShard) {
    super([shard]);
    this.character = shard.character;
    this.note = shard.note;
    this.#category = joinRepeats([shard.category], new Int32Array(this.count));
    this.#names = shard.names;
  }

  historicalCategory(row: number): string | null {
    return this.#names[this.#category[row]!]!;
  }
}

/** Nominations in the form of a list, with `details` if asked for. @param rows of the table */
export async function nominationTexts(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  withDetails: boolean,
): Promise<string[]> {
  const table = await snapshot.nominations();
  const texts = Array.from(rows, (row) => nominationText(table, row));
  if (!withDetails) return texts;
  const details = await detailTexts(snapshot, rows);
  return texts.map((text, i) => withMember(text, 'details', details[i]!));
}

/** The details of nominations as JSON, in the order of the rows. */
export async function detailTexts(snapshot: Snapshot, rows: ArrayLike<number>): Promise<string[]> {
  const [table, { entry, official }] = await Promise.all([snapshot.nominations(), snapshot.entries()]);
  const blocks = new Map<number, Promise<DetailBlock>>();
  const blockOf = (id: number) => {
    const key = Math.floor(id / blockSpans.details);
    const block = blocks.get(key) ?? snapshot.detailBlock(key);
    blocks.set(key, block);
    return block;
  };
  return Promise.all(
    Array.from(rows, async (row) => {
      const id = table.id(row);
      const block = await blockOf(id);
      const own = block.row(id);
      return JSON.stringify({
        entry: entry[row] || null,
        character: block.character[own],
        note: block.note[own],
        official: official[row] === 1,
        historical_category: block.historicalCategory(own),
      });
    }),
  );
}

/** A JSON object with one more member at its end. @param value as JSON */
export const withMember = (object: string, name: string, value: string): string =>
  `${object.slice(0, -1)},"${name}":${value}}`;

/** Per row of a table: entries, entries that won, individual nominations. */
export interface Counts {
  entries: Uint32Array;
  wins: Uint32Array;
  nominations: Uint32Array;
}

/** The counts of one record as JSON. */
export const countsText = ({ entries, wins, nominations }: Counts, row: number): string =>
  `{"entries":${entries[row]},"wins":${wins[row]},"nominations":${nominations[row]}}`;

const referenceTo = { movies: 'movie', nominees: 'nominee', ceremonies: 'ceremony' } as const;

/** The counts of all films, nominees or ceremonies. */
export function countEntries(table: NominationTable, entries: Int32Array, resource: CountedResource): Counts {
  const { postings, table: records } = table[referenceTo[resource]];
  const counts = {
    entries: new Uint32Array(records.count),
    wins: new Uint32Array(records.count),
    nominations: new Uint32Array(records.count),
  };
  for (let record = 0; record < records.count; record += 1) {
    const rows = postings.of(record);
    const won = rows.filter((row) => table.winner[row] === 1);
    const distinct = (some: Int32Array) => new Set(some.map((row) => entries[row]!)).size;
    counts.entries[record] = distinct(rows);
    counts.wins[record] = distinct(won);
    counts.nominations[record] = rows.length;
  }
  return counts;
}

/** The group of categories in which each nominee has an entry of his own. */
const actingGroup = 'acting';

/**
 * For each nomination the number of its entry: nominations with the same number count as one. Without an entry number of the
 * source, nominations of one ceremony, category, film and song are one entry, in acting those of one nominee.
 */
export function entriesOf(table: NominationTable, { entry }: EntryTable): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from({ length: table.count }, (_, row) => {
    const category = table.category.rows[row]!;
    const isActing = fold(table.categories.group.values[category] ?? '') === actingGroup;
    const nominee = isActing ? table.nominee.rows[row] : '';
    const own = entry[row] || `${table.movie.rows[row]} ${table.song.rows[row]} ${nominee}`;
    const key = `${table.ceremony.rows[row]} ${category} ${own}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
