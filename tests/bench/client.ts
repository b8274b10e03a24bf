/** A client over HTTP that keeps its connections open, and knows when the last byte of an answer came. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Edit } from './edits.ts';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Milliseconds a connection may idle: less than the server lets it, so that no request goes into one that is closing. */
const idle = 3000;

const withKey = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'x-api-key': key };

export class Client {
  readonly #origin: URL;
  readonly #agent = new Agent({ keepAlive: true, timeout: idle });

  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  get(path: string, key?: string): Promise<Reply> {
    return this.#send('GET', path, withKey(key));
  }

  /** Sends a POST or a PATCH. */
  write({ method, path, body }: Edit, key?: string): Promise<Reply> {
    const text = JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    return this.#send(method, path, { ...headers, ...withKey(key) }, text);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    method: string,
    path: string,
    headers: Record<string, string | number>,
    text?: string,
  ): Promise<Reply> {
    const { hostname, port } = this.#origin;
    return new Promise((resolve, reject) => {
      const sending = request({ hostname, port, method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      sending.on('error', reject);
      sending.end(text);
    });
  }
}
