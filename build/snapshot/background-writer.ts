/**
 * Writes new files on a thread of its own, so that rendering and writing a whole tree go on side by side. Only for files that
 * nobody reads yet: what was handed over is there after flush(), and not before.
 */
import { Worker } from 'node:worker_threads';

/** Bytes handed over at a time. */
const batchSize = 1024 * 1024;
/** Bytes on their way before the caller has to wait. */
const maxWaitingBytes = 16 * batchSize;

interface Done {
  bytes: number;
  error?: { message: string; code: string | undefined };
}

export class BackgroundWriter {
  // Plain JavaScript: a worker does not inherit what loads TypeScript here.
  readonly #worker = new Worker(new URL('./background-writer.worker.mjs', import.meta.url), { execArgv: [] });
  #buffer = new Uint8Array(batchSize);
  #used = 0;
  #files: [path: string, length: number][] = [];
  #waiting = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor() {
    this.#worker.on('message', ({ bytes, error }: Done) => {
      this.#waiting -= bytes;
      if (error) this.#fail(Object.assign(new Error(error.message), { code: error.code }));
      this.#wake?.();
    });
    this.#worker.on('error', (error) => this.#fail(error));
    // An idle writer keeps no process alive; a waiting flush() does.
    this.#worker.unref();
  }

  /** Takes a file; its folder must be there. The bytes are the caller's again on return. */
  write(file: string, bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#buffer.length) {
      this.#send();
      if (bytes.length > this.#buffer.length) this.#buffer = new Uint8Array(bytes.length);
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#files.push([file, bytes.length]);
  }

  /** Resolves when more may be handed over. @throws what went wrong with an earlier file */
  room(): Promise<void> {
    return this.#until(maxWaitingBytes);
  }

  /** Resolves when every file is written. @throws what went wrong with any of them */
  flush(): Promise<void> {
    this.#send();
    return this.#until(0);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #until(waiting: number): Promise<void> {
    this.#worker.ref();
    while (this.#waiting > waiting && !this.#failure)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#worker.unref();
    if (this.#failure) throw this.#failure;
  }

  #send(): void {
    if (this.#files.length === 0) return;
    const bytes = this.#used;
    this.#waiting += bytes;
    this.#worker.postMessage({ buffer: this.#buffer, files: this.#files, bytes }, [this.#buffer.buffer]);
    this.#buffer = new Uint8Array(batchSize);
    this.#used = 0;
    this.#files = [];
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}
