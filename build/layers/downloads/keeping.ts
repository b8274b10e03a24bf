/**
 * Keeps the downloads of a folder up to date while writes come in: made anew when the snapshot has held still for a while, or
 * has been changing for long, by a process of its own with the lowest priority. Neither writes nor reads wait for it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestPath } from '../../../api/contract/snapshot.ts';

export interface KeepingOptions {
  /** Told of every time that they could not be made; the next change is the next attempt. */
  onError: (error: unknown) => void;
  /** Makes them, if there is anything to make. Default: by a process of its own. */
  make?: ((out: string) => Making) | undefined;
}

export interface Making {
  done: Promise<void>;
  stop(): void;
}

/** Milliseconds between two looks at the manifest. */
const interval = 1000;
/** Milliseconds that it has to hold still, and that the downloads may be behind at most while it does not. */
const stillness = 5000;
const maxDelayMs = 60_000;

export class DownloadsKeeper {
  readonly #out: string;
  readonly #manifest: string;
  readonly #options: KeepingOptions;
  readonly #timer: NodeJS.Timeout;
  #seen: string | undefined;
  /** When the manifest was first and last seen to be another one than the downloads were made from. */
  #changes: { first: number; last: number } | undefined;
  #making: Making | undefined;

  constructor(out: string, options: KeepingOptions) {
    this.#out = resolve(out);
    this.#manifest = join(this.#out, manifestPath);
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), interval);
    // It keeps no process alive.
    this.#timer.unref();
  }

  /** Makes them at once, if they are behind. */
  async bringUpToDate(): Promise<void> {
    await this.#making?.done.catch(() => {});
    await this.#make();
  }

  /** Ends it. Downloads that are being made stay as they were. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const making = this.#making;
    this.#making = undefined;
    making?.stop();
    await making?.done.catch(() => {});
  }

  #look(): void {
    const now = performance.now();
    const is = stateOf(this.#manifest);
    if (is !== this.#seen) this.#changes = { first: this.#changes?.first ?? now, last: now };
    this.#seen = is;
    if (is === undefined || this.#changes === undefined || this.#making) return;
    const { first, last } = this.#changes;
    if (now - last < stillness && now - first < maxDelayMs) return;
    this.#make().catch(this.#options.onError);
  }

  async #make(): Promise<void> {
    this.#changes = undefined;
    const making = (this.#options.make ?? inProcess)(this.#out);
    this.#making = making;
    try {
      await making.done;
    } catch (error) {
      // Stopped, it is nobody's fault.
      if (this.#making === making) throw error;
    } finally {
      if (this.#making === making) this.#making = undefined;
    }
  }
}

/** What tells one manifest from the next; undefined for none. */
function stateOf(file: string): string | undefined {
  const entry = statSync(file, { bigint: true, throwIfNoEntry: false });
  return entry && `${entry.ino} ${entry.mtimeNs} ${entry.size}`;
}

function inProcess(out: string): Making {
  const script = fileURLToPath(new URL('making-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, out], { stdio: ['ignore', 'ignore', 'pipe'] });
  lower(child);
  let complaint = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const done = new Promise<void>((fulfil, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? fulfil() : reject(new Error(complaint || 'the downloads could not be made')),
    );
  });
  return { done, stop: () => child.kill() };
}

/** Right after it began, so that its threads inherit it. */
function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system lets a process do so; then it only competes.
  }
}
