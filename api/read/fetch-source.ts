/** A Source over HTTP, for the edge and the browser: the snapshot as static files below an address. */
import { manifestPath } from '../contract/snapshot.ts';
import type { Source } from './source.ts';

/** @param root address of the snapshot's root, ending in "/" */
export function fetchSource(root: string, fetchFile: typeof fetch = fetch): Source {
  const read = async (path: string, cache: RequestCache) => {
    const response = await fetchFile(root + path, { cache });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    await response.body?.cancel();
    return undefined;
  };
  return {
    manifest: () => read(manifestPath, 'no-cache'),
    shard: (path) => read(path, 'default'),
  };
}
