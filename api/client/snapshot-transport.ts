/** Requests answered on the spot, by the resolver over a snapshot's files: no server, no limits, and nothing can be written. */
import { Resolver } from '../read/resolve.ts';
import type { Source } from '../read/source.ts';
import type { Transport } from './transport.ts';

export { fetchSource } from '../read/fetch-source.ts';
export { Resolver } from '../read/resolve.ts';
export type { Source } from '../read/source.ts';

/** @param from where the files of the snapshot come from; or a resolver of one's own, which can be told to look for a newer snapshot */
export function snapshotTransport(from: Source | Resolver): Transport {
  const resolver = from instanceof Resolver ? from : new Resolver(from, { writable: false });
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
