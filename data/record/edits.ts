/** Single records: reading, adding, changing. The caller holds the transaction. */
import Type from 'typebox';
import {
  type DerivedField,
  derivedFrom,
  type ReferenceField,
  references,
  listFields,
  storedFields,
} from '../../api/contract/bodies.ts';
import { detailNames, fieldNames, requestedFields } from '../../api/contract/fields.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import {
  type Details,
  type Nomination,
  type RecordOf,
  resourceSchemas,
} from '../../api/contract/resources.ts';
import { type Connection, prepared } from '../database/open.ts';
import { noteReturn } from './given.ts';
import { addReceipt } from './receipts.ts';
import { type Columns, type DetailsRow, prepareInsert, storedValue } from './records.ts';
import type { RecordFields } from './validation.ts';

/** Derived field of a nomination → the column of the referenced record that it copies. */
const copiedColumns = {
  ceremony_year: 'ceremony_year',
  category: 'category_name',
  movie: 'title',
  nominee: 'name',
  song_title: 'original_title',
} as const satisfies Record<Exclude<DerivedField, 'is_song'>, string>;
type CopiedField = keyof typeof copiedColumns;
const copiedFields = Object.keys(copiedColumns) as CopiedField[];

/** The references of a nomination; undefined for an unknown one. */
export type NominationReferences = Pick<Nomination, 'song_id'> & {
  [Field in Exclude<ReferenceField, 'song_id'>]: number | undefined;
};

/** The fields derived from them; undefined where a reference is unknown or broken. */
export type DerivedFields = Pick<Nomination, 'is_song'> & {
  [Field in CopiedField]: Nomination[Field] | undefined;
};

/** The SQL of a copied field, given the SQL of its reference; NULL if the reference is broken. */
const copy = (field: CopiedField, id: string): string =>
  `(SELECT ${copiedColumns[field]} FROM ${references[derivedFrom[field]]} WHERE id = ${id}) AS ${field}`;

const isCopied = (field: string): field is CopiedField => Object.hasOwn(copiedColumns, field);

/** The SQL of a field as lists show it. */
function shown(resource: ResourceName, field: string): string {
  if (resource === 'honors' && field === 'ceremony_year')
    return '(SELECT ceremony_year FROM ceremonies WHERE id = ceremony_id) AS ceremony_year';
  if (resource === 'honors' && field === 'movie')
    return '(SELECT title FROM movies WHERE id = movie_id) AS movie';
  if (resource !== 'nominations') return field;
  if (field === 'is_song') return 'song_id IS NOT NULL AS is_song';
  return isCopied(field) ? copy(field, `nominations.${derivedFrom[field]}`) : field;
}

/**
 * A record as lists show it, all fields in document order; undefined if there is none. Fields derived from a
 * broken reference are null.
 */
export function readRecord<R extends ResourceName>(
  connection: Connection,
  resource: R,
  id: number,
): RecordOf[R] | undefined {
  return recordsWhere(connection, resource, 'id', id)[0];
}

/** The nominations that refer to a record, as lists show them, ascending by id. */
export const nominationsOf = (connection: Connection, reference: ReferenceField, id: number): Nomination[] =>
  recordsWhere(connection, 'nominations', reference, id);

function recordsWhere<R extends ResourceName>(
  connection: Connection,
  resource: R,
  column: string,
  value: number,
): RecordOf[R][] {
  const selected = fieldNames[resource].map((field) => shown(resource, field));
  const rows = prepared<[number], Record<string, unknown>>(
    connection,
    `SELECT ${selected.join(', ')} FROM ${resource} WHERE ${column} = ? ORDER BY id`,
  ).all(value);
  for (const [field, schema] of Object.entries(resourceSchemas[resource].properties)) {
    if (Type.IsBoolean(schema)) for (const row of rows) row[field] = row[field] === 1;
    if (Type.IsArray(schema)) for (const row of rows) row[field] = JSON.parse(row[field] as string);
  }
  return rows as unknown as RecordOf[R][];
}

/** The details of a nomination, in document order; undefined if there is none. */
export function readDetails(connection: Connection, nomination: number): Details | undefined {
  const row = prepared<[number], DetailsRow>(
    connection,
    `SELECT ${detailNames.join(', ')} FROM nominations WHERE id = ?`,
  ).get(nomination);
  return row && { ...row, official: row.official === 1 };
}

