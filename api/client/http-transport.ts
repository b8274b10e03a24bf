/** Requests over HTTP, by whatever fetch the runtime has. */
import type { Transport } from './transport.ts';

export interface HttpOptions {
  /** The key to write with, and to read receipts. */
  key?: string | undefined;
  /** Instead of the runtime's own. */
  fetch?: typeof fetch | undefined;
}

/** @param origin where the service is, such as `https://awards.example` */
export function httpTransport(origin: string, { key, fetch: send = fetch }: HttpOptions = {}): Transport {
  const root = origin.replace(/\/+$/, '');
  return async ({ method, path, queryString, headers, body, secured, signal }) => {
    const response = await send(`${root}${path}${queryString && `?${queryString}`}`, {
      method,
      // A key is shown only where it is asked for: with it, a browser has to ask first whether it may send the request.
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
