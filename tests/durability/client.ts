/** A plain HTTP client whose requests end, one way or the other, when the service does. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What is sent to the services of these tests as x-api-key. */
export const apiKey = 'the key of the durability tests';

/** Seconds after which a request without an answer is one that hangs; those that the machine was halted do not count. */
const maxAnswerMs = 30;

export class Client {
  readonly #address: string;
  readonly #agent = new Agent({ keepAlive: true });

  /** @param address such as http://127.0.0.1:3000 */
  constructor(address: string) {
    this.#address = address;
  }

  get(path: string): Promise<Reply> {
    return this.#send(path, 'GET', {}, undefined);
  }

  receipts(): Promise<Reply> {
    return this.#send('/receipts', 'GET', { 'x-api-key': apiKey }, undefined);
  }

  /** POST to a collection, PATCH to a record. */
  write(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
    const method = /\/[0-9]+$/.test(path) ? 'PATCH' : 'POST';
    const text = JSON.stringify(body);
    const sent = { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers };
    return this.#send(path, method, { ...sent, 'content-length': String(Buffer.byteLength(text)) }, text);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    path: string,
    method: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#address}${path}`, { agent: this.#agent, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('the answer broke off')));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      });
      let seconds = 0;
      const watch = setInterval(() => {
        seconds += 1;
        if (seconds === maxAnswerMs) sent.destroy(new Error(`${method} ${path} hangs`));
      }, 1000);
      sent.on('close', () => clearInterval(watch));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** Whether a request failed only because the service is gone. */
export const isGone = (error: unknown): boolean =>
  /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|broke off/.test(
    `${(error as NodeJS.ErrnoException).code} ${(error as Error).message}`,
  );
