/** Loads what the search needs as soon as somebody is there, rather than with the first view. */
import { searchGroups, warm } from './record.ts';

const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** At the first sign of a reader, unless their connection asks to be spared. */
export function warmAtFirstSign(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const begin = () => {
    for (const sign of signs) removeEventListener(sign, begin);
    // A failure shows where what failed is needed.
    loadAll().catch(() => {});
  };
  for (const sign of signs) addEventListener(sign, begin, { passive: true });
}

/** The columns first; then, one group after the other and when there is nothing else to do, the words that are searched for. */
async function loadAll(): Promise<void> {
  await warm();
  for (const load of await searchGroups()) {
    await idle();
    await load();
  }
}

/** Not every browser tells when it has nothing to do. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 50);
  });
