/**
 * Keeps the layers of a folder up to date while the service runs. It watches the manifest, waits for a pause between writes,
 * and updates the layers in a process of its own. Reads and writes never wait for it. Updates and checks have the lowest
 * priority, repairs a normal one: a request was just refused for the damaged file, and may be repeated.
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LayerName } from '../../api/contract/layers.ts';
import { manifestChanges } from '../../api/hosts/file-source.ts';
import { backoffMs } from '../../data/retry-policy.ts';
import { OutputFolder } from '../snapshot/output-folder.ts';
import { type LayerOptions, layersOf } from './all.ts';

interface UpdaterOptions extends LayerOptions {
  layers: readonly LayerName[];
  /** Called with every failed update. It is tried again. */
  onError: (error: unknown) => void;
  /** Updates layers. Default: in a process of its own. */
  update?: typeof startProcess | undefined;
  /** Milliseconds between two checks of all files. Default 45,000. */
  checkIntervalMs?: number | undefined;
}

/** "check" and "repair" also compare every file with the index. */
type UpdateMode = 'update' | 'check' | 'repair';

interface LayerTask {
  done: Promise<void>;
  stop(): void;
}

/** Milliseconds between two looks at the manifest. */
const lookMs = 250;
/** Milliseconds without a new snapshot before an update starts, and its maximum delay while snapshots keep coming. */
const schedules: Readonly<Record<LayerName, { settleMs: number; maxDelayMs: number }>> = {
  site: { settleMs: 1000, maxDelayMs: 1500 },
  pages: { settleMs: 1000, maxDelayMs: 1500 },
  // Media tools read the lists about once a day.
  lists: { settleMs: 5000, maxDelayMs: 120_000 },
  downloads: { settleMs: 5000, maxDelayMs: 60_000 },
};
/** Milliseconds from the start to the first check of all files. */
const firstCheckMs = 10_000;
/** Milliseconds before a failed update is repeated. */
const retry = { minMs: 1000, maxMs: 60_000 };

export class LayerUpdater {
  readonly #folder: OutputFolder;
  readonly #options: UpdaterOptions;
  readonly #hasChanged: () => boolean;
  readonly #checkIntervalMs: number;
  readonly #timer: NodeJS.Timeout;
  /** Layer → fingerprint of its code. Computed once: a service runs the code that it started with. */
  readonly #codes: ReadonlyMap<LayerName, string>;
  /** Layers that are behind, with the times of the first and the last snapshot they lack. */
  readonly #behind = new Map<LayerName, { first: number; last: number }>();
  /** Layers whose files must be compared with their index, with the mode of the update that does it. */
  readonly #unchecked = new Map<LayerName, UpdateMode>();
  #nextCheck: number;
  #task: LayerTask | undefined;
  #failures = 0;
  #notBefore = 0;
  #closed = false;

  constructor(out: string, options: UpdaterOptions) {
    this.#folder = new OutputFolder(out);
    this.#options = options;
    this.#hasChanged = manifestChanges(this.#folder.root);
    this.#codes = new Map(layersOf(out, options.layers, options).map(({ name, code }) => [name, code()]));
    // Layers that are behind at the start have waited long enough.
    this.#hasChanged();
    this.#noteSnapshot(Number.NEGATIVE_INFINITY);
    this.#checkIntervalMs = options.checkIntervalMs ?? 45_000;
    this.#nextCheck = performance.now() + Math.min(firstCheckMs, this.#checkIntervalMs);
    this.#timer = setInterval(() => this.look(), lookMs);
    this.#timer.unref();
  }

