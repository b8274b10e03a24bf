/** The promise: fill, build, edit, build again, verify; with results on stdout and nothing else. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordOf } from '../import/record-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { awards, outcomeOf, startAwards, stdoutOf } from '../support/processes.ts';

/** The one line of JSON that a command printed. */
function parsed(stdout: string): Record<string, unknown> {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('from an empty folder', () => {
  let environment: Record<string, string>;
  beforeAll(() => {
    const folder = temporaryFolder();
    environment = {
      AWARDS_DB: join(folder, 'deep', 'er', 'awards.db'),
      AWARDS_DIST: join(folder, 'public', 'site'),
    };
  });
  const run = (...words: string[]) => stdoutOf(words, environment);

  it('sample, build, verify print one summary each', async () => {
    expect(await run('sample')).toMatch(/nominations: [0-9,]+ added/);
    expect(existsSync(environment.AWARDS_DB!)).toBe(true);
    expect(await run('build')).toMatch(/snapshot [0-9a-f]{20}, [0-9,]+ files written, 0 removed/);
    expect(await run('verify')).toMatch(/all [0-9,]+ files are equal to a clean build/);
  });

  it('a second build finds nothing to do', async () => {
    const report = parsed(await run('build', '--json'));
    expect(report).toMatchObject({ scope: 'nothing', rendered: 0, written: 0, removed: 0 });
    expect(await run('build')).toMatch(/up to date .*nothing changed/);
  });

  it('after an edit by another program, build --explain says what each stage did, and why', async () => {
    const database = new Database(environment.AWARDS_DB!);
    database.exec("UPDATE movies SET tagline = 'Edited by hand' WHERE id = (SELECT min(id) FROM movies)");
    database.close();
    const lines = (await run('build', '--explain')).trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/\(changes: 1 record changed\)$/);
    expect(lines.slice(0, -1)).toEqual(
      ['snapshot', 'pages', 'site', 'lists', 'downloads'].map((stage) =>
        expect.stringMatching(new RegExp(`^${stage}: (nothing|changes|everything) \\(.+\\)$`)),
      ),
    );
    expect(await run('verify')).toMatch(/^.*: all /);
  });

  it('verify lists unexpected and different files, exit code 1; a full build repairs them', async () => {
    const out = environment.AWARDS_DIST!;
    writeFileSync(join(out, 'api', 'movies.json'), '{}');
    writeFileSync(join(out, 'api', 'extra.json'), '{}');
    const [{ code, stdout, stderr }, machine] = await Promise.all([
      awards(['verify'], environment),
      awards(['verify', '--json'], environment),
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      /^unexpected api\/extra\.json\ndifferent api\/movies\.json\n.*2 files of [0-9,]+ differ/,
    );
    expect(machine.code).toBe(1);
    expect(parsed(machine.stdout).differences).toEqual([
      { path: 'api/extra.json', problem: 'unexpected' },
      { path: 'api/movies.json', problem: 'different' },
    ]);
    const report = parsed(await run('build', '--full', '--json'));
    expect(report).toMatchObject({ scope: 'everything', written: 1, removed: 1 });
  });
});

it('an import that would remove much is refused, --dry-run lists it, and --force does it', async () => {
  const folder = temporaryFolder();
  const [file, database] = [join(folder, 'record.csv'), join(folder, 'a.db')];
  const run = (...options: string[]) => stdoutOf(['import', file, '--db', database, ...options]);
  writeFileSync(file, recordOf({}, { Film: 'Second', FilmId: 'tt2' }));
  expect(parsed(await run('--dry-run', '--json'))).toMatchObject({
    retired: [],
    needsForce: false,
    kept: [],
  });
  expect(existsSync(database)).toBe(false);
  expect(await run()).toMatch(/^nominations: 2 added/);
  writeFileSync(file, recordOf({}));
  const refused = await awards(['import', file, '--db', database]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^awards: [^\n]*1 of 2 nominations[^\n]*--dry-run[^\n]*--force[^\n]*\n$/);
  const listed = await run('--dry-run');
  expect(listed).toMatch(/removed: movies 2 \(Second\)\n/);
  const [done, dry] = listed.split(/^(?=so many)/m);
  expect(dry).toBe(
    'so many records would be removed that the import is refused without --force\na dry run: nothing was changed\n',
  );
  expect(await run('--force')).toBe(done);
  expect(await run()).toMatch(/^nominations: 0 added, 0 changed, 1 unchanged/);
});

it('a closed pipe ends a command quietly', async () => {
  const child = startAwards(['generate', '--help']);
  child.stdout!.destroy();
  expect((await outcomeOf(child)).stderr).toBe('');
});

it('--json prints one line of JSON for every command that ends', async () => {
  const folder = temporaryFolder();
  const run = async (name: string, ...words: string[]) =>
    parsed(await stdoutOf([...words, '--json', '--db', join(folder, name)]));
  const out = ['--out', join(folder, 'dist')];
  expect((await run('a.db', 'sample')).resources).toBeDefined();
  expect(await run('b.db', 'generate', '--scale', '0.01', '--seed', '7')).toMatchObject({
    nominations: expect.any(Number),
    songs: expect.any(Number),
  });
  expect(await run('b.db', 'build', ...out)).toMatchObject({
    snapshot: expect.stringMatching(/^[0-9a-f]{20}$/),
    scope: 'everything',
    reason: expect.any(String),
  });
  expect(await run('b.db', 'verify', ...out)).toMatchObject({ differences: [], files: expect.any(Number) });
});

it('options win over the environment, and the environment over the defaults', async () => {
  const folder = temporaryFolder();
  const environment = { AWARDS_DB: join(folder, 'environment.db'), AWARDS_DIST: join(folder, 'environment') };
  const database = ['--db', join(folder, 'option.db')];
  await stdoutOf(['generate', '--scale', '0.01', ...database], environment);
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toEqual(['option.db']);
  await stdoutOf(['build', ...database, '--out', join(folder, 'option')], environment);
  expect(existsSync(join(folder, 'environment'))).toBe(false);
  await stdoutOf(['build', ...database], environment);
  expect(readFileSync(join(folder, 'environment', 'manifest.json'))).toEqual(
    readFileSync(join(folder, 'option', 'manifest.json')),
  );
});

it('no progress bar and no colour where the output is piped', async () => {
  const stdout = await stdoutOf(['generate', '--scale', '0.3', '--db', join(temporaryFolder(), 'a.db')]);
  expect(stdout).toMatch(/^generated [0-9,]+ nominations.*\n$/);
  expect(stdout).not.toContain('\u001b');
});
