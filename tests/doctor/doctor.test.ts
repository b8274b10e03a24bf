/** "doctor" finds each thing that can be wrong, says so in one line with what to do next, and changes nothing. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createService } from '../../api/serve/server.ts';
import { build } from '../support/build.ts';
import { examine } from '../../build/cli/doctor/doctor.ts';
import type { Finding } from '../../build/cli/doctor/finding.ts';
import { checkNode, judgeSpace } from '../../build/cli/doctor/machine.ts';
import { makeDownloads } from '../../build/layers/downloads/downloads.ts';
import { createKey } from '../../data/keys.ts';
import { openDatabase } from '../../data/open.ts';
import { awards } from '../command-line/awards.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { expectSameTree, readTree } from '../snapshot/tree.ts';

removeTemporaryFolders();
let sound: string;
let folder: string;
let port: number;
const db = () => join(folder, 'awards.db');
const out = () => join(folder, 'dist');

beforeAll(async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  port = (free.address() as AddressInfo).port;
  await new Promise((resolve) => free.close(resolve));
  // The database knows the folder by its path, so it is laid out anew for each test in one place.
  folder = join(temporaryFolder(), 'place');
  sound = join(temporaryFolder(), 'sound');
  const connection = openDatabase(db());
  fillWithTinyRecord(connection);
  createKey(connection, 'editor', new Date(0));
  await build(connection, out());
  await makeDownloads(out());
  connection.close();
  cpSync(folder, sound, { recursive: true });
});
beforeEach(() => {
  rmSync(folder, { recursive: true });
  cpSync(sound, folder, { recursive: true });
});

const examined = (more: object = {}) =>
  examine({ db: db(), out: out(), port, host: '127.0.0.1', environmentKey: undefined, ...more });

/** All that lies there, but what connections tell each other by while they are open. */
const contents = () => new Map([...readTree(folder)].filter(([path]) => !path.endsWith('-shm')));

/** The finding about one subject, after some harm, which must leave the folder as it was. */
async function found(subject: string, harm: () => void = () => {}, more?: object): Promise<Finding> {
  harm();
  const before = contents();
  const findings = await examined(more);
  expectSameTree(contents(), before);
  for (const finding of findings) {
    expect(finding.found).not.toContain('\n');
    if (finding.state === 'wrong' || finding.state === 'note') expect(finding.advice).toMatch(/\S/);
  }
  return findings.find((finding) => finding.subject === subject)!;
}

/** Changes the database and closes it. */
function change(sql: string): void {
  const connection = new Database(db());
  connection.pragma('foreign_keys = OFF');
  connection.exec(sql);
  connection.close();
}

it('finds nothing wrong where nothing is, and writes nothing', async () => {
  const before = readTree(folder);
  const findings = await examined();
  expect(findings.map(({ subject, state }) => `${subject} ${state}`)).toEqual([
    'Node fine',
    'native module fine',
    'database fine',
    'snapshot fine',
    'downloads fine',
    'disk fine',
    'port fine',
    'keys fine',
  ]);
  expectSameTree(readTree(folder), before);
});

describe('the database', () => {
  it.each<[string, () => void, object]>([
    [
      'is missing',
      () => rmSync(db()),
      {
        state: 'wrong',
        found: expect.stringMatching(/there is none at .*awards\.db/),
        advice: expect.stringContaining('awards sample'),
      },
    ],
    [
      'is no database',
      () => writeFileSync(db(), 'no database, but long enough to be looked at'.repeat(99)),
      {
        state: 'wrong',
        found: expect.stringMatching(/cannot be read: file is not a database/),
        advice: expect.stringContaining('--db'),
      },
    ],
    [
      'is a folder',
      () => {
        rmSync(db());
        mkdirSync(db());
      },
      { state: 'wrong', found: expect.stringMatching(/cannot be read/) },
    ],
    [
      'is another program’s',
      () => {
        rmSync(db());
        change('CREATE TABLE bookmarks (url TEXT)');
      },
      { state: 'wrong', found: expect.stringMatching(/another program/) },
    ],
    [
      'is of a newer version',
      () => change('PRAGMA user_version = 99'),
      {
        state: 'wrong',
        found: expect.stringMatching(/newer version .*schema 99/),
        advice: 'update the program',
      },
    ],
    [
      'is of an older version',
      () => change('PRAGMA user_version = 1'),
      { state: 'note', found: expect.stringMatching(/older version .*schema 1 of/) },
    ],
    [
      'has no records',
      () =>
        change(
          'DELETE FROM nominations; DELETE FROM movies; DELETE FROM nominees; DELETE FROM songs; DELETE FROM categories; DELETE FROM ceremonies',
        ),
      { state: 'wrong', found: expect.stringMatching(/has no records/) },
    ],
    [
      'has a broken reference',
      () => change('DELETE FROM movies WHERE id = 1'),
      {
        state: 'wrong',
        found: expect.stringMatching(/nominations 1 refers to a record of movies that is not there/),
      },
    ],
    [
      'is damaged',
      () => {
        const bytes = readFileSync(db());
        // The pages in the middle; the first one says what the others are.
        bytes.fill(0x5a, 8192, bytes.length - 4096);
        writeFileSync(db(), bytes);
      },
      { state: 'wrong', found: expect.stringMatching(/is damaged|cannot be read/) },
    ],
  ])('%s', async (_name, harm, expected) => {
    expect(await found('database', harm)).toMatchObject(expected);
  });

  it('is in use by a service: looked at all the same', async () => {
    const connection = openDatabase(db());
    connection.exec("UPDATE movies SET tagline = 'x' WHERE id = 1");
    expect(await found('database')).toMatchObject({ state: 'fine' });
    connection.close();
  });
});