  /** Looks at the manifest, and starts an update that is due. The timer calls it. */
  look(): void {
    if (this.#closed) return;
    const now = performance.now();
    if (this.#hasChanged()) this.#noteSnapshot(now);
    if (now >= this.#nextCheck) {
      this.#nextCheck = now + this.#checkIntervalMs;
      for (const layer of this.#options.layers)
        if (!this.#unchecked.has(layer)) this.#unchecked.set(layer, 'check');
    }
    if (this.#task || now < this.#notBefore) return;
    const due = this.#options.layers.filter((layer) => {
      const { settleMs, maxDelayMs } = schedules[layer];
      const { first, last } = this.#behind.get(layer) ?? { first: now, last: now };
      return this.#unchecked.has(layer) || now - last >= settleMs || now - first >= maxDelayMs;
    });
    // Without a whole manifest, the snapshot is made again first.
    if (due.length > 0 && this.#folder.manifest()) this.#update(due).catch(this.#options.onError);
  }

  /** Checks the files of a layer at once, and makes the damaged ones again. */
  repair(layer: LayerName): void {
    if (!this.#options.layers.includes(layer)) return;
    this.#unchecked.set(layer, 'repair');
    this.look();
  }

  /** Updates the layers that are behind now. @throws the error of the update */
  async bringUpToDate(layers = this.#options.layers): Promise<void> {
    await this.#task?.done.catch(() => {});
    this.#hasChanged();
    this.#noteSnapshot(performance.now());
    const behind = layers.filter((layer) => this.#behind.has(layer));
    if (behind.length > 0) await this.#update(behind);
  }

  /** Stops. The next update finishes a layer that was interrupted. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#task?.stop();
    await this.#task?.done.catch(() => {});
  }

  #noteSnapshot(now: number): void {
    const snapshot = this.#folder.manifest()?.snapshot;
    if (snapshot === undefined) return;
    for (const [name, code] of this.#codes) {
      const index = this.#folder.layerIndex(name);
      if (index?.manifest.snapshot === snapshot && !index.pending && index.code === code) continue;
      this.#behind.set(name, { first: this.#behind.get(name)?.first ?? now, last: now });
    }
  }

  async #update(layers: readonly LayerName[]): Promise<void> {
    const noted = new Map(layers.map((layer) => [layer, this.#behind.get(layer)]));
    const unchecked = [...this.#unchecked].filter(([layer]) => layers.includes(layer));
    const mode = unchecked.reduce<UpdateMode>((sum, [, own]) => (sum === 'repair' ? sum : own), 'update');
    for (const layer of layers) {
      this.#behind.delete(layer);
      this.#unchecked.delete(layer);
    }
    const { update = startProcess, includeRestricted, imageOrigins, origin } = this.#options;
    const task = update(this.#folder.root, layers, mode, { includeRestricted, imageOrigins, origin });
    this.#task = task;
    try {
      await task.done;
      this.#failures = 0;
    } catch (error) {
      if (this.#closed) return;
      for (const [layer, since] of noted)
        if (since) this.#behind.set(layer, this.#behind.get(layer) ?? since);
      for (const [layer, own] of unchecked) this.#unchecked.set(layer, own);
      this.#failures += 1;
      this.#notBefore = performance.now() + backoffMs(this.#failures, retry);
      throw error;
    } finally {
      this.#task = undefined;
    }
  }
}

function startProcess(
  out: string,
  layers: readonly LayerName[],
  mode: UpdateMode,
  options: LayerOptions,
): LayerTask {
  const script = fileURLToPath(new URL('./update-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, out, mode, JSON.stringify(options), ...layers], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (mode !== 'repair') lowerPriority(child.pid);
  let message = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    message += text;
  });
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      // Ctrl-C and a service manager end all processes of the service. The next start updates the files.
      if (code === 0 || signal === 'SIGINT' || signal === 'SIGTERM') resolve();
      else
        reject(
          new Error(
            `the derived files could not be updated: ${message || `the process ended with ${signal ?? `code ${code}`}`}`,
          ),
        );
    });
  });
  return { done, stop: () => child.kill() };
}

/** To be called right after the start: new threads inherit the priority. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system allows it.
  }
}
