/** Progress on a terminal for work of more than a second; nothing where the output is piped. */
import type { SingleBar } from 'cli-progress';

/** A total of 0 is unknown: only what is done is shown. */
type Progress = (done: number, total: number) => void;
/** A new phase has a bar of its own. */
type PhaseProgress = (phase: string, done: number, total: number) => void;

/** The bar appears after this time; most work is done earlier. */
const delayMs = 1000;

/** @returns `progress` is called as work proceeds; `stop` removes the bar */
export async function showProgress(): Promise<{ progress: PhaseProgress; stop: () => void }> {
  if (!process.stderr.isTTY) return { progress: () => {}, stop: () => {} };
  const { default: progressBars } = await import('cli-progress');
  // The terminal keeps its cursor and its wrapping: a signal ends the process at once, and nothing would turn them on again.
  const options = { clearOnComplete: true, linewrap: true, stream: process.stderr };
  const began = performance.now();
  let shown: { phase: string; bar: SingleBar } | undefined;
  const stop = () => shown?.bar.stop();
  return {
    progress(phase, done, total) {
      if (performance.now() - began < delayMs) return;
      if (shown?.phase !== phase) {
        stop();
        const format = total > 0 ? `${phase} {bar} {percentage}% ({value} of {total})` : `${phase} {value}`;
        shown = { phase, bar: new progressBars.SingleBar({ ...options, format }) };
        shown.bar.start(total, done);
      }
      shown.bar.setTotal(total);
      shown.bar.update(done);
    },
    stop,
  };
}

/** Shows the progress of work of several phases while it runs. */
export async function withPhases<T>(work: (progress: PhaseProgress) => T): Promise<Awaited<T>> {
  const { progress, stop } = await showProgress();
  try {
    return await work(progress);
  } finally {
    stop();
  }
}

/** Shows the progress of work while it runs. */
export const withProgress = <T>(phase: string, work: (progress: Progress) => T): Promise<Awaited<T>> =>
  withPhases((progress) => work((done, total) => progress(phase, done, total)));
