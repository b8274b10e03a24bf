/** The resolver while snapshots are replaced and reads fail: late or failed reads do not spoil later answers. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { compileInMemory, type MemoryFolder } from '../support/build.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { runs } from '../support/settings.ts';

let connection: Connection;
/** In snapshot n the film 27 is titled "Generation n" and runs for n minutes. */
const snapshots: MemoryFolder[] = [];
beforeAll(async () => {
  connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  for (let generation = 0; generation < 4; generation += 1) {
    connection.exec(
      `UPDATE movies SET title = 'Generation${generation}', runtime = ${generation} WHERE id = 27`,
    );
    snapshots.push(await compileInMemory(connection));
  }
});
afterAll(() => connection.close());

const ask = (resolver: Resolver, path: string, queryString = '') =>
  resolver.answer({ method: 'GET', path, queryString });
const textOf = ({ body }: { body: Uint8Array | null }) => new TextDecoder().decode(body!);

it('an answer whose snapshot is replaced again and again comes from the last one', async () => {
  let current = 0;
  const source: Source = {
    file: (path) => snapshots[current]!.file(path),
    // A build replaces the snapshot at each read, until the last.
    async shard(path) {
      if (current < 3) current += 1;
      return snapshots[current]!.shard(path);
    },
  };
  const failures: unknown[] = [];
  const resolver = new Resolver(source, { onError: (error) => failures.push(error) });
  const answer = await ask(resolver, '/api/movies/27');
  expect(answer.status, textOf(answer)).toBe(200);
  expect(textOf(answer)).toContain('Generation3');
  expect(failures).toEqual([]);
});

it('a load that fails does not fail for the next snapshot', async () => {
  let current = 0;
  const fail: (() => void)[] = [];
  const source: Source = {
    file: (path) => snapshots[current]!.file(path),
    shard: (path) =>
      path.startsWith('shards/core/') && current === 0
        ? new Promise((resolve) => {
            fail.push(() => resolve(undefined));
          })
        : snapshots[current]!.shard(path),
  };
  const resolver = new Resolver(source);
  const early = ask(resolver, '/api/nominations', 'limit=1');
  while (fail.length === 0) await new Promise((resolve) => setImmediate(resolve));
  current = 1;
  await resolver.refresh();
  for (const failure of fail) failure();
  expect((await early).status).toBe(200);
  for (const path of ['/api/nominations', '/api/ceremonies', '/api/stats/top-movies'])
    expect((await ask(resolver, path)).status, path).toBe(200);
});

it('a load that fails after the next snapshot was asked does not fail for it', async () => {
  const [first, second] = snapshots as [MemoryFolder, MemoryFolder];
  let current = first;
  const fail: (() => void)[] = [];
  const source: Source = {
    file: (path) => current.file(path),
    shard: (path) =>
      path.startsWith('shards/titles/') && !second.files.has(path)
        ? new Promise((resolve) => {
            fail.push(() => resolve(undefined));
          })
        : second.shard(path),
  };
  const resolver = new Resolver(source);
  const early = ask(resolver, '/api/nominations', 'limit=1');
  while (fail.length === 0) await new Promise((resolve) => setImmediate(resolve));
  current = second;
  await resolver.refresh();
  const late = ask(resolver, '/api/nominations', 'limit=2');
  await new Promise((resolve) => setImmediate(resolve));
  for (const failure of fail) failure();
  expect((await early).status).toBe(200);
  expect((await late).status).toBe(200);
});

it('a source that throws gives 503, and right answers when it works again', async () => {
  let works = false;
  const trouble = async () => {
    throw new TypeError('fetch failed');
  };
  const source: Source = {
    file: (path) => (works ? snapshots[0]!.file(path) : trouble()),
    shard: (path) => (works ? snapshots[0]!.shard(path) : trouble()),
  };
  const failures: unknown[] = [];
  const resolver = new Resolver(source, { onError: (error) => failures.push(error) });
  const answer = await ask(resolver, '/api/movies');
  expect(answer.status).toBe(503);
  expect(answer.headers['Retry-After']).toBeDefined();
  expect(failures).toHaveLength(1);
  works = true;
  expect((await ask(resolver, '/api/movies')).status).toBe(200);
  works = false;
  expect((await ask(resolver, '/api/nominees', 'known_for_department=a')).status).toBe(503);
  works = true;
  expect((await ask(resolver, '/api/nominees', 'known_for_department=a')).status).toBe(200);
});

