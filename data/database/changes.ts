/** The change log, which triggers of the schema fill, and the identity of the database it belongs to. */
import type { ResourceName } from '../../api/contract/names.ts';
import { type Connection, prepared } from './open.ts';

export interface Change {
  resource: ResourceName;
  id: number;
}

/**
 * The id of the database, 16 hexadecimal digits. Copies keep it. Revisions are comparable only within one
 * lineage.
 */
export function lineage(connection: Connection): string {
  return connection.prepare<[], string>('SELECT id FROM lineage').pluck().get()!;
}

/** The number of the latest change, 0 for none. It never decreases. */
export function revision(connection: Connection): number {
  const last = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'";
  return prepared<[], number>(connection, last).pluck().get() ?? 0;
}

/**
 * The records changed after a revision, each once, by resource and id. Undefined if there are more than
 * `limit`, or if the log does not reach back that far.
 */
export function changesSince(connection: Connection, since: number, limit: number): Change[] | undefined {
  const entries = revision(connection) - since;
  const kept = prepared<[number], number>(connection, 'SELECT count(*) FROM changes WHERE seq > ?')
    .pluck()
    .get(since)!;
  if (entries < 0 || kept !== entries) return undefined;
  const changes = prepared<[number, number], Change>(
    connection,
    'SELECT DISTINCT resource, record_id AS id FROM changes WHERE seq > ? ORDER BY resource, id LIMIT ?',
  ).all(since, limit + 1);
  return changes.length > limit ? undefined : changes;
}
