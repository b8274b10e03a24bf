/** The caches of the resolver stay within their limits, and what is no longer in them is answered alike. */
import { beforeAll, expect, it } from 'vitest';
import { AnswerCache } from '../../api/read/answer-cache.ts';
import { Resolver, type ResolverOptions } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { answerAt, compiledRecord, type MemoryFolder } from '../support/build.ts';

const different = (at: number): string => {
  const text = `${at.toString(36)}${'x'.repeat(at % 400)}`;
  const list = Array.from({ length: 50 }, (_, step) => ((at * 31 + step * 17) % 800) + 1).join(',');
  const targets = [
    `/api/nominations?movie=${text}&page=${at}`,
    `/api/nominations?ids=${list}`,
    `/api/search?q=${text}`,
    `/api/movies?ids=${list}&limit=100`,
    `/api/nominees/${at % 400}`,
    `/api/movies/${at % 250}`,
    `/api/stats/top-movies?yearStart=${(at % 90) + 1930}&limit=${(at % 100) + 1}`,
    `/api/unknown/${text}`,
    `/api/movies?${text}=1`,
  ];
  return targets[at % targets.length]!;
};

let snapshot: MemoryFolder;
beforeAll(async () => {
  const { files } = await compiledRecord((connection) =>
    generateRecord(connection, { scale: 0.05, seed: 5 }),
  );
  snapshot = files;
});

it('a resolver with tiny caches reads again, and has the right answers', async () => {
  let reads = 0;
  const shard = (path: string) => {
    reads += 1;
    return snapshot.shard(path);
  };
  const answersOf = async (options: ResolverOptions) => {
    const resolver = new Resolver({ file: snapshot.file, shard }, options);
    reads = 0;
    const answers: unknown[] = [];
    for (let at = 0; at < 600; at += 1) {
      const { status, body } = await answerAt(resolver, different(at));
      answers.push([status, Buffer.from(body!).toString()]);
    }
    return { answers, reads };
  };
  const usual = await answersOf({});
  const forgetful = await answersOf({ cacheBytes: 1, answerBytes: 1 });
  expect(forgetful.answers).toEqual(usual.answers);
  expect(forgetful.reads).toBeGreaterThan(2 * usual.reads);
});

it('an answer of a hundred bytes counts with the 1.5 KB that it costs', async () => {
  const answerBytes = 1024 * 1024;
  const resolver = new Resolver(snapshot, { answerBytes });
  for (let at = 0; at < 1000; at += 1)
    for (let time = 0; time < 2; time += 1) await answerAt(resolver, `/api/songs?title=zz${at.toString(36)}`);
  const { answers, bytes } = resolver.answerCache;
  expect(bytes).toBeLessThanOrEqual(answerBytes);
  expect(answers).toBeGreaterThan(100);
  expect(answers).toBeLessThan(answerBytes / 1536);
});

it('an answer larger than a small share of the cache is not kept, and displaces no other', async () => {
  const resolver = new Resolver(snapshot, { answerBytes: 512 * 1024 });
  await answerAt(resolver, '/api/movies/1');
  await answerAt(resolver, '/api/movies/1');
  const before = resolver.answerCache;
  expect(before).toMatchObject({ answers: 1 });
  const { body } = await answerAt(resolver, '/api/nominations?format=csv');
  expect(body!.length).toBeGreaterThan(32 * 1024);
  expect(resolver.answerCache).toEqual(before);
});

it('an answer that was begun before a newer snapshot is not given after it', async () => {
  const before = await new Resolver(snapshot).snapshot();
  const after = await new Resolver(snapshot).snapshot();
  const address = { path: '/api/movies/1', queryString: '' };
  const cache = new AnswerCache(1024 * 1024);
  const keep = (of: typeof before, etag: string) =>
    cache.keep(of, address, { etag, body: new Uint8Array(1), headers: {} });
  cache.get(before, address);
  cache.get(after, address);
  keep(before, 'old');
  expect(cache.get(after, address)).toBeUndefined();
  keep(after, 'new');
  expect(cache.get(after, address)?.etag).toBe('new');
});
