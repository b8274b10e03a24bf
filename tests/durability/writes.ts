/** A sequence of writes of every kind: one after the other, the last few at once. */
import type { JsonValue } from '../../api/contract/bodies.ts';
import { listPath, recordPath } from '../../api/contract/routes.ts';
import type { BatchRequest, WriteOutcome, WriteRequest, Written } from '../../api/write/requests.ts';

/** A single write or a batch. */
export type Order = WriteRequest | BatchRequest;

type Body = Record<string, string | number | boolean | null | string[]>;

const patch = (
  resource: WriteRequest['resource'],
  id: number,
  body: Body,
  ifMatch?: string,
): WriteRequest => ({
  resource,
  id,
  body,
  ifMatch,
  key: 'editor',
});
const post = (resource: WriteRequest['resource'], body: Body): WriteRequest => ({
  resource,
  id: undefined,
  body,
  ifMatch: undefined,
  key: 'editor',
});

const remove = (resource: WriteRequest['resource'], id: number): WriteRequest => ({
  resource,
  id,
  body: undefined,
  ifMatch: undefined,
  key: 'editor',
});

/** The writes of a batch that succeeds. Each of them changes a record, so that a part of a batch can be told. */
export const batchSize = 3;

const batch = (...orders: readonly WriteRequest[]): BatchRequest => ({
  body: orders.map(({ resource, id, body }) => ({
    method: id === undefined ? 'POST' : body === undefined ? 'DELETE' : 'PATCH',
    path: id === undefined ? listPath(resource) : recordPath(resource, id),
    ...(body !== undefined && { body }),
  })) satisfies JsonValue,
  ifMatch: undefined,
  key: 'editor',
});

/** For the tiny record. Each step is sent when the one before is answered; the writes of one step are sent together. */
export const steps: readonly (readonly Order[])[] = [
  [patch('movies', 1, { title: 'Life of Amélie', genres: ['Drama'] })],
  [patch('nominees', 2, { name: 'Ann Żal' })],
  [patch('nominations', 2, { winner: true })],
  [post('movies', { title: 'A Wonderful Newcomer', genres: ['Comédie'], release_date: '1930-02-28' })],
  [post('nominations', { id: 7, ceremony_id: 2, category_id: 1, movie_id: 4, nominee_id: 2 })],
  [post('songs', { original_title: 'Life Song', streaming_year: 1930 })],
  // Changes nothing.
  [patch('movies', 2, { runtime: 130 })],
  // Refused: an unknown film, and an ETag that does not match.
  [patch('nominations', 1, { movie_id: 999 })],
  [patch('movies', 3, { title: 'Never' }, '"0123456789abcdef0123"')],
  [patch('movies', 3, { title: 'Eight and a Half' }, '*')],
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
  // Refused as a whole.
  [batch(patch('movies', 2, { title: 'Never' }), patch('nominations', 1, { movie_id: 999 }))],
  [
    patch('ceremonies', 1, { ceremony_year: 1928, venue: null }),
    // Back to the first title.
    patch('movies', 1, { title: 'Amélie', genres: ['Comedy', 'Comédie'] }),
    patch('nominations', 3, { song_id: null }),
    post('nominees', { name: 'Zoë' }),
  ],
];

/** The outcomes of the sequence where nothing goes wrong. */
export const undisturbed = [
  'changed',
  'changed',
  'changed',
  'created',
  'created',
  'created',
  'unchanged',
  'invalid-record',
  'precondition-failed',
  'changed',
  'batch',
  'deleted',
  'still-referenced',
  'deleted',
  'invalid-record',
  'changed',
  'changed',
  'changed',
  'created',
];

/** Number of acknowledged writes where nothing goes wrong. */
export const acknowledgedUndisturbed = undisturbed.filter((kind) =>
  ['created', 'changed', 'unchanged', 'deleted', 'batch'].includes(kind),
).length;

export function kindOf(outcome: WriteOutcome, order: Order): string {
  if ('problem' in outcome) return outcome.problem;
  if (!('resource' in order)) return 'batch';
  const done = outcome.data[0]!;
  if (done.status === 201) return 'created';
  if (order.body === undefined) return 'deleted';
  return done.receipt === null ? 'unchanged' : 'changed';
}

/** A write that was answered as done. */
export interface Acknowledgement {
  order: Order;
  done: Written;
}

/** The writes of an acknowledged order, each with the body that was sent; undefined for a deletion. */
export function writesOf({
  order,
  done,
}: Acknowledgement): { body: JsonValue | undefined; done: Written['data'][number] }[] {
  if ('resource' in order) return [{ body: order.body, done: done.data[0]! }];
  const bodies = (order.body as { body?: JsonValue }[]).map(({ body }) => body);
  return done.data.map((one, at) => ({ body: bodies[at]!, done: one }));
}

/**
 * Sends the sequence.
 * @param onOutcome called as soon as an outcome is there
 */
export async function sendAll(
  write: (order: Order) => Promise<WriteOutcome>,
  onOutcome: (order: Order, outcome: WriteOutcome) => void | Promise<void>,
): Promise<void> {
  for (const step of steps)
    await Promise.all(
      step.map(async (order) => {
        await onOutcome(order, await write(order));
      }),
    );
}
