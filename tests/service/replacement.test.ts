/** A new snapshot is used without restart. No answer mixes two snapshots or fails because of a replacement. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { build, compileInMemory, type MemoryFolder } from '../support/build.ts';
import { runs } from '../settings.ts';
import { type BuiltFolder, builtFolder, type RunningService, startService } from './running-service.ts';

let built: BuiltFolder;
let service: RunningService;
/** Number of the last snapshot. */
let generation = 0;
beforeAll(async () => {
  built = await builtFolder();
  await publish();
  service = await startService(built.out);
});
afterAll(async () => {
  await service.stop();
  built.connection.close();
});

/** Writes the number of the snapshot into names of films and nominees. */
function rename(to: number): void {
  const { connection } = built;
  connection.transaction(() => {
    connection.exec(`UPDATE movies SET title = 'Film of Generation${to}' WHERE id < 64`);
    connection.exec(`UPDATE nominees SET name = 'Person of Generation${to}' WHERE id < 64`);
  })();
}

/** Builds the next snapshot. */
async function publish(full = false): Promise<void> {
  generation += 1;
  rename(generation);
  await build(built.connection, built.out, { full });
}

/** The snapshot numbers in an answer. */
const generationsIn = (body: Buffer) =>
  new Set([...body.toString().matchAll(/Generation(\d+)/g)].map(([, generation]) => Number(generation)));

const questions = [
  '/api/nominations',
  '/api/nominations?movie=generation&page=2&limit=3',
  '/api/nominations/1',
  '/api/movies?title=film',
  '/api/movies/25',
  '/api/nominees?limit=100',
  '/api/categories/1',
  '/api/search?q=generat',
  '/api/search?q=generation+of+film&winner=false',
  '/api/stats/top-movies',
  '/api/stats/top-nominees?category=a',
];

/** Sends requests without a pause until it is stopped or an answer is wrong. */
class Client {
  readonly seen = new Set<number>();
  answered = 0;
  stopped = false;

  /** @param ascending whether each new snapshot is a later one */
  async ask(first: number, ascending: boolean): Promise<void> {
    let latest = 0;
    for (let at = first; !this.stopped; at += 1) {
      const question = questions[at % questions.length]!;
      const { status, body, headers } = await service.ask(question);
      expect(status, `${question}: ${body}`).toBe(200);
      expect(headers.etag).toBe(`"${contentHash(body)}"`);
      const generations = [...generationsIn(body)];
      expect(generations, question).toHaveLength(1);
      // After the new snapshot, a client never sees the old one again.
      if (ascending) expect(generations[0]).toBeGreaterThanOrEqual(latest);
      latest = generations[0]!;
      this.seen.add(latest);
      this.answered += 1;
    }
  }

  /** Resolves after the answer to a request that starts now. */
  async progress(): Promise<void> {
    const { answered } = this;
    while (!this.stopped && this.answered < answered + 2)
      await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Runs clients during some work; fails if an answer is wrong. @returns the snapshot numbers they saw */
async function askWhile(
  work: (clients: readonly Client[]) => Promise<void>,
  ascending: boolean,
): Promise<Set<number>> {
  const clients = [new Client(), new Client()];
  const stop = () => {
    for (const client of clients) client.stopped = true;
  };
  await Promise.all([
    ...clients.map((client, nth) => client.ask(nth * 5, ascending).finally(stop)),
    work(clients).finally(stop),
  ]);
  expect(service.failures).toEqual([]);
  return new Set(clients.flatMap(({ seen }) => [...seen]));
}

it('each answer is from one snapshot while the record is built again and again', async () => {
  const seen = await askWhile(async (clients) => {
    // A look at the manifest is valid for 100 ms, so that clients do not see every build.
    for (let built = 1; built <= Math.max(10, runs(20)); built += 1) {
      await publish(built % 4 === 0);
      // A build on this thread blocks all answers.
      await Promise.all(clients.map((client) => client.progress()));
    }
  }, true);
  expect(seen.size).toBeGreaterThan(2);
});

it('each answer is from one snapshot while hundreds of snapshots replace each other', async () => {
  const snapshots: MemoryFolder[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    rename(generation + nth);
    snapshots.push(await compileInMemory(built.connection));
  }
  const seen = await askWhile(async (clients) => {
    // As many more as happen before a client looks at the manifest again.
    const isSeen = () => clients.some(({ seen }) => seen.size > 1);
    for (let swap = 1; swap <= runs(300) || (!isSeen() && swap <= 10_000); swap += 1) {
      await replace(snapshots[(swap - 1) % 4]!, snapshots[swap % 4]!, swap);
      await Promise.all(clients.map((client) => client.progress()));
    }
  }, false);
  expect(seen.size).toBeGreaterThan(1);
  generation += 3;
});

/** Replaces the shards as a build does, with requests between the steps, each time between others. */
async function replace(before: MemoryFolder, after: MemoryFolder, swap: number): Promise<void> {
  const isShard = (path: string) => path.startsWith('shards/');
  let step = swap;
  const pause = async () => {
    step += 1;
    if (step % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  for (const path of [...after.files.keys()].filter(isShard)) {
    const file = join(built.out, path);
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, after.files.get(path)!);
    await pause();
  }
  const manifest = join(built.out, 'manifest.json');
  writeFileSync(`${manifest}.new`, after.files.get('manifest.json')!);
  renameSync(`${manifest}.new`, manifest);
  await pause();
  for (const path of [...before.files.keys()].filter(isShard)) {
    if (after.files.has(path)) continue;
    rmSync(join(built.out, path), { force: true });
    await pause();
  }
}

it('a new snapshot is used a moment after its build', async () => {
  for (let round = 1; round <= 3; round += 1) {
    await publish();
    await new Promise((resolve) => setTimeout(resolve, 120));
    for (const question of questions)
      expect([...generationsIn((await service.ask(question)).body)], question).toEqual([generation]);
  }
});

it('an unchanged answer keeps its ETag, a changed one gets a new one', async () => {
  const tagsOf = async () =>
    Promise.all(
      ['/api/ceremonies', '/api/movies/25'].map(async (path) => (await service.ask(path)).headers.etag),
    );
  const [ceremonies, movie] = await tagsOf();
  await publish();
  await new Promise((resolve) => setTimeout(resolve, 120));
  const [ceremoniesAfter, movieAfter] = await tagsOf();
  expect(ceremoniesAfter).toBe(ceremonies);
  expect(movieAfter).not.toBe(movie);
});
