/**
 * The record in the browser. The resolver and all that reads tables is a program of its own: a page that a server has made shows
 * without it, and loads it with the first event of the reader.
 */
import { savesData } from '../shared/offline.ts';
import type { BrowserTools } from './page-context.ts';
import type { Reading } from './record.ts';

/** Loads the resolver. A browser may keep a failed import until the page is loaded again. */
const resolver = () => import('./browser-resolver.ts');

/** The files of the snapshot, read by the browser. */
export async function browserReading(): Promise<Reading> {
  try {
    return (await resolver()).reading;
  } catch (error) {
    // A newer deploy may have removed the program. A server that answers has the page of this address.
    const isThere = () => fetch(location.href, { method: 'HEAD' }).then(({ ok }) => ok);
    if (embeddedSnapshot !== undefined && (await isThere().catch(() => false))) location.reload();
    throw error;
  }
}

/**
 * The whole filtered list of an address as a file. It is made here, so that it works on a host of plain files.
 * @throws ApiError
 */
export const exported: BrowserTools['exported'] = async (address, format) =>
  (await resolver()).exported(address, format);

const readerEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Loads everything a search needs at the first event of the reader, unless the browser saves data. */
export function warmOnFirstEvent(): void {
  if (savesData()) return;
  const begin = () => {
    for (const event of readerEvents) removeEventListener(event, begin);
    // A search reports the failure.
    resolver()
      .then(({ loadSearch }) => loadSearch())
      .catch(() => {});
  };
  for (const event of readerEvents) addEventListener(event, begin, { passive: true });
}

const listeners = new Set<() => void>();
/** The snapshot that the answers in the HTML are from, while the page shows them. */
let embeddedSnapshot: string | undefined;

/** @param id of the snapshot that the answers in the HTML are from */
export function startWithSnapshot(id: string): void {
  embeddedSnapshot = id;
}

/** Calls when the snapshot has changed. @returns a function that ends it */
export function onSnapshotChange(call: () => void): () => void {
  listeners.add(call);
  return () => void listeners.delete(call);
}

/** Reads the manifest again and tells the listeners of a new snapshot. Without a network, nothing changes. */
export async function checkForChanges(): Promise<void> {
  const program = await resolver().catch(() => undefined);
  if (!(await program?.takeUpChanges(embeddedSnapshot))) return;
  embeddedSnapshot = undefined;
  for (const call of listeners) call();
}
