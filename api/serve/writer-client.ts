/** The writer as seen from the thread that answers requests: orders go to its own thread, outcomes come back by number. */
import { Worker } from 'node:worker_threads';
import type { WriteOrder, WriteOutcome } from '../write/writer.ts';

/** The database and the folder of its snapshot. */
export interface WriterPlace {
  db: string;
  out: string;
  /** Whether the snapshot has the site besides the record, as the command line builds it. Default false. */
  site?: boolean | undefined;
}

/** What the thread is told. */
export type WriterOrder = { kind: 'write'; number: number; order: WriteOrder } | { kind: 'close' };

/** What it tells. */
export type WriterMessage =
  | { kind: 'ready' }
  | { kind: 'outcome'; number: number; outcome: WriteOutcome }
  | { kind: 'failure'; number: number }
  | { kind: 'trouble'; text: string };

interface Pending {
  resolve: (outcome: WriteOutcome) => void;
  reject: (error: Error) => void;
}

export class WriterClient {
  readonly #place: WriterPlace;
  readonly #onError: (error: unknown) => void;
  readonly #pending = new Map<number, Pending>();
  #number = 0;
  #worker: Worker | undefined;
  /** Whether the thread at work has brought the folder up to date, tries on by itself, or has carried out a write. */
  #ready = false;
  #closed = false;

  private constructor(place: WriterPlace, onError: (error: unknown) => void) {
    this.#place = place;
    this.#onError = onError;
  }

  /** Starts the thread. Resolves when the folder is up to date with the database, or cannot be brought there for now. */
  static async start(place: WriterPlace, onError: (error: unknown) => void): Promise<WriterClient> {
    const writer = new WriterClient(place, onError);
    const worker = writer.#start();
    await new Promise<void>((resolve, reject) => {
      worker.on('message', ({ kind }: WriterMessage) => kind === 'ready' && resolve());
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the writer ended before it was ready')));
    });
    return writer;
  }

  /** Carries out a write. A thread that ended before it was ready is started anew for the next one, any other at once. */
  write(order: WriteOrder): Promise<WriteOutcome> {
    const worker = this.#worker ?? this.#start();
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject });
      worker.postMessage({ kind: 'write', number, order } satisfies WriterOrder);
    });
  }

  /** Ends the thread once the build at work is done. To be called when no write is pending. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ kind: 'close' } satisfies WriterOrder);
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writer-worker.mjs', import.meta.url), {
      workerData: this.#place,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    });
    worker.on('message', (message: WriterMessage) => this.#hear(message));
    worker.on('error', this.#onError);
    worker.once('exit', () => this.#bury(worker));
    this.#worker = worker;
    this.#ready = false;
    return worker;
  }

  #hear(message: WriterMessage): void {
    // One that has carried out a write can work, too: what it acknowledged may still be to be shown when it ends.
    if (message.kind === 'ready' || message.kind === 'outcome') this.#ready = true;
    if (message.kind === 'trouble') this.#onError(message.text);
    if (message.kind !== 'outcome' && message.kind !== 'failure') return;
    const pending = this.#pending.get(message.number);
    this.#pending.delete(message.number);
    if (message.kind === 'outcome') pending?.resolve(message.outcome);
    else pending?.reject(new Error('the write failed; its cause was reported'));
  }

  #bury(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { resolve } of this.#pending.values())
      resolve({
        problem: 'writing-unavailable',
        detail: 'the writer ended while it was at work; read the record to see whether the write was made',
      });
    this.#pending.clear();
    // What it committed is still to be built. One that cannot even begin would end again and again.
    if (this.#ready && !this.#closed) this.#start();
  }
}