describe('the snapshot', () => {
  it.each<[string, () => void, object]>([
    [
      'is missing',
      () => rmSync(out(), { recursive: true }),
      {
        state: 'wrong',
        found: expect.stringMatching(/there is none in/),
        advice: expect.stringContaining('awards build'),
      },
    ],
    [
      'is damaged',
      () => writeFileSync(join(out(), 'manifest.json'), '{}'),
      { state: 'wrong', found: expect.stringMatching(/damaged/), advice: expect.stringContaining('--full') },
    ],
    [
      'was cut short',
      () => writeFileSync(join(out(), '.building'), ''),
      { state: 'wrong', found: expect.stringMatching(/cut short/) },
    ],
    [
      'is of another database',
      () => change('DELETE FROM builds'),
      { state: 'wrong', found: expect.stringMatching(/not built from this database/) },
    ],
    [
      'is behind',
      () => change("UPDATE movies SET tagline = 'x' WHERE id < 3"),
      { state: 'note', found: expect.stringMatching(/2 changes behind/) },
    ],
    ['cannot be told of without a database', () => rmSync(db()), { state: 'skipped' }],
  ])('%s', async (_name, harm, expected) => {
    expect(await found('snapshot', harm)).toMatchObject(expected);
  });
});

describe('the downloads', () => {
  it.each<[string, () => void, object]>([
    [
      'are missing',
      () => rmSync(join(out(), 'downloads'), { recursive: true }),
      { state: 'note', found: 'there are none', advice: expect.stringContaining('awards build') },
    ],
    [
      'are not whole',
      () => rmSync(join(out(), 'downloads/movies.csv')),
      { state: 'note', found: expect.stringMatching(/earlier snapshot, or not whole/) },
    ],
    ['have no snapshot', () => rmSync(join(out(), 'manifest.json')), { state: 'skipped' }],
  ])('%s', async (_name, harm, expected) => {
    expect(await found('downloads', harm)).toMatchObject(expected);
  });
});

describe('the port', () => {
  it('is in use by another program, or none that can be had', async () => {
    const other = createWebServer((_request, response) => response.end('{}'));
    await new Promise((resolve) => other.listen(port, '127.0.0.1', () => resolve(undefined)));
    expect(await found('port')).toMatchObject({ state: 'wrong', advice: expect.stringContaining('--port') });
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    expect(await found('port', undefined, { host: '192.0.2.1' })).toMatchObject({ state: 'wrong' });
  });

  it('is where the service runs', async () => {
    const service = createService({ out: out(), readLimit: 0, proxies: [], onError: () => {} });
    await new Promise((resolve) => service.listen(port, '127.0.0.1', () => resolve(undefined)));
    expect(await found('port')).toMatchObject({
      state: 'fine',
      found: expect.stringMatching(/service .* answers/),
    });
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });
});

it('keys: none that is good, unless the environment has one', async () => {
  const revoke = () => change("UPDATE api_keys SET revoked_at = '2020-01-01T00:00:00.000Z'");
  expect(await found('keys', revoke)).toMatchObject({
    state: 'note',
    advice: expect.stringContaining('keys create'),
  });
  expect(await found('keys', revoke, { environmentKey: 'secret' })).toMatchObject({ state: 'fine' });
});

it('a Node that is too old, a disk that is nearly full', () => {
  for (const version of ['18.20.8', '20.18.3']) expect(checkNode(version)).toMatchObject({ state: 'wrong' });
  for (const version of ['20.19.0', '22.1.0']) expect(checkNode(version)).toMatchObject({ state: 'fine' });
  const megabytes = 1024 * 1024;
  expect(judgeSpace(10 * megabytes, 'dist').state).toBe('wrong');
  expect(judgeSpace(100 * megabytes, 'dist').state).toBe('note');
  expect(judgeSpace(1000 * megabytes, 'dist').state).toBe('fine');
});

describe('at the command line', () => {
  const run = (words: string[] = [], environment: Record<string, string> = {}) =>
    awards(['doctor', '--db', db(), '--out', out(), '--port', String(port), ...words], environment);

  it('a line each and a summary; exit code 1 if something is wrong; --json for machines', async () => {
    const [plain, machine] = await Promise.all([run(), run(['--json'])]);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout.split('\n')).toHaveLength(10);
    expect(plain.stdout).toMatch(/^✓ Node .*\n[\s\S]*\neverything is as it should be\n$/);
    expect(JSON.parse(machine.stdout)).toMatchObject({ healthy: true, findings: expect.any(Array) });
    rmSync(out(), { recursive: true });
    const broken = await run();
    expect(broken).toMatchObject({ code: 1, stderr: '' });
    expect(broken.stdout).toMatch(
      /\n✗ snapshot .*; "awards build" makes it\n[\s\S]*\n1 thing to put right\n$/,
    );
  });

  it.each<[string, string]>([
    [
      'does not fit this Node',
      "process.dlopen = () => { throw new Error('The module was compiled against another version') }",
    ],
    [
      'is not installed',
      "import m from 'node:module'; m.register('data:text/javascript,' + encodeURIComponent(\"export const resolve = (name, context, next) => { if (name === 'better-sqlite3') throw new Error('Cannot find package'); return next(name, context) }\"))",
    ],
  ])('a native module that %s: the rest is looked at all the same', async (_name, code) => {
    const preload = `--import=data:text/javascript,${encodeURIComponent(code)}`;
    const { code: exit, stdout, stderr } = await run([], { NODE_OPTIONS: preload });
    expect(stderr).toBe('');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/✗ native module .*cannot be loaded: .*npm rebuild better-sqlite3/);
    expect(stdout).toMatch(/- database .*native module/);
    expect(stdout).toMatch(/✓ port/);
  });
});
