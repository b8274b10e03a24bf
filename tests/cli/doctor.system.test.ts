/**
 * The promise: the doctor finds each damage, says in one line what to do next, and changes nothing; other commands refuse a
 * damaged database. doctor.txt is a record: damages, each done to a copy of a sound folder, and what the doctor finds.
 */
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { examine, type Finding } from '../../build/cli/doctor.ts';
import { program } from '../../build/cli/program.ts';
import { openDatabase } from '../../data/database/open.ts';
import { createKey } from '../../data/record/keys.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { inDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { expectSameTree, readTree } from '../records/tree.ts';
import { withFreeBytes } from '../support/free-space.ts';
import { build } from '../records/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectRecord, others, wordsOf } from './golden.ts';

/** The database knows the snapshot by its path, so every test gets its copy at the same path. */
let folder: string;
let sound: string;
const at = (path: string) => join(folder, path);
const db = () => at('awards.db');

beforeAll(async () => {
  folder = join(temporaryFolder(), 'case');
  sound = join(temporaryFolder(), 'sound');
  const connection = openDatabase(db());
  fillWithTinyRecord(connection);
  createKey(connection, 'editor', new Date(0));
  await build(connection, at('dist'), { layers: ['pages', 'downloads'] });
  connection.close();
  cpSync(folder, sound, { recursive: true });
});
const home = process.cwd();
const reset = () => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
  cpSync(sound, folder, { recursive: true });
  process.chdir(folder);
};
beforeEach(reset);
afterAll(() => process.chdir(home));

const examined = (key?: string) => examine({ db: db(), out: at('dist') }, key);
const lineOf = ({ subject, state, found, advice = '' }: Finding) =>
  `${subject} ${state}: ${found}${advice && `; ${advice}`}`.replaceAll(`${folder}/`, '');

/** A value of a source, so many days old: "% given tmdb 160". */
const given = (source: string, days: string) =>
  others.sql!(
    'awards.db',
    `INSERT INTO given (resource, record_id, source, source_id, retrieved_at, fields)
     SELECT 'movies', 1, '${source}', 'x', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${days} days'), json_object('title', title)
     FROM movies WHERE id = 1`,
  );

it('finds every damage of the record, and nothing else; what is fine is left out', async () => {
  const fine = new Set((await examined()).map(lineOf));
  await expectRecord('doctor.txt', async (lines) => {
    reset();
    for (const line of lines) {
      const [, name = '', first = '', second = ''] = wordsOf(line);
      ({ ...others, given })[name]!(first, second);
    }
    const before = readTree(folder);
    const findings = await examined();
    expectSameTree(readTree(folder), before);
    for (const { found, state, advice } of findings) {
      expect(found).not.toContain('\n');
      expect(advice !== undefined).toBe(state === 'wrong' || state === 'note');
    }
    // A check that needs what is damaged is skipped: the record of commands shows it.
    const told = findings.filter(({ state }) => state !== 'skipped').map(lineOf);
    const news = told.filter((line) => !fine.has(line));
    return news.map((line) => `${line.replaceAll(/\b\w{20}\b/g, 'SNAPSHOT')}\n`).join('');
  });
  expect([...fine].map((line) => line.split(':')[0])).toEqual([
    ...['database fine', 'snapshot fine', 'pages fine', 'site note', 'lists note', 'by-imdb note'],
    ...['downloads fine', 'disk fine', 'keys fine', 'films fine', 'people fine', 'terms fine'],
    'origin skipped',
  ]);
  expect(fine).toContain('keys fine: 1 key for writing');
  // The company is not counted.
  expect([...fine]).toContainEqual(
    expect.stringMatching(/^people fine: 3: filmindex_id 66 %, .*birthday 33 %/),
  );
});

it('says that a disk has no room left, and what is on it', async () => {
  const lines = (await withFreeBytes(4096, () => examined())).map(lineOf);
  expect(lines).toContain(
    'disk wrong: the disk of the database has 0 MiB left; below 32 MiB writes and builds may fail; make room',
  );
});

it('says where the lists name another address of the site than the given one, or none', async () => {
  const originWith = async (given?: string) =>
    (await examine({ db: db(), out: at('dist') }, undefined, given)).map(lineOf).at(-1);
  const own = 'http://127.0.0.1:3000';
  const list = async (origin?: string) => {
    const connection = openDatabase(db());
    await build(connection, at('dist'), { layers: ['lists'], origin });
    connection.close();
  };
  await list();
  expect(await originWith()).toMatch(/^origin note: the address of the site is not given, .*AWARDS_ORIGIN/);
  expect(await originWith(own)).toMatch(
    /^origin note: the lists name no address, not http:\/\/127\.0\.0\.1:3000; "awards build"/,
  );
  await list(own);
  expect([await originWith(), await originWith(own)]).toEqual(
    Array(2).fill(`origin fine: the lists name ${own}`),
  );
  expect(await originWith('https://a.example')).toMatch(/^origin note: the lists name http:\/\/127/);
  expect(await originWith('a.example')).toMatch(/^origin wrong: AWARDS_ORIGIN: It must be/);
});

