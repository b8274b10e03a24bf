/**
 * Keeps the layers of a folder up to date while the service runs. It watches the manifest, waits for a pause between writes,
 * and updates the layers in a process of its own.
 */
import type { LayerName } from '../../api/contract/layers.ts';
import { manifestChanges } from '../../api/read/node-source.ts';
import { OutputFolder } from '../snapshot/output-folder.ts';
import type { LayerOptions } from './all.ts';
import { UpdateProcess } from './update-process.ts';

interface UpdaterOptions extends LayerOptions {
  layers: readonly LayerName[];
  /** Called with every failed update. It is tried again. */
  onError: (error: unknown) => void;
  /** Default: updates in a process of its own. */
  runner?: Runner | undefined;
  /** Milliseconds between two checks of all files. Default 45,000. */
  checkIntervalMs?: number | undefined;
}

type Runner = Pick<UpdateProcess, 'run' | 'stop'>;

/** Milliseconds between two looks at the manifest. */
const lookMs = 250;
/** Milliseconds without a new snapshot before an update starts, and its maximum delay while snapshots keep coming. */
const schedules: Readonly<Record<LayerName, { settleMs: number; maxDelayMs: number }>> = {
  site: { settleMs: 1000, maxDelayMs: 1500 },
  pages: { settleMs: 1000, maxDelayMs: 1500 },
  // Media tools read the lists about once a day.
  lists: { settleMs: 5000, maxDelayMs: 100_000 },
  downloads: { settleMs: 5000, maxDelayMs: 60_000 },
};
/** Milliseconds from the start to the first check of all files. */
const firstCheckMs = 10_000;
/** Milliseconds before a failed update is repeated. */
const retryMs = (failures: number): number => Math.min(60_000, 500 * 2 ** failures);

export class LayerUpdater {
  readonly #folder: OutputFolder;
  readonly #options: UpdaterOptions;
  readonly #hasChanged: () => boolean;
  readonly #checkIntervalMs: number;
  readonly #timer: NodeJS.Timeout;
  /** The last snapshot that was noted. */
  #snapshot: string | undefined;
  /** Layers that may be behind, with the times of the first and the last snapshot they lack. */
  readonly #behind = new Map<LayerName, { first: number; last: number }>();
  /** Layers whose files must be compared with their index. */
  #unchecked: ReadonlySet<LayerName> = new Set();
  #nextCheck: number;
  readonly #runner: Runner;
  /** The update under way. */
  #active: Promise<void> | undefined;
  #failures = 0;
  #notBefore = 0;
  #closed = false;

  constructor(out: string, options: UpdaterOptions) {
    this.#folder = new OutputFolder(out);
    this.#options = options;
    const { includeRestricted, imageOrigins, origin } = options;
    this.#runner =
      options.runner ?? new UpdateProcess(this.#folder.root, { includeRestricted, imageOrigins, origin });
    this.#hasChanged = manifestChanges(this.#folder.root);
    // Layers may be behind at the start, and have waited long enough.
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
      this.#unchecked = new Set(this.#options.layers);
    }
    if (this.#active || now < this.#notBefore) return;
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
    this.#unchecked = new Set([...this.#unchecked, layer]);
    this.look();
  }

  /** Updates the layers that are behind now. @throws the error of the update */
  async bringUpToDate(layers = this.#options.layers): Promise<void> {
    // A publish and the stop of the service may wait for the same update: the second waits for the first, too.
    while (this.#active) await this.#active.catch(() => {});
    this.#hasChanged();
    this.#noteSnapshot(performance.now());
    const behind = layers.filter((layer) => this.#behind.has(layer));
    if (behind.length > 0) await this.#update(behind);
  }

  /** Stops. The next update finishes a layer that was interrupted. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#runner.stop();
    await this.#active?.catch(() => {});
  }

  #noteSnapshot(now: number): void {
    const snapshot = this.#folder.manifest()?.snapshot;
    if (snapshot === undefined || snapshot === this.#snapshot) return;
    this.#snapshot = snapshot;
    for (const layer of this.#options.layers)
      this.#behind.set(layer, { first: this.#behind.get(layer)?.first ?? now, last: now });
  }

  async #update(layers: readonly LayerName[]): Promise<void> {
    const noted = new Map(layers.map((layer) => [layer, this.#behind.get(layer)]));
    const unchecked = this.#unchecked;
    const isCheck = layers.some((layer) => unchecked.has(layer));
    for (const layer of layers) this.#behind.delete(layer);
    this.#unchecked = new Set([...unchecked].filter((layer) => !layers.includes(layer)));
    this.#active = this.#runner.run(layers, isCheck);
    try {
      await this.#active;
      this.#failures = 0;
    } catch (error) {
      if (this.#closed) return;
      for (const [layer, since] of noted)
        if (since) this.#behind.set(layer, this.#behind.get(layer) ?? since);
      this.#unchecked = new Set([...this.#unchecked, ...unchecked]);
      this.#failures += 1;
      this.#notBefore = performance.now() + retryMs(this.#failures);
      throw error;
    } finally {
      this.#active = undefined;
    }
  }
}
