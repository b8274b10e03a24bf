/** An HTTP client that keeps its connections open and reads answers to the last byte. */
import { Agent } from 'node:http';
import { type Reply, send } from '../support/http.ts';
import type { Edit } from './edits.ts';

export class Client {
  readonly #origin: URL;
  readonly #headers: Record<string, string>;
  /** Connections end before the server ends them, so that no request meets a closing one. */
  readonly #agent = new Agent({ keepAlive: true, timeout: 3000 });

  /** @param key sent with every request */
  constructor(origin: string, key?: string) {
    this.#origin = new URL(origin);
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

  #send(method: string, target: string, text?: string, headers = {}): Promise<Reply> {
    const { hostname, port } = this.#origin;
    const all = { ...this.#headers, ...headers };
    return send({ hostname, port, path: target, method, headers: all, agent: this.#agent }, text);
  }
}
