/**
 * The promise: beside a running service the command line may build and import, and a database tool may change rows. The service
 * goes on, refuses what it must with word when to come again, and shows what the others did once it is built.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { Choices } from '../bench/random.ts';
import { recordOf } from '../import/record-text.ts';
import { awards } from '../snapshot/command-line.ts';
import { Client } from './client.ts';
import { Editor } from './editor.ts';
import { type Place, withDatabase } from './place.ts';
import { ServiceProcess } from './service-process.ts';
import { faultsAtRest, Stage } from './stage.ts';
import { emptyTally } from './tally.ts';
import { useMemoryFolder } from './workspace.ts';

const at = useMemoryFolder();
const seed = Math.floor(Math.random() * 2 ** 32);
const tally = emptyTally();
const editor = new Editor(1, new Choices(seed), tally);
let place: Place;
let service: ServiceProcess;
let client: Client;
beforeAll(async () => {
  place = (await Stage.prepare(at('original'), siteDocuments)).copyTo(at('beside'));
  service = new ServiceProcess(place);
  client = new Client(await service.address);
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  expect(
    await withDatabase(place, (connection) => faultsAtRest(connection, place.out, siteDocuments)),
  ).toEqual([]);
});

const titleOf = async (movie: number) =>
  (JSON.parse((await client.get(`/api/movies/${movie}`)).body.toString()) as { title: string }).title;

/** Lets an editor write while something else is done; fails if anything but a timely refusal comes of it. */
async function writeWhile(work: () => Promise<void>): Promise<void> {
  const { acknowledged } = tally;
  let stopped = false;
  const writing = editor.work(client, () => stopped);
  await work().finally(() => {
    stopped = true;
  });
  await writing;
  await editor.check(client);
  expect({ seed, lost: tally.lost, wrong: tally.wrong }).toEqual({ seed, lost: [], wrong: [] });
  expect(tally.acknowledged).toBeGreaterThan(acknowledged);
}

test('a build of everything', async () => {
  await writeWhile(async () => {
    const words = ['build', '--full', '--no-downloads', '--db', place.db, '--out', place.out];
    expect(await awards(words)).toMatchObject({ code: 0, stderr: '' });
  });
});

test('an import, shown with the next write', async () => {
  const source = at('source.tsv');
  writeFileSync(source, recordOf({}, { Film: 'Flow', FilmId: 'tt4772188', Winner: '' }));
  await writeWhile(async () => {
    expect(await awards(['import', source, '--db', place.db])).toMatchObject({ code: 0, stderr: '' });
  });
  expect((await client.write('/api/movies/1', { tagline: 'Again.' })).status).toBe(200);
  const { body } = await client.get('/api/movies?title=flow');
  expect(JSON.parse(body.toString())).toMatchObject({ pagination: { total: 1 }, data: [{ title: 'Flow' }] });
});

test('a change by a database tool, shown with the next build, and no reason for a write to overwrite it', async () => {
  const tool = new Database(place.db);
  tool.exec("UPDATE movies SET title = 'By hand' WHERE id = 2");
  tool.close();
  const { body } = await client.write('/api/movies/2', { runtime: 99 });
  expect(JSON.parse(body.toString())).toMatchObject({ title: 'By hand', runtime: 99 });
  expect(await titleOf(2)).toBe('By hand');
});

test('a tool that keeps the database to itself: writes are refused in good time, and reads go on', async () => {
  const tool = new Database(place.db);
  // Its build is answered for, but not noted yet.
  expect((await client.write('/api/movies/3', { tagline: 'Just before.' })).status).toBe(200);
  tool.exec("BEGIN IMMEDIATE; UPDATE movies SET title = 'Half way' WHERE id = 3");
  const began = performance.now();
  const [refused, read] = await Promise.all([
    client.write('/api/movies/3', { title: 'Refused' }),
    client.get('/api/movies/3'),
  ]);
  expect(performance.now() - began).toBeLessThan(2000);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(read.status).toBe(200);
  expect(await titleOf(3)).toBe('8½');
  tool.exec('COMMIT');
  tool.close();
  expect((await client.write('/api/movies/3', { runtime: 138 })).status).toBe(200);
  expect(await titleOf(3)).toBe('Half way');
});

test('a tool that begins to write while a write is being shown: that is made or refused, and nothing is stuck', async () => {
  const tool = new Database(place.db);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const writing = client.write('/api/movies/3', { tagline: `Attempt ${attempt}` });
    await pause(attempt * 3);
    tool.exec('BEGIN IMMEDIATE');
    await pause(300);
    tool.exec('COMMIT');
    const { status, headers } = await writing;
    expect([200, 503]).toContain(status);
    if (status === 503) expect(headers['retry-after']).toBe('1');
  }
  tool.close();
  expect((await client.write('/api/movies/3', { tagline: 'At last' })).status).toBe(200);
});
