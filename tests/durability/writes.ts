/** A sequence of writes of every kind: one after the other, the last few at once. */
import type { WriteDone, WriteOutcome, WriteRequest } from '../../api/write/writer.ts';

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

/** For the tiny record. Each step is sent when the one before is answered; the writes of one step are sent together. */
export const steps: readonly (readonly WriteRequest[])[] = [
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
  'changed',
  'changed',
  'changed',
  'created',
];

/** Number of acknowledged writes where nothing goes wrong. */
export const acknowledgedUndisturbed = undisturbed.filter((kind) =>
  ['created', 'changed', 'unchanged'].includes(kind),
).length;

export function kindOf(outcome: WriteOutcome): string {
  if ('problem' in outcome) return outcome.problem;
  if (outcome.created) return 'created';
  return outcome.receipt === undefined ? 'unchanged' : 'changed';
}

/** A write that was answered as done. */
export interface Acknowledgement {
  order: WriteRequest;
  done: WriteDone;
}

/**
 * Sends the sequence.
 * @param onOutcome called as soon as an outcome is there
 */
export async function sendAll(
  write: (order: WriteRequest) => Promise<WriteOutcome>,
  onOutcome: (order: WriteRequest, outcome: WriteOutcome) => void | Promise<void>,
): Promise<void> {
  for (const step of steps)
    await Promise.all(
      step.map(async (order) => {
        await onOutcome(order, await write(order));
      }),
    );
}
