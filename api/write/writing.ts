/** Everything that the service needs for writes: the writer on its thread, keys, receipts and rate limits. */
import { timingSafeEqual } from 'node:crypto';
import { resolve } from 'node:path';
import { pendingChanges } from '../../data/database/changes.ts';
import { digestOf, environmentKeyName, findKey } from '../../data/record/keys.ts';
import { openDatabase } from '../../data/database/open.ts';
import type { LayerName } from '../contract/layers.ts';
import { wrongKeysPerMinute } from '../contract/limits.ts';
import { obstacleWatch } from './obstacles.ts';
import { rateLimit } from './rate-limit.ts';
import { storageWatch } from './storage.ts';
import type { BatchRequest, WriteOutcome, WriteRequest } from './requests.ts';
import { type BuildReport, startWriterThread, type WriterLocation } from './writer-thread.ts';

export interface WritingOptions extends WriterLocation {
  /** One more key, besides those in the database. */
  environmentKey?: string | undefined;
  /** Writes per minute and key; 0 for no limit. */
  writeLimit: number;
  /** Whether to resolve only when the snapshot is up to date. Default true. */
  waitsForSnapshot?: boolean;
  onError: (error: unknown) => void;
  /** Called after every build of the snapshot. */
  onBuild?: ((report: BuildReport) => void) | undefined;
  /** Called when a check finds damaged files of a layer. */
  onDamage?: ((layer: LayerName) => void) | undefined;
}

/** Milliseconds that a read waits for the lock of another program. */
const lockTimeoutMs = 250;

export type Writing = Awaited<ReturnType<typeof openWriting>>;

/**
 * Opens the database for writing. The writer's thread brings the folder up to date with it.
 * @throws UserError if the database cannot be opened, or is damaged
 */
export async function openWriting(options: WritingOptions) {
  const { db, out, checkIntervalMs, environmentKey, waitsForSnapshot = true } = options;
  const environmentDigest = environmentKey ? digestOf(environmentKey) : undefined;
  const connection = openDatabase(db, { mustExist: true, timeoutMs: lockTimeoutMs, check: true });
  const probe = openDatabase(db, { mustExist: true, timeoutMs: 0 });
  const storage = storageWatch({ database: db, snapshot: out });
  const obstacles = obstacleWatch(connection, probe, storage);
  const { onError, onBuild, onDamage } = options;
  const thread = startWriterThread(
    { db, out, checkIntervalMs },
    { onError, onBuild, onDamage, onOutcome: (outcome) => storage.note(outcome) },
  );
  if (waitsForSnapshot) await thread.ready;
  return {
    /**
     * Resolves when the thread has all of its code: later there may be no file descriptor left to read it.
     */
    loaded: thread.loaded,
    /** For receipts. */
    connection,
    /** Writes per key; undefined for no limit. */
    writes: rateLimit('writes', options.writeLimit),
    /** Failed keys per client. */
    failures: rateLimit('keys', wrongKeysPerMinute)!,
    /** The name of a key; undefined if it is unknown or revoked. */
    keyOf(key: string): string | undefined {
      if (environmentDigest && timingSafeEqual(digestOf(key), environmentDigest)) return environmentKeyName;
      // At each request, so that a revoked key is refused at once.
      return findKey(connection, key);
    },
    /** Carries out a write, or all writes of a batch or none. Later ones see what earlier ones wrote. */
    write: (request: WriteRequest | BatchRequest): Promise<WriteOutcome> => thread.write(request),
    /** Checks the files of the snapshot, and makes damaged ones again. */
    repair: () => thread.repair(),
    /** Number of changes in the database that the snapshot does not hold. */
    pendingChanges: (): number => pendingChanges(connection, resolve(out)),
    /** What keeps writes from being stored, or soon may, a line each. */
    problems: obstacles.find,
    /** For metrics. */
    failedWrites: storage.failedWrites,
    freeBytes: storage.free,
    /**
     * Rejects if the writer's thread fails. Then every write is refused: the process has to be started again.
     */
    failed: thread.end,
    /** Call it when no write is pending. */
    async close(): Promise<void> {
      await thread.close();
      probe.close();
      connection.close();
    },
  };
}
