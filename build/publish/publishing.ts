/**
 * Publishes after builds, without anybody waiting for it: builds that come together share one publish, publishes keep their
 * distance, and one that failed for a reason that passes is tried again, ever more rarely.
 */
import { existsSync, unwatchFile, watchFile } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { openDatabase } from '../../data/open.ts';
import { type Clock, systemClock } from './clock.ts';
import { RetryLaterError } from './failure.ts';
import { deployInterval, type PublishOptions, type PublishReport, publish } from './publish.ts';

export interface PublishingOptions<Report> {
  /** Publishes what is built now; ends early, by throwing, when the signal is aborted. */
  publish: (signal: AbortSignal) => Promise<Report>;
  onPublished?: ((report: Report) => void) | undefined;
  /** Told of every publish that failed. */
  onError: (error: unknown) => void;
  /** Milliseconds from the beginning of one publish to that of the next, at least. Default 20,000. */
  interval?: number | undefined;
  clock?: Clock | undefined;
}

/** Pauses after failures end here, in milliseconds. */
const maxPauseMs = 15 * 60_000;

export class Publishing<Report = PublishReport> {
  readonly #options: PublishingOptions<Report>;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #ended = new AbortController();
  /** Something was built that no publish has seen. */
  #due = false;
  #working: Promise<void> | undefined;
  #last = Number.NEGATIVE_INFINITY;
  #failures = 0;

  constructor(options: PublishingOptions<Report>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#interval = options.interval ?? deployInterval;
  }

  /** Something was built. Returns at once; what it leads to is told to onPublished or onError. */
  changed(): void {
    this.#due = true;
    if (this.#ended.signal.aborted) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // It may have come while the work was ending.
      if (this.#due) this.changed();
    });
  }

  /** Ends. A publish under way ends half-way, which nobody sees; the next one goes on from there. Resolves when all is still. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#ended;
    while (this.#due && !signal.aborted) {
      const pause = Math.min(maxPauseMs, this.#interval * 2 ** this.#failures);
      await this.#clock.sleep(this.#last + pause - this.#clock.now(), signal).catch(() => {});
      if (signal.aborted) return;
      this.#due = false;
      this.#last = this.#clock.now();
      await this.#publish(signal);
    }
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { publish, onPublished, onError } = this.#options;
    try {
      const report = await publish(signal);
      this.#failures = 0;
      onPublished?.(report);
    } catch (error) {
      if (signal.aborted) return;
      // Anything else would fail again until somebody does something about it.
      if (error instanceof RetryLaterError) {
        this.#failures += 1;
        this.#due = true;
      }
      onError(error);
    }
  }
}

/** Milliseconds between two looks at the manifest. */
const watchInterval = 500;

export interface AfterBuildsOptions extends Omit<PublishOptions, 'connection' | 'signal'> {
  /** File of the database. */
  db: string;
  /** What is to be done right before each publish. */
  prepare?: (() => Promise<void>) | undefined;
}

/**
 * Publishes to Netlify after builds, whichever thread or process makes them: the manifest is watched. What was built before and
 * never published is published too.
 * @param options as of publish(), with the file of the database in place of a connection
 * @returns what ends it; see Publishing
 */
export function publishAfterBuilds(
  options: AfterBuildsOptions,
  told: Pick<PublishingOptions<PublishReport>, 'onPublished' | 'onError'>,
): Pick<Publishing, 'changed' | 'close'> {
  const { db, prepare, ...rest } = options;
  const publishing = new Publishing({
    ...told,
    interval: options.interval,
    clock: options.clock,
    async publish(signal) {
      await prepare?.();
      const connection = existsSync(db) ? openDatabase(db) : undefined;
      try {
        return await publish({ ...rest, connection, signal });
      } finally {
        connection?.close();
      }
    },
  });
  const changed = () => publishing.changed();
  const manifest = join(resolve(options.out), manifestPath);
  watchFile(manifest, { interval: watchInterval, persistent: false }, changed);
  changed();
  return {
    changed,
    close() {
      unwatchFile(manifest, changed);
      return publishing.close();
    },
  };
}
