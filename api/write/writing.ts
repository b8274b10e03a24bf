/** Everything that the service needs for writes: the writer on its thread, keys, receipts and rate limits. */
import { timingSafeEqual } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { pendingChanges } from '../../data/database/builds.ts';
import { digestOf, environmentKeyName, findKey } from '../../data/record/keys.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { moveOf } from '../../data/database/place.ts';
import { DatabaseBusy, undoneTransaction } from '../../data/database/transaction.ts';
import { maxWaitingWrites, wrongKeysPerMinute } from '../contract/limits.ts';
import { publicReason } from '../contract/problems.ts';
import { rateLimit } from './rate-limit.ts';
import { storageWatch } from './storage.ts';
import type { BatchRequest, WriteError, WriteOutcome, WriteRequest } from './requests.ts';

export interface WritingOptions {
  db: string;
  /** Folder of the snapshot. */
  out: string;
  /** Milliseconds between two checks of the snapshot's files. Default 45,000. */
  checkIntervalMs?: number | undefined;
  /** One more key, besides those in the database. */
  environmentKey?: string | undefined;
  /** Writes per minute and key; 0 for no limit. */
  writeLimit: number;
  /** Whether to resolve only when the snapshot is up to date. Default true. */
  waitsForSnapshot?: boolean;
  onError: (error: unknown) => void;
  /** Called after every build of the snapshot. */
  onBuild?: ((report: BuildReport) => void) | undefined;
}

/** A finished or failed build of the snapshot. */
export interface BuildReport {
  seconds: number;
  /** Why the build failed. */
  problem?: string;
  /** What it repaired, in words. */
  repair?: string;
}

/** What the writer's thread works on. */
export type WriterLocation = Pick<WritingOptions, 'db' | 'out' | 'checkIntervalMs'>;

/** A message to the thread: a write with a number of its own, or what else to do. */
export type ToWriter = { number: number; request: WriteRequest | BatchRequest } | 'repair' | 'close';

/** A message from the thread. It is loaded when it has all of its code, and ready when its first build has succeeded or failed. */
export type FromWriter =
  | { kind: 'loaded' }
  | { kind: 'ready' }
  | { kind: 'outcome'; number: number; outcome: WriteOutcome }
  | { kind: 'build'; report: BuildReport }
  | { kind: 'error'; text: string };

/** Milliseconds that a read or a write waits for the lock of another program, and between two looks at the lock. */
const lockTimeoutMs = 250;
const lockPauseMs = 20;
/** Milliseconds that close() gives to a build under way. The next start makes what it leaves undone. */
const lastBuildMs = 500;

const ended: WriteError = {
  problem: 'writing-unavailable',
  detail: 'the writer ended, and the service restarts; read the record to see whether it was changed',
};

const tooManyWaiting: WriteError = {
  problem: 'writing-unavailable',
  detail: 'too many writes wait for their turn; nothing was changed',
};

/** Milliseconds for which a look at the lock is valid. Each look takes the lock. */
const lockLookMs = 1000;

/**
 * Tells whether another program has locked the database for so long that a write would be refused. All callers within a second
 * share one look.
 * @param probe waits for no lock: it would block this thread
 */
function lockWatch(probe: Connection): () => Promise<boolean> {
  const look = async () => {
    for (const start = performance.now(); ; await pause(lockPauseMs)) {
      try {
        undoneTransaction(probe, () => {});
        return false;
      } catch (error) {
        if (!(error instanceof DatabaseBusy)) throw error;
        if (performance.now() - start >= lockTimeoutMs) return true;
      }
    }
  };
  let last: Promise<boolean> | undefined;
  let end = 0;
  return () => {
    if (last === undefined || performance.now() >= end) {
      last = look();
      end = performance.now() + lockLookMs;
    }
    return last;
  };
}

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
  const isLocked = lockWatch(probe);
  const worker = new Worker(new URL('./writer-worker.mjs', import.meta.url), {
    workerData: { db, out, checkIntervalMs } satisfies WriterLocation,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  const storage = storageWatch({ database: db, snapshot: out });
  const tell = (message: ToWriter) => worker.postMessage(message);
  /** The number of each write that the thread carries out, and what takes its outcome. */
  const pending = new Map<number, (outcome: WriteOutcome) => void>();
  let writes = 0;
  let setLoaded = () => {};
  const hasLoaded = new Promise<void>((settle) => {
    setLoaded = settle;
  });
  const ready = new Promise<void>((settle) => {
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'loaded') setLoaded();
      else if (message.kind === 'ready') settle();
      else if (message.kind === 'error') options.onError(message.text);
      else if (message.kind === 'build') options.onBuild?.(message.report);
      else {
        storage.note(message.outcome);
        pending.get(message.number)?.(message.outcome);
        pending.delete(message.number);
      }
    });
  });
  let hasEnded = false;
  let isClosing = false;
  const end = new Promise<void>((settle, reject) => {
    const fail = (cause?: Error) =>
      reject(new Error(`the writer ended: ${cause?.message ?? 'no cause'}`, { cause }));
    worker.once('error', fail);
    worker.once('exit', (code) => {
      hasEnded = true;
      for (const take of pending.values()) take(ended);
      if (code === 0 || isClosing) settle();
      else fail();
    });
  });
  const loaded = Promise.race([hasLoaded, end]);
  for (const own of [end, loaded]) own.catch(() => {});
  if (waitsForSnapshot) await Promise.race([ready, end]);
  return {
    /** Resolves when the thread has all of its code: later there may be no file descriptor left to read it. */
    loaded,
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
    async write(request: WriteRequest | BatchRequest): Promise<WriteOutcome> {
      if (hasEnded) return ended;
      if (pending.size >= maxWaitingWrites) return tooManyWaiting;
      const number = writes++;
      return new Promise((settle) => {
        pending.set(number, settle);
        tell({ number, request });
      });
    },
    /** Checks the files of the snapshot, and makes damaged ones again. */
    repair: () => tell('repair'),
    /** Number of changes in the database that the snapshot does not hold. */
    pendingChanges: (): number => pendingChanges(connection, resolve(out)),
    /** What keeps writes from being stored, or soon may, a line each. */
    async problems(): Promise<string[]> {
      const move = moveOf(connection, 'writes are refused');
      const found = storage.problems();
      if (move) return [publicReason(move), ...found];
      if (await isLocked()) found.unshift('another program has locked the database: writes are refused');
      return found;
    },
    /** For metrics. */
    failedWrites: storage.failedWrites,
    freeBytes: storage.free,
    /** Rejects if the writer's thread fails. Then every write is refused: the process has to be started again. */
    failed: end,
    /** Call it when no write is pending. */
    async close(): Promise<void> {
      isClosing = true;
      tell('close');
      const timer = setTimeout(() => void worker.terminate(), lastBuildMs);
      await end.catch(() => {});
      clearTimeout(timer);
      probe.close();
      connection.close();
    },
  };
}
