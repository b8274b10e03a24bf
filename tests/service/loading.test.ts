/** The resolver while files come, go and fail under its hands: what it reads late or in vain does not spoil what it answers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import type { Source } from '../../api/read/source.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { compileInMemory, type MemoryOutput } from '../answers/memory-source.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';

let connection: Connection;
/** Snapshots that differ in the title of one film alone. */
const snapshots: MemoryOutput[] = [];
beforeAll(async () => {
  connection = openDatabase(':memory:');
  fillWithNastyRecord(connection);
  for (let generation = 0; generation < 4; generation += 1) {
    connection.exec(`UPDATE movies SET title = 'Generation${generation}' WHERE id = 27`);
    snapshots.push(await compileInMemory(connection));
  }
});
afterAll(() => connection.close());

const ask = (resolver: Resolver, path: string, queryString = '') =>
  resolver.answer({ method: 'GET', path, queryString });
const textOf = ({ body }: { body: Uint8Array | null }) => new TextDecoder().decode(body!);

it('an answer for which one snapshot after the other comes too late is given from the last of them', async () => {
  let current = 0;
  const source: Source = {
    manifest: () => snapshots[current]!.manifest(),
    // Each time something of the snapshot in force is read, a build replaces it, until the last.
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

it('a load that fails while a new snapshot arrives is not taken over by it', async () => {
  let current = 0;
  const fail: (() => void)[] = [];
  const source: Source = {
    manifest: () => snapshots[current]!.manifest(),
    shard: (path) =>
      path.startsWith('shards/ceremonies/') && current === 0
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

it('a source that throws is a snapshot that cannot be read: 503, and again right when it no longer does', async () => {
  let works = false;
  const trouble = async () => {
    throw new TypeError('fetch failed');
  };
  const source: Source = {
    manifest: () => (works ? snapshots[0]!.manifest() : trouble()),
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

it('requests that arrive together read each file once', async () => {
  const read = new Map<string, number>();
  const count = (path: string) => read.set(path, (read.get(path) ?? 0) + 1);
  const source: Source = {
    manifest: () => {
      count('manifest.json');
      return snapshots[0]!.manifest();
    },
    async shard(path) {
      count(path);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return snapshots[0]!.shard(path);
    },
  };
  const resolver = new Resolver(source);
  const paths = [
    '/api/nominations',
    '/api/movies/27',
    '/api/stats/top-movies',
    '/api/nominees',
    '/api/ceremonies',
  ];
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(resolver, paths[at % 5]!)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect([...read].filter(([, times]) => times > 1)).toEqual([]);
});

it('what only an earlier snapshot names is forgotten, so that a thousand snapshots take no more memory than one', async () => {
  let current = 0;
  const read: string[] = [];
  const source: Source = {
    manifest: () => snapshots[current]!.manifest(),
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
    // What nobody waits for is done by then.
    await new Promise((resolve) => setImmediate(resolve));
    return [...read];
  };
  const first = await readAt(0);
  const changed = (await readAt(1)).filter((path) => !snapshots[0]!.files.has(path));
  expect(changed.map((path) => path.split('/')[1])).toEqual(
    expect.arrayContaining(['titles', 'records', 'search', 'terms']),
  );
  const own = first.filter((path) => !snapshots[1]!.files.has(path));
  expect(own).not.toEqual([]);
  const again = await readAt(0);
  expect(again).toEqual(expect.arrayContaining(own));
  // And what all of them name was read once.
  expect(again.filter((path) => snapshots[1]!.files.has(path))).toEqual([]);
});