export function recordExists(connection: Connection, resource: ResourceName, id: number): boolean {
  return prepared<[number]>(connection, `SELECT 1 FROM ${resource} WHERE id = ?`).get(id) !== undefined;
}

/** The highest id ever given to a row of a table; 0 if there is none. */
export function highestId(connection: Connection, table: string): number {
  return connection
    .prepare<[string], number>(
      `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0),
                  coalesce((SELECT max(id) FROM ${table}), 0))`,
    )
    .pluck()
    .get(table)!;
}

/**
 * The id for a new record: one above the highest ever given. If that was the highest possible id, the lowest
 * one that no record has, nor had according to a receipt.
 */
export function nextId(connection: Connection, resource: ResourceName): number {
  const highest = highestId(connection, resource);
  if (highest < Number.MAX_SAFE_INTEGER) return highest + 1;
  if (isUnused(connection, resource, 1)) return 1;
  return connection
    .prepare<[string], number>(
      `WITH used AS (SELECT id FROM ${resource} UNION SELECT record_id FROM receipts WHERE resource = ? AND action = 'delete')
       SELECT id + 1 FROM used AS lower WHERE id + 1 NOT IN used ORDER BY id LIMIT 1`,
    )
    .pluck()
    .get(resource)!;
}

/** Whether no record has an id, nor had it according to a receipt. */
const isUnused = (connection: Connection, resource: ResourceName, id: number): boolean =>
  !recordExists(connection, resource, id) &&
  prepared<[string, number]>(
    connection,
    "SELECT 1 FROM receipts WHERE resource = ? AND record_id = ? AND action = 'delete'",
  ).get(resource, id) === undefined;

/**
 * The ids for new records, in the order to give them. The caller adds each record before the next generator
 * is made.
 */
export function* freeIds(connection: Connection, table: ResourceName): Generator<number, never> {
  // Above the highest id that was ever given, all are free.
  for (let id = highestId(connection, table) + 1; id <= Number.MAX_SAFE_INTEGER; id += 1) yield id;
  for (let id = 1; ; id += 1) if (isUnused(connection, table, id)) yield id;
}

/**
 * Adds a record. Fields that are not given take their defaults; derived fields are ignored. The member
 * `details` sets the details of a nomination. A record as it was before it was deleted is known to imports
 * again.
 * @throws Error for a field the resource does not have; SqliteError for what a constraint forbids
 */
export function insertRecord(
  connection: Connection,
  resource: ResourceName,
  record: Readonly<Record<string, unknown>>,
): void {
  const values = columnsOf(resource, record);
  prepareInsert(connection, resource, [...values.keys()])(Object.fromEntries(values));
  const id = record.id as number;
  noteReturn(connection, resource, id, () => isAsDeleted(connection, resource, id, values));
}

/** Whether the last receipt of a deletion has these values, by column. */
function isAsDeleted(
  connection: Connection,
  resource: ResourceName,
  id: number,
  values: ReadonlyMap<string, unknown>,
): boolean {
  const before = prepared<[string, number], string>(
    connection,
    `SELECT before FROM receipts WHERE resource = ? AND record_id = ? AND action = 'delete' ORDER BY id DESC LIMIT 1`,
  )
    .pluck()
    .get(resource, id);
  if (before === undefined) return false;
  const { details, ...own } = JSON.parse(before) as RecordFields;
  const deleted: RecordFields = { ...own, ...(details as RecordFields | undefined) };
  return [...values].every(
    ([column, value]) => deleted[column] === undefined || storedValue(deleted[column]) === value,
  );
}

/**
 * Sets the given fields, if any; derived fields are ignored.
 * @throws Error for a field the resource does not have, another id than the record's, or a missing record;
 *   SqliteError for what a constraint forbids
 */
export function updateRecord(
  connection: Connection,
  resource: ResourceName,
  id: number,
  changes: Readonly<Record<string, unknown>>,
): void {
  if (changes.id !== undefined && changes.id !== id)
    throw new Error(`${resource} ${id} cannot become ${resource} ${changes.id}`);
  const values = columnsOf(resource, changes);
  values.delete('id');
  if (values.size > 0) setColumns(connection, resource, id, values);
}

