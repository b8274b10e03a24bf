/** Fixtures of enrichment: looks at the outcome in a database, and a made-up TMDB API on loopback with faults on demand. */
import { createServer, type IncomingMessage } from 'node:http';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import type { Connection } from '../../data/database/open.ts';
import { readRecord, withDetails } from '../../data/record/edits.ts';
import { allGiven } from '../../data/record/given.ts';
import { storedRecord } from '../../data/record/records.ts';
import { type Loopback, listen } from '../support/loopback.ts';

/** The n-th valid value of a field. */
export function sampleValue(field: string, n: number): JsonValue {
  if (Array.isArray(defaultOf(field))) return [`Text ${n}`, 'Z'];
  if (/(date|day)$/.test(field)) return `19${10 + n}-05-06`;
  if (/(runtime|_id)$/.test(field)) return 100 + n;
  return /_path$|^homepage$/.test(field) ? `https://example.org/${n}` : `Text ${n}`;
}

/** Whether a field has its default, which stands for unknown. */
export const isUnset = (value: JsonValue): boolean => value === null || JSON.stringify(value) === '[]';

/** The known fields of a record, without its id, name and id in the film index. */
export function known(connection: Connection, resource: EnrichedResource, id = 1): Record<string, JsonValue> {
  const whole = withDetails(connection, resource, readRecord(connection, resource, id)!);
  const { title, name, filmindex_id, ...record } = whole as never as Record<string, JsonValue>;
  delete record.id;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isUnset(value)));
}

/** The values that enrichment gave and that the record still has: "resource id field: source sourceId", ascending. */
export const provenanceOf = (connection: Connection): string[] =>
  enrichedResources.flatMap((resource) =>
    [...allGiven(connection, resource)].flatMap(([id, bySource]) =>
      [...bySource].flatMap(([source, { fields, sourceId }]) =>
        Object.entries(fields)
          .filter(([field, value]) => storedRecord(connection, resource, id)[field] === value)
          .flatMap(([field]) =>
            source === 'import' ? [] : [`${resource} ${id} ${field}: ${source} ${sourceId}`],
          )
          .sort(),
      ),
    ),
  );

/** Everything in a database that an enrichment may change. */
export const everything = (connection: Connection): unknown[] =>
  ['movies', 'nominees', 'given', 'receipts', 'changes'].map((table) =>
    connection.prepare(`SELECT * FROM ${table}`).all(),
  );

export const token = 'secret-token-of-the-operator';

/** What a request is answered with instead. */
interface Fault {
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

  add(kind: 'movie' | 'person', filmindexId: string, id: number, details: object = {}): void {
    this.finds.set(filmindexId, { movie_results: [], person_results: [], [`${kind}_results`]: [{ id }] });
    this.details.set(`${kind}/${id}`, { id, imdb_id: filmindexId, ...details });
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
