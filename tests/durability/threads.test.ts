/**
 * The promise: the writer thread may end at any moment. A waiting write is answered as unknown, never as made if it was not, and
 * the next write gets a new thread.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, test, vi } from 'vitest';
import { WriterClient } from '../../api/write/writer-client.ts';
import { openWriting } from '../../api/write/writing.ts';
import type { WriteRequest } from '../../api/write/outcomes.ts';
import { startService } from '../service/running-service.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { seeded } from '../support/seed.ts';
import { Client } from './client.ts';
import { expectAtRestSoon, Fixture, faultsAtRest } from './fixture.ts';
import { faultsOfAcknowledged } from './history-replay.ts';
import { withDatabase } from './workspace.ts';
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
const fixture = await Fixture.prepare(at('original'));
const workspace = fixture.copyTo(at('case'));
const replay = await fixture.replay();
const errors: unknown[] = [];
const writer = new WriterClient(workspace, (error) => errors.push(error));
await writer.ready;
afterAll(async () => {
  await writer.close();
  await withDatabase(workspace, async (connection) => {
    expect(replay.follow(connection)).toEqual([]);
    expect(await faultsAtRest(connection, workspace.out)).toEqual([]);
  });
});

const titled = (title: string, id = 1): WriteRequest => ({
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
  detail: 'the writer ended during the write; read the record to see whether it was changed',
};

const terminate = () => threads.at(-1)!.terminate();
/** A message that the thread cannot handle: it ends with an uncaught error. */
function crash(): Promise<unknown> {
  const thread = threads.at(-1)!;
  thread.postMessage(null);
  return new Promise((resolve) => thread.once('exit', resolve));
}

test('a thread that is terminated or crashes, before or during the writes: each write is made, or answered as unknown', async () => {
  const choices = seeded('threads');
  const acknowledged: Acknowledgement[] = [];
  let unanswered = 0;
  const write = async (order: WriteRequest) => {
    const outcome = await writer.write(order);
    if (!('problem' in outcome)) acknowledged.push({ order, done: outcome });
    else {
      expect(outcome).toEqual(unknown);
      unanswered += 1;
    }
  };
  for (const end of [terminate, crash])
    for (const moment of ['before', 'during']) {
      const name = `${end.name} ${moment}`;
      const orders = Array.from({ length: 9 }, (_, i) => titled(`${name}, write ${i}`, 1 + (i % 3)));
      const writing = Promise.all(orders.map(write));
      if (moment === 'during') await pause(choices.between(0, 15));
      await end();
      await writing;
      expect(await writer.write(titled(`After ${name}`))).toEqual(done(`After ${name}`));
    }
  expect(unanswered).toBeGreaterThan(0);
  const faults = await withDatabase(workspace, (connection) =>
    faultsOfAcknowledged(connection, acknowledged),
  );
  expect(faults).toEqual([]);
});

test('what it acknowledged and could not show yet is shown without another write', async () => {
  // Pages of the writes before may still be written.
  await expectAtRestSoon(workspace);
  rmSync(workspace.out, { recursive: true });
  writeFileSync(workspace.out, 'not a folder');
  expect(await writer.write(titled('Pending'))).toMatchObject({ published: undefined });
  await terminate();
  rmSync(workspace.out);
  await expectAtRestSoon(workspace);
});

test('a database that is gone: the write is refused, and taken when the database is back', async () => {
  const { db } = workspace;
  const files = ['', '-wal', '-shm'].map((suffix) => db + suffix);
  const move = (from: string, to: string) => {
    for (const file of files)
      try {
        renameSync(file + from, file + to);
      } catch {
        // The last connection removes -wal and -shm.
      }
  };
  move('', '.gone');
  await terminate();
  expect(await writer.write(titled('Nowhere'))).toEqual(unknown);
  expect(String(errors)).toContain('there is no database at');
  expect(await writer.write(titled('Nowhere'))).toEqual(unknown);
  move('.gone', '');
  expect(await writer.write(titled('Back'))).toEqual(done('Back'));
});

test('a service without a thread starts one for the next write, and can still stop', async () => {
  const other = fixture.copyTo(at('service'));
  const failures: unknown[] = [];
  const writing = await openWriting({ ...other, writeLimit: 0, onError: (error) => failures.push(error) });
  const service = await startService(other.out, { writing });
  const client = new Client(`http://127.0.0.1:${service.port}`);
  const write = (title: string) => client.write('/api/movies/1', { title });
  const waiting = Array.from({ length: 5 }, (_, i) => write(`Waiting ${i}`));
  await pause(10);
  await terminate();
  for (const { status, headers } of await Promise.all(waiting))
    expect(status === 200 || (status === 503 && headers['retry-after'] === '1')).toBe(true);
  expect((await write('Again')).status).toBe(200);
  expect(await client.read('/api/movies/1')).toMatchObject({ title: 'Again' });
  await terminate();
  await service.stop();
  await writing.close();
  expect([...service.failures, ...failures]).toEqual([]);
});
