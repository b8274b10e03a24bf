/**
 * Rows of the record: read by id range or one value at a time, counted, added, and checked for broken
 * references.
 */
import {
  defaultOf,
  listFields,
  publishedFields,
  type ReferenceField,
  references,
  storedFields,
} from '../../api/contract/bodies.ts';
import { detailNames } from '../../api/contract/fields.ts';
import { type ReferencedResource, type ResourceName, resourceNames } from '../../api/contract/names.ts';
import type { Details, Nomination, RecordOf } from '../../api/contract/resources.ts';
import type { Change } from '../database/changes.ts';
import { type Connection, prepared } from '../database/open.ts';
import { UserError } from '../system/messages.ts';

/** A nomination as stored: references only. */
type NominationRow = Pick<Nomination, 'id' | ReferenceField> & { winner: 0 | 1 };
/** The details of a nomination as stored. */
export type DetailsRow = Omit<Details, 'official'> & { official: 0 | 1 };

/**
 * A value as its column holds it: booleans as 0 or 1, arrays as JSON. The tables refuse `\u0000` in an array,
 * even after an escaped backslash, so that backslashes are written as `\u005c`.
 */
export function storedValue(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value).replaceAll('\\\\', '\\u005c') : value;
}

/** The values of a record by column, as the columns hold them. */
export type Columns = Readonly<Record<string, string | number | null>>;

/** Resource → its columns, the id first; those of nominations with the details. */
export const columnNames = forEachResource((resource): readonly string[] => [
  ...storedFields(resource),
  ...(resource === 'nominations' ? detailNames : []),
]);

/** The values of a record, as its columns hold them. */
export const storedColumns = (record: object): Columns =>
  Object.fromEntries(Object.entries(record).map(([field, value]) => [field, storedValue(value)])) as Columns;

/** The row of a record, which must exist. */
export const storedRecord = (connection: Connection, resource: ResourceName, id: number): Columns =>
  prepared<[number], Columns>(
    connection,
    `SELECT ${columnNames[resource].join(', ')} FROM ${resource} WHERE id = ?`,
  ).get(id)!;

/** The default of a column. */
export const defaultColumn = (field: string): string | number | null =>
  storedValue(defaultOf(field)) as string | number | null;

