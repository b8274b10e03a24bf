/** The files of the snapshot, and the page of a record that is requested before the resolver is there. */
import { recordPagePath } from '../../../api/contract/pages.ts';
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { viewOf } from './addresses.ts';

export const files = fetchSource('/', (input, init) => fetch(input, init), '/pages/');

let firstPage: { path: string; bytes: Promise<Uint8Array | undefined> } | undefined;

/** Requests the page of the record at the address at once, before its hash is known. */
export function requestFirstPage(): void {
  const view = viewOf(location.pathname);
  if (view.kind !== 'record') return;
  const path = recordPagePath(`/api/${view.resource}`, view.id);
  const bytes = files.file(path);
  // The reader of the page handles a failure.
  bytes.catch(() => {});
  firstPage = { path, bytes };
}

/** The page that requestFirstPage() requests, once; undefined for other paths. */
export function takeFirstPage(path: string): Promise<Uint8Array | undefined> | undefined {
  if (firstPage?.path !== path) return undefined;
  const { bytes } = firstPage;
  firstPage = undefined;
  return bytes;
}
