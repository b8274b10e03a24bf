/**
 * The change log: triggers of the schema fill it, and builds read it. The id of its database, and the last
 * build of each output folder, stand here too. A finished build deletes the changes that no folder needs.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { type Connection, prepared } from './open.ts';
import { writeTransaction } from './transaction.ts';

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

interface BuildState {
  /** Number of the last change that the snapshot holds. */
  revision: number;
  /** Id of the snapshot. */
  snapshot: string;
  /** Fingerprint of the code that made the shards. */
  fingerprint: string;
}

/** The last finished build of a folder (absolute path). */
export function readBuild(connection: Connection, out: string): BuildState | undefined {
  return prepared<[string], BuildState>(
    connection,
    'SELECT revision, snapshot, fingerprint FROM builds WHERE out = ?',
  ).get(out);
}

/** Number of changes that the last build of a folder (absolute path) does not hold. */
export const pendingChanges = (connection: Connection, out: string): number =>
  revision(connection) - (readBuild(connection, out)?.revision ?? 0);

/** Changes kept for folders that are behind. A build with more changes is a full build. */
const maxLogEntries = 20_000;
/** Builds whose files are stored: enough for readers that ask soon after a write. */
const buildsWithFiles = 100;

/**
 * Records a finished build, completes the receipts of the writes that it holds, and deletes the changes that
 * no folder needs.
 * @param files the files that the build wrote or removed, for the receipts
 * @throws DatabaseBusy if another program holds the write lock
 */
export function recordBuild(
  connection: Connection,
  out: string,
  state: BuildState,
  files: readonly RebuiltFile[] = [],
): void {
  writeTransaction(connection, () => {
    prepared<unknown[]>(
      connection,
      'INSERT OR REPLACE INTO builds (out, revision, snapshot, fingerprint) VALUES (?, ?, ?, ?)',
    ).run(out, state.revision, state.snapshot, state.fingerprint);
    completeReceipts(connection, state, files);
    // A folder that is never built again must not keep the log forever.
    prepared<[number]>(
      connection,
      'DELETE FROM changes WHERE seq <= (SELECT max(min(revision), max(revision) - ?) FROM builds)',
    ).run(maxLogEntries);
  });
}

/** Completes the receipts of the writes that a build holds, in the transaction of the caller. */
function completeReceipts(connection: Connection, build: BuildState, files: readonly RebuiltFile[]): void {
  const isPending = 'rebuild_id IS NULL AND revision <= ?';
  const isAny = prepared<[number]>(connection, `SELECT 1 FROM receipts WHERE ${isPending} LIMIT 1`).get(
    build.revision,
  );
  if (!isAny) return;
  const { lastInsertRowid } = prepared<[string]>(connection, 'INSERT INTO rebuilds (files) VALUES (?)').run(
    JSON.stringify(files),
  );
  prepared<unknown[]>(connection, `UPDATE receipts SET rebuild_id = ?, snapshot = ? WHERE ${isPending}`).run(
    lastInsertRowid,
    build.snapshot,
    build.revision,
  );
  prepared<unknown[]>(connection, 'DELETE FROM rebuilds WHERE id <= ? - ?').run(
    lastInsertRowid,
    buildsWithFiles,
  );
}
