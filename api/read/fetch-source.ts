/** A Source over HTTP, for the edge and the browser: the snapshot as static files below an address. */
import { manifestPath } from '../contract/snapshot.ts';
import type { Source } from './source.ts';

/**
 * @param root address of the snapshot's root, ending in "/"
 * @param pages address that page paths are read below, also ending in "/"; without it, pages are computed
 */
export function fetchSource(root: string, fetchFile: typeof fetch = fetch, pages?: string): Source {
  const read = async (address: string, cache: RequestCache) => {
    const response = await fetchFile(address, { cache });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    await response.body?.cancel();
    return undefined;
  };
  return {
    manifest: () => read(root + manifestPath, 'no-cache'),
    shard: (path) => read(root + path, 'default'),
    ...(pages !== undefined && { page: (path: string) => read(pages + path, 'no-cache') }),
  };
}
