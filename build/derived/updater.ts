/**
 * Keeps the layers of a folder up to date while the service runs. It watches the manifest, lets some writes
 * gather, and runs each update in a process with the lowest priority, so that reads and writes never wait for
 * it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { LayerName } from '../../api/contract/layers.ts';
import { type FileVersion, watchedManifest } from '../../api/read/node-source.ts';
import { entryOf } from '../../data/system/entries.ts';
import { counted } from '../../data/system/messages.ts';
import { defaultRetentionMs, OutputFolder } from '../snapshot/output-folder.ts';
import type { LayerOptions } from './layers.ts';

interface UpdaterOptions extends LayerOptions {
  layers: readonly LayerName[];
  /** Called with every failed update. It is tried again. */
  onError: (error: unknown) => void;
  /** Called after damaged files were made again, with what they are. */
  onRepair?: ((repair: string) => void) | undefined;
  /** Default: runs an update in a process of its own. */
  run?: typeof runUpdate | undefined;
}

export interface UpdateRequest {
  out: string;
  layers: readonly LayerName[];
  /** Whether every file is compared with the index. */
  check: boolean;
  options: LayerOptions;
}

/** What the process of an update tells of a layer. */
export interface LayerOutcome {
  layer: LayerName;
  /** Files that were damaged, and are made again. */
  repaired: readonly string[];
  /** Whether replaced files stay for a while. */
  hasRetired: boolean;
}

/** Milliseconds between two looks at the manifest. */
const lookMs = 500;
/**
 * Milliseconds from the first snapshot that a layer lacks to its update. Lists and downloads are made as a
 * whole, and read once a day.
 */
const delayMs: Readonly<Record<LayerName, number>> = {
  site: 500,
  pages: 500,
  lists: 20_000,
  'by-imdb': 500,
  downloads: 20_000,
};
/** Milliseconds from an update until another one may remove the files that it retired. */
const removalMs = defaultRetentionMs + 5000;
/** Milliseconds before a failed update is repeated. */
const retryMs = (failures: number): number => Math.min(60_000, 500 * 2 ** failures);
/** A time so far back that a layer that is behind since then is updated at once. */
const overdue = Number.NEGATIVE_INFINITY;

export class LayerUpdater {
  readonly #folder: OutputFolder;
  readonly #options: UpdaterOptions;
  readonly #manifest: () => FileVersion<string>;
  readonly #timer: NodeJS.Timeout;
  /** The last snapshot that was noted. */
  #snapshot: string | undefined;
  /** Layers that may be behind, with the time of the first snapshot that they lack. */
  readonly #behind = new Map<LayerName, number>();
  /** Layers whose files must be compared with their index. */
  readonly #unchecked = new Set<LayerName>();
  /** When retired files of layers may be removed. */
  readonly #removals = new Map<LayerName, number>();
  /** The update under way. */
  #active: Promise<void> | undefined;
  #failures = 0;
  #notBefore = 0;
  readonly #closing = new AbortController();

  constructor(out: string, options: UpdaterOptions) {
    this.#folder = new OutputFolder(out);
    this.#options = options;
    this.#manifest = watchedManifest(this.#folder.root);
    // Layers may be behind at the start, and have waited long enough.
    this.#noteSnapshot(overdue);
    this.#timer = setInterval(() => this.#lookAgain(), lookMs);
    this.#timer.unref();
  }