/** @param values by column, at least one @throws Error for a missing record */
function setColumns(
  connection: Connection,
  resource: ResourceName,
  id: number,
  values: ReadonlyMap<string, unknown>,
): void {
  const assignments = [...values.keys()].map((column) => `${column} = ?`).join(', ');
  const { changes: updated } = prepared<unknown[]>(
    connection,
    `UPDATE ${resource} SET ${assignments} WHERE id = ?`,
  ).run(...values.values(), id);
  if (updated === 0) throw new Error(`there is no ${resource} ${id} to update`);
  // A trigger takes the entry number from a nomination that moves. An undo of a move brings it back.
  if (values.has('entry'))
    prepared<unknown[]>(connection, 'UPDATE nominations SET entry = ? WHERE id = ?').run(
      values.get('entry'),
      id,
    );
}

/** A change or deletion of one record, with what its receipt names. */
interface RecordAction {
  resource: ResourceName;
  id: number;
  /** Name of the API key, or of the source. */
  key: string;
  at: Date;
  /** Why the record is written. */
  note?: string | undefined;
}

interface RecordChange extends RecordAction {
  /** The record as readRecord() shows it in this transaction, with details if `fields` has some. */
  before: RecordFields;
  /** Checked values. */
  fields: RecordFields;
}

/**
 * Sets the fields that differ, and adds the receipt.
 * @returns the record afterwards, and the id of the receipt; undefined if no field differs
 */
export function changeRecord(
  connection: Connection,
  { resource, id, before, fields, key, at, note }: RecordChange,
): { record: RecordFields; receipt: number | undefined } {
  const sent = differing(fields, before);
  if (Object.keys(sent).length === 0) return { record: before, receipt: undefined };
  // A new reference changes the fields derived from it, and a move the entry number.
  const wholeBefore = withDetails(connection, resource, before);
  updateRecord(connection, resource, id, sent);
  const record = readRecord(connection, resource, id)! as RecordFields;
  const whole = withDetails(connection, resource, record);
  const receipt = addUpdate(connection, { resource, id, key, at, note }, wholeBefore, whole);
  return { record: hasDetails(resource, before) ? whole : record, receipt };
}

/** The receipt of a change. @param before and @param after are whole records @returns its id */
function addUpdate(
  connection: Connection,
  { resource, id, key, at, note }: RecordAction,
  before: RecordFields,
  after: RecordFields,
): number {
  return addReceipt(connection, {
    key,
    at,
    action: 'update',
    resource,
    recordId: id,
    before: differing(before, after),
    after: differing(after, before),
    note,
  });
}

/** Sets columns of a record to other values, and adds the receipt. @param columns at least one */
export function changeColumns(connection: Connection, action: RecordAction, columns: Columns): void {
  const { resource, id } = action;
  const read = () => withDetails(connection, resource, readRecord(connection, resource, id)! as RecordFields);
  const before = read();
  setColumns(connection, resource, id, new Map(Object.entries(columns)));
  addUpdate(connection, action, before, read());
}

/** Resource → the condition that an honor refers to a record of it. */
const honorRefersTo: Partial<Record<ResourceName, string>> = {
  ceremonies: 'ceremony_id = ?',
  movies: 'movie_id = ?',
  nominees: 'EXISTS (SELECT 1 FROM json_each(nominee_ids) WHERE value = ?)',
};

/** How many records refer to a record, for each resource with any. */
export function referrersOf(
  connection: Connection,
  resource: ResourceName,
  id: number,
): { resource: ResourceName; count: number }[] {
  const [field] = Object.entries(references).find(([, target]) => target === resource) ?? [];
  const conditions: [ResourceName, string | undefined][] = [
    ['nominations', field && `${field} = ?`],
    ['honors', honorRefersTo[resource]],
  ];
  return conditions.flatMap(([from, condition]) => {
    if (condition === undefined) return [];
    const count = prepared<[number], number>(connection, `SELECT count(*) FROM ${from} WHERE ${condition}`)
      .pluck()
      .get(id)!;
    return count > 0 ? [{ resource: from, count }] : [];
  });
}

/**
 * Deletes a record, and adds the receipt.
 * @returns the record, with its details, and the id of the receipt
 * @throws SqliteError if a nomination or an honor refers to it
 */
