/** A progress bar on a terminal for work of more than a second; nothing where the output is piped. */

export type Progress = (done: number, total: number) => void;

/** The bar appears after this time; most work is done earlier. */
const delayMs = 1000;

/** @returns `progress` is called as work proceeds; `stop` removes the bar */
export async function showProgress(label: string): Promise<{ progress: Progress; stop: () => void }> {
  if (!process.stderr.isTTY) return { progress: () => {}, stop: () => {} };
  const { default: progressBars } = await import('cli-progress');
  const bar = new progressBars.SingleBar({
    format: `${label} {bar} {percentage}% ({value} of {total})`,
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stderr,
  });
  const began = performance.now();
  let shown = false;
  return {
    progress(done, total) {
      if (performance.now() - began < delayMs) return;
      if (!shown) bar.start(total, done);
      shown = true;
      bar.update(done);
    },
    stop() {
      if (shown) bar.stop();
    },
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
