/**
 * The two ends of the writer's thread, and what they say to each other. writing.ts holds the end of the
 * service, writer-worker.ts that of the thread.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import type { LayerName } from '../contract/layers.ts';
import { maxWaitingWrites } from '../contract/limits.ts';
import { entryOf } from '../../data/system/entries.ts';
import type { BatchRequest, WriteError, WriteOutcome, WriteRequest } from './requests.ts';

/** What the thread works on. */
export interface WriterLocation {
  db: string;
  /** Folder of the snapshot. */
  out: string;
  /** Milliseconds in which all files of the folder are checked. Default 55,000. */
  checkIntervalMs?: number | undefined;
}

/** A finished or failed build of the snapshot. */
export interface BuildReport {
  seconds: number;
  /** Why the build failed. */
  problem?: string;
  /** What it repaired, in words. */
  repair?: string;
}

type AnyWrite = WriteRequest | BatchRequest;

/** A message to the thread: a write with a number of its own, or what else to do. */
type ToThread = { number: number; request: AnyWrite } | 'repair' | 'close';

/**
 * A message from the thread. It is loaded when it has all of its code, and ready when its first build has
 * succeeded or failed.
 */
type FromThread =
  | { kind: 'loaded' }
  | { kind: 'ready' }
  | { kind: 'outcome'; number: number; outcome: WriteOutcome }
  | { kind: 'build'; report: BuildReport }
  | { kind: 'damage'; layer: LayerName }
  | { kind: 'error'; text: string };

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

/** The functions that handle messages of the thread, in the service. */
interface ThreadEvents {
  onError(error: unknown): void;
  onOutcome(outcome: WriteOutcome): void;
  /** Called after every build of the snapshot. */
  onBuild?: ((report: BuildReport) => void) | undefined;
  /** Called when a check finds damaged files of a layer. The thread itself repairs the snapshot. */
  onDamage?: ((layer: LayerName) => void) | undefined;
}

/** Starts the thread. */
export function startWriterThread(
  location: WriterLocation,
  { onError, onOutcome, onBuild, onDamage }: ThreadEvents,
) {
  const { file, execArgv } = entryOf('api/write/writer-worker.ts');
  const worker = new Worker(file, {
    workerData: location,
    execArgv,
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  const tell = (message: ToThread) => worker.postMessage(message);
  /** The number of each pending write → the function that takes its outcome. */
  const pending = new Map<number, (outcome: WriteOutcome) => void>();
  let writes = 0;
  let hasEnded = false;
  let isClosing = false;
  const loaded = promised();
  const ready = promised();
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'loaded') loaded.resolve();
    else if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'error') onError(message.text);
    else if (message.kind === 'build') onBuild?.(message.report);
    else if (message.kind === 'damage') onDamage?.(message.layer);
    else {
      onOutcome(message.outcome);
      pending.get(message.number)?.(message.outcome);
      pending.delete(message.number);
    }
  });
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
  const unlessEnded = (promise: Promise<void>) => {
    const first = Promise.race([promise, end]);
    // A caller that does not wait for it learns of the end from `end`.
    first.catch(() => {});
    return first;
  };
  end.catch(() => {});
  return {
    /**
     * Resolves when the thread has all of its code: later there may be no file descriptor left to read it.
     */
    loaded: unlessEnded(loaded.promise),
    /** Resolves when the first build has succeeded or failed. */
    ready: unlessEnded(ready.promise),
    /** Rejects if the thread fails. Then every write is refused: the process has to be started again. */
    end,
    async write(request: AnyWrite): Promise<WriteOutcome> {
      if (hasEnded) return ended;
      if (pending.size >= maxWaitingWrites) return tooManyWaiting;
      const number = writes++;
      return new Promise((settle) => {
        pending.set(number, settle);
        tell({ number, request });
      });
    },
    repair: () => tell('repair'),
    /** Ends the thread, after a build under way if that is short. */
    async close(): Promise<void> {
      isClosing = true;
      tell('close');
      const timer = setTimeout(() => void worker.terminate(), lastBuildMs);
      await end.catch(() => {});
      clearTimeout(timer);
    },
  };
}

/** A promise with the function that resolves it. */
function promised() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The functions that handle messages of the service, in the thread. */
interface ThreadCommands {
  write(request: AnyWrite): Promise<WriteOutcome>;
  /** Checks the files of the snapshot, and makes damaged ones again. */
  repair(): void;
  close(): Promise<void>;
}

/** The end of the thread. @returns what it tells the service */
export function writerThreadEnd(port: MessagePort) {
  const tell = (message: FromThread) => port.postMessage(message);
  return {
    tellLoaded: () => tell({ kind: 'loaded' }),
    tellReady: () => tell({ kind: 'ready' }),
    tellBuild: (report: BuildReport) => tell({ kind: 'build', report }),
    tellDamage: (layer: LayerName) => tell({ kind: 'damage', layer }),
    tellError: (text: string) => tell({ kind: 'error', text }),
    /** Begins to do what the service says. */
    obey(commands: ThreadCommands): void {
      port.on('message', async (message: ToThread) => {
        if (message === 'repair') commands.repair();
        else if (message !== 'close')
          tell({
            kind: 'outcome',
            number: message.number,
            outcome: await commands.write(message.request),
          });
        else {
          await commands.close();
          port.close();
        }
      });
    },
  };
}
