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
    const answer = await resolver.answer({
      method,
      path,
      queryString,
      ifNoneMatch: headers['If-None-Match'],
    });
    signal?.throwIfAborted();
    const received = new Headers(answer.headers);
    return {
      status: answer.status,
      header: (name) => received.get(name),
      text: async () => new TextDecoder().decode(answer.body ?? undefined),
    };
  };
}
