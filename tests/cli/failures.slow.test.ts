/** The promise: a command that fails says why in one line on stderr, with exit code 1, and leaves nothing half done. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { countRecords } from '../../data/record/records.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { inDatabase, writeDatabase } from '../snapshot/databases.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { awards, outcomeOf, startAwards } from '../support/processes.ts';

let folder: string;
let occupied: Loopback;
const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = temporaryFolder();
  writeDatabase(inFolder('awards.db'), fillWithNastyRecord);
  const newer = new Database(inFolder('newer.db'));
  newer.exec('CREATE TABLE nominations (id INTEGER)');
  newer.pragma('user_version = 99');
  newer.close();
  writeFileSync(inFolder('text.db'), 'not a database, but long enough to be looked at'.repeat(100));
  writeFileSync(inFolder('a-file'), '');
  for (const suffix of ['-wal', '-journal']) writeFileSync(inFolder(`gone${suffix}.db${suffix}`), 'changes');
  symlinkSync('unmounted/awards.db', inFolder('broken-link'));
  symlinkSync('loop', inFolder('loop'));
  mkdirSync(inFolder('photos'));
  writeFileSync(inFolder('photos/cat.jpg'), 'meow');
  writeFileSync(inFolder('broken.tsv'), 'Ceremony\tYear\n1\n2\n\n\nx\ty\tz\n');
  occupied = await listen(createServer());
});
afterAll(() => occupied.stop());

/** Words of a command line; % is the folder of the test. */
const withPaths = (line: string) =>
  line
    .split(' ')
    .map((word) =>
      word
        .replace('%', `${folder}/`)
        .replace('SAMPLE', inject('sample').out)
        .replace('PORT', String(occupied.port))
        .replace('\\n', '\n'),
    );

describe('exit code 1 and one line that says why:', () => {
  const serve = 'serve --db %none.db --out SAMPLE --port';

  it.concurrent.each<[string, string, RegExp, Record<string, string>?]>([
    [
      'build without a database',
      'build --db %none.db --out %o',
      /there is no database at .*none\.db.*awards sample/,
    ],
    ['verify without a database', 'verify --db %none.db --out %o', /there is no database at/],
    ['verify without a snapshot', 'verify --db %awards.db --out %o', /there is no folder .*awards build/],
    ['a file that is not a database', 'build --db %text.db --out %o', /cannot open the database .*text\.db/],
    ['a folder in place of the database', 'build --db %photos --out %o', /cannot open the database .*EISDIR/],
    // As a database in a folder that is closed to this user: it is not missing, so nothing is served without it.
    ['a database that cannot be reached', 'build --db %loop --out %o', /ELOOP/],
    ['the same, to serve', 'serve --db %loop --out %o --port 0', /^awards: ELOOP/],
    ['the same, to publish', 'publish --db %loop --out %o --to %q', /^awards: ELOOP/],
    ['a folder that cannot be reached', 'verify --db %awards.db --out %loop', /^awards: ELOOP/],
    ['a backup that is empty', 'restore %a-file --db %e.db', /a-file holds no record.*nothing was restored/],
    ['a backup that cannot be reached', 'restore %loop --db %awards.db', /^awards: ELOOP/],
    ['a database below a file', 'sample --db %a-file/x.db', /not a directory.*a-file/],
    [
      'a database where no file can be made',
      'sample --db /proc/x.db',
      /cannot open the database \/proc\/x\.db: /,
    ],
    ['a database below a folder that cannot be made', 'sample --db /proc/x/y.db', /mkdir '\/proc\/x'/],
    [
      'a build where no folder can be made',
      'build --db %awards.db --out /proc/x/y',
      /the folder \/proc\/x cannot be created \(.*mkdir '\/proc\/x'/,
    ],
    [
      'a backup where no file can be made',
      'backup /proc/x --db %awards.db',
      /cannot write the backup \/proc\/x: /,
    ],
    ['queries where no folder can be made', 'enrich queries /proc/x --db %awards.db', /mkdir '\/proc\/x'/],
    ['a restore where no folder can be made', 'restore %newer.db --db /proc/x/y.db', /mkdir '\/proc\/x'/],
    [
      'a database of another version',
      'build --db %newer.db --out %o',
      /has schema 99.*import the record again/,
    ],
    ['the sample into a filled database', 'sample --db %awards.db', /empty|already|holds/],
    [
      'the sample through a broken link',
      'sample --db %broken-link',
      /broken-link is a link to a file that is not/,
    ],
    ...['sample', 'generate', 'import %none.tsv'].flatMap((command) =>
      ['-wal', '-journal'].map((suffix): [string, string, RegExp] => [
        `a new database beside the log of one that is gone: ${command}, ${suffix}`,
        `${command} --db %gone${suffix}.db`,
        new RegExp(`gone${suffix}\\.db${suffix} holds changes of a database that is gone`),
      ]),
    ),
    ['generated records into a filled database', 'generate --db %awards.db', /empty|already|holds/],
    ['a missing source', 'import %none.tsv --db %i1.db', /none\.tsv.*no such file/],
    ['a source that is a folder', 'import %photos --db %i2.db', /is a directory/],
    ['a source that refuses connections', 'import http://127.0.0.1:1/x.tsv --db %i3.db', /127\.0\.0\.1/],
    [
      'a build into a foreign folder',
      'build --db %awards.db --out %photos',
      /not a snapshot .*cat\.jpg.*--out/,
    ],
    ['a build onto a file', 'build --db %awards.db --out %a-file', /a-file/],
    [
      'the same, to serve with metrics',
      'serve --db %text.db --out %o --port 0 --metrics 0',
      /cannot open the database/,
    ],
    ['a key in a missing database', 'keys create a --db %none.db', /there is no database at .*none\.db/],
    ['the keys of a missing database', 'keys list --db %none.db', /there is no database at/],
    ['a key with a bad name', 'keys create a\\nb --db %awards.db', /"a\\nb" cannot be the name of a key/],
    [
      'a key named like that of the environment',
      'keys create environment --db %awards.db',
      /choose another name/,
    ],
    [
      'an unknown key to revoke',
      'keys revoke a --db %awards.db',
      /there is no key named "a".*awards keys list/,
    ],
    [
      'a service that would build into a file',
      'serve --db %awards.db --out %a-file --port 0',
      /is not a folder/,
    ],
    [
      'a service that would build into files of others',
      'serve --db %awards.db --out %photos --port 0',
      /cat\.jpg/,
    ],
    [
      'a service with neither a database nor a snapshot',
      'serve --db %none.db --out %o --port 0',
      /no snapshot in .*o, and no database at .*none\.db.*awards sample/,
    ],
    ['a port in use', `${serve} PORT`, /port [0-9]+: it is in use.*--port/],
    [
      'a port in use, before the sample and the build',
      'start --db %p.db --out %o --port PORT',
      /it is in use.*--port/,
    ],
    ['a port in use, before the build', 'serve --db %awards.db --out %o --port PORT', /it is in use.*--port/],
    ['a host of another machine', `${serve} 0 --host 192.0.2.1`, /cannot listen on 192\.0\.2\.1/],
    ['a bad rate limit', `${serve} 0`, /AWARDS_RATE_LIMIT is "many"/, { AWARDS_RATE_LIMIT: 'many' }],
    [
      'a key that no header can carry',
      `${serve} 0`,
      /AWARDS_API_KEY must be printable ASCII/,
      { AWARDS_API_KEY: 'Schlüssel' },
    ],
    [
      'a key that can be guessed',
      `${serve} 0`,
      /AWARDS_API_KEY has 19 characters; it needs at least 20/,
      { AWARDS_API_KEY: 'a-key-of-19-letters' },
    ],
    [
      'the same, before the sample and the build',
      'start --db %p.db --out %o --port 0',
      /AWARDS_API_KEY has 2 characters/,
      { AWARDS_API_KEY: 'ab' },
    ],
    [
      'a proxy that is not an address',
      `${serve} 0`,
      /AWARDS_TRUSTED_PROXIES.*"proxy"/,
      { AWARDS_TRUSTED_PROXIES: '::1, proxy' },
    ],
  ])('%s', async (_name, line, message, environment) => {
    const { code, stdout, stderr } = await awards(withPaths(line), environment);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^awards: [^\n]+\n$/);
    expect(stderr).not.toMatch(/ {4}at |something went wrong/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('a folder without permission to write', async (context) => {
    if (process.getuid?.() === 0) context.skip('root may write anywhere');
    mkdirSync(inFolder('closed'), { mode: 0o500 });
    const { code, stderr } = await awards(withPaths('build --db %awards.db --out %closed/dist'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^awards: .*closed.*\n$/);
  });
});

it('a server that hangs up without an answer does not end the import in silence', async () => {
  const server = await listen(createServer((socket) => socket.destroy()));
  const child = startAwards(withPaths(`import ${server.origin}/x.tsv --db %r.db`));
  const outcome = outcomeOf(child);
  // Node 20 never reports it: the import waits until it times out.
  const first = await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 1500))]);
  if (first !== undefined)
    expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot read http/) });
  child.kill('SIGKILL');
  await outcome;
  await server.stop();
});

