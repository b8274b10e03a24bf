/** What is read of the record to show it: rows by id range, texts to search, and counts. Rows ascend by id. */
import type { ReferencedResource, ResourceName } from '../api/contract/names.ts';
import { resourceNames } from '../api/contract/names.ts';
import { type RecordOf, resourceSchemas } from '../api/contract/resources.ts';
import type { Connection } from './open.ts';

/** A nomination as stored: references only. */
export interface NominationRow {
  id: number;
  ceremony_id: number;
  category_id: number;
  movie_id: number;
  nominee_id: number;
  song_id: number | null;
  winner: 0 | 1;
}

const arrayFields: ReadonlySet<string> = new Set(['genres', 'origin_country']);

/** The fields of a stored record, in document order. */
export function fieldsOf(resource: ReferencedResource): string[] {
  return Object.keys(resourceSchemas[resource].properties);
}

/** Whole records with `from <= id < to`. */
export function recordsBetween<R extends ReferencedResource>(
  connection: Connection,
  resource: R,
  from: number,
  to: number,
): RecordOf[R][] {
  return columnsBetween(connection, resource, fieldsOf(resource), from, to) as RecordOf[R][];
}

/** Some fields of the records with `from <= id < to`. */
export function columnsBetween(
  connection: Connection,
  resource: ReferencedResource,
  fields: readonly string[],
  from: number,
  to: number,
): Record<string, unknown>[] {
  const rows = connection
    .prepare<[number, number], Record<string, unknown>>(
      `SELECT ${fields.join(', ')} FROM ${resource} WHERE id >= ? AND id < ? ORDER BY id`,
    )
    .all(from, to);
  for (const field of fields)
    if (arrayFields.has(field)) for (const row of rows) row[field] = JSON.parse(row[field] as string);
  return rows;
}

/** The fields in which search finds records. */
const searchedFields = { movies: 'title', nominees: 'name' } as const;
type SearchedResource = keyof typeof searchedFields;
export const searchedResources = Object.keys(searchedFields) as SearchedResource[];

/** The text that search finds each record of a resource by, one at a time. */
export function searchedTexts(
  connection: Connection,
  resource: SearchedResource,
): IterableIterator<{ id: number; text: string }> {
  return connection
    .prepare<[], { id: number; text: string }>(
      `SELECT id, ${searchedFields[resource]} AS text FROM ${resource} ORDER BY id`,
    )
    .iterate();
}

/** The same of one record; undefined if there is none. */
export function searchedText(
  connection: Connection,
  resource: SearchedResource,
  id: number,
): string | undefined {
  return connection
    .prepare<[number], string>(`SELECT ${searchedFields[resource]} FROM ${resource} WHERE id = ?`)
    .pluck()
    .get(id);
}

/** Stored nominations with `from <= id < to`. */
export function nominationsBetween(connection: Connection, from: number, to: number): NominationRow[] {
  return connection
    .prepare<[number, number], NominationRow>(
      'SELECT id, ceremony_id, category_id, movie_id, nominee_id, song_id, winner FROM nominations WHERE id >= ? AND id < ? ORDER BY id',
    )
    .all(from, to);
}

/** Which blocks of `span` consecutive ids hold a record: ascending `floor(id / span)`. */
export function occupiedBlocks(connection: Connection, resource: ResourceName, span: number): number[] {
  const next = connection
    .prepare<[number], number>(`SELECT id FROM ${resource} WHERE id >= ? ORDER BY id LIMIT 1`)
    .pluck();
  const blocks: number[] = [];
  for (let id = next.get(0); id !== undefined; id = next.get((blocks.at(-1)! + 1) * span))
    blocks.push(Math.floor(id / span));
  return blocks;
}

/** Number of records of each resource. */
export function countRecords(connection: Connection): Record<ResourceName, number> {
  const count = (resource: ResourceName) =>
    connection.prepare<[], number>(`SELECT count(*) FROM ${resource}`).pluck().get()!;
  return Object.fromEntries(resourceNames.map((resource) => [resource, count(resource)])) as Record<
    ResourceName,
    number
  >;
}
