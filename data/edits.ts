/**
 * Single records as the writer reads and writes them. Every function here is for use inside the caller's transaction: what
 * one reads is what the next one writes upon.
 */
import Type from 'typebox';
import { type DerivedField, derivedFrom, type ReferenceField, references } from '../api/contract/bodies.ts';
import type { ResourceName } from '../api/contract/names.ts';
import { type Nomination, type RecordOf, resourceSchemas } from '../api/contract/resources.ts';
import type { Connection } from './open.ts';

/** Derived field of a nomination → the column it shows of the record it follows from. */
const copiedColumns = {
  ceremony_year: 'ceremony_year',
  category: 'category_name',
  movie: 'title',
  nominee: 'name',
  song_title: 'original_title',
} as const satisfies Record<Exclude<DerivedField, 'is_song'>, string>;
type CopiedField = keyof typeof copiedColumns;
const copiedFields = Object.keys(copiedColumns) as CopiedField[];

/** What a nomination refers to; undefined for what is not known. */
export type NominationReferences = Pick<Nomination, 'song_id'> & {
  [Field in Exclude<ReferenceField, 'song_id'>]: number | undefined;
};

/** What follows from that; undefined where a reference is not known or names no record. */
export type DerivedFields = Pick<Nomination, 'is_song'> & {
  [Field in CopiedField]: Nomination[Field] | undefined;
};

/** An expression for a copied field, given one for its reference; NULL where that names no record. */
const copy = (field: CopiedField, id: string): string =>
  `(SELECT ${copiedColumns[field]} FROM ${references[derivedFrom[field]]} WHERE id = ${id}) AS ${field}`;

const isCopied = (field: string): field is CopiedField => Object.hasOwn(copiedColumns, field);

/** All fields of a resource, in document order. */
const fieldsOf = (resource: ResourceName): string[] => Object.keys(resourceSchemas[resource].properties);

const isStored = (resource: ResourceName, field: string): boolean =>
  resource !== 'nominations' || !Object.hasOwn(derivedFrom, field);

/** What a list shows of a field: an expression for the column of that name. */
function shown(resource: ResourceName, field: string): string {
  if (resource !== 'nominations') return field;
  if (field === 'is_song') return 'song_id IS NOT NULL AS is_song';
  return isCopied(field) ? copy(field, `nominations.${derivedFrom[field]}`) : field;
}

/**
 * A record as a list shows it, all fields in document order; undefined if there is none. What a nomination derives from a
 * reference that is broken, which only another program can have done, is null.
 */
export function readRecord<R extends ResourceName>(
  connection: Connection,
  resource: R,
  id: number,
): RecordOf[R] | undefined {
  const selected = fieldsOf(resource).map((field) => shown(resource, field));
  const row = connection
    .prepare<[number], Record<string, unknown>>(`SELECT ${selected.join(', ')} FROM ${resource} WHERE id = ?`)
    .get(id);
  if (row === undefined) return undefined;
  for (const [field, schema] of Object.entries(resourceSchemas[resource].properties)) {
    if (Type.IsBoolean(schema)) row[field] = row[field] === 1;
    if (Type.IsArray(schema)) row[field] = JSON.parse(row[field] as string);
  }
  return row as unknown as RecordOf[R];
}

export function recordExists(connection: Connection, resource: ResourceName, id: number): boolean {
  return connection.prepare<[number]>(`SELECT 1 FROM ${resource} WHERE id = ?`).get(id) !== undefined;
}

/**
 * The id for a record that comes without one: one above the highest that any record has or had. Where that is the highest
 * there can be, the lowest that no record has.
 */
export function nextId(connection: Connection, resource: ResourceName): number {
  const highest = connection
    .prepare<[string], number>(
      `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0),
                  coalesce((SELECT max(id) FROM ${resource}), 0))`,
    )
    .pluck()
    .get(resource)!;
  if (highest < Number.MAX_SAFE_INTEGER) return highest + 1;
  if (!recordExists(connection, resource, 1)) return 1;
  return connection
    .prepare<[], number>(
      `SELECT id + 1 FROM ${resource} AS lower
       WHERE NOT EXISTS (SELECT 1 FROM ${resource} WHERE id = lower.id + 1) ORDER BY id LIMIT 1`,
    )
    .pluck()
    .get()!;
}

/**
 * Adds a record. Fields that are not given take their defaults; derived ones are left out, since they are not stored.
 * @throws Error for a field the resource does not have; SqliteError for what a constraint forbids
 */
export function insertRecord(
  connection: Connection,
  resource: ResourceName,
  record: Readonly<Record<string, unknown>>,
): void {
  const given = storedValues(resource, record);
  connection
    .prepare(
      `INSERT INTO ${resource} (${given.map(([field]) => field).join(', ')}) VALUES (${given.map(() => '?').join(', ')})`,
    )
    .run(given.map(([, value]) => value));
}

/**
 * Sets the fields given, and does nothing where none is. Derived ones are left out, since they are not stored.
 * @throws Error for a field the resource does not have, another id than the record's, or a record that is not there;
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
  const given = storedValues(resource, changes).filter(([field]) => field !== 'id');
  if (given.length === 0) return;
  const { changes: updated } = connection
    .prepare(`UPDATE ${resource} SET ${given.map(([field]) => `${field} = ?`).join(', ')} WHERE id = ?`)
    .run(...given.map(([, value]) => value), id);
  if (updated === 0) throw new Error(`there is no ${resource} ${id} to update`);
}

/** Column → value as stored. The names come from the schema, so that no name from outside gets into a statement. */
function storedValues(
  resource: ResourceName,
  values: Readonly<Record<string, unknown>>,
): [field: string, value: unknown][] {
  const known = fieldsOf(resource);
  const unknown = Object.keys(values).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new Error(`${resource} have no field "${unknown}"`);
  return known
    .filter((field) => isStored(resource, field) && values[field] !== undefined)
    .map((field) => [field, stored(values[field])]);
}

function stored(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  // The tables refuse the letters of an escaped NUL in an array, even after an escaped backslash: so that one is spelled otherwise.
  return Array.isArray(value) ? JSON.stringify(value).replaceAll('\\\\', '\\u005c') : value;
}

/** What the references of a nomination come to, whether or not there is such a nomination. */
export function deriveFields(connection: Connection, refersTo: NominationReferences): DerivedFields {
  const found = connection
    .prepare<(number | null)[], { [Field in CopiedField]: Nomination[Field] | null }>(
      `SELECT ${copiedFields.map((field) => copy(field, '?')).join(', ')}`,
    )
    .get(...copiedFields.map((field) => refersTo[derivedFrom[field]] ?? null))!;
  // No column copied is ever NULL: where nothing was found there is no record.
  return {
    ceremony_year: found.ceremony_year ?? undefined,
    category: found.category ?? undefined,
    movie: found.movie ?? undefined,
    nominee: found.nominee ?? undefined,
    song_title: refersTo.song_id === null ? null : (found.song_title ?? undefined),
    is_song: refersTo.song_id !== null,
  };
}
