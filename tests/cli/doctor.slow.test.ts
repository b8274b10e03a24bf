/** The promise: the doctor finds each fault, says in one line what to do, and changes nothing. */
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { examine, type Finding, type State } from '../../build/cli/doctor.ts';
import { createKey } from '../../data/record/keys.ts';
import { openDatabase } from '../../data/database/open.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { expectSameTree, readTree } from '../snapshot/tree.ts';
import { build } from '../support/build.ts';
import { awards } from '../support/processes.ts';

let sound: string;
let folder: string;
const db = () => join(folder, 'awards.db');
const out = () => join(folder, 'dist');

beforeAll(async () => {
  // The database knows the snapshot by its path, so every test gets its copy at the same path.
  folder = join(temporaryFolder(), 'case');
  sound = join(temporaryFolder(), 'sound');
  const connection = openDatabase(db());
  fillWithTinyRecord(connection);
  createKey(connection, 'editor', new Date(0));
  await build(connection, out(), { layers: layerNames });
  connection.close();
  cpSync(folder, sound, { recursive: true });
});
beforeEach(() => {
  rmSync(folder, { recursive: true });
  cpSync(sound, folder, { recursive: true });
});

const examined = (environmentKey?: string) => examine({ db: db(), out: out() }, environmentKey);

/** The files, without the shared memory of open connections. */
const contents = () => new Map([...readTree(folder)].filter(([path]) => !path.endsWith('-shm')));

/** The finding about a subject. The examination must leave the folder as it was. */
async function found(subject: string, environmentKey?: string): Promise<Finding> {
  const before = contents();
  const findings = await examined(environmentKey);
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
    'database fine',
    'snapshot fine',
    'pages fine',
    'site fine',
    'lists fine',
    'downloads fine',
    'keys fine',
    'films fine',
    'people fine',
    'terms fine',
  ]);
  expectSameTree(readTree(folder), before);
});

/** SQL of a value of a source, with its age. */
const provenance = (source: string, days: number) =>
  `INSERT INTO given (resource, record_id, source, source_id, retrieved_at, fields)
   SELECT 'movies', 1, '${source}', 'x', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${days} days'), json_object('title', title)
   FROM movies WHERE id = 1`;

const revokeKeys = "UPDATE api_keys SET revoked_at = '2020-01-01T00:00:00.000Z'";
const tables = ['nominations', 'movies', 'nominees', 'songs', 'categories', 'ceremonies'];
const remove = (path: string) => () => rmSync(join(folder, path), { recursive: true });

