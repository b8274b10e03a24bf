/**
 * The promise: on a full disk, or with a read-only folder, a write is either refused and not made, or made and acknowledged as
 * pending. As soon as there is room again, everything comes right by itself.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';
import { recordOf } from '../import/record-text.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { awards } from '../support/processes.ts';
import type { Client } from './client.ts';
import { Crew } from './crew.ts';
import { expectAtRestSoon, Fixture, servedLayers } from './fixture.ts';
import { fillUp, mountObstacle, mountReadOnly, mountSmallDisk } from './mounts.ts';
import { ServiceProcess } from './service-process.ts';
import { type Workspace, withDatabase } from './workspace.ts';

const at = useMemoryFolder();
const obstacle = mountObstacle();
/** Several times the size of the folder and the database, so that only the filler makes the disk full. */
const diskSize = '16m';
const fixture = await Fixture.prepare(at('original'), servedLayers);

/** Undone after each test, the last first. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

function serve(workspace: Workspace): ServiceProcess {
  const service = new ServiceProcess(workspace);
  undo.push(() => service.kill());
  return service;
}

/**
 * Lets editors write before the disk of a folder is full, while it is, and after it.
 * @param hasShown whether the full disk has shown in the numbers of the answers; the disk stays full until then
 */
async function writeThroughFullDisk(
  workspace: Workspace,
  folder: string,
  freeBytes: number,
  hasShown: (tally: Crew['tally']) => boolean,
) {
  const replay = await fixture.replay();
  const service = serve(workspace);
  const client = await service.client;
  const crew = new Crew(`full disk ${folder} ${freeBytes}`, 3);
  await crew.during([client], async () => {
    await pause(50);
    const release = fillUp(folder, freeBytes);
    undo.push(release);
    await pause(500);
    await expect.poll(() => hasShown(crew.tally), { timeout: 15_000, interval: 100 }).toBe(true);
    release();
    await pause(100);
  });
  await expectAtRestSoon(workspace, servedLayers);
  await crew.expectNothingLost([client]);
  expect(await service.stop()).toBe(0);
  expect(await withDatabase(workspace, (connection) => replay.follow(connection))).toEqual([]);
}

describe.skipIf(obstacle)(`a full disk${obstacle ? ` (skipped: ${obstacle})` : ''}`, () => {
  test.each([0, 3000, 20_000])(
    'of the snapshot, %i bytes free: writes are acknowledged as pending',
    async (freeBytes) => {
      const folder = at(`snapshot-${freeBytes}`);
      undo.push(mountSmallDisk(join(folder, 'dist'), diskSize));
      const workspace = fixture.copyTo(folder);
      // With some bytes free, small shards still have room.
      await writeThroughFullDisk(
        workspace,
        workspace.out,
        freeBytes,
        ({ pending }) => freeBytes > 0 || pending > 0,
      );
    },
  );

  test.each([0, 3000, 20_000])('of the database, %i bytes free: writes are refused', async (freeBytes) => {
    const folder = at(`database-${freeBytes}`);
    undo.push(mountSmallDisk(folder, diskSize));
    const workspace = { ...fixture.copyTo(folder), out: at(`of-database-${freeBytes}`) };
    rmSync(join(folder, 'dist'), { recursive: true });
    await writeThroughFullDisk(workspace, folder, freeBytes, ({ refused }) => refused > 0);
  });

  test('of both: writes are refused, or acknowledged as pending', async () => {
    const folder = at('both');
    undo.push(mountSmallDisk(folder, diskSize));
    const workspace = fixture.copyTo(folder);
    await writeThroughFullDisk(workspace, folder, 30_000, ({ pending, refused }) => pending + refused > 0);
  });
});

/** Runs a command on disks that are full at different points of its work. @returns its exit codes */
async function onSmallDisks(command: string, words: readonly string[]): Promise<Set<number | null>> {
  const codes = new Set<number | null>();
  // The sample takes 1 MB, and as much in its log.
  for (const kilobytes of [200, 900, 1100, 1500, 1900, 4000]) {
    const folder = at(`${command}-${kilobytes}`);
    const unmount = mountSmallDisk(folder, `${kilobytes}k`);
    try {
      const { code, stderr } = await awards([command, ...words, '--db', join(folder, 'awards.db')]);
      expect(stderr).toMatch(
        code === 0 ? /^$/ : /^awards: (there is no space left|cannot open)[^\n]+ full[^\n]*\n$/,
      );
      codes.add(code);
      expect(readdirSync(folder)).toEqual(code === 0 ? ['awards.db'] : []);
      if (code === 0) {
        const connection = openDatabase(join(folder, 'awards.db'), { mustExist: true, check: true });
        expect(countRecords(connection).nominations).toBeGreaterThan(1000);
        connection.close();
      }
    } finally {
      unmount();
    }
  }
  return codes;
}

test.skipIf(obstacle)('a new database is whole, or not there', async () => {
  const record = at('record.tsv');
  writeFileSync(
    record,
    recordOf(...Array.from({ length: 1500 }, (_, i) => ({ Film: `Film ${i}`, FilmId: `tt${1e7 + i}` }))),
  );
  const outcomes = new Set([1, 0]);
  expect(await onSmallDisks('import', [record])).toEqual(outcomes);
  expect(await onSmallDisks('sample', [])).toEqual(outcomes);
  expect(await onSmallDisks('generate', ['--scale', '0.07'])).toEqual(outcomes);
});

