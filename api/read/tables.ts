/** The tables of a snapshot: columns with one row per record, in ascending id order. Tables are immutable. */
import { categoryNamed } from '../contract/category-names.ts';
import type { ReferencedResource, ResourceName } from '../contract/names.ts';
import {
  type ColumnKind,
  type ColumnsOf,
  type CoreShard,
  type Runs,
  type TableName,
  tables,
  type ValueIn,
} from '../contract/snapshot.ts';
import { IdColumn, Postings, TagColumn, TextColumn } from './columns.ts';

/** The ids of the records of each resource. */
export type IdColumns = Readonly<Record<ResourceName, IdColumn>>;

export const idColumns = ({ ids }: CoreShard): IdColumns =>
  Object.fromEntries(
    Object.entries(ids).map(([resource, id]) => [resource, new IdColumn([{ id }])]),
  ) as IdColumns;

/** Resource → the name of the references to it. */
export const referenceTo = {
  ceremonies: 'ceremony',
  categories: 'category',
  movies: 'movie',
  nominees: 'nominee',
  songs: 'song',
} as const satisfies Record<ReferencedResource, string>;

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

  /**
   * The row that a nomination refers to; there must be one. For a few nominations: `rows` has those of all.
   */
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

/** Names of categories, with a search that knows their earlier and common names. */
export class KnownNames extends TextColumn {
  /**
   * Rows whose name contains a text; where none does, those of the category that it names otherwise, such as
   * "best actor".
   */
  override rowsContaining(text: string): number[] {
    const rows = super.rowsContaining(text);
    const category = rows.length > 0 ? undefined : categoryNamed(text);
    if (category === undefined) return rows;
    return this.values.flatMap((name, row) => (categoryNamed(name!) === category ? [row] : []));
  }
}

type ColumnOf<T extends TableName, C extends keyof ColumnsOf<T>> = ColumnsOf<T>[C] extends readonly [
  infer K,
  unknown,
]
  ? K extends 'text'
    ? TextColumn
    : K extends 'tags'
      ? TagColumn
      : K extends 'flag'
        ? Uint8Array
        : K extends 'plain'
          ? readonly ValueIn<T, C>[]
          : References
  : never;
export type Table<T extends TableName> = IdColumn & { readonly [C in keyof ColumnsOf<T>]: ColumnOf<T, C> };

/** A Table of this name. @param shards ColumnShards of it @param ids that the references lead to */
export function makeTable(name: TableName, shards: readonly { id: Runs }[], ids: IdColumns): IdColumn {
  const all = shards as readonly (Record<string, never[]> & { id: never })[];
  const definitions = Object.entries<readonly [ColumnKind, string]>(tables[name].columns);
  const columns = definitions.map(([column, [kind]]) => {
    const values = ([] as never[]).concat(...all.map((shard) => shard[column]!));
    if (kind === 'text') return [column, new TextColumn(values)];
    if (kind === 'tags') return [column, new TagColumn(values)];
    if (kind === 'flag') return [column, new Uint8Array(values)];
    return [column, kind === 'plain' ? values : new References(values, ids[kind])];
  });
  return Object.assign(new IdColumn(shards), Object.fromEntries(columns));
}

/** Nominations, and the few ceremonies and categories that they refer to. */
export type NominationTable = Table<'nominations'> & {
  ceremonies: Table<'ceremonies'>;
  categories: Table<'categories'>;
};

/** The year of the ceremony of a nomination. */
export const yearAt = ({ ceremonies, ceremony }: NominationTable, row: number): number =>
  ceremonies.year[ceremony.rowAt(row)]!;
