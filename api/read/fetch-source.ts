/** A Source over HTTP, for the edge and the browser: the snapshot as static files below an address. */
import type { Source } from './source.ts';

/**
 * @param root address of the snapshot's root
 * @param pages address below which the paths of pages are read; without it, answers are computed
 */
export function fetchSource(root: string, fetchFile: typeof fetch = fetch, pages?: string): Source {
  const read = async (folder: string, path: string, cache: RequestCache) => {
    const address = `${folder.replace(/\/$/, '')}/${path}`;
    const response = await fetchFile(address, { cache });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    await response.body?.cancel();
    // A host that fails or limits its clients says nothing about the file.
    if (response.status >= 500 || response.status === 429)
      throw new Error(`${address} is answered with ${response.status}`);
    return undefined;
  };
  const rootOf = (path: string) => (path.startsWith('api/') ? (pages ?? root) : root);
  return {
    file: (path) => read(rootOf(path), path, 'no-cache'),
    shard: (path) => read(root, path, 'default'),
    readsPages: pages !== undefined,
  };
}
