/**
 * A sequence of writes of every kind, one after the other, the last few at once; and the writer that carries it out in the
 * process of the test: the parts of the service's writer thread.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonValue } from '../../api/contract/bodies.ts';
import { listPath, recordPath } from '../../api/contract/routes.ts';
import type { BatchRequest, WriteOutcome, WriteRequest, Written } from '../../api/write/requests.ts';
import { Writer } from '../../api/write/writer.ts';
import { SnapshotBuilder } from '../../build/snapshot/builder.ts';
import { FolderBusy } from '../../build/snapshot/output-folder.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';

/** A single write or a batch. */
export type Order = WriteRequest | BatchRequest;

type Body = Record<string, string | number | boolean | null | string[]>;
type Resource = WriteRequest['resource'];

const key = 'editor';
const order = (resource: Resource, id?: number, body?: Body, ifMatch?: string): WriteRequest => ({
  ...{ resource, id, body, ifMatch, key },
});
const patch = (resource: Resource, id: number, body: Body, ifMatch?: string) =>
  order(resource, id, body, ifMatch);
const post = (resource: Resource, body: Body) => order(resource, undefined, body);
const remove = (resource: Resource, id: number) => order(resource, id);

/** The writes of a batch that succeeds. Each of them changes a record, so that a part of a batch can be told. */
export const batchSize = 3;

const batch = (...orders: readonly WriteRequest[]): BatchRequest => ({
  body: orders.map(({ resource, id, body }) => ({
    method: id === undefined ? 'POST' : 'PATCH',
    path: id === undefined ? listPath(resource) : recordPath(resource, id),
    body: body!,
  })),
  ifMatch: undefined,
  key,
});

/** For the tiny record. Each step is sent when the one before is answered; the writes of one step are sent together. */
const steps: readonly (readonly Order[])[] = [
  [patch('movies', 1, { title: 'Life of Amélie', genres: ['Drama'] })],
  [patch('nominees', 2, { name: 'Ann Żal' })],
  [patch('nominations', 2, { winner: true })],
  [post('movies', { title: 'A Wonderful Newcomer', genres: ['Comédie'], release_date: '1930-02-28' })],
  [post('nominations', { id: 7, ceremony_id: 2, category_id: 1, movie_id: 4, nominee_id: 2 })],
  // Changes nothing.
  [patch('movies', 2, { runtime: 130 })],
  // Refused: an unknown film, an ETag that does not match, a batch with an unknown film.
  [patch('nominations', 1, { movie_id: 999 })],
  [patch('movies', 3, { title: 'Never' }, '"0123456789abcdef0123"')],
  [batch(patch('movies', 2, { title: 'Never' }), patch('nominations', 1, { movie_id: 999 }))],
  [
    batch(
      post('movies', { id: 40, title: 'Of a Batch' }),
      post('nominations', { id: 8, ceremony_id: 2, category_id: 1, movie_id: 40, nominee_id: 1 }),
      patch('nominees', 1, { name: 'Of a Batch' }),
    ),
  ],
  [remove('nominations', 8)],
  // Refused: nominations refer to it.
  [remove('nominees', 1)],
  [remove('movies', 40)],
  [
    patch('ceremonies', 1, { ceremony_year: 1928, venue: null }),
    // Back to the first title.
    patch('movies', 1, { title: 'Amélie', genres: ['Comedy', 'Comédie'] }),
    patch('nominations', 3, { song_id: null }),
    post('nominees', { name: 'Zoë' }),
  ],
];

/** How many of the writes change something where nothing goes wrong. */
export const changesUndisturbed = 12;

/** A write that was answered as done. */
export interface Acknowledgement {
  order: Order;
  done: Written;
}

/** The writes of an acknowledged order, each with the body that was sent; undefined for a deletion. */
export function writesOf({
  order: sent,
  done,
}: Acknowledgement): { body: JsonValue | undefined; done: Written['data'][number] }[] {
  if ('resource' in sent) return [{ body: sent.body, done: done.data[0]! }];
  const bodies = (sent.body as { body?: JsonValue }[]).map(({ body }) => body);
  return done.data.map((one, at) => ({ body: bodies[at]!, done: one }));
}

export const isChange = (acknowledgement: Acknowledgement): boolean =>
  writesOf(acknowledgement).some(({ done }) => done.receipt !== null);

/** @param onOutcome called as soon as an outcome is there */
export async function sendAll(
  write: (sent: Order) => Promise<WriteOutcome>,
  onOutcome: (sent: Order, outcome: WriteOutcome) => void | Promise<void>,
): Promise<void> {
  for (const step of steps) await Promise.all(step.map(async (sent) => onOutcome(sent, await write(sent))));
}

export class WriterHarness {
  /** Everything reported to onError. */
  readonly errors: unknown[] = [];
  readonly #connection: Connection;
  readonly #buildConnection: Connection;
  readonly #builder: SnapshotBuilder;
  readonly #writer: Writer;

  /** @throws UserError if the database cannot be opened */
  constructor(db: string, out: string) {
    this.#connection = openDatabase(db, { mustExist: true, timeoutMs: 0 });
    try {
      this.#buildConnection = openDatabase(db, { mustExist: true, timeoutMs: 0 });
    } catch (error) {
      // A service that cannot open the database ends.
      this.#connection.close();
      throw error;
    }
    this.#buildConnection.pragma('synchronous = NORMAL');
    this.#builder = new SnapshotBuilder(this.#buildConnection, out, { retentionMs: 0 });
    const note = (error: unknown) => this.errors.push(error);
    this.#writer = new Writer(this.#connection, () => this.#build(), note);
  }

  write: Writer['write'] = (sent) => this.#writer.write(sent);

  /** Builds what is not built yet. @returns whether that succeeded */
  settled = async (): Promise<boolean> => (await this.#writer.published()) !== undefined;

  async close(): Promise<void> {
    await this.#writer.close();
    this.#buildConnection.close();
    this.#connection.close();
  }

  async #build(): Promise<string> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return (await this.#builder.build({ timeoutMs: 0 })).snapshot;
      } catch (error) {
        if (!(error instanceof FolderBusy) || attempts === 20) throw error;
        await pause(5);
      }
    }
  }
}