it.each<[subject: string, what: string, harm: () => void, state: State, found: RegExp, advice?: RegExp]>([
  ['database', 'missing', remove('awards.db'), 'wrong', /there is none at .*awards\.db/, /awards sample/],
  [
    'database',
    'not a database',
    () => writeFileSync(db(), 'no database, but long enough to be looked at'.repeat(99)),
    'wrong',
    /cannot be read: file is not a database/,
    /awards restore/,
  ],
  [
    'database',
    'a folder',
    () => {
      rmSync(db());
      mkdirSync(db());
    },
    'wrong',
    /cannot be read/,
  ],
  [
    'database',
    'of another program',
    () => {
      rmSync(db());
      change('CREATE TABLE bookmarks (url TEXT)');
    },
    'wrong',
    /another program/,
  ],
  [
    'database',
    'of another version',
    () => change('PRAGMA user_version = 99'),
    'wrong',
    /of another version .*schema 99/,
    /awards import/,
  ],
  [
    'database',
    'without records',
    () => change(tables.map((table) => `DELETE FROM ${table};`).join('')),
    'wrong',
    /has no records/,
  ],
  [
    'database',
    'with a broken reference',
    () => change('DELETE FROM movies WHERE id = 1'),
    'wrong',
    /nominations 1 refers to a missing record of movies/,
  ],
  [
    'database',
    'damaged',
    () => {
      const bytes = readFileSync(db());
      // The first page describes the others, and stays.
      bytes.fill(0x5a, 8192, bytes.length - 4096);
      writeFileSync(db(), bytes);
    },
    'wrong',
    /is damaged|cannot be read/,
  ],
  [
    'database',
    'with a value that a constraint forbids',
    () =>
      change('PRAGMA ignore_check_constraints = ON; UPDATE ceremonies SET ceremony_year = -3 WHERE id = 1'),
    'wrong',
    /is damaged: CHECK constraint failed in ceremonies/,
    /awards restore/,
  ],
  ['snapshot', 'missing', remove('dist'), 'wrong', /there is none in/, /awards build/],
  [
    'snapshot',
    'damaged',
    () => writeFileSync(join(out(), 'manifest.json'), '{}'),
    'wrong',
    /damaged/,
    /awards build/,
  ],
  [
    'snapshot',
    'of another database',
    () => change('DELETE FROM builds'),
    'wrong',
    /not built from this database/,
  ],
  [
    'snapshot',
    'behind',
    () => change("UPDATE movies SET tagline = 'x' WHERE id < 3"),
    'note',
    /2 changes behind/,
  ],
  ['snapshot', 'without a database', remove('awards.db'), 'skipped', /its database is unknown/],
  ['downloads', 'missing', remove('dist/layers/downloads.json'), 'note', /^there are none$/, /awards build/],
  [
    'downloads',
    'incomplete',
    remove('dist/downloads/movies.csv'),
    'wrong',
    /movies.csv is missing/,
    /awards build/,
  ],
  ['pages', 'incomplete', remove('dist/api/movies/1.json'), 'wrong', /is missing/, /awards build/],
  ['downloads', 'without a snapshot', remove('dist/manifest.json'), 'skipped', /made from a snapshot/],
  ['keys', 'all revoked', () => change(revokeKeys), 'note', /no key/, /keys create/],
  [
    'films',
    'as they are',
    () => {},
    'fine',
    /^3: filmindex_id 33 %, .*overview 33 %, .*runtime 66 %, .*poster_path 0 %/,
  ],
  // The company is not counted.
  ['people', 'as they are', () => {}, 'fine', /^3: filmindex_id 66 %, .*birthday 33 %/],
  ['terms', 'without a database', remove('awards.db'), 'skipped', /cannot be used/],
  [
    'terms',
    'a free value',
    () => change(provenance('wikidata', 999)),
    'fine',
    /^every value may be passed on$/,
  ],
  [
    'terms',
    'an edited value',
    () => change(`${provenance('tmdb', 999)}; UPDATE movies SET title = 'Edited' WHERE id = 1`),
    'fine',
    /^every/,
  ],
  [
    'terms',
    'a new value',
    () => change(provenance('tmdb', 2)),
    'fine',
    /^1 value of TMDB, not in the downloads$/,
  ],
  [
    'terms',
    'a value that expires soon',
    () => change(provenance('tmdb', 160)),
    'note',
    /1 value to renew within 30 days$/,
    /^"awards enrich tmdb --refresh" renews them$/,
  ],
  [
    'terms',
    'an expired value',
    () => change(provenance('tmdb', 182)),
    'wrong',
    /1 value older than the terms allow$/,
    /--refresh/,
  ],
  [
    'terms',
    'included in the downloads',
    () => {
      change(provenance('tmdb', 2));
      const index = join(out(), 'downloads/index.json');
      writeFileSync(index, readFileSync(index, 'utf8').replace('"notices":[]', '"notices":["This product"]'));
    },
    'fine',
    /^1 value of TMDB, in the downloads \(--include-restricted\)$/,
  ],
])('%s: %s', async (subject, _what, harm, state, text, advice = /^/) => {
  harm();
  const finding = await found(subject);
  expect(finding).toMatchObject({ state, found: expect.stringMatching(text) });
  expect(finding.advice ?? '').toMatch(advice);
});

it('the key of the environment counts', async () => {
  change(revokeKeys);
  expect(await found('keys', 'a-long-secret-of-20-')).toMatchObject({ state: 'fine' });
  expect(await found('keys', 'a-long-secret-of-19')).toMatchObject({ state: 'wrong' });
});

