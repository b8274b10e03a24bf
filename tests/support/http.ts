/** Requests whose targets are sent unchanged, and answers read to the last byte. */
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** @returns the reply, with its headers as they were sent: names and values in turn */
export function send(
  options: RequestOptions,
  body?: string | Uint8Array,
): Promise<Reply & { rawHeaders: string[] }> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const { statusCode, headers, rawHeaders } = response;
      response
        .toArray()
        .then(
          (chunks) => resolve({ status: statusCode!, headers, rawHeaders, body: Buffer.concat(chunks) }),
          reject,
        );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