it('counts the key of the environment', async () => {
  others.sql!('awards.db', "UPDATE api_keys SET revoked_at = '2020-01-01T00:00:00.000Z'");
  expect((await examined('a-long-secret-of-20-')).map(lineOf)).toContain('keys fine: 1 key for writing');
  expect((await examined('a-long-secret-of-19')).map(lineOf)).toContainEqual(
    expect.stringMatching(/^keys wrong: AWARDS_API_KEY: It has 19 characters/),
  );
});

it.each([[['-wal']], [['-wal', '-shm']]])(
  'advises no command that would discard acknowledged writes where a service lost its %s',
  async (suffixes) => {
    const connection = openDatabase(db());
    connection.exec("UPDATE movies SET tagline = 'acknowledged' WHERE id = 1");
    expect((await examined())[0]).toMatchObject({ state: 'fine' });
    for (const suffix of suffixes) renameSync(db() + suffix, `${at('moved')}${suffix}`);
    const findings = await examined();
    expect(lineOf(findings[0]!)).toMatch(
      /^database wrong: awards\.db-wal is gone, with the latest writes; stop the programs that use it, put the file back/,
    );
    expect(findings.filter(({ advice }) => advice?.includes('"awards '))).toEqual([]);
    expect(existsSync(`${db()}-wal`)).toBe(false);
    for (const suffix of suffixes) renameSync(`${at('moved')}${suffix}`, db() + suffix);
    expect((await examined())[0]).toMatchObject({ state: 'fine' });
    connection.close();
  },
);

it('calls nothing missing that it cannot reach', async () => {
  symlinkSync('loop', at('loop'));
  const lines = (await examine({ db: at('loop'), out: at('loop') }, undefined)).map(lineOf);
  const [, unknown] = await examine({ db: at('none.db'), out: at('dist') }, undefined);
  expect(lineOf(unknown!)).toMatch(/^snapshot skipped: dist holds \w+; its database is unknown$/);
  for (const [i, subject] of ['database', 'snapshot'].entries())
    expect(lines[i]).toMatch(`${subject} wrong: cannot be read: ELOOP`);
});

describe('a damaged database is refused in one line that names the way out, and left as it is', () => {
  /** The page size of SQLite. */
  const page = 4096;
  const overwrite = (file: string, from: number, length: number) => {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(length, 7), 0, length, from);
    closeSync(descriptor);
  };
  const damages: Readonly<Record<string, (file: string, songs: number) => void>> = {
    'the first page behind its header': (file) => overwrite(file, 100, page - 100),
    // The other tables are sound: most commands do not read this one.
    'the page of the songs': (file, songs) => overwrite(file, (songs - 1) * page, page),
    'the second half': (file) => truncateSync(file, statSync(file).size >> 1),
  };
  /** Their other words. */
  const words: Readonly<Record<string, readonly string[]>> = {
    import: ['none.tsv'],
    publish: ['--to', 'PLACE/published'],
    serve: ['--port', '0'],
    start: ['--port', '0'],
    'keys create': ['editor'],
    'keys revoke': ['editor'],
    'enrich wikidata': ['none.json'],
    'enrich queries': ['PLACE/queries'],
    backup: ['PLACE/backup.db'],
  };
  /** Every command with a database, but for those that are for a damaged one. */
  const commands = (command: Command, parent = ''): string[][] =>
    command.commands.flatMap((sub) => {
      const name = `${parent}${sub.name()}`;
      const has = (option: string) => sub.options.some(({ long }) => long === option);
      const own = [
        ...name.split(' '),
        ...(words[name] ?? []),
        ...(has('--out') ? ['--out', 'PLACE/out'] : []),
      ];
      return [
        ...(has('--db') && !/^(restore|doctor)$/.test(name) ? [own] : []),
        ...commands(sub, `${name} `),
      ];
    });

  it.each(Object.entries(damages))('%s destroyed', async (name, damage) => {
    const place = temporaryFolder();
    const file = join(place, 'damaged.db');
    const songs = inDatabase(join(place, 'sound.db'), (connection) => {
      fillWithNastyRecord(connection);
      return connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'songs'").pluck().get();
    });
    copyFileSync(join(place, 'sound.db'), file);
    damage(file, songs as number);
    const before = readFileSync(file);
    // "enrich tmdb" asks for it first. No request is made.
    vi.stubEnv('TMDB_TOKEN', 'token');
    const all = commands(program());
    expect(all.length, name).toBeGreaterThan(14);
    for (const line of all) {
      const own = [...line, '--db', file].map((word) => word.replace('PLACE', place));
      await expect(program().parseAsync(own, { from: 'user' }), line.join(' ')).rejects.toThrow(
        /^the database .* is damaged: [^\n]*"awards restore"[^\n]*$/,
      );
      expect(readFileSync(file).equals(before), line.join(' ')).toBe(true);
    }
    const [finding] = await examine({ db: file, out: join(place, 'out') });
    expect(lineOf(finding!)).toMatch(/^database wrong: (.* is damaged: |cannot be read: ).*"awards restore"/);
    vi.unstubAllEnvs();
  });
});
