/** The ETags of pages of records, from the database: a write knows them before a snapshot has the pages. */
import type { Connection } from '../../data/database/open.ts';
import { hasDetails, nominationsOf, readRecord, withDetails } from '../../data/record/edits.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { type ReferenceField, references } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import type { Nomination } from '../contract/resources.ts';
import { contentHash } from '../contract/snapshot.ts';
import { nodeDigest } from '../read/node-source.ts';
import { referenceTo } from '../read/tables.ts';

/** The name of what a reference field refers to, such as "movie". */
export const nameOf = (field: string): string => field.slice(0, -'_id'.length);

/**
 * The ETags of the page of a record, and of the page with what lists show on request only: those that GET
 * answers as soon as the snapshot holds what the database has. So a write knows them without a build. The
 * pages are those of recordPage() in api/read/records.ts.
 * @returns none if there is no such record
 */
export function pageETags(connection: Connection, resource: WritableResource, id: number): string[] {
  const record = readRecord(connection, resource, id);
  if (record === undefined) return [];
  const page: Record<string, unknown> = { ...record };
  if (resource === 'nominations')
    for (const [field, target] of Object.entries(references)) {
      const reference = (record as Nomination)[field as ReferenceField];
      if (reference !== null) page[nameOf(field)] = readRecord(connection, target, reference);
    }
  else if (resource !== 'honors' && resource !== 'ceremonies')
    page.nominations = nominationsOf(connection, `${referenceTo[resource]}_id`, id);
  return [etagOf(page), etagOf(withDetails(connection, resource, page))];
}

/** The ETag of the page that shows what a record does: with its details if it has some. */
export function pageETagOf(
  connection: Connection,
  resource: WritableResource,
  record: RecordFields,
): string | undefined {
  const [plain, whole] = pageETags(connection, resource, record.id as number);
  return hasDetails(resource, record) ? whole : plain;
}

const etagOf = (page: object): string =>
  `"${contentHash(new TextEncoder().encode(`${JSON.stringify(page)}\n`), nodeDigest)}"`;
