/** The resolver while snapshots are replaced, reads fail and caches are full: no answer is wrong or older than an earlier one. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Resolver, type ResolverOptions } from '../../api/read/resolve.ts';
import { openDatabase } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { answerAt, compiledRecord, compileInMemory, type MemoryFolder } from '../records/build.ts';
import { runs } from '../support/settings.ts';

/** In snapshot n the film 27 is titled "Generation n" and runs for n minutes. */
const snapshots: MemoryFolder[] = [];
beforeAll(async () => {
  const connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  for (let generation = 0; generation < 4; generation += 1) {
    connection.exec(
      `UPDATE movies SET title = 'Generation${generation}', runtime = ${generation} WHERE id = 27`,
    );
    snapshots.push(await compileInMemory(connection));
  }
  connection.close();
});

const textOf = ({ body }: { body: Uint8Array | null }) => new TextDecoder().decode(body!);

it('parallel requests read each file once', async () => {
  const read: string[] = [];
  const resolver = new Resolver({
    file: snapshots[0]!.file,
    async shard(path) {
      read.push(path);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return snapshots[0]!.shard(path);
    },
  });
  const paths = ['nominations', 'movies/27', 'stats/top-movies', 'nominees', 'ceremonies'];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => answerAt(resolver, `/api/${paths[at % 5]!}`)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(read).toHaveLength(new Set(read).size);
});

it('after refresh() no answer is older than the snapshot waited for, or than an earlier answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      let [current, latest] = [0, 0];
      const moment = () => scheduler.schedule(Promise.resolve());
      const resolver = new Resolver({
        async file(path) {
          await moment();
          const manifest = await snapshots[current]!.file(path);
          await moment();
          return manifest;
        },
        shard: async (path) => snapshots.find(({ files }) => files.has(path))?.shard(path),
      });
      const film = { method: 'GET', path: '/api/movies/27', queryString: '' };
      const read = async () => {
        const before = latest;
        const answer = await resolver.answer(film);
        const { runtime: found } = JSON.parse(textOf(answer)) as { runtime: number };
        expect(found).toBeGreaterThanOrEqual(before);
        latest = Math.max(latest, found);
        return found;
      };
      const edit = async () => {
        await moment();
        current += 1;
        const due = current;
        await resolver.refresh();
        expect(await read()).toBeGreaterThanOrEqual(due);
      };
      const readOften = async () => {
        for (let times = 0; times < 3; times += 1) {
          await moment();
          await read();
        }
      };
      await scheduler.waitFor(read());
      await scheduler.waitFor(Promise.all([edit(), edit(), edit(), readOften()]));
      expect(latest).toBe(3);
    }),
    { numRuns: runs(60) },
  );
});

describe('the caches', () => {
  let generated: MemoryFolder;
  beforeAll(async () => {
    ({ files: generated } = await compiledRecord((it) => generateRecord(it, { scale: 0.02, seed: 5 })));
  });

  const different = (at: number): string => {
    const ids = Array.from({ length: 50 }, (_, step) => ((at * 31 + step * 17) % 800) + 1).join(',');
    const targets = [`nominations?movie=${at.toString(36)}`, `search?q=${at.toString(36)}`];
    targets.push(`movies?ids=${ids}&limit=100`, `nominees/${at % 400}`, `movies/${at % 250}`);
    return `/api/${targets[at % targets.length]!}`;
  };

  it('may be tiny: files are read again, and the answers are the same', async () => {
    const answersOf = async (options: ResolverOptions) => {
      let reads = 0;
      const shard = (path: string) => {
        reads += 1;
        return generated.shard(path);
      };
      const resolver = new Resolver({ file: generated.file, shard }, options);
      const answers: unknown[] = [];
      for (let at = 0; at < 100; at += 1) {
        const answer = await answerAt(resolver, different(at));
        answers.push([answer.status, textOf(answer)]);
      }
      return { answers, reads };
    };
    const usual = await answersOf({});
    const forgetful = await answersOf({ cacheBytes: 1, answerBytes: 1 });
    expect(forgetful.answers).toEqual(usual.answers);
    expect(forgetful.reads).toBeGreaterThan(2 * usual.reads);
  });

  it('keep answers within a limit of bytes, with the 1.5 KB that each one costs, and none that is large', async () => {
    const answerBytes = 512 * 1024;
    const resolver = new Resolver(generated, { answerBytes });
    // The first one makes the cache that of the snapshot.
    await answerAt(resolver, '/api/movies/1');
    for (const hits of [0, 1]) {
      await answerAt(resolver, '/api/movies/1');
      expect(resolver.answerCache).toMatchObject({ answers: 1, hits });
    }
    const before = resolver.answerCache;
    const { body } = await answerAt(resolver, '/api/nominations?format=csv');
    expect(body!.length).toBeGreaterThan(32 * 1024);
    expect(resolver.answerCache).toEqual(before);
    for (let at = 0; at < 500; at += 1) await answerAt(resolver, `/api/songs?title=zz${at}`);
    const { answers, bytes } = resolver.answerCache;
    expect(bytes).toBeLessThanOrEqual(answerBytes);
    expect(answers).toBeGreaterThan(100);
    expect(answers).toBeLessThan(answerBytes / 1536);
  });
});
