/** Cleaning up after SIGINT and SIGTERM. */
import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Does work, and cleans up where a signal ends the process meanwhile. A signal that arrives during synchronous work is handled
 * after it.
 * @param work calls `awaitSignals` before its last step, so that such a signal ends the process first
 */
export async function interruptible<T>(
  work: (awaitSignals: () => Promise<void>) => Promise<T>,
  cleanUp: () => void,
): Promise<T> {
  const end = (signal: (typeof signals)[number]) => {
    try {
      cleanUp();
    } finally {
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of signals) process.on(signal, end);
  try {
    // Signals are read once in each turn, before the callbacks of setImmediate(): the second turn is a whole one.
    return await work(() => nextTurn().then(() => nextTurn()));
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