/** All rows of a table, by id, ascending. */
export function allRows(connection: Connection, resource: ResourceName): Map<number, Columns> {
  const rows = connection
    .prepare<[], Columns & { id: number }>(
      `SELECT ${columnNames[resource].join(', ')} FROM ${resource} ORDER BY id`,
    )
    .all();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A function that adds a row to a table: the values of a record in some columns. */
export function prepareInsert(connection: Connection, table: string, columns: readonly string[]) {
  const statement = connection.prepare<unknown[]>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  return (record: object) => {
    const values = record as Readonly<Record<string, unknown>>;
    return statement.run(columns.map((column) => storedValue(values[column])));
  };
}

/** A value for each resource. */
export function forEachResource<T>(valueFor: (resource: ResourceName) => T): Record<ResourceName, T> {
  const entries = resourceNames.map((resource) => [resource, valueFor(resource)]);
  return Object.fromEntries(entries) as Record<ResourceName, T>;
}

/** Whole records with `from <= id < to`, by id, as the snapshot has them. */
export function recordsBetween<R extends ReferencedResource>(
  connection: Connection,
  resource: R,
  from: number,
  to: number,
): RecordOf[R][] {
  const fields = publishedFields(resource);
  const rows = prepared<[number, number], Record<string, unknown>>(
    connection,
    `SELECT ${fields.join(', ')} FROM ${resource} WHERE id >= ? AND id < ? ORDER BY id`,
  ).all(from, to);
  for (const field of fields)
    if (listFields.has(field)) for (const row of rows) row[field] = JSON.parse(row[field] as string);
  return rows as RecordOf[R][];
}

/** The stored records of all resources. */
export type StoredRecordOf = Omit<RecordOf, 'nominations'> & { nominations: NominationRow & DetailsRow };

/**
 * Columns of the records with `from <= id < to`: the ids and the values of each field, by id. SQLite
 * aggregates each column into a JSON array, which takes half the time of reading rows. One order for all
 * columns takes a third of the time of an order for each aggregate.
 * @param condition of the records in SQL; default all
 * @throws Error if SQLite does not keep the order
 */
export function columnsBetween<R extends ResourceName, F extends keyof StoredRecordOf[R] & string>(
  connection: Connection,
  resource: R,
  fields: readonly F[],
  from: number,
  to: number,
  condition = 'TRUE',
): { [Field in F | 'id']: StoredRecordOf[R][Field][] } {
  const columns = ['id', ...fields];
  const aggregates = columns.map((field) => {
    const value = listFields.has(field) ? `json(${field})` : field;
    return `json_group_array(${value}) AS ${field}`;
  });
  const rows = `SELECT ${columns.join(', ')} FROM ${resource} WHERE id >= ? AND id < ? AND ${condition} ORDER BY id`;
  const texts = prepared<[number, number], Record<string, string>>(
    connection,
    `SELECT ${aggregates.join(', ')} FROM (${rows})`,
  ).get(from, to)!;
  const values = Object.fromEntries(columns.map((field) => [field, JSON.parse(texts[field]!)]));
  const ids = values.id as number[];
  // SQLite keeps the order of a subquery for such aggregates, but does not promise it.
  if (ids.some((id, row) => row > 0 && id <= ids[row - 1]!))
    throw new Error(`SQLite did not give ${resource} by id`);
  return values as { [Field in F | 'id']: StoredRecordOf[R][Field][] };
}

/** The blocks of `span` consecutive ids that hold a record: ascending `floor(id / span)`. */
export function occupiedBlocks(connection: Connection, resource: ResourceName, span: number): number[] {
  const next = connection
    .prepare<[number], number>(`SELECT id FROM ${resource} WHERE id >= ? ORDER BY id LIMIT 1`)
    .pluck();
  const blocks: number[] = [];
  for (let id = next.get(0); id !== undefined; id = next.get((blocks.at(-1)! + 1) * span))
    blocks.push(Math.floor(id / span));
  return blocks;
}

/** The ids of all records of a resource, ascending. */
export function recordIds(connection: Connection, resource: ResourceName): number[] {
  return connection.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().all();
}

/** Number of records of each resource. */
export function countRecords(connection: Connection): Record<ResourceName, number> {
  return forEachResource(
    (resource) => connection.prepare<[], number>(`SELECT count(*) FROM ${resource}`).pluck().get()!,
  );
}

/** Whether there is no record of any resource. */
export const isEmpty = (connection: Connection): boolean =>
  Object.values(countRecords(connection)).every((count) => count === 0);

/** A record that refers to a missing record. */
export interface BrokenReference {
  table: string;
  rowid: number;
  /** The resource of the missing record. */
  parent: string;
}

/**
 * Checks the references: the sqlite3 shell does not enforce them.
 * @param changes since the last check; without them all references are checked
 * @throws UserError naming the first broken reference
 */
export function refuseBrokenReferences(connection: Connection, changes?: readonly Change[]): void {
  const broken = changes ? brokenByChanges(connection, changes) : findBrokenReference(connection);
  if (broken === undefined) return;
  const { table, rowid, parent } = broken;
  throw new UserError(
    `the database is inconsistent: ${table} ${rowid} refers to a record of ${parent} that is not there`,
  );
}

/** The first of all broken references. */
export function findBrokenReference(connection: Connection): BrokenReference | undefined {
  return connection
    .prepare<[], BrokenReference>('SELECT "table", rowid, parent FROM pragma_foreign_key_check')
    .get();
}

function brokenByChanges(connection: Connection, changes: readonly Change[]): BrokenReference | undefined {
  const checks = new Map<ResourceName, ReturnType<typeof referenceChecks>>();
  for (const { resource, id } of changes) {
    const statements = checks.get(resource) ?? referenceChecks(connection, resource);
    checks.set(resource, statements);
    for (const statement of statements) {
      const broken = statement.get(id);
      if (broken) return broken;
    }
  }
  return undefined;
}

/**
 * Statements that look for a broken reference of one nomination or honor, or for one to a missing record of
 * another resource.
 */
function referenceChecks(connection: Connection, resource: ResourceName) {
  const all = [
    ...Object.entries(references).map(([field, parent]) => ['nominations', field, parent] as const),
    ['honors', 'ceremony_id', 'ceremonies'] as const,
    ['honors', 'category_id', 'categories'] as const,
    ['honors', 'movie_id', 'movies'] as const,
  ];
  const affected = all.filter(([table, , parent]) => table === resource || parent === resource);
  return affected.map(([table, field, parent]) =>
    prepared<[number], BrokenReference>(
      connection,
      `SELECT '${table}' AS "table", id AS rowid, '${parent}' AS parent FROM ${table}
       WHERE ${table === resource ? `${table}.id` : field} = ?
         AND ${field} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} WHERE id = ${field}) LIMIT 1`,
    ),
  );
}
