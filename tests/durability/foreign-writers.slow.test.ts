/**
 * The promise: while a service runs, the command line may build and import, and other programs may change rows. The service goes
 * on, refuses with Retry-After what it must, and shows foreign changes once they are built.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { recordOf } from '../import/record-text.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';
import { Crew } from './crew.ts';
import { faultsAtRest, Fixture, servedLayers } from './fixture.ts';
import { ServiceProcess } from './service-process.ts';
import { withDatabase } from './workspace.ts';

const at = useMemoryFolder();
const crew = new Crew('foreign writers', 1);
const workspace = (await Fixture.prepare(at('original'), servedLayers)).copyTo(at('case'));
const service = new ServiceProcess(workspace);
const client = await service.client;
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  const { out } = workspace;
  const faults = await withDatabase(workspace, (connection) => faultsAtRest(connection, out, servedLayers));
  expect(faults).toEqual([]);
});

/** Runs a command while an editor writes. */
async function runBesideEditor(words: readonly string[]): Promise<void> {
  await crew.during([client], async () => {
    expect(await awards([...words, '--db', workspace.db])).toMatchObject({ code: 0, stderr: '' });
  });
  await crew.expectNothingLost([client]);
}

const patch = (id: number, body: object) => client.write(`/api/movies/${id}`, body);

test('a build of everything', () =>
  runBesideEditor(['build', '--full', '--no-downloads', '--out', workspace.out]));

test('an import, shown with the next write', async () => {
  const source = at('source.tsv');
  writeFileSync(source, recordOf({}, { Film: 'Flow', FilmId: 'tt4772188', Winner: '' }));
  await runBesideEditor(['import', source]);
  expect((await patch(1, { tagline: 'Again.' })).status).toBe(200);
  const found = await client.read('/api/movies?title=flow');
  expect(found).toMatchObject({ pagination: { total: 1 }, data: [{ title: 'Flow' }] });
});

test('while another program locks the database, writes are refused, /readyz says so, and reads go on', async () => {
  const other = new Database(workspace.db);
  // Its build is answered for, but not noted yet.
  expect((await patch(3, { tagline: 'Just before.' })).status).toBe(200);
  other.exec("BEGIN IMMEDIATE; UPDATE movies SET title = 'Half way' WHERE id = 3");
  const [refused, read] = await Promise.all([patch(3, { title: 'Refused' }), client.read('/api/movies/3')]);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(read).toMatchObject({ title: '8½' });
  expect(await client.read('/readyz')).toMatchObject({
    status: 'degraded',
    problems: expect.arrayContaining(['another program has locked the database: writes are refused']),
  });
  other.exec('COMMIT');
  other.close();
  expect((await patch(3, { runtime: 138 })).status).toBe(200);
  expect(await client.read('/api/movies/3')).toMatchObject({ title: 'Half way' });
  expect(await client.read('/readyz')).toMatchObject({ status: 'ready', problems: [] });
});

test.each([0, 3, 6])(
  'a lock %i ms after a write was sent: the write is made or refused, and the next one is made',
  async (delayMs) => {
    const other = new Database(workspace.db);
    const writing = patch(3, { tagline: `After ${delayMs}` });
    await pause(delayMs);
    other.exec('BEGIN IMMEDIATE');
    await pause(300);
    other.exec('COMMIT');
    other.close();
    const { status, headers } = await writing;
    expect([200, 503]).toContain(status);
    if (status === 503) expect(headers['retry-after']).toBe('1');
    expect((await patch(3, { tagline: 'At last' })).status).toBe(200);
  },
);
