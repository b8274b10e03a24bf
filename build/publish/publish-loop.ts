/** Publishes after builds: builds share publishes, publishes keep an interval, and failed publishes are retried with backoff. */
import { unwatchFile, watchFile } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { isThere } from '../system/files.ts';
import { openDatabase } from '../../data/open.ts';
import { deployIntervalMs, type PublishOptions, publish } from './publish.ts';
import { backoffMs, type Clock, exact, RetryLaterError, systemClock } from '../system/retry-policy.ts';

interface PublishLoopOptions {
  /** Publishes the last build. When the signal is aborted, it must stop and throw. */
  publish: (signal: AbortSignal) => Promise<unknown>;
  /** Called for every publish that failed. */
  onError: (error: unknown) => void;
  /** Milliseconds between the starts of two publishes, at least. Default 20,000. */
  interval?: number | undefined;
  clock?: Clock | undefined;
}

export interface PublishLoop {
  /** Call it after a build; it returns at once. */
  changed(): void;
  /** Stops a running publish; the next one resumes it. */
  close(): Promise<void>;
}

/** The longest pause after failures, if the interval is not longer. */
const maxPauseMs = 15 * 60_000;

export function startPublishLoop(options: PublishLoopOptions): PublishLoop {
  const { publish, onError, interval = deployIntervalMs, clock = systemClock } = options;
  const backoff = { minMs: interval, maxMs: Math.max(interval, maxPauseMs), random: exact };
  const closing = new AbortController();
  const { signal } = closing;
  let isDue = false;
  let running: Promise<void> | undefined;
  let lastStart = Number.NEGATIVE_INFINITY;
  let failures = 0;

  const run = async () => {
    while (isDue && !signal.aborted) {
      const pause = lastStart + backoffMs(failures + 1, backoff) - clock.now();
      await clock.sleep(pause, signal).catch(() => {});
      if (signal.aborted) break;
      isDue = false;
      lastStart = clock.now();
      try {
        await publish(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        // Other errors need a person: wait for the next build.
        if (error instanceof RetryLaterError) {
          failures += 1;
          isDue = true;
        }
        onError(error);
      }
    }
    running = undefined;
  };
  return {
    changed() {
      isDue = true;
      if (!signal.aborted) running ??= run();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

const watchIntervalMs = 500;

interface AfterBuildsOptions extends Omit<PublishOptions, 'connection'>, Pick<PublishLoopOptions, 'onError'> {
  /** File of the database. */
  db: string;
}

/**
 * Publishes to Netlify after every build, of any thread or process: it watches the manifest. It also publishes a snapshot that
 * was built earlier.
 * @param options like those of publish(), with the file of the database instead of a connection
 */
export function publishAfterBuilds(options: AfterBuildsOptions): Pick<PublishLoop, 'close'> {
  const { db, out, onError, ...rest } = options;
  const { changed, close } = startPublishLoop({
    onError,
    interval: rest.interval,
    async publish(signal) {
      const connection = isThere(db) ? openDatabase(db) : undefined;
      try {
        return await publish({ ...rest, out, connection, retry: { ...rest.retry, signal } });
      } finally {
        connection?.close();
      }
    },
  });
  const manifest = join(resolve(out), manifestPath);
  watchFile(manifest, { interval: watchIntervalMs, persistent: false }, changed);
  changed();
  return {
    close() {
      unwatchFile(manifest, changed);
      return close();
    },
  };
}