test.skipIf(obstacle)('a database on a full disk is not called damaged', async () => {
  const folder = at('full-database');
  undo.push(mountSmallDisk(folder, diskSize));
  const { db, out } = fixture.copyTo(folder);
  fillUp(folder, 0);
  const { stderr } = await awards(['build', '--db', db, '--out', out]);
  expect(stderr).toBe(`awards: cannot open the database ${db}: its disk is full; make room\n`);
  const { stdout } = await awards(['doctor', '--db', db, '--out', out]);
  expect(stdout).toMatch(/✗ database +cannot be read: its disk is full; make room/);
});

describe('a folder of the snapshot that cannot be written to', () => {
  /** Expects a write to be acknowledged as pending. */
  async function expectPending(client: Client, title: string): Promise<void> {
    const { status, headers } = await client.write('/api/movies/1', { title });
    expect({ status, pending: headers['snapshot-pending'] }).toEqual({ status: 200, pending: '?1' });
    expect([headers.etag, headers.snapshot]).toEqual([undefined, undefined]);
  }
  /** Expects a write to be refused, and nothing to be changed. */
  async function expectRefused(client: Client): Promise<void> {
    const receipts = (await client.receipts()).body.toString();
    const { status, headers, body } = await client.write('/api/movies/1', { title: 'Refused' });
    expect({ status, later: headers['retry-after'] }).toEqual({ status: 503, later: '1' });
    expect(JSON.parse(body.toString())).toMatchObject({
      type: 'urn:film-awards:problem:writing-unavailable',
    });
    expect((await client.receipts()).body.toString()).toBe(receipts);
    expect(await client.read('/readyz')).toMatchObject({
      status: 'degraded',
      problems: [
        expect.stringMatching(/^builds of the snapshot have failed since .+, and writes are refused: /),
      ],
    });
  }
  const expectTitle = async (client: Client, title: string) =>
    expect(await client.read('/api/movies/1')).toMatchObject({ title });

  test.skipIf(obstacle)(
    'takes one write that is safe, and refuses further ones until it can be written to',
    async () => {
      const workspace = fixture.copyTo(at('read-only'));
      const client = await serve(workspace).client;
      await expect.poll(() => client.isCurrent(), { timeout: 10_000 }).toBe(true);
      const makeWritable = mountReadOnly(workspace.out);
      undo.push(makeWritable);
      await expectPending(client, 'Safe');
      await expectRefused(client);
      await expectTitle(client, 'Amélie');
      undo.splice(undo.indexOf(makeWritable), 1);
      makeWritable();
      await expectAtRestSoon(workspace, servedLayers);
      await expectTitle(client, 'Safe');
      await expect.poll(() => client.isCurrent(), { timeout: 10_000 }).toBe(true);
      expect(
        (await client.write('/api/movies/1', { title: 'Shown' })).headers['snapshot-pending'],
      ).toBeUndefined();
      await expectTitle(client, 'Shown');
    },
  );

  test.skipIf(obstacle)('does not keep the service from starting and reading', async () => {
    const workspace = fixture.copyTo(at('read-only-start'));
    const makeWritable = mountReadOnly(workspace.out);
    undo.push(makeWritable);
    const client = await serve(workspace).client;
    await expectTitle(client, 'Amélie');
    await expect
      .poll(async () => (await client.read('/readyz')).status, { timeout: 10_000 })
      .toBe('degraded');
    await expectRefused(client);
    undo.splice(undo.indexOf(makeWritable), 1);
    makeWritable();
    await expect.poll(() => client.isCurrent(), { timeout: 10_000 }).toBe(true);
    expect((await client.write('/api/movies/1', { title: 'Shown' })).status).toBe(200);
  });

  test('because it became a file, or is gone', async () => {
    const workspace = fixture.copyTo(at('file'));
    const client = await serve(workspace).client;
    // In one step: the service writes into the folder meanwhile.
    renameSync(workspace.out, `${workspace.out}-before`);
    writeFileSync(workspace.out, 'not a folder');
    await expectPending(client, 'Safe');
    await expect
      .poll(async () => (await client.write('/api/movies/1', { title: 'Refused' })).status)
      .toBe(503);
    const { status, headers } = await client.get('/api/movies/2');
    expect({ status, later: headers['retry-after'] }).toEqual({ status: 503, later: '2' });
    rmSync(workspace.out);
    await expectAtRestSoon(workspace, servedLayers);
    await expectTitle(client, 'Safe');
    await expect.poll(() => client.isCurrent(), { timeout: 10_000 }).toBe(true);
    renameSync(workspace.out, `${workspace.out}-after`);
    const { headers: written } = await client.write('/api/movies/1', { title: 'Made anew' });
    expect(written['snapshot-pending']).toBeUndefined();
    await expectAtRestSoon(workspace, servedLayers);
  });
});

test.skipIf(obstacle)('a read-only database is refused in one line, and found by the doctor', async () => {
  const folder = at('read-only-database');
  mkdirSync(folder);
  const workspace = fixture.copyTo(folder);
  undo.push(mountReadOnly(folder));
  const { code, stdout, stderr } = await awards([
    'serve',
    '--port',
    '0',
    '--db',
    workspace.db,
    '--out',
    workspace.out,
  ]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^awards: cannot open the database [^\n]+\n$/);
  const doctor = await awards(['doctor', '--db', workspace.db, '--out', workspace.out]);
  expect(doctor).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✗ database .+ cannot be /),
  });
});
