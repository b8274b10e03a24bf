/** An HTTP client whose requests always end: with an answer, or with an error. */
export interface Reply {
  status: number;
  headers: Partial<Record<string, string>>;
  body: Buffer;
}

/** The x-api-key of these tests. */
export const apiKey = 'the key of the durability tests';

const maxAnswerMs = 30_000;

export class Client {
  readonly #address: string;

  /** @param address such as http://127.0.0.1:3000 */
  constructor(address: string) {
    this.#address = address;
  }

  get = (path: string): Promise<Reply> => this.send('GET', path);

  /** @returns the parsed body of an answer to GET */
  async read(path: string): Promise<Record<string, unknown>> {
    return JSON.parse((await this.get(path)).body.toString()) as Record<string, unknown>;
  }

  /** Whether the service works and its snapshot holds everything committed. */
  async isCurrent(): Promise<boolean> {
    const { status, writes_pending } = await this.read('/readyz');
    return status === 'ready' && writes_pending === 0;
  }

  receipts = (): Promise<Reply> => this.send('GET', '/receipts');

  /** POST to a collection, PATCH to a record. */
  write = (path: string, body: object): Promise<Reply> =>
    this.send(/\/[0-9]+$/.test(path) ? 'PATCH' : 'POST', path, body);

  /** @param body sent as JSON */
  async send(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetch(`${this.#address}${path}`, {
      method,
      headers: {
        'accept-encoding': 'identity',
        'x-api-key': apiKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(maxAnswerMs),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
  }
}

/** Whether a request failed because the service is gone: no connection, or one that broke. */
export const isGone = (error: unknown): boolean =>
  error instanceof TypeError && /fetch failed|terminated/.test(error.message);
