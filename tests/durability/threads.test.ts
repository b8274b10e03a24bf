/**
 * The promise: the thread that writes may end at any moment. Whoever waits for it is told that nothing is known of the write,
 * never that it was made if it was not, and the next write has a new thread.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WriterClient } from '../../api/serve/writer-client.ts';
import { openWriting } from '../../api/serve/writing.ts';
import type { WriteOrder, WriteOutcome } from '../../api/write/writer.ts';
import { startService } from '../service/running-service.ts';
import { runs } from '../settings.ts';
import { Client } from './client.ts';
import { type Place, withDatabase } from './place.ts';
import { faultsOfAcknowledged, type Retelling } from './retelling.ts';
import { faultsAtRest, Stage } from './stage.ts';
import { useMemoryFolder } from './workspace.ts';
import type { Acknowledgement } from './writes.ts';

/** Every thread that was started, the latest last. */
const threads = vi.hoisted((): Worker[] => []);
vi.mock('node:worker_threads', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:worker_threads')>();
  return {
    ...original,
    Worker: class extends original.Worker {
      constructor(...parameters: ConstructorParameters<typeof original.Worker>) {
        super(...parameters);
        threads.push(this);
      }
    },
  };
});

const at = useMemoryFolder();
let stage: Stage;
let place: Place;
let retelling: Retelling;
let writer: WriterClient;
const troubles: unknown[] = [];
beforeAll(async () => {
  stage = await Stage.prepare(at('original'));
  place = stage.copyTo(at('case'));
  retelling = await stage.retelling();
  writer = await WriterClient.start(place, (error) => troubles.push(error));
});
afterAll(async () => {
  await writer.close();
  await expectAllWell();
});

const expectAllWell = () =>
  withDatabase(place, async (connection) => {
    expect(retelling.follow(connection)).toEqual([]);
    expect(await faultsAtRest(connection, place.out)).toEqual([]);
  });

/** The writer builds on by itself until nothing is owed. */
const expectAtRestSoon = () =>
  expect
    .poll(() => withDatabase(place, (connection) => faultsAtRest(connection, place.out)), { timeout: 10_000 })
    .toEqual([]);

const titled = (title: string, id = 1): WriteOrder => ({
  resource: 'movies',
  id,
  body: { title },
  ifMatch: undefined,
  key: 'editor',
});

const done = (title: string) =>
  expect.objectContaining({ created: false, record: expect.objectContaining({ title }) });
const unknown = {
  problem: 'writing-unavailable',
  detail: 'the writer ended while it was at work; read the record to see whether the write was made',
};

/** The ways a thread ends. */
const ends: (() => Promise<unknown>)[] = [
  () => threads.at(-1)!.terminate(),
  () => {
    const thread = threads.at(-1)!;
    // It cannot make anything of this, and nobody in there catches that.
    thread.postMessage(null);
    return new Promise((resolve) => thread.once('exit', resolve));
  },
];

test('it ends while writes are under way: each is made, or not known to be', async () => {
  const acknowledged: Acknowledgement[] = [];
  let unanswered = 0;
  const hear = (order: WriteOrder, outcome: WriteOutcome) => {
    if (!('problem' in outcome)) acknowledged.push({ order, done: outcome });
    else {
      expect(outcome).toEqual(unknown);
      unanswered += 1;
    }
  };
  for (let attempt = 0; attempt < runs(2); attempt += 1) {
    const orders = Array.from({ length: 9 }, (_, i) => titled(`Attempt ${attempt}, write ${i}`, 1 + (i % 3)));
    const writing = Promise.all(orders.map(async (order) => hear(order, await writer.write(order))));
    // The first time before anything can be done.
    if (attempt > 0) await pause(Math.random() * 15);
    await ends[attempt % ends.length]!();
    await writing;
    expect(await writer.write(titled(`After attempt ${attempt}`))).toEqual(done(`After attempt ${attempt}`));
  }
  expect(unanswered).toBeGreaterThan(0);
  const faults = await withDatabase(place, (connection) => faultsOfAcknowledged(connection, acknowledged));
  expect(faults).toEqual([]);
});

test('what it acknowledged and could not show yet is shown without another write', async () => {
  // The pages of the writes before may still be on their way.
  await expectAtRestSoon();
  rmSync(place.out, { recursive: true });
  writeFileSync(place.out, 'not a folder');
  expect(await writer.write(titled('Pending'))).toMatchObject({ shown: undefined });
  await threads.at(-1)!.terminate();
  rmSync(place.out);
  await expectAtRestSoon();
});

test('a database that is gone: the write is refused, and taken when the database is back', async () => {
  const { db } = place;
  const files = ['', '-wal', '-shm'].map((suffix) => db + suffix);
  const move = (from: string, to: string) => {
    for (const file of files)
      try {
        renameSync(file + from, file + to);
      } catch {
        // The last connection takes these two away with it.
      }
  };
  move('', '.gone');
  await threads.at(-1)!.terminate();
  expect(await writer.write(titled('Nowhere'))).toEqual(unknown);
  expect(String(troubles)).toContain('there is no database at');
  expect(await writer.write(titled('Nowhere'))).toEqual(unknown);
  move('.gone', '');
  expect(await writer.write(titled('Back'))).toEqual(done('Back'));
});

test('a service without a thread has one for the next write, and is not kept from ending', async () => {
  const other = stage.copyTo(at('service'));
  const errors: unknown[] = [];
  const writing = await openWriting({ ...other, writeLimit: 0, onError: (error) => errors.push(error) });
  const service = await startService(other.out, { writing });
  const client = new Client(`http://127.0.0.1:${service.port}`);
  const write = (title: string) => client.write('/api/movies/1', { title });
  const waiting = Array.from({ length: 5 }, (_, i) => write(`Waiting ${i}`));
  await pause(10);
  await threads.at(-1)!.terminate();
  for (const { status, headers } of await Promise.all(waiting))
    expect(status === 200 || (status === 503 && headers['retry-after'] === '1')).toBe(true);
  expect((await write('Again')).status).toBe(200);
  expect(JSON.parse((await client.get('/api/movies/1')).body.toString())).toMatchObject({ title: 'Again' });
  await threads.at(-1)!.terminate();
  client.close();
  await service.stop();
  await writing.close();
  expect([...service.failures, ...errors]).toEqual([]);
});
