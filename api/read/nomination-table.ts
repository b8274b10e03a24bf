/** The nominations of a snapshot: their columns, and the texts of the records that they refer to. */
import type { ReferencedResource } from '../contract/names.ts';
import type { NominationShard } from '../contract/snapshot.ts';
import { concatenate, IdColumn, Postings } from './columns.ts';
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

/** A column of references from nominations to the records of another table, by id. */
export class References {
  readonly table: IdColumn;
  readonly #ids: readonly (number | null)[];
  /** Made at their first use: a page of a record needs one column of five. */
  #rows: Int32Array | undefined;
  #postings: Postings | undefined;

  /** @param ids that the nominations refer to, null for none */
  constructor(ids: readonly (number | null)[], table: IdColumn) {
    this.#ids = ids;
    this.table = table;
  }

  /** Whether a nomination refers to a record. */
  has(nomination: number): boolean {
    return this.#ids[nomination] !== null;
  }

  /** The id that a nomination refers to; there must be one. */
  idAt(nomination: number): number {
    return this.#ids[nomination]!;
  }

  /** The row that a nomination refers to; there must be one. For a few nominations: `rows` has those of all. */
  rowAt(nomination: number): number {
    return this.table.row(this.idAt(nomination));
  }

  /** For each nomination the row it refers to, -1 for none. */
  get rows(): Int32Array {
    this.#rows ??= this.table.toRows(this.#ids);
    return this.#rows;
  }

  /** The nominations that refer to a record, ascending. */
  nominationsOf(id: number): Int32Array {
    this.#postings ??= Postings.of(this.rows, this.table.count);
    const row = this.table.row(id);
    return row < 0 ? none : this.#postings.of(row);
  }
}

const none = new Int32Array();

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
  /** Number of the entry within ceremony and category. */
  readonly entry: readonly (number | null)[];
  readonly official: Uint8Array;

  constructor(shards: readonly NominationShard[], { ids, ceremonies, categories }: CoreTables) {
    super(shards);
    this.ceremonies = ceremonies;
    this.categories = categories;
    const references = (name: ReferenceName, table: IdColumn) =>
      new References(
        concatenate<NominationShard, number | null>(shards, (shard) => shard[name]),
        table,
      );
    this.ceremony = references('ceremony', ceremonies);
    this.category = references('category', categories);
    this.movie = references('movie', ids.movies);
    this.nominee = references('nominee', ids.nominees);
    this.song = references('song', ids.songs);
    this.winner = new Uint8Array(concatenate(shards, (shard) => shard.winner));
    this.official = new Uint8Array(concatenate(shards, (shard) => shard.official));
    this.entry = concatenate(shards, (shard) => shard.entry);
  }

  /** The year of the ceremony of a nomination. */
  yearAt(row: number): number {
    return this.ceremonies.year[this.ceremony.rowAt(row)]!;
  }
}
