/** The nominations of a snapshot: their columns, and the texts of the records that they refer to. */
import type { ReferencedResource } from '../contract/names.ts';
import type { NominationShard } from '../contract/snapshot.ts';
import { IdColumn, joinPlain, joinRepeats, Postings } from './columns.ts';
import type { CategoryTable, CeremonyTable, IdColumns } from './tables.ts';

/** Resource → the name of the references to it. */
export const referenceTo = {
  ceremonies: 'ceremony',
  categories: 'category',
  movies: 'movie',
  nominees: 'nominee',
  songs: 'song',
} as const satisfies Record<ReferencedResource, string>;
type ReferenceName = (typeof referenceTo)[ReferencedResource];

/** A column of references from nominations to the rows of another table. Computed at first use. */
export class References {
  readonly #shards: readonly NominationShard[];
  readonly #name: ReferenceName;
  /** Number of nominations. */
  readonly #count: number;
  readonly table: IdColumn;
  #rows: Int32Array | undefined;
  #postings: Postings | undefined;

  constructor(shards: readonly NominationShard[], name: ReferenceName, count: number, table: IdColumn) {
    this.#shards = shards;
    this.#name = name;
    this.#count = count;
    this.table = table;
  }

  /** For each nomination the row it refers to, -1 for none. */
  get rows(): Int32Array {
    this.#rows ??= this.table.toRows(this.#values());
    return this.#rows;
  }

  /** The id that a nomination refers to; there must be one. */
  idAt(nomination: number): number {
    return this.table.id(this.rows[nomination]!);
  }

  /** For each row of the other table the nominations that refer to it. */
  get postings(): Postings {
    this.#postings ??= Postings.of(this.rows, this.table.count);
    return this.#postings;
  }

  /** The nominations that refer to a row, ascending. */
  nominationsOf(row: number): Int32Array {
    return this.postings.of(row);
  }

  /** The number of nominations that refer to a row. */
  countOf(row: number): number {
    return this.postings.count(row);
  }

  #values(): Int32Array | Float64Array {
    const columns = this.#shards.map((shard) => shard[this.#name]);
    const small = this.table.count === 0 || this.table.id(this.table.count - 1) < 2 ** 31;
    const values = small ? new Int32Array(this.#count) : new Float64Array(this.#count);
    return this.#name === 'movie' || this.#name === 'nominee'
      ? joinPlain(columns, values)
      : joinRepeats(columns, values);
  }
}

/** The tables that nominations refer to, in the shard of "core". */
interface CoreTables {
  ids: IdColumns;
  ceremonies: CeremonyTable;
  categories: CategoryTable;
}

/** Nominations without texts of other records, except of the small ceremonies and categories: enough to select and to count. */
export class NominationTable extends IdColumn {
  readonly ceremonies: CeremonyTable;
  readonly categories: CategoryTable;
  readonly ceremony: References;
  readonly category: References;
  readonly movie: References;
  readonly nominee: References;
  readonly song: References;
  readonly winner: Uint8Array;
  /** Number of the entry within ceremony and category, 0 for none. */
  readonly entry: Float64Array;
  readonly official: Uint8Array;

  constructor(shards: readonly NominationShard[], { ids, ceremonies, categories }: CoreTables) {
    super(shards);
    this.ceremonies = ceremonies;
    this.categories = categories;
    const references = (name: ReferenceName, table: IdColumn) =>
      new References(shards, name, this.count, table);
    this.ceremony = references('ceremony', ceremonies);
    this.category = references('category', categories);
    this.movie = references('movie', ids.movies);
    this.nominee = references('nominee', ids.nominees);
    this.song = references('song', ids.songs);
    this.winner = joinRepeats(
      shards.map((shard) => shard.winner),
      new Uint8Array(this.count),
    );
    this.official = joinRepeats(
      shards.map((shard) => shard.official),
      new Uint8Array(this.count),
    );
    this.entry = joinPlain(
      shards.map((shard) => shard.entry),
      new Float64Array(this.count),
    );
  }

  /** The year of the ceremony of a nomination. */
  yearAt(row: number): number {
    return this.ceremonies.year[this.ceremony.rows[row]!]!;
  }
}
