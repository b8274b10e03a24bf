/** A made-up TMDB API on loopback: a few films and people, and faults on demand. */
import { createServer, type IncomingMessage } from 'node:http';
import { type Loopback, listen } from '../support/loopback.ts';

export const token = 'secret-token-of-the-operator';

/** What a request is answered with instead. A text is sent as it is. */
export interface Fault {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export class TmdbServer {
  /** Id in the film index → the answer of "find". */
  readonly finds = new Map<string, object>();
  /** "movie/1" or "person/1" → the answer. */
  readonly details = new Map<string, object>();
  /** Paths below /3/, in order. */
  readonly requests: string[] = [];
  /** Requests that no correct client sends; must be empty. */
  readonly offences: string[] = [];
  fault: (path: string, count: number) => Fault | undefined = () => undefined;
  #loopback: Loopback | undefined;

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const { status, headers = {}, body = '' } = this.#answer(request);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    this.#loopback = await listen(server);
    return this;
  }

  get api(): string {
    return this.#loopback!.origin;
  }

  stop = (): Promise<void> => this.#loopback!.stop();

  film(filmindexId: string, id: number, details: object = {}): void {
    this.finds.set(filmindexId, { movie_results: [{ id }], person_results: [], tv_results: [] });
    this.details.set(`movie/${id}`, { id, imdb_id: filmindexId, ...details });
  }

  person(filmindexId: string, id: number, details: object = {}): void {
    this.finds.set(filmindexId, { movie_results: [], person_results: [{ id }], tv_results: [] });
    this.details.set(`person/${id}`, { id, imdb_id: filmindexId, ...details });
  }

  #answer({ url = '', method, headers }: IncomingMessage): Fault {
    const path = url.replace(/^\/3\//, '');
    this.requests.push(path);
    if (method !== 'GET' || !url.startsWith('/3/')) this.offences.push(`${method} ${url}`);
    if (headers.authorization !== `Bearer ${token}`) return { status: 401, body: '{"status_code":7}' };
    const fault = this.fault(path, this.requests.length);
    if (fault) return fault;
    const [, found] = /^find\/(\w+)\?external_source=imdb_id$/.exec(path) ?? [];
    const nothing = { movie_results: [], person_results: [], tv_results: [] };
    const answer = found === undefined ? this.details.get(path) : (this.finds.get(found) ?? nothing);
    if (answer === undefined) return { status: 404, body: '{"status_code":34}' };
    return { status: 200, body: JSON.stringify(answer) };
  }
}
