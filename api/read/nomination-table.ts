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

/** A column of references from nominations to the rows of another table. */
export class References {
  readonly table: IdColumn;
  /** For each nomination the row it refers to, -1 for none. */
  readonly rows: Int32Array;
  #postings: Postings | undefined;

  /** @param ids that the nominations refer to */
  constructor(ids: readonly (number | null)[], table: IdColumn) {
    this.table = table;
    this.rows = table.toRows(ids);
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
    return this.ceremonies.year[this.ceremony.rows[row]!]!;
  }
}
