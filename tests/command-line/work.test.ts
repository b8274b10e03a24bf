/** A day at the command line: fill, build, look, edit, build again, verify; with results on stdout and nothing else. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { awards, outcomeOf, startAwards } from './awards.ts';

removeTemporaryFolders();

/** Runs a command that must succeed. @returns its stdout */
async function said(words: readonly string[], environment?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await awards(words, environment);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

/** The one line of JSON that a command printed. */
function parsed(stdout: string): Record<string, unknown> {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('from an empty folder', () => {
  let environment: Record<string, string>;
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
    environment = {
      AWARDS_DB: join(folder, 'deep', 'er', 'awards.db'),
      AWARDS_DIST: join(folder, 'public', 'site'),
    };
  });

  it('sample, build, verify: filled, built and as it should be, told in words', async () => {
    expect(await said(['sample'], environment)).toMatch(/nominations: [0-9,]+ added/);
    expect(existsSync(environment.AWARDS_DB!)).toBe(true);
    expect(await said(['build'], environment)).toMatch(
      /snapshot [0-9a-f]{20}, [0-9,]+ files written, 0 removed/,
    );
    expect(await said(['verify'], environment)).toMatch(/all [0-9,]+ files are what a clean build makes/);
  });

  it('a second build finds nothing to do', async () => {
    const report = parsed(await said(['build', '--json'], environment));
    expect(report).toMatchObject({ scope: 'nothing', rendered: 0, written: 0, removed: 0 });
    expect(await said(['build'], environment)).toMatch(/up to date .*nothing changed/);
  });

  it('after an edit by any tool, build --explain lists the files that changed, each with its cause', async () => {
    const database = new Database(environment.AWARDS_DB!);
    database.exec("UPDATE movies SET tagline = 'Edited by hand' WHERE id = (SELECT min(id) FROM movies)");
    const id = database.prepare('SELECT min(id) FROM movies').pluck().get() as number;
    database.close();
    const lines = (await said(['build', '--explain'], environment)).trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/\(changes: 1 record changed\)$/);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(written|removed) [A-Za-z0-9/._-]+: .+/);
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^written api/movies/${id}\\.json: .*movies ${id}`)),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^written manifest\.json: /));
    expect(lines.some((line) => /ceremonies/.test(line))).toBe(false);
    expect(await said(['verify'], environment)).toMatch(/^.*: all /);
  });

  it('verify lists what is missing, different or unexpected, exit code 1; a full build repairs it', async () => {
    const out = environment.AWARDS_DIST!;
    writeFileSync(join(out, 'api', 'movies.json'), '{}');
    writeFileSync(join(out, 'api', 'extra.json'), '{}');
    const [{ code, stdout, stderr }, machine] = await Promise.all([
      awards(['verify'], environment),
      awards(['verify', '--json'], environment),
    ]);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^unexpected api\/extra\.json\ndifferent api\/movies\.json\n.*2 files of [0-9,]+ differ/,
    );
    expect(machine.code).toBe(1);
    expect(parsed(machine.stdout).differences).toEqual([
      { path: 'api/extra.json', problem: 'unexpected' },
      { path: 'api/movies.json', problem: 'different' },
    ]);
    const report = parsed(await said(['build', '--full', '--explain', '--json'], environment));
    expect(report).toMatchObject({ scope: 'everything', written: 1, removed: 1 });
    expect((report.files as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      'api/extra.json',
      'api/movies.json',
    ]);
  });
});

it('a closed pipe ends a command quietly', async () => {
  const child = startAwards(['generate', '--help']);
  child.stdout!.destroy();
  expect((await outcomeOf(child)).stderr).toBe('');
});

it('--json prints one line of JSON for every command that ends', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => ['--json', '--db', join(folder, name)];
  const out = ['--out', join(folder, 'dist')];
  expect(parsed(await said(['sample', ...at('a.db')])).resources).toBeDefined();
  expect(parsed(await said(['generate', '--scale', '0.01', '--seed', '7', ...at('b.db')]))).toMatchObject({
    nominations: expect.any(Number),
    songs: expect.any(Number),
  });
  expect(parsed(await said(['build', ...at('b.db'), ...out]))).toMatchObject({
    snapshot: expect.stringMatching(/^[0-9a-f]{20}$/),
    scope: 'everything',
    reason: expect.any(String),
  });
  expect(parsed(await said(['verify', ...at('b.db'), ...out]))).toMatchObject({
    differences: [],
    files: expect.any(Number),
  });
});

it('options win over the environment, and the environment over what is usual', async () => {
  const folder = temporaryFolder();
  const environment = { AWARDS_DB: join(folder, 'environment.db'), AWARDS_DIST: join(folder, 'environment') };
  await said(['generate', '--scale', '0.01', '--db', join(folder, 'option.db')], environment);
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toEqual(['option.db']);
  await said(['build', '--db', join(folder, 'option.db'), '--out', join(folder, 'option')], environment);
  expect(existsSync(join(folder, 'environment'))).toBe(false);
  await said(['build', '--db', join(folder, 'option.db')], environment);
  expect(readFileSync(join(folder, 'environment', 'manifest.json'))).toEqual(
    readFileSync(join(folder, 'option', 'manifest.json')),
  );
});

it('no progress bar and no colour where the output is piped', async () => {
  const folder = temporaryFolder();
  const { code, stdout, stderr } = await awards(['generate', '--scale', '0.3', '--db', join(folder, 'a.db')]);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^generated [0-9,]+ nominations.*\n$/);
  expect(stdout).not.toContain('\u001b');
});
