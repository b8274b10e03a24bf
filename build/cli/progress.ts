/** A progress bar on a terminal for what takes over a second; nothing where the output is piped. */

export type Progress = (done: number, total: number) => void;

/** Milliseconds before the bar appears: most work is over by then. */
const delay = 1000;

/** @returns what to call as work proceeds, and what takes the bar away again */
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
      if (performance.now() - began < delay) return;
      if (!shown) bar.start(total, done);
      shown = true;
      bar.update(done);
    },
    stop() {
      if (shown) bar.stop();
    },
  };
}
