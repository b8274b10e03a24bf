/** Progress on a terminal for work of more than a second; nothing where the output is piped. */

import type { SingleBar } from 'cli-progress';

/** A total of 0 is unknown: only what is done is shown. */
export type Progress = (done: number, total: number) => void;

/** The bar appears after this time; most work is done earlier. */
const delayMs = 1000;

/** @returns `progress` is called as work proceeds; `stop` removes the bar */
export async function showProgress(label: string): Promise<{ progress: Progress; stop: () => void }> {
  if (!process.stderr.isTTY) return { progress: () => {}, stop: () => {} };
  const { default: progressBars } = await import('cli-progress');
  // The terminal keeps its cursor and its wrapping: a signal ends the process at once, and nothing would turn them on again.
  const options = { clearOnComplete: true, linewrap: true, stream: process.stderr };
  const began = performance.now();
  let bar: SingleBar | undefined;
  return {
    progress(done, total) {
      if (performance.now() - began < delayMs) return;
      if (bar === undefined) {
        const format = total > 0 ? `${label} {bar} {percentage}% ({value} of {total})` : `${label} {value}`;
        bar = new progressBars.SingleBar({ ...options, format });
        bar.start(total, done);
      }
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar?.stop(),
  };
}

/** Shows the progress of work while it runs. */
export async function withProgress<T>(label: string, work: (progress: Progress) => T): Promise<Awaited<T>> {
  const { progress, stop } = await showProgress(label);
  try {
    return await work(progress);
  } finally {
    stop();
  }
}
