/** The answers of a folder to questions that together read every part of a snapshot. */
import { expect } from 'vitest';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';

const addresses = [
  '/api/nominations',
  '/api/movies/1',
  '/api/nominees',
  '/api/search?q=ann+actress',
  '/api/stats/top-nominees?sort=wins',
  '/api/nominations/3',
  '/api/categories',
  '/api/songs?title=que',
  '/api/search?q=life',
  '/api/movies?genre=drama',
  '/api/ceremonies?year=1930',
];

/** Status and body of each answer, in order; "unavailable" if there is no whole snapshot. */
export type Answers = readonly string[];
export const unavailable = 'unavailable';

export const openFolder = (folder: string): Resolver =>
  new Resolver(fileSource(folder), { digest: nodeDigest });

export async function ask(resolver: Resolver): Promise<Answers> {
  const answers: string[] = [];
  for (const address of addresses) {
    const [path, queryString = ''] = address.split('?') as [string, string?];
    const { status, body } = await resolver.answer({ method: 'GET', path, queryString });
    answers.push(status === 503 ? unavailable : `${status} ${new TextDecoder().decode(body!)}`);
  }
  return answers;
}

/**
 * For a folder that does not change: a new reader must see one snapshot, or none; an earlier reader must see one of the
 * snapshots in each answer.
 * @param snapshots the answers of the possible snapshots
 */
export async function expectOneOf(
  folder: string,
  earlier: Resolver,
  snapshots: readonly Answers[],
): Promise<void> {
  const fresh = await ask(openFolder(folder));
  const agrees = (answers: Answers) =>
    fresh.every((answer, i) => answer === unavailable || answer === answers[i]);
  expect(snapshots.some(agrees), `a mixture: ${fresh.join('')}`).toBe(true);
  const answers = await ask(earlier);
  for (const [i, answer] of answers.entries())
    expect([unavailable, ...snapshots.map((snapshot) => snapshot[i])]).toContain(answer);
}

/**
 * For a folder that changes: each answer must be of one snapshot, and of no older one than the answer before.
 * @param snapshots the answers of the possible snapshots, the oldest first
 */
export async function expectInTurn(
  folder: string,
  earlier: Resolver,
  snapshots: readonly Answers[],
): Promise<void> {
  for (const reader of [openFolder(folder), earlier]) {
    let oldest = 0;
    for (const [i, answer] of (await ask(reader)).entries()) {
      if (answer === unavailable) continue;
      const found = snapshots.findIndex((snapshot, age) => age >= oldest && snapshot[i] === answer);
      expect(found, `of no snapshot, or of an older one: ${answer}`).toBeGreaterThanOrEqual(0);
      oldest = found;
    }
  }
}
