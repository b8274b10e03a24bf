/** An HTTP client that keeps its connections open and reads answers to the last byte. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Edit } from './edits.ts';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class Client {
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  /** Connections end before the server ends them, so that no request meets a closing one. */
  readonly #agent = new Agent({ keepAlive: true, timeout: 3000 });

  /** @param key sent with every request */
  constructor(origin: string, key?: string) {
    this.#origin = origin;
    this.#headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) };
  }

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.#send('GET', path, undefined, headers);
  }

  write({ method, path, body }: Edit): Promise<Reply> {
    return this.#send(method, path, JSON.stringify(body));
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, text?: string, headers = {}): Promise<Reply> {
    const options = { method, headers: { ...this.#headers, ...headers }, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const sending = request(this.#origin + path, options, async (response) => {
        try {
          const body = Buffer.concat(await response.toArray());
          resolve({ status: response.statusCode!, headers: response.headers, body });
        } catch (error) {
          reject(error);
        }
      });
      sending.on('error', reject);
      sending.end(text);
    });
  }
}
