/**
 * Shards cut by id. A block is the records of one range of ids; a shard holds one block of one family. Here
 * are the blocks that a set of changes affects, and their shards from the database.
 */
import type { EnrichedResource } from '../../api/contract/enrichment.ts';
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import {
  blockFamilies,
  type BlockFamily,
  blockSpans,
  type ColumnFamily,
  type ColumnKind,
  type Columns,
  recordShardText,
  type Runs,
  type ShardOf,
  type SparseTable,
  sparseTables,
  type TableName,
  tables,
  toRuns,
} from '../../api/contract/snapshot.ts';
import { IdColumn, lastNotAbove } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { restrictedBetween } from '../../data/enrich/restricted.ts';
import type { Connection } from '../../data/database/open.ts';
import { columnsBetween, occupiedBlocks, recordsBetween } from '../../data/record/records.ts';

/** A shard as a reader parses it, and the text of its file. */
export interface MadeShard {
  value: unknown;
  text: string;
}

export const jsonShard = (value: object): MadeShard => ({ value, text: `${JSON.stringify(value)}\n` });

/** A block and its shard. */
interface BlockShard {
  family: BlockFamily;
  key: number;
  /** undefined if the block has no record. */
  shard: MadeShard | undefined;
}

/** Makes the shards of a family: its resource, and the shard of the records with `from <= id < to`. */
interface Maker {
  resource: ResourceName;
  /**
   * The fields that the shard is made from; undefined for all of them, and for a shard that is not made from
   * the record alone.
   */
  fields?: readonly string[];
  shard: (connection: Connection, from: number, to: number) => MadeShard | undefined;
  /** Replaces the rows of some ids in the shard of the previous snapshot: to read a block takes longer. */
  update?: (connection: Connection, before: unknown, ids: readonly number[]) => MadeShard | undefined;
}

/** Ids, then the values of each column; an entry for each row. */
type Rows = [ids: number[], ...columns: unknown[][]];

const isSparse = (table: TableName): table is SparseTable => Object.hasOwn(sparseTables, table);

/** The fields that the columns of a table hold, in their order. */
const fieldsIn = (table: TableName): string[] =>
  Object.values<readonly [ColumnKind, string]>(tables[table].columns).map(([, field]) => field);

/** The rows of the records with `from <= id < to`. */
function rowsBetween(connection: Connection, table: TableName, from: number, to: number): Rows {
  const fields = fieldsIn(table);
  const condition = isSparse(table) ? `${sparseTables[table]} <> '[]'` : undefined;
  const read = columnsBetween(connection, tables[table].resource, fields as never[], from, to, condition);
  const values = read as Readonly<Record<string, unknown[]>>;
  return [values.id as number[], ...fields.map((field) => values[field]!)];
}

const namedColumns = (table: TableName, [, ...columns]: Rows): Record<string, unknown[]> =>
  Object.fromEntries(Object.keys(tables[table].columns).map((name, i) => [name, columns[i]!]));

/** All rows of a table that is a part of "core". */
export const coreColumns = <T extends 'ceremonies' | 'categories'>(connection: Connection, table: T) =>
  namedColumns(table, rowsBetween(connection, table, 0, Number.POSITIVE_INFINITY)) as unknown as Columns<T>;

/** Shards of columns. */
function columns(family: ColumnFamily): Maker {
  const names = Object.keys(tables[family].columns);
  const made = (rows: Rows): MadeShard | undefined =>
    rows[0].length === 0 ? undefined : jsonShard({ id: toRuns(rows[0]), ...namedColumns(family, rows) });
  return {
    resource: tables[family].resource,
    // Whole records do not have the fields of a sparse table, so that a change of them is not known.
    ...(!isSparse(family) && { fields: fieldsIn(family) }),
    shard: (connection, from, to) => made(rowsBetween(connection, family, from, to)),
    update(connection, before, changed) {
      const shard = (before ?? { id: [] }) as { id: Runs } & Record<string, unknown[] | undefined>;
      const rows: Rows = [new IdColumn([shard]).ids, ...names.map((name) => [...(shard[name] ?? [])])];
      for (const id of changed) {
        const row = lastNotAbove(rows[0], id);
        const isKnown = rows[0][row] === id;
        const now = rowsBetween(connection, family, id, id + 1);
        for (const [i, column] of rows.entries())
          (column as unknown[]).splice(isKnown ? row : row + 1, isKnown ? 1 : 0, ...now[i]!);
      }
      return made(rows);
    },
  };
}

/** Shards of whole records. */
function records(resource: ReferencedResource): Maker {
  return {
    resource,
    shard(connection, from, to) {
      const records = recordsBetween(connection, resource, from, to);
      if (records.length === 0) return undefined;
      return { value: records, text: recordShardText(records.map((record) => JSON.stringify(record))) };
    },
  };
}

/** Shards of restricted fields. */
function restricted(resource: EnrichedResource): Maker {
  return {
    resource,
    shard(connection, from, to) {
      const ids = restrictedBetween(connection, resource, from, to);
      return ids && jsonShard(ids);
    },
  };
}

function makerOf(family: BlockFamily): Maker {
  if (isColumnFamily(family)) return columns(family);
  const [kind, resource] = family.split('/');
  return kind === 'records'
    ? records(resource as ReferencedResource)
    : restricted(resource as EnrichedResource);
}

const isColumnFamily = (family: BlockFamily): family is ColumnFamily => Object.hasOwn(tables, family);

/** Changed records by id, each with the fields that changed; undefined if any field may have changed. */
export type ChangedRecords = ReadonlyMap<number, ReadonlySet<string> | undefined>;

/** What an incremental build starts from: the changed records, and the snapshot without the changes. */
export interface Difference {
  changed: ReadonlyMap<ResourceName, ChangedRecords>;
  before: Snapshot;
}

/**
 * The shards that hold or held the changed fields of records.
 * @param difference default every shard of every family
 */
export async function* blockShards(
  connection: Connection,
  difference?: Difference,
): AsyncGenerator<BlockShard> {
  for (const family of blockFamilies) {
    const span = blockSpans[family];
    const { resource, fields, shard, update } = makerOf(family);
    const whole = (key: number) => shard(connection, key * span, (key + 1) * span);
    if (difference === undefined)
      for (const key of occupiedBlocks(connection, resource, span)) yield { family, key, shard: whole(key) };
    const blocks = new Map<number, number[]>();
    for (const [id, changedFields] of difference?.changed.get(resource) ?? []) {
      if (changedFields && fields && !fields.some((field) => changedFields.has(field))) continue;
      const key = Math.floor(id / span);
      blocks.set(key, [...(blocks.get(key) ?? []), id]);
    }
    for (const [key, ids] of blocks) {
      const before = update && (await difference!.before.block(family as keyof ShardOf, key));
      yield { family, key, shard: update ? update(connection, before, ids) : whole(key) };
    }
  }
}
