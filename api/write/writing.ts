/** Everything that the service needs for writes: the writer on its thread, keys, receipts and rate limits. */

import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pendingChanges } from '../../data/builds.ts';
import { requireSameFiles } from '../../data/file-identity.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { DatabaseBusy, undoneTransaction } from '../../data/transaction.ts';
import { wrongKeysPerMinute } from '../contract/limits.ts';
import { keyCheck } from './keys.ts';
import { rateLimit } from './rate-limit.ts';
import type { WriteAccess } from './routes.ts';
import type { BuildReport } from './writer-client.ts';
import { WriterClient } from './writer-client.ts';

export interface WritingOptions {
  db: string;
  /** Folder of the snapshot. */
  out: string;
  /** One more key, besides those in the database. */
  environmentKey?: string | undefined;
  /** Writes per minute and key; 0 for no limit. */
  writeLimit: number;
  /** Whether to resolve only when the snapshot is up to date. Default true. */
  waitsForSnapshot?: boolean;
  /** Milliseconds between two checks of the snapshot's files. Default 45,000. */
  checkIntervalMs?: number;
  onError: (error: unknown) => void;
  /** Called after every build of the snapshot. */
  onBuild?: ((report: BuildReport) => void) | undefined;
}

export interface Writing extends WriteAccess {
  /** Checks the files of the snapshot, and makes damaged ones again. */
  repair(): void;
  /** Number of changes in the database that the snapshot does not hold. */
  pendingChanges(): number;
  /** Whether another program has locked the database for so long that a write would be refused. */
  isLocked(): Promise<boolean>;
  /** Rejects if the writer's thread ends before close(). Then every write is refused: the process has to be started again. */
  failed: Promise<never>;
  /** Call it when no write is pending. */
  close(): Promise<void>;
}

/** Milliseconds that a read waits for the database. Readers of a WAL seldom wait. */
const timeoutMs = 250;
/** Milliseconds that a lock may last, as long as a write waits for it, and between two looks. */
const lockTimeoutMs = 250;
const lockPauseMs = 20;

/**
 * Opens the database for writing. The writer's thread brings the folder up to date with it.
 * @throws UserError if the database cannot be opened, or is damaged
 */
export async function openWriting(options: WritingOptions): Promise<Writing> {
  const { db, out, environmentKey, writeLimit, waitsForSnapshot = true, checkIntervalMs } = options;
  const { onError, onBuild } = options;
  const connection = openDatabase(db, { mustExist: true, timeoutMs, check: true });
  const probe = openDatabase(db, { mustExist: true, timeoutMs: 0 });
  const writer = new WriterClient({ db, out, checkIntervalMs }, onError, onBuild);
  if (waitsForSnapshot) await writer.ready;
  return {
    keyOf: keyCheck(connection, environmentKey),
    write: writer.write,
    connection,
    writes: rateLimit(writeLimit),
    failures: rateLimit(wrongKeysPerMinute)!,
    repair: () => writer.repair(),
    pendingChanges() {
      requireSameFiles(connection);
      return pendingChanges(connection, resolve(out));
    },
    isLocked: () => isLocked(probe),
    failed: writer.failed,
    async close() {
      await writer.close();
      probe.close();
      connection.close();
    },
  };
}

/** @param probe a connection that waits for no lock: it would block this thread */
async function isLocked(probe: Connection): Promise<boolean> {
  for (const end = performance.now() + lockTimeoutMs; ; await pause(lockPauseMs)) {
    try {
      undoneTransaction(probe, () => {});
      return false;
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
      if (performance.now() >= end) return true;
    }
  }
}