it('a malformed source is refused with the wrong lines, and leaves nothing behind', async () => {
  const { code, stdout, stderr } = await awards(withPaths('import %broken.tsv --db %b.db'));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/line [0-9]+/);
  expect(stderr).not.toMatch(/ {4}at /);
  expect(inDatabase(inFolder('b.db'), countRecords)).toMatchObject({ nominations: 0 });
});

it('what was refused is unchanged', async () => {
  const before = readFileSync(inFolder('text.db'));
  await awards(withPaths('sample --db %text.db'));
  expect(readFileSync(inFolder('text.db')).equals(before)).toBe(true);
  expect(readFileSync(inFolder('photos/cat.jpg'), 'utf8')).toBe('meow');
  expect(['none.db', 'p.db', 'o'].filter((name) => existsSync(inFolder(name)))).toEqual([]);
});

it.runIf(process.platform === 'linux')('an output that cannot be written is told in one line', () => {
  const full = openSync('/dev/full', 'w');
  const words = [inject('cli'), ...withPaths('keys list --db %awards.db')];
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect(stderr).toMatch(/^awards: cannot write the output: ENOSPC[^\n]+\n$/);
  expect(status).toBe(1);
});

it('an import that fails creates no database', async () => {
  for (const source of ['missing.csv', 'broken.tsv']) {
    const db = inFolder(`none/${source}.db`);
    expect((await awards(['import', inFolder(source), '--db', db])).code).toBe(1);
    expect(existsSync(db)).toBe(false);
    expect(readdirSync(inFolder('none'))).toEqual([]);
  }
});

it.each(['SIGINT', 'SIGTERM'] as const)('an import that %s ends leaves no file behind', async (signal) => {
  const server = await listen(createServer(() => {}));
  const own = temporaryFolder();
  const child = startAwards(['import', `${server.origin}/x.tsv`, '--db', join(own, 'awards.db')]);
  const outcome = outcomeOf(child);
  // The database that is being filled, its log and the index of the log.
  while (readdirSync(own).length < 3) await pause(10);
  child.kill(signal);
  expect(await outcome).toMatchObject({ code: signal === 'SIGINT' ? 130 : 143, stdout: '', stderr: '' });
  expect(readdirSync(own)).toEqual([]);
  await server.stop();
});
