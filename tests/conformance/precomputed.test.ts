/** The promise: a computed answer equals the one read from a page, and an answer that has a page is read from it. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { answerAt, compiledRecord, type MemoryFolder } from '../support/build.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { anyRequest } from '../oracle/queries.ts';
import { nasty } from '../oracle/questions.ts';
import { runs } from '../settings.ts';
import { addressOfPage } from '../snapshot/named-files.ts';

let files: MemoryFolder;
beforeAll(async () => {
  ({ files } = await compiledRecord(fillWithNastyRecord));
});

/** A source with pages, and the paths read from it. */
function withPages(
  damage: (path: string, bytes: Uint8Array | undefined) => Uint8Array | undefined = (_, bytes) => bytes,
) {
  const read: string[] = [];
  const at = async (path: string) => {
    read.push(path);
    return damage(path, files.files.get(path));
  };
  const source: Source = { file: at, shard: at, readsPages: true };
  return { read, source };
}

it('random requests get equal answers: status, headers and bytes; the ETag is their hash', async () => {
  const computing = new Resolver(files);
  const reading = new Resolver(withPages().source);
  await fc.assert(
    fc.asyncProperty(anyRequest(nasty), async (request) => {
      const [one, other] = await Promise.all(
        [computing, reading].map((resolver) => resolver.answer({ method: 'GET', ...request })),
      );
      expect(one!.status).toBe(other!.status);
      expect(one!.headers).toEqual(other!.headers);
      expect(Buffer.from(one!.body!).equals(Buffer.from(other!.body!))).toBe(true);
      // The tag of an export is known before its bytes.
      if (one!.status === 200 && one!.headers['Content-Disposition'] === undefined)
        expect(one!.headers.ETag).toBe(`"${contentHash(one!.body!)}"`);
    }),
    { numRuns: runs(1500) },
  );
});

it('every page of the snapshot answers its own address, without one column read', async () => {
  const pages = [...files.files.keys()].filter((path) => path.startsWith('api/'));
  expect(pages.length).toBeGreaterThan(100);
  for (const path of pages) {
    const request = { method: 'GET', ...addressOfPage(path)! };
    const { read, source } = withPages();
    const { status, body } = await new Resolver(source).answer(request);
    expect(status, path).toBe(200);
    expect(Buffer.from(body!).equals(files.files.get(path)!)).toBe(true);
    expect(
      read.filter((file) => !/^(manifest\.json|layers\/.*)$/.test(file)),
      path,
    ).toEqual([path]);
  }
});

it.each([
  ['top-movies', 'genre', 'COMÉDIE', 'comedie'],
  ['top-nominees', 'category', 'actor', 'actor'],
  ['top-nominees', 'category_group', 'Music', 'music'],
  ['top-nominees', 'known_for_department', 'ACTING', 'acting'],
])('a ranking by one filter is read from its page: %s by %s', async (ranking, filter, value, file) => {
  const { read, source } = withPages();
  await answerAt(new Resolver(source), `/api/stats/${ranking}?${filter}=${encodeURIComponent(value)}`);
  expect(read.at(-1)).toBe(`api/stats/${ranking}/nominations/${filter}/${file}.json`);
});

describe('a page that differs from the snapshot', () => {
  const damages: [string, (bytes: Uint8Array | undefined) => Uint8Array | undefined][] = [
    ['missing', () => undefined],
    ['truncated', (bytes) => bytes?.slice(0, -5)],
    ['of another snapshot', () => files.files.get('api/movies/28.json')],
  ];

  it.each(damages)('%s: the answer is computed', async (_name, damage) => {
    const { source } = withPages((path, bytes) => (path === 'api/movies/27.json' ? damage(bytes) : bytes));
    const answer = await answerAt(new Resolver(source), '/api/movies/27');
    expect(answer).toEqual(await answerAt(new Resolver(files), '/api/movies/27'));
    expect(answer.status).toBe(200);
  });

  it('a record without a page is a 404, and no page is read', async () => {
    const { read, source } = withPages();
    expect((await answerAt(new Resolver(source), '/api/movies/999')).status).toBe(404);
    expect(read.filter((path) => path.startsWith('api/'))).toEqual([]);
  });
});
