/** A fetch that answers from the files of a snapshot, by the resolver of the service. */
import { Resolver } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';
import type { Fetch } from './types.ts';

/**
 * Needs no server and has no rate limit. Writes fail with `method-not-allowed`.
 * @param from the files of the snapshot, or a resolver that the caller refreshes
 * @example
 * const awards = createClient({ fetch: snapshotFetch(fetchSource('https://awards.example/')) });
 */
export function snapshotFetch(from: Source | Resolver): Fetch {
  const resolver = from instanceof Resolver ? from : new Resolver(from, { writable: false });
  return async (input, { method = 'GET', headers, signal }) => {
    signal?.throwIfAborted();
    const { pathname: path, search } = new URL(input, 'http://snapshot');
    const ifNoneMatch = new Headers(headers).get('If-None-Match') ?? undefined;
    const work = resolver.answer({ method, path, queryString: search.slice(1), ifNoneMatch });
    const answer = await (signal ? untilAborted(work, signal) : work);
    return new Response(answer.body as BodyInit | null, { status: answer.status, headers: answer.headers });
  };
}

/** Ends the wait of one request. The work goes on: other requests may share what it loads. */
async function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