it('parallel requests read each file once', async () => {
  const read = new Map<string, number>();
  const count = (path: string) => read.set(path, (read.get(path) ?? 0) + 1);
  const source: Source = {
    file: (path) => {
      count(path);
      return snapshots[0]!.file(path);
    },
    async shard(path) {
      count(path);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return snapshots[0]!.shard(path);
    },
  };
  const resolver = new Resolver(source);
  const paths = '/api/nominations /api/movies/27 /api/stats/top-movies /api/nominees /api/ceremonies'.split(
    ' ',
  );
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(resolver, paths[at % 5]!)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect([...read].filter(([, times]) => times > 1)).toEqual([]);
});

it('shards of earlier snapshots are evicted, shards of both are kept', async () => {
  let current = 0;
  const read: string[] = [];
  const source: Source = {
    file: (path) => snapshots[current]!.file(path),
    shard(path) {
      read.push(path);
      return snapshots[current]!.shard(path);
    },
  };
  const resolver = new Resolver(source, { answerBytes: 0 });
  const readAt = async (generation: number): Promise<string[]> => {
    current = generation;
    read.length = 0;
    await resolver.refresh();
    for (const queryString of ['title=generation', 'genre=drama', 'year=1930'])
      expect((await ask(resolver, '/api/movies', queryString)).status).toBe(200);
    expect((await ask(resolver, '/api/search', 'q=generation')).status).toBe(200);
    // Time for reads that no answer waits for.
    await new Promise((resolve) => setImmediate(resolve));
    return [...read];
  };
  const first = await readAt(0);
  const changed = (await readAt(1)).filter((path) => !snapshots[0]!.files.has(path));
  expect(changed.map((path) => path.split('/')[1])).toEqual(expect.arrayContaining(['titles', 'records']));
  const own = first.filter((path) => !snapshots[1]!.files.has(path));
  expect(own).not.toEqual([]);
  const again = await readAt(0);
  expect(again).toEqual(expect.arrayContaining(own));
  // Shards that both snapshots name were read once.
  expect(again.filter((path) => snapshots[1]!.files.has(path))).toEqual([]);
});

const film = { method: 'GET', path: '/api/movies/27', queryString: '' };

it('after refresh() no answer is older than the snapshot waited for, or than an earlier answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      let current = 0;
      let latest = 0;
      const moment = () => scheduler.schedule(Promise.resolve());
      const resolver = new Resolver({
        async file(path) {
          await moment();
          const manifest = await snapshots[current]!.file(path);
          await moment();
          return manifest;
        },
        async shard(path) {
          for (const snapshot of snapshots) {
            const shard = await snapshot.shard(path);
            if (shard) return shard;
          }
          return undefined;
        },
      });
      const read = async () => {
        const before = latest;
        const answer = resolver.cached(film) ?? (await resolver.answer(film));
        const { runtime: found } = JSON.parse(textOf(answer)) as { runtime: number };
        expect(found).toBeGreaterThanOrEqual(before);
        latest = Math.max(latest, found);
        return found;
      };
      const editor = async () => {
        await moment();
        current += 1;
        const due = current;
        await resolver.refresh();
        expect(await read()).toBeGreaterThanOrEqual(due);
      };
      const reader = async () => {
        for (let times = 0; times < 3; times += 1) {
          await moment();
          await read();
        }
      };
      await scheduler.waitFor(read());
      await scheduler.waitFor(Promise.all([editor(), editor(), editor(), reader()]));
      expect(latest).toBe(3);
    }),
    { numRuns: runs(120) },
  );
});
