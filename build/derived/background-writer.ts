/** Writes new files on another thread, so that rendering and writing run at the same time. */
import { Worker } from 'node:worker_threads';

/** Bytes per message to the thread. */
const batchBytes = 1024 * 1024;
/** Bytes under way before the caller has to wait. */
const maxWaitingBytes = 16 * batchBytes;

interface Done {
  bytes: number;
  error?: { message: string; code: string | undefined };
}

export class BackgroundWriter {
  // The worker is plain JavaScript: a worker does not inherit the TypeScript loader.
  readonly #worker = new Worker(new URL('./background-writer.worker.mjs', import.meta.url), { execArgv: [] });
  #buffer = new Uint8Array(batchBytes);
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
    // An idle writer does not keep the process alive; a pending wait does.
    this.#worker.unref();
  }

  /**
   * Copies the bytes of a file, whose folder must exist. The file is complete after flush().
   * @returns what to wait for if many bytes are under way. @throws the error of an earlier file
   */
  write(file: string, bytes: Uint8Array): Promise<void> | undefined {
    if (this.#used + bytes.length > this.#buffer.length) {
      this.#send();
      if (bytes.length > this.#buffer.length) this.#buffer = new Uint8Array(bytes.length);
    }
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#files.push([file, bytes.length]);
    return this.#failure || this.#waiting > maxWaitingBytes ? this.#until(maxWaitingBytes) : undefined;
  }

  /** Resolves when every file is complete. @throws the first error of any file */
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
    this.#buffer = new Uint8Array(batchBytes);
    this.#used = 0;
    this.#files = [];
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}
