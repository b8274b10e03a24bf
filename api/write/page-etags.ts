/**
 * The ETags of the page of a record, from the database: those that GET answers as soon as the snapshot holds what the database
 * has. So a write knows them in its transaction, without a build. The pages are those of recordPage() in api/read/records.ts.
 */
import { nominationsOf, readRecord, withDetails } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';
import { type ReferenceField, references } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import type { Nomination } from '../contract/resources.ts';
import { contentHash } from '../contract/snapshot.ts';
import { nodeDigest } from '../read/node-source.ts';

export interface PageETags {
  plain: string;
  /** With `include=details`; undefined for what has no details. */
  withDetails: string | undefined;
}

/** undefined if there is no such record. */
export function pageETags(
  connection: Connection,
  resource: WritableResource,
  id: number,
): PageETags | undefined {
  const record = readRecord(connection, resource, id);
  if (record === undefined) return undefined;
  if (resource === 'nominations') {
    const page = nominationPage(connection, record as Nomination);
    return { plain: etagOf(page), withDetails: etagOf(withDetails(connection, resource, page)) };
  }
  const reference = referenceTo.get(resource);
  const page =
    resource === 'ceremonies'
      ? record
      : { ...record, nominations: nominationsOf(connection, reference!, id) };
  return { plain: etagOf(page), withDetails: undefined };
}

/** Resource → the field of a nomination that refers to it. */
const referenceTo = new Map(
  Object.entries(references).map(([field, resource]) => [resource as string, field as ReferenceField]),
);

/** A nomination with the records that it refers to. */
function nominationPage(connection: Connection, nomination: Nomination): object {
  const { ceremony_id, category_id, movie_id, nominee_id, song_id } = nomination;
  return {
    ...nomination,
    category: readRecord(connection, 'categories', category_id),
    movie: readRecord(connection, 'movies', movie_id),
    nominee: readRecord(connection, 'nominees', nominee_id),
    ceremony: readRecord(connection, 'ceremonies', ceremony_id),
    ...(song_id !== null && { song: readRecord(connection, 'songs', song_id) }),
  };
}

const encoder = new TextEncoder();

const etagOf = (page: object): string =>
  `"${contentHash(encoder.encode(`${JSON.stringify(page)}\n`), nodeDigest)}"`;
