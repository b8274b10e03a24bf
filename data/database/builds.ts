/** The last build of each output folder, and the truncation of the change log. */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { revision } from './changes.ts';
import { type Connection, prepared } from './open.ts';
import { completeReceipts } from '../record/receipts.ts';
import { writeTransaction } from './transaction.ts';

export interface BuildState {
  /** Number of the last change that the snapshot holds. */
  revision: number;
  /** Id of the snapshot. */
  snapshot: string;
  /** Fingerprint of the code that made the shards. */
  fingerprint: string;
}

/** Changes kept for folders that are behind. A build with more changes is a full build. */
const maxLogEntries = 20_000;

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
    completeReceipts(connection, state.revision, state.snapshot, files);
    // A folder that is never built again must not keep the log forever.
    prepared<[number]>(
      connection,
      'DELETE FROM changes WHERE seq <= (SELECT max(min(revision), max(revision) - ?) FROM builds)',
    ).run(maxLogEntries);
  });
}
