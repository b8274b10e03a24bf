/**
 * Publishes after builds: builds share publishes, publishes keep an interval, and failed publishes are
 * retried with backoff.
 */
import { unwatchFile, watchFile } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { openDatabase } from '../../data/database/open.ts';
import { isThere } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { RetryLaterError } from '../../data/system/requests.ts';
import { deployIntervalMs, type NetlifyOptions, NetlifyTarget } from './netlify-target.ts';
import { type PublishOptions, publish } from './publish.ts';

interface PublishLoopOptions {
  /** Publishes the last build. When the signal is aborted, it must stop and throw. */
  publish: (signal: AbortSignal) => Promise<unknown>;
  /** Called for every publish that failed. */
  onError: (error: unknown) => void;
  /** Milliseconds between the starts of two publishes, at least. Default 20,000. */
  interval?: number | undefined;
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
  const { publish, onError, interval = deployIntervalMs } = options;
  const closing = new AbortController();
  let isDue = false;
  let failures = 0;
  let notBefore = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const schedule = () => {
    if (!isDue || running || closing.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => (running = run()), Math.max(0, notBefore - Date.now()));
  };
  const run = async () => {
    isDue = false;
    const start = Date.now();
    try {
      await publish(closing.signal);
      failures = 0;
    } catch (error) {
      if (closing.signal.aborted) return;
      // Other errors need a person: wait for the next build.
      if (error instanceof RetryLaterError) {
        isDue = true;
        failures += 1;
      }
      onError(error);
    } finally {
      notBefore = start + Math.max(interval, Math.min(interval * 2 ** failures, maxPauseMs));
      running = undefined;
      schedule();
    }
  };
  return {
    changed() {
      isDue = true;
      schedule();
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Publishes to Netlify after every build, of any thread or process: it watches the manifest. It also
 * publishes a snapshot that was built earlier.
 * @param options like those of publish() and its target, with the file of the database instead of a
 *   connection
 */
export function publishAfterBuilds({
  db,
  onError,
  ...options
}: Omit<PublishOptions, 'connection'> &
  NetlifyOptions &
  Pick<PublishLoopOptions, 'onError'> & { db: string }): PublishLoop {
  const publishOnce = async (signal: AbortSignal) => {
    const connection = isThere(db) ? openDatabase(db) : undefined;
    try {
      const onNotice = (line: string) => onError(new UserError(line));
      const own = { onNotice, ...options, connection, retry: { ...options.retry, signal } };
      await publish(own, new NetlifyTarget(own));
    } finally {
      connection?.close();
    }
  };
  const { changed, close } = startPublishLoop({ onError, interval: options.interval, publish: publishOnce });
  const manifest = join(resolve(options.out), manifestPath);
  watchFile(manifest, { interval: 500, persistent: false }, changed);
  changed();
  return {
    changed,
    close() {
      unwatchFile(manifest, changed);
      return close();
    },
  };
}