it('checks a database that a service has open', async () => {
  const connection = openDatabase(db());
  connection.exec("UPDATE movies SET tagline = 'x' WHERE id = 1");
  expect(await found('database')).toMatchObject({ state: 'fine' });
  connection.close();
});

it.each([
  ['the log', ['-wal']],
  ['the log and its index', ['-wal', '-shm']],
])(
  'advises no command that would discard acknowledged writes where a service lost %s',
  async (_, suffixes) => {
    const connection = openDatabase(db());
    connection.exec("UPDATE movies SET tagline = 'acknowledged' WHERE id = 1");
    await build(connection, out());
    const moved = temporaryFolder();
    for (const suffix of suffixes) renameSync(db() + suffix, join(moved, `log${suffix}`));
    const findings = await examined();
    expect(findings.find(({ subject }) => subject === 'database')).toMatchObject({
      ...{ state: 'wrong', found: expect.stringMatching(/awards\.db-wal is gone/) },
      advice: expect.stringMatching(/^stop the programs that use it, put the file back/),
    });
    expect(findings.filter(({ advice }) => advice?.includes('"awards '))).toEqual([]);
    expect(existsSync(`${db()}-wal`)).toBe(false);
    for (const suffix of suffixes) renameSync(join(moved, `log${suffix}`), db() + suffix);
    expect(await found('database')).toMatchObject({ state: 'fine' });
    connection.close();
  },
);

it('calls nothing missing that it cannot reach', async () => {
  const loop = join(temporaryFolder(), 'loop');
  symlinkSync('loop', loop);
  const findings = await examine({ db: loop, out: loop }, undefined);
  expect(findings.slice(0, 2)).toMatchObject(
    ['database', 'snapshot'].map((subject) => ({
      ...{ subject, state: 'wrong', advice: 'check the permissions of the folder' },
      found: expect.stringContaining('cannot be read: ELOOP'),
    })),
  );
});

it.each([
  ['snapshot', 'manifest.json'],
  ['snapshot', 'shards/core'],
  ['pages', 'layers/pages.json'],
  ['pages', 'api/movies/1.json'],
])('a file of the %s that it may not read stops no other check: %s', async (subject, path) => {
  denyReading(join(out(), path));
  const findings = await examined();
  expect(findings).toHaveLength(10);
  expect(findings.find((finding) => finding.subject === subject)).toMatchObject({
    state: 'wrong',
    found: expect.stringContaining('cannot be read: EACCES: permission denied'),
    advice: 'check the permissions of the folder',
  });
  expect(findings.find((finding) => finding.subject === 'keys')).toMatchObject({ state: 'fine' });
});

/** Lets each attempt to read a file, or one in a folder, fail as for a user without the right. Root has it. */
function denyReading(path: string): void {
  for (const name of ['openSync', 'readFileSync'] as const) {
    const original = fs[name] as (...parameters: unknown[]) => unknown;
    vi.spyOn(fs, name).mockImplementation(((...parameters: unknown[]) => {
      if (!String(parameters[0]).startsWith(path)) return original(...parameters);
      throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
    }) as never);
  }
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}

describe('at the command line', () => {
  const run = (words: string[] = []) => awards(['doctor', '--db', db(), '--out', out(), ...words]);

  it('prints a line each and a summary; exit code 1 if something is wrong; --json for machines', async () => {
    const plain = await run();
    const machine = await run(['--json']);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout.split('\n')).toHaveLength(12);
    expect(plain.stdout).toMatch(/^✓ database .*\n[\s\S]*\nno problems\n$/);
    expect(JSON.parse(machine.stdout)).toMatchObject({ healthy: true, findings: expect.any(Array) });
    rmSync(out(), { recursive: true });
    const broken = await run();
    expect(broken).toMatchObject({ code: 1, stderr: '' });
    expect(broken.stdout).toMatch(/\n✗ snapshot .*; "awards build" makes it\n[\s\S]*\n1 problem to fix\n$/);
  });
});
