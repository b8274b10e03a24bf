/** What cannot be done is said in one line on stderr, with exit code 1, no stack trace, and nothing half done. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../data/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { awards, outcomeOf, startAwards } from './awards.ts';

removeTemporaryFolders();
let folder: string;
let database: string;
let occupied: Server;
let port: string;
beforeAll(async () => {
  folder = temporaryFolder();
  database = join(folder, 'awards.db');
  const connection = openDatabase(database);
  fillWithNastyRecord(connection);
  connection.close();
  const newer = new Database(join(folder, 'newer.db'));
  newer.pragma('user_version = 99');
  newer.close();
  writeFileSync(
    join(folder, 'text.db'),
    'this is no database, but it is long enough to be looked at'.repeat(100),
  );
  writeFileSync(join(folder, 'a-file'), '');
  mkdirSync(join(folder, 'photos'));
  writeFileSync(join(folder, 'photos', 'cat.jpg'), 'meow');
  writeFileSync(join(folder, 'broken.tsv'), 'Ceremony\tYear\n1\n2\n\n\nx\ty\tz\n');
  occupied = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => occupied.once('listening', resolve));
  const address = occupied.address();
  port = String(typeof address === 'object' && address ? address.port : 0);
});
afterAll(() => occupied.close());

const inFolder = (word: string) => word.replaceAll('%', folder).replaceAll('PORT', port);

describe('exit code 1 and one line that says why:', () => {
  it.concurrent.each<[string, string[], RegExp, Record<string, string>?]>([
    [
      'build without a database',
      ['build', '--db', '%/none.db', '--out', '%/o'],
      /there is no database at .*none\.db.*awards sample/,
    ],
    ['verify without a database', ['verify', '--db', '%/none.db', '--out', '%/o'], /there is no database at/],
    [
      'verify without a snapshot',
      ['verify', '--db', '%/awards.db', '--out', '%/o'],
      /there is no folder .*awards build/,
    ],
    [
      'a file that is no database',
      ['build', '--db', '%/text.db', '--out', '%/o'],
      /cannot open the database .*text\.db/,
    ],
    [
      'a folder in place of the database',
      ['build', '--db', '%/photos', '--out', '%/o'],
      /cannot open the database/,
    ],
    ['a database below a file', ['sample', '--db', '%/a-file/x.db'], /cannot open the database/],
    [
      'a database of a newer version',
      ['build', '--db', '%/newer.db', '--out', '%/o'],
      /newer version.*update the program/,
    ],
    ['the sample into a filled database', ['sample', '--db', '%/awards.db'], /empty|already|holds/],
    ['generated records into a filled one', ['generate', '--db', '%/awards.db'], /empty|already|holds/],
    ['a source that is not there', ['import', '%/none.tsv', '--db', '%/i1.db'], /none\.tsv.*no such file/],
    ['a source that is a folder', ['import', '%/photos', '--db', '%/i2.db'], /is a directory/],
    [
      'a source that nobody serves',
      ['import', 'http://127.0.0.1:1/x.tsv', '--db', '%/i3.db'],
      /127\.0\.0\.1/,
    ],
    [
      'a build into a folder of something else',
      ['build', '--db', '%/awards.db', '--out', '%/photos'],
      /no snapshot .*cat\.jpg.*--out/,
    ],
    ['a build onto a file', ['build', '--db', '%/awards.db', '--out', '%/a-file'], /a-file/],
    [
      'a key in no database',
      ['keys', 'create', 'a', '--db', '%/none.db'],
      /there is no database at .*none\.db/,
    ],
    ['the keys of no database', ['keys', 'list', '--db', '%/none.db'], /there is no database at/],
    [
      'a key with a name that is none',
      ['keys', 'create', 'a\nb', '--db', '%/awards.db'],
      /"a\\nb" cannot be the name of a key/,
    ],
    [
      'a key with the name of the one in the environment',
      ['keys', 'create', 'environment', '--db', '%/awards.db'],
      /choose another name/,
    ],
    [
      'a key to revoke that there is not',
      ['keys', 'revoke', 'a', '--db', '%/awards.db'],
      /there is no key named "a".*awards keys list/,
    ],
    [
      'a port in use',
      ['serve', '--db', '%/none.db', '--out', '%/o', '--port', 'PORT'],
      /port [0-9]+: it is in use.*--port/,
    ],
    [
      'a port in use, before anything is filled or built',
      ['start', '--db', '%/p.db', '--out', '%/o', '--port', 'PORT'],
      /port [0-9]+: it is in use.*--port/,
    ],
    [
      'a port in use, before changes are built',
      ['serve', '--db', '%/awards.db', '--out', '%/o', '--port', 'PORT'],
      /port [0-9]+: it is in use.*--port/,
    ],
    [
      'a host that is not here',
      ['serve', '--db', '%/none.db', '--out', '%/o', '--port', '0', '--host', '192.0.2.1'],
      /cannot listen on 192\.0\.2\.1/,
    ],
    [
      'a rate limit that is none',
      ['serve', '--db', '%/none.db', '--out', '%/o', '--port', '0'],
      /AWARDS_RATE_LIMIT is "many"/,
      { AWARDS_RATE_LIMIT: 'many' },
    ],
    [
      'a key that no header can carry',
      ['serve', '--db', '%/none.db', '--out', '%/o', '--port', '0'],
      /AWARDS_API_KEY must be printable ASCII/,
      { AWARDS_API_KEY: 'Schlüssel' },
    ],
    [
      'a proxy that is none',
      ['serve', '--db', '%/none.db', '--out', '%/o', '--port', '0'],
      /AWARDS_TRUSTED_PROXIES.*"proxy"/,
      { AWARDS_TRUSTED_PROXIES: '::1, proxy' },
    ],
  ])('%s', async (_name, words, message, environment) => {
    const { code, stdout, stderr } = await awards(words.map(inFolder), environment);
    expect(stderr).toMatch(message);
    expect(stderr.match(/\n/g), stderr).toHaveLength(1);
    expect(stderr).toMatch(/^awards: /);
    expect(stderr).not.toMatch(/ {4}at |something went wrong/);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('a folder that may not be written to', async (context) => {
    if (process.getuid?.() === 0) context.skip('root may write anywhere');
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o500 });
    const { code, stderr } = await awards(['build', '--db', database, '--out', join(closed, 'dist')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^awards: .*closed.*\n$/);
  });
});

it('a server that hangs up without an answer does not end the import in silence', async () => {
  const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => rude.once('listening', resolve));
  const address = rude.address() as AddressInfo;
  const child = startAwards([
    'import',
    `http://127.0.0.1:${address.port}/x.tsv`,
    '--db',
    join(folder, 'r.db'),
  ]);
  const outcome = outcomeOf(child);
  // Node 20 never learns of it: the import has to wait until its timeoutMs ends.
  const first = await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 1500))]);
  if (first !== undefined)
    expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot read http/) });
  child.kill('SIGKILL');
  await outcome;
  rude.close();
});

it('a malformed source is refused with the lines at fault, and leaves nothing behind', async () => {
  const { code, stdout, stderr } = await awards([
    'import',
    join(folder, 'broken.tsv'),
    '--db',
    join(folder, 'b.db'),
  ]);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/line [0-9]+/);
  expect(stderr).not.toMatch(/ {4}at /);
  const connection = openDatabase(join(folder, 'b.db'));
  expect(connection.prepare('SELECT count(*) FROM nominations').pluck().get()).toBe(0);
  connection.close();
});

it('what was refused is untouched', async () => {
  const before = readFileSync(join(folder, 'text.db'));
  await awards(['sample', '--db', join(folder, 'text.db')]);
  expect(readFileSync(join(folder, 'text.db')).equals(before)).toBe(true);
  expect(readFileSync(join(folder, 'photos', 'cat.jpg'), 'utf8')).toBe('meow');
  expect(existsSync(join(folder, 'none.db'))).toBe(false);
  expect(existsSync(join(folder, 'p.db'))).toBe(false);
  expect(existsSync(join(folder, 'o'))).toBe(false);
});
