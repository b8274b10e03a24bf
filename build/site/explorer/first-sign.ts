/** Loads what the search needs as soon as somebody is there, rather than with the first view. */
import { warm } from './record.ts';

const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** At the first sign of a reader, unless their connection asks to be spared. */
export function warmAtFirstSign(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const begin = () => {
    for (const sign of signs) removeEventListener(sign, begin);
    // A failure shows where the columns are needed.
    warm().catch(() => {});
  };
  for (const sign of signs) addEventListener(sign, begin, { passive: true });
}
