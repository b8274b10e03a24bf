/** The two transports: HTTP, and the resolver over the files of a snapshot. */
import { PageResolver } from '../read/page-resolver.ts';
import { Resolver } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';
import type { Transport } from './requests.ts';

export interface HttpOptions {
  /** The API key for writes and receipts. */
  key?: string | undefined;
  /** Default: the runtime's own. */
  fetch?: typeof fetch | undefined;
}

/** @param origin such as `https://awards.example` */
export function httpTransport(origin: string, { key, fetch: send = fetch }: HttpOptions = {}): Transport {
  const root = origin.replace(/\/+$/, '');
  return async ({ method, path, queryString, headers, body, secured, signal }) => {
    const response = await send(`${root}${path}${queryString && `?${queryString}`}`, {
      method,
      // Send the key only if needed: it makes a browser send a CORS preflight request first.
      headers: { ...headers, ...(secured && key !== undefined && { 'x-api-key': key }) },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      text: () => response.text(),
    };
  };
}

/**
 * Answers requests without a server or rate limit. Writes fail with `method-not-allowed`.
 * @param from the files of the snapshot, or a resolver that the caller refreshes
 */
export function snapshotTransport(from: Source | Resolver): Transport {
  const resolver = from instanceof Resolver ? from : new PageResolver(from, { writable: false });
  return async ({ method, path, queryString, headers, signal }) => {
    signal?.throwIfAborted();
    const asked = { method, path, queryString, ifNoneMatch: headers['If-None-Match'] };
    const answer = await untilAborted(resolver.answer(asked), signal);
    const received = new Headers(answer.headers);
    return {
      status: answer.status,
      header: (name) => received.get(name),
      text: async () => new TextDecoder().decode(answer.body ?? undefined),
    };
  };
}

/** Ends the wait of one request. The work goes on: other requests may share what it loads. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
