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

const ended: WriteError = {
  problem: 'writing-unavailable',
  detail: 'the writer ended during the write; read the record to see whether it was changed',
};

export class WriterClient {
  /** Resolves when the snapshot is up to date, or its first build has failed. Rejects if the thread ends before. */
  readonly ready: Promise<void>;
  readonly #location: WriterLocation;
  readonly #onError: (error: unknown) => void;
  readonly #onBuild: (report: BuildReport) => void;
  readonly #pending = new Map<number, Pending>();
  #number = 0;
  #worker: Worker | undefined;
  /** Whether the current thread has started successfully. */
  #hasStarted = false;
  #closed = false;

  /** Starts the thread. It takes writes at once, and carries them out when it has started. */
  constructor(
    location: WriterLocation,
    onError: (error: unknown) => void,
    onBuild: (report: BuildReport) => void = () => {},
  ) {
    this.#location = location;
    this.#onError = onError;
    this.#onBuild = onBuild;
    const worker = this.#start();
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', ({ kind }: WriterMessage) => kind === 'ready' && resolve());
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the writer ended before it was ready')));
    });
    // The thread reports its errors to onError.
    this.ready.catch(() => {});
  }

  /** Checks the files of the snapshot, and makes damaged ones again. */
  repair(): void {
    this.#worker?.postMessage({ kind: 'repair' } satisfies WriterRequest);
  }

  /** Starts a new thread if the last one ended before it was ready. */
  write: Write = (request) => {
    const worker = this.#worker ?? this.#start();
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject });
      worker.postMessage({ kind: 'write', number, request } satisfies WriterRequest);
    });
  };

  /** Ends the thread after the active build. Call it when no write is pending. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ kind: 'close' } satisfies WriterRequest);
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writer-worker.mjs', import.meta.url), {
      workerData: this.#location,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    worker.on('message', (message: WriterMessage) => this.#receive(message));
    worker.on('error', this.#onError);
    worker.once('exit', () => this.#restart(worker));
    this.#worker = worker;
    this.#hasStarted = false;
    return worker;
  }

  #receive(message: WriterMessage): void {
    // A thread that has carried out a write has started, even if it is not ready yet.
    if (message.kind === 'ready' || message.kind === 'outcome') this.#hasStarted = true;
    if (message.kind === 'error') this.#onError(message.text);
    if (message.kind === 'build') this.#onBuild(message.report);
    if (message.kind !== 'outcome' && message.kind !== 'failure') return;
    const pending = this.#pending.get(message.number);
    this.#pending.delete(message.number);
    if (message.kind === 'outcome') pending?.resolve(message.outcome);
    else pending?.reject(new Error('the write failed; its cause was reported'));
  }

  #restart(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { resolve } of this.#pending.values()) resolve(ended);
    this.#pending.clear();
    // A new thread builds what the old one committed. A thread that cannot start is not restarted in a loop.
    if (this.#hasStarted && !this.#closed) this.#start();
  }
}
