/** What each output folder was last built from, and the part of the change log that no build needs any more. */
import type { Connection } from './open.ts';
import { completeReceipts, type RebuiltFile } from './receipts.ts';
import { UserError } from './user-error.ts';
import { writeTransaction } from './transaction.ts';

export interface BuildState {
  /** Number of the last change the build holds. */
  revision: number;
  /** Id of the snapshot it made. */
  snapshot: string;
  /** Fingerprint of the code that made it. */
  fingerprint: string;
}

/** Changes kept for folders that are behind; no build follows this many one by one. */
const maxLogEntries = 20_000;

/** The state of the last finished build into a folder (absolute path). */
export function readBuild(connection: Connection, out: string): BuildState | undefined {
  return connection
    .prepare<[string], BuildState>('SELECT revision, snapshot, fingerprint FROM builds WHERE out = ?')
    .get(out);
}

/**
 * Completes the receipts of the writes that a snapshot holds, before its build is finished; see recordBuild().
 * @returns whether that could be noted by now; if not, the end of the build will note it
 */
export function noteShown(
  connection: Connection,
  { revision, snapshot }: Pick<BuildState, 'revision' | 'snapshot'>,
  files: readonly RebuiltFile[],
): boolean {
  try {
    writeTransaction(connection, () => completeReceipts(connection, revision, snapshot, files));
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}

/**
 * Notes a finished build, completes the receipts of the writes it holds, and drops the changes that every folder's build
 * holds by now.
 * @param files what the build did to the folder, for the receipts
 * @throws UserError if another program keeps the database locked
 */
export function recordBuild(
  connection: Connection,
  out: string,
  state: BuildState,
  files: readonly RebuiltFile[] = [],
): void {
  writeTransaction(connection, () => {
    connection
      .prepare('INSERT OR REPLACE INTO builds (out, revision, snapshot, fingerprint) VALUES (?, ?, ?, ?)')
      .run(out, state.revision, state.snapshot, state.fingerprint);
    completeReceipts(connection, state.revision, state.snapshot, files);
    // A folder that is never built again must not keep the log for ever: it is then built whole.
    connection
      .prepare('DELETE FROM changes WHERE seq <= (SELECT max(min(revision), max(revision) - ?) FROM builds)')
      .run(maxLogEntries);
  });
}
