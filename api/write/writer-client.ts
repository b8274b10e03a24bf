/** The client side of the writer's thread: sends requests to it, and matches outcomes by number. */
import { Worker } from 'node:worker_threads';
import type { Write, WriteError, WriteOutcome } from './outcomes.ts';

/** What the thread works on. */
export interface WriterLocation {
  db: string;
  /** Folder of the snapshot. */
  out: string;
  /** Milliseconds between two checks of the snapshot's files. Default 45,000. */
  checkIntervalMs?: number | undefined;
}

/** A finished or failed build of the snapshot. */
export interface BuildReport {
  seconds: number;
  /** Why the build failed. */
  problem?: string;
}

/** A message to the thread. */
export type WriterRequest =
  | { kind: 'write'; number: number; request: Parameters<Write>[0] }
  | { kind: 'repair' }
  | { kind: 'close' };

/** A message from the thread. */
export type WriterMessage =
  | { kind: 'ready' }
  | { kind: 'outcome'; number: number; outcome: WriteOutcome }
  | { kind: 'failure'; number: number }
  | { kind: 'build'; report: BuildReport }
  | { kind: 'error'; text: string };

interface Pending {
  /** Takes the outcome of the request with this number. */
  resolve: (outcome: WriteOutcome) => void;
  reject: (error: Error) => void;
}

/** The refusal of a write that the thread was carrying out when it ended. */
const interrupted: WriteError = {
  problem: 'writing-unavailable',
  detail: 'the writer ended during the write; read the record to see whether it was changed',
};
/** The refusal of a later write. */
const gone: WriteError = {
  problem: 'writing-unavailable',
  detail: 'the writer has ended, and the service restarts; nothing was changed, send the request again later',
};

export class WriterClient {
  /** Resolves when the snapshot is up to date, or its first build has failed. Rejects if the thread ends before. */
  readonly ready: Promise<void>;
  /** Rejects if the thread ends before close(). Then every write is refused: the process has to be started again. */
  readonly failed: Promise<never>;
  readonly #onError: (error: unknown) => void;
  readonly #onBuild: (report: BuildReport) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #worker: Worker;
  #number = 0;
  #hasEnded = false;
  #closed = false;

  /** Starts the thread. It takes writes at once, and carries them out when it has started. */
  constructor(
    location: WriterLocation,
    onError: (error: unknown) => void,
    onBuild: (report: BuildReport) => void = () => {},
  ) {
    this.#onError = onError;
    this.#onBuild = onBuild;
    const worker = new Worker(new URL('./writer-worker.mjs', import.meta.url), {
      workerData: location,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    this.#worker = worker;
    this.failed = new Promise((_, reject) => {
      let cause: Error | undefined;
      worker.once('error', (error) => {
        cause = error;
      });
      worker.once('exit', () => {
        this.#end();
        if (!this.#closed) reject(new Error(`the writer ended: ${cause?.message ?? 'no cause'}`, { cause }));
      });
    });
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', ({ kind }: WriterMessage) => kind === 'ready' && resolve());
      this.failed.catch(reject);
    });
    this.ready.catch(() => {});
    worker.on('message', (message: WriterMessage) => this.#receive(message));
  }

  /** Checks the files of the snapshot, and makes damaged ones again. */
  repair(): void {
    this.#worker.postMessage({ kind: 'repair' } satisfies WriterRequest);
  }

  write: Write = async (request) => {
    if (this.#hasEnded) return gone;
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject });
      this.#worker.postMessage({ kind: 'write', number, request } satisfies WriterRequest);
    });
  };

  /** Ends the thread after the active build. Call it when no write is pending. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage({ kind: 'close' } satisfies WriterRequest);
    await ended;
  }

  #receive(message: WriterMessage): void {
    if (message.kind === 'error') this.#onError(message.text);
    if (message.kind === 'build') this.#onBuild(message.report);
    if (message.kind !== 'outcome' && message.kind !== 'failure') return;
    const pending = this.#pending.get(message.number);
    this.#pending.delete(message.number);
    if (message.kind === 'outcome') pending?.resolve(message.outcome);
    else pending?.reject(new Error('the write failed; its cause was reported'));
  }

  #end(): void {
    this.#hasEnded = true;
    for (const { resolve } of this.#pending.values()) resolve(interrupted);
    this.#pending.clear();
  }
}
