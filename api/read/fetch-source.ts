/** A Source over HTTP, for the edge and the browser: the snapshot as static files below an address. */
import type { Source } from './source.ts';

/**
 * @param root address of the snapshot's root
 * @param documents address below which documents at `api/…` are read, where the program itself answers at their own addresses
 * @example
 * const resolver = new Resolver(fetchSource('https://awards.example/'));
 */
export function fetchSource(root: string, fetchFile: typeof fetch = fetch, documents = root): Source {
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
  return {
    file: (path) => read(path.startsWith('api/') ? documents : root, path, 'no-cache'),
    shard: (path) => read(root, path, 'default'),
  };
}
