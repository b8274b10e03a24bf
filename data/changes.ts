/** The change log, which triggers of the schema fill: which records changed since when. */
import type { ResourceName } from '../api/contract/names.ts';
import type { Connection } from './open.ts';

export interface Change {
  resource: ResourceName;
  id: number;
}

/** The number of the latest change, 0 for none; it never decreases. */
export function revision(connection: Connection): number {
  return (
    connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").pluck().get() ??
    0
  );
}

/**
 * The records changed after a revision, each once, at most `limit` of them; undefined if there are more, or if the log
 * no longer reaches back that far.
 */
export function changesSince(connection: Connection, since: number, limit: number): Change[] | undefined {
  const entries = revision(connection) - since;
  const kept = connection
    .prepare<[number], number>('SELECT count(*) FROM changes WHERE seq > ?')
    .pluck()
    .get(since)!;
  if (entries < 0 || kept !== entries) return undefined;
  const changes = connection
    .prepare<[number, number], Change>(
      'SELECT DISTINCT resource, record_id AS id FROM changes WHERE seq > ? ORDER BY resource, id LIMIT ?',
    )
    .all(since, limit + 1);
  return changes.length > limit ? undefined : changes;
}