export function deleteRecord(
  connection: Connection,
  { resource, id, key, at, note }: RecordAction,
): { record: RecordFields; receipt: number } {
  const record = withDetails(connection, resource, readRecord(connection, resource, id)! as RecordFields);
  // A film or person without other names is shown as lists show it: without enrichment nothing names them.
  if (Array.isArray(record.other_names) && record.other_names.length === 0) delete record.other_names;
  prepared<[number]>(connection, `DELETE FROM ${resource} WHERE id = ?`).run(id);
  const receipt = addReceipt(connection, {
    key,
    at,
    action: 'delete',
    resource,
    recordId: id,
    before: record,
    after: null,
    note,
  });
  return { record, receipt };
}

/**
 * The record with what lists show on request only, as it is stored now: the details of a nomination, the film
 * years of a ceremony, the other names of a film or nominee.
 */
export function withDetails<T extends object>(connection: Connection, resource: ResourceName, record: T): T {
  const { id } = record as unknown as { id: number };
  if (resource === 'nominations') return { ...record, details: readDetails(connection, id) };
  const fields = requestedFields[resource];
  if (fields === undefined) return record;
  const stored = prepared<[number], Record<string, string | null>>(
    connection,
    `SELECT ${fields.join(', ')} FROM ${resource} WHERE id = ?`,
  ).get(id);
  const values = Object.entries(stored ?? {}).map(([field, value]) => [
    field,
    listFields.has(field) ? (JSON.parse(value!) as unknown) : value,
  ]);
  return { ...record, ...Object.fromEntries(values) };
}

/** Whether the fields of a record or of a body include some that lists show on request only. */
export const hasDetails = (resource: ResourceName, fields: RecordFields): boolean =>
  ['details', ...(requestedFields[resource] ?? [])].some((name) => fields[name] !== undefined);

/**
 * Whether a receipt of a nomination shows that it had an entry number before, in this ceremony and category.
 * @param entry null for none
 */
export function hadEntry(
  connection: Connection,
  id: number,
  entry: number | null,
  place: { ceremony_id?: unknown; category_id?: unknown },
): boolean {
  return prepared<[number, number | null], { before: string }>(
    connection,
    `SELECT before FROM receipts WHERE resource = 'nominations' AND record_id = ?
     AND json_type(before, '$.details.entry') IS NOT NULL AND json_extract(before, '$.details.entry') IS ?`,
  )
    .all(id, entry)
    .some(({ before }) => {
      // A receipt of a change has what the change moved.
      const { ceremony_id = place.ceremony_id, category_id = place.category_id } = JSON.parse(
        before,
      ) as typeof place;
      return ceremony_id === place.ceremony_id && category_id === place.category_id;
    });
}

/** The fields that are not in another record, or have another value there; of `details` the members. */
export function differing(record: RecordFields, other: RecordFields = {}): RecordFields {
  const found: RecordFields = {};
  for (const [field, value] of Object.entries(record)) {
    if (JSON.stringify(value) === JSON.stringify(other[field])) continue;
    if (field !== 'details') found[field] = value;
    else {
      const members = differing(value as RecordFields, other.details as RecordFields | undefined);
      if (Object.keys(members).length > 0) found.details = members;
    }
  }
  return found;
}

/**
 * Column → stored value, for the given fields. All column names come from the schema, so that they are safe
 * in SQL.
 */
function columnsOf(resource: ResourceName, values: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const { details, ...own } = values;
  const known: readonly string[] = [...fieldNames[resource], ...(requestedFields[resource] ?? [])];
  const unknown = Object.keys(own).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new Error(`${resource} have no field "${unknown}"`);
  const all = { ...own, ...(details as object | undefined) } as typeof own;
  const columns = [...storedFields(resource), ...(details ? detailNames : [])];
  const given = columns.filter((field) => all[field] !== undefined);
  return new Map(given.map((field) => [field, storedValue(all[field])]));
}

/** The derived fields of a nomination with these references, existing or not. */
export function deriveFields(connection: Connection, refersTo: NominationReferences): DerivedFields {
  const found = prepared<(number | null)[], Record<CopiedField, unknown>>(
    connection,
    `SELECT ${copiedFields.map((field) => copy(field, '?')).join(', ')}`,
  ).get(...copiedFields.map((field) => refersTo[derivedFrom[field]] ?? null))!;
  // The copied columns are NOT NULL, so null means a broken reference.
  const copied = Object.fromEntries(copiedFields.map((field) => [field, found[field] ?? undefined]));
  const isSong = refersTo.song_id !== null;
  return { ...copied, song_title: isSong ? copied.song_title : null, is_song: isSong } as DerivedFields;
}
