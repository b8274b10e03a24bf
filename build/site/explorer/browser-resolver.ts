/**
 * The resolver of the browser, over the static files of the snapshot. No request goes to a computing service.
 */
import { splitTarget } from '../../../api/contract/target.ts';
import { fetchSource } from '../../../api/read/fetch-source.ts';
import { loadOnce } from '../../../api/read/load-once.ts';
import { textsOf } from '../../../api/read/nominations.ts';
import { Resolver } from '../../../api/read/resolve.ts';
import { ApiError } from '../shared/api.ts';
import { readingOf } from './record.ts';

const files = fetchSource('/', (input, init) => fetch(input, init));
/** The snapshot that the page was last compared with. */
let compared: string | undefined;
const resolver = new Resolver(files);

/** The files of the snapshot, read by the browser. */
export const reading = readingOf(resolver, files.file);

/**
 * The whole filtered list of an address as a file. It is made here, so that it works on a host of plain files.
 * @throws ApiError
 */
export async function exported(address: string, format: 'csv' | 'ndjson'): Promise<File> {
  const { path, queryString } = splitTarget(address);
  const query = new URLSearchParams(queryString);
  for (const name of ['page', 'limit']) query.delete(name);
  query.set('format', format);
  const { status, headers, body } = await resolver.answer({
    method: 'GET',
    path,
    queryString: String(query),
  });
  if (status !== 200) throw new ApiError(status, 'the list cannot be made', []);
  const name = /filename="([^"]+)"/.exec(headers['Content-Disposition'] ?? '')?.[1] ?? `list.${format}`;
  return new File([body as Uint8Array<ArrayBuffer>], name, { type: headers['Content-Type'] ?? '' });
}

/** Loads the columns, which every search reads. @throws SnapshotUnavailable */
export const warm = loadOnce(async () => {
  const current = await resolver.snapshot();
  await textsOf(current);
});

/**
 * Reads the manifest again.
 * @param shown id of the snapshot that the page shows, if that is not the one of the resolver
 * @returns whether there is another snapshot than the one shown
 */
export async function takeUpChanges(shown: string | undefined): Promise<boolean> {
  const currentId = async () => (await resolver.snapshot().catch(() => undefined))?.id;
  const before = shown ?? compared ?? (await currentId());
  // Without a network, the page keeps its snapshot.
  const after = (await resolver.refresh()) ? await currentId() : before;
  compared = after;
  return after !== before;
}