  /** A look that fails, as without a file descriptor left, is reported, and repeated later. */
  #lookAgain(): void {
    try {
      this.look();
    } catch (error) {
      this.#delay();
      this.#options.onError(error);
    }
  }

  #delay(): void {
    this.#failures += 1;
    this.#notBefore = performance.now() + retryMs(this.#failures);
  }

  /** Looks at the manifest, and starts an update that is due. */
  look(): void {
    if (this.#closing.signal.aborted) return;
    const now = performance.now();
    this.#noteSnapshot();
    if (this.#active || now < this.#notBefore) return;
    const isDue = (layer: LayerName) =>
      this.#unchecked.has(layer) ||
      now - (this.#behind.get(layer) ?? now) >= delayMs[layer] ||
      now >= (this.#removals.get(layer) ?? Number.POSITIVE_INFINITY);
    const due = this.#options.layers.filter(isDue);
    // Without a whole manifest, the snapshot is made again first.
    if (due.length > 0 && this.#folder.manifest())
      this.#update(due).catch((error: unknown) => {
        // The next start makes what close() interrupted.
        if (!this.#closing.signal.aborted) this.#options.onError(error);
      });
  }

  /** Checks the files of a layer at once, and makes the damaged ones again. */
  repair(layer: LayerName): void {
    if (this.#options.layers.includes(layer)) this.#unchecked.add(layer);
    this.look();
  }

  /**
   * Updates the layers that are behind now.
   * @throws the error of the update, also if close() interrupts it
   */
  async bringUpToDate(): Promise<void> {
    // A publish and a start may wait for the same update: the second waits for the first, too.
    while (this.#active) await this.#active.catch(() => {});
    this.#noteSnapshot();
    const behind = this.#options.layers.filter((layer) => this.#behind.has(layer));
    if (behind.length > 0) await this.#update(behind);
  }

  /** Stops at once, also in the middle of an update. The updater of the next start finishes it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#active?.catch(() => {});
  }

  #noteSnapshot(now = performance.now()): void {
    const snapshot = this.#manifest().content;
    if (snapshot === undefined || snapshot === this.#snapshot) return;
    this.#snapshot = snapshot;
    for (const layer of this.#options.layers) if (!this.#behind.has(layer)) this.#behind.set(layer, now);
  }

  async #update(layers: readonly LayerName[]): Promise<void> {
    const { includeRestricted, imageOrigins, origin, run = runUpdate } = this.#options;
    const checked = layers.filter((layer) => this.#unchecked.delete(layer));
    for (const layer of layers) {
      this.#behind.delete(layer);
      this.#removals.delete(layer);
    }
    const options = { includeRestricted, imageOrigins, origin };
    const request = { out: this.#folder.root, layers, check: checked.length > 0, options };
    this.#active = run(request, this.#closing.signal, (outcome) => this.#note(outcome));
    try {
      await this.#active;
      this.#failures = 0;
    } catch (error) {
      for (const layer of layers) this.#behind.set(layer, overdue);
      for (const layer of checked) this.#unchecked.add(layer);
      this.#delay();
      throw error;
    } finally {
      this.#active = undefined;
    }
  }

  #note({ layer, repaired, hasRetired }: LayerOutcome): void {
    if (hasRetired) this.#removals.set(layer, performance.now() + removalMs);
    const [first] = repaired;
    if (first === undefined) return;
    const files = counted(repaired.length, 'file');
    this.#options.onRepair?.(`${layer}: ${files} missing or damaged, such as ${first}`);
  }
}

/**
 * Runs one update in a process, which gives its memory back at the end.
 * @param signal ends the process at once
 * @param onOutcome called for each layer
 * @throws Error with what the process wrote to stderr, or how it ended; the reason of the signal
 */
async function runUpdate(
  request: UpdateRequest,
  signal: AbortSignal,
  onOutcome: (outcome: LayerOutcome) => void,
): Promise<void> {
  signal.throwIfAborted();
  const { file, execArgv } = entryOf('build/derived/update-process.ts');
  const child = spawn(process.execPath, [...execArgv, file, JSON.stringify(request)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C must not reach it: the service ends it, and says nothing of its end.
    detached: true,
    windowsHide: true,
  });
  // Without a file descriptor left, the child has no stderr, and tells so in a moment.
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  child.on('message', (outcome) => onOutcome(outcome as LayerOutcome));
  lowerPriority(child.pid);
  let reason = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    reason += text;
  });
  try {
    const [code, ended] = await closed;
    if (code === 0) return;
    signal.throwIfAborted();
    reason ||= `the process ended with ${ended ?? `code ${code}`}`;
    throw new Error(`the derived files could not be updated: ${reason}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** To be called right after the start: new threads inherit the priority. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system allows it.
  }
}
