/** The promise: the package that people install runs without the project, and its client in plain Node and under TypeScript. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import { beforeAll, expect, inject, it } from 'vitest';
import { shippedFiles, writePackage } from '../../build/package/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { addressOf, outcomeOf } from '../support/processes.ts';
import { consumerOf, faultsOfTypes, moduleSystems } from './consumer.ts';
import { packed, unpack } from './packed.ts';

const run = promisify(execFile);

interface Manifest {
  version: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
}

/** An empty folder in which the packed package is installed, with its dependencies as links: npm would need a registry. */
let folder: string;
let manifest: Manifest;
let packedBytes: number;
const installed = (...path: string[]) => join(folder, 'node_modules', ...path);

beforeAll(async () => {
  const source = join(temporaryFolder(), 'package');
  await writePackage(source);
  folder = temporaryFolder();
  const tarball = await packed(source);
  packedBytes = statSync(tarball).size;
  await unpack(tarball, installed('film-awards'));
  manifest = JSON.parse(readFileSync(installed('film-awards', 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(installed(name)), { recursive: true });
    symlinkSync(join(project, 'node_modules', name), installed(name));
  }
  mkdirSync(installed('.bin'));
  for (const [name, path] of Object.entries(manifest.bin)) {
    chmodSync(installed('film-awards', path), 0o755);
    symlinkSync(join('../film-awards', path), installed('.bin', name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});

/** `npx film-awards …` in the folder. */
const startInstalled = (...words: string[]) =>
  spawn('npx', ['--offline', 'film-awards', ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx does not pass signals on in every version: the test stops the whole group.
    detached: true,
  });

it('has what runs, and nothing else', () => {
  const files = fastGlob.sync('**/*', { cwd: installed('film-awards'), followSymbolicLinks: false });
  expect(
    files.filter((path) =>
      /(?<!\.d)\.tsx?$|test|^build\/site\/(?!explorer\/|shared\/|docs\/answers\.js)|\.css$/.test(path),
    ),
  ).toEqual([]);
  // Of the site, the renderer of pages and the answers of the reference alone: browsers get the finished site.
  expect(files.filter((path) => /browser|offline/.test(path))).toEqual([]);
  expect(files.length).toBeLessThan(410);
  expect(packedBytes).toBeLessThan(2_000_000);
  const builders = ['esbuild', 'tsx', 'marked', 'typescript', 'vitest'];
  for (const name of builders) expect(Object.keys(manifest.dependencies)).not.toContain(name);
});

it('has no database of the project, which holds keys and receipts, and no other file of its data', () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'data'));
  const database = ['awards.db', 'awards.db-wal', 'awards.db.replaced-2026-11-25T20-22-08-550Z'];
  for (const name of [
    ...database,
    'tmdb-cache.db',
    'backup.db.sha256',
    'oscars.csv',
    'open.ts',
    'schema.sql',
  ])
    writeFileSync(join(cwd, 'data', name), '');
  expect(shippedFiles(cwd)).toEqual(['data/open.ts', 'data/schema.sql']);
});

it('tells its version', async () => {
  const { code, stdout } = await outcomeOf(startInstalled('--version'));
  expect([code, stdout]).toEqual([0, `${manifest.version}\n`]);
});

it('starts in an empty folder, takes a write, answers the client, and builds the files of the project', async () => {
  const child = startInstalled('start', '--port', '0');
  const outcome = outcomeOf(child);
  let printed = '';
  child.stdout.on('data', (text: string) => {
    printed += text;
  });
  const address = await addressOf(child);
  const [key] = /fa_[\w-]+/.exec(printed)!;
  writeFileSync(
    join(folder, 'client.js'),
    `import { createClient, etagOf, fetchSource, snapshotFetch } from 'film-awards/client';
    const awards = createClient({ baseUrl: '${address}', key: '${key}' });
    const film = await awards.get('/api/movies/1');
    const { record } = await awards.patch('/api/movies/1', { runtime: 123 }, { ifMatch: etagOf(film) });
    const local = createClient({ fetch: snapshotFetch(fetchSource('${address}/')) });
    const { data } = await local.get('/api/movies', { ids: [1] });
    console.log(JSON.stringify([record.runtime, data[0].runtime]));`,
  );
  const { stdout } = await run(process.execPath, ['client.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([123, 123]);
  const page = await fetch(`${address}/movies/1`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toMatch(/<h1[^>]*>Sunrise/);
  process.kill(-child.pid!, 'SIGTERM');
  const { stderr } = await outcome;
  expect(stderr.replaceAll(/^npm .*\n/gm, '')).toBe('');
  // A service that is stopped at its first start leaves the pages to the next one.
  expect((await outcomeOf(startInstalled('build'))).code).toBe(0);
  const verified = await outcomeOf(startInstalled('verify'));
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('equal to a clean build')]);
  for (const path of ['index.html', 'api/openapi.json', '_headers'])
    expect(
      readFileSync(join(folder, 'dist', path)).equals(readFileSync(join(inject('sample').out, path))),
    ).toBe(true);
});

it.each(moduleSystems)(
  'TypeScript checks calls of the client with the default options of %s',
  async (name, module, moduleResolution) => {
    const own = join(folder, name);
    expect(await faultsOfTypes(own, consumerOf('film-awards/client'), { module, moduleResolution })).toBe('');
  },
);
