/** The promise: the packages that people install run without the project; the client works in Node and in a browser, with types. */
import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { writeClientPackage } from '../../build/package/client-package.ts';
import { shippedFiles, writePackage } from '../../build/package/package.ts';
import { addressOf, outcomeOf } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { faultsOfTypes } from '../support/consumer.ts';

const run = promisify(execFile);
const names = ['film-awards', 'film-awards-client'] as const;

interface Manifest {
  version: string;
  bin: Record<string, string>;
  dependencies?: Record<string, string>;
}

/** An empty project with both packages, as npm packs them. Their dependencies are links: npm would need a registry. */
async function installedProject() {
  const folder = temporaryFolder();
  const at = (...path: string[]) => join(folder, 'node_modules', ...path);
  mkdirSync(at('.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, writeFiles] of [
    [names[0], writePackage],
    [names[1], writeClientPackage],
  ] as const) {
    const [source, target] = [join(temporaryFolder(), 'package'), temporaryFolder()];
    await writeFiles(source);
    await run('npm', ['pack', source, '--pack-destination', target, '--ignore-scripts', '--offline']);
    const [tarball = ''] = fastGlob.sync('*.tgz', { cwd: target, absolute: true });
    expect(statSync(tarball).size).toBeLessThan(2_000_000);
    mkdirSync(at(name));
    await run('tar', ['-xzf', tarball, '-C', at(name), '--strip-components=1']);
  }
  const manifestOf = (name: string) => JSON.parse(readFileSync(at(name, 'package.json'), 'utf8')) as Manifest;
  const manifest = manifestOf(names[0]);
  for (const name of Object.keys(manifest.dependencies!)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    symlinkSync(join(project, 'node_modules', name), at(name));
  }
  for (const [name, path] of Object.entries(manifest.bin)) {
    chmodSync(at(names[0], path), 0o755);
    symlinkSync(join('../film-awards', path), at('.bin', name));
  }
  return { folder, at, manifest, clientManifest: manifestOf(names[1]) };
}

/** Writes with one client, and reads with the other, over HTTP and from the files; prints a line. */
const program = (address: string, key: string) => `
import { createClient, etagOf } from 'film-awards/client';
import * as own from 'film-awards-client';
const awards = createClient({ baseUrl: '${address}', key: '${key}' });
const film = await awards.get('/api/movies/1');
const { record } = await awards.patch('/api/movies/1', { runtime: 123 }, { ifMatch: etagOf(film) });
const query = { genre: 'Drama', include: ['counts'], sort: '-entries', limit: 2 };
const answers = [];
for (const options of [{ baseUrl: '${address}' }, { fetch: own.snapshotFetch(own.fetchSource('${address}/')) }]) {
  const client = own.createClient(options);
  const { data } = await client.get('/api/movies', query);
  answers.push(JSON.stringify([data, (await client.get('/api/movies/1')).runtime]));
}
console.log(record.runtime, JSON.parse(answers[0])[1], JSON.parse(answers[0])[0].length, answers[0] === answers[1]);
`;

/** Right and wrong calls of the client. */
const calls = (name: string) => `
import { ApiProblem, createClient, etagOf, fetchSource, snapshotFetch, type ListOf, type Movie } from '${name}';
const client = createClient({ baseUrl: 'https://awards.example', key: 'fa_key' });
const local = createClient({ fetch: snapshotFetch(fetchSource('https://awards.example/')) });
export const titles = async (): Promise<string[]> => (await local.get('/api/movies', { yearStart: 1980 })).data.map((movie: Movie) => movie.title);
export const dramas: AsyncIterable<Movie> = client.all('/api/movies', { genre: 'Drama' });
export const page: Promise<ListOf['nominations']> = client.get('/api/nominations', { winner: true });
export async function correct(id: number): Promise<number | null> {
  try {
    const film = await client.get(\`/api/movies/\${id}\`);
    return (await client.patch(\`/api/movies/\${id}\`, { runtime: 1 }, { ifMatch: etagOf(film) })).record.runtime;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'precondition-failed') return null;
    throw error;
  }
}
// @ts-expect-error films have no venue
client.patch('/api/movies/1', { venue: 'x' });
// @ts-expect-error people have no genre to filter by
client.get('/api/nominees', { genre: 'x' });
// @ts-expect-error categories can only be read
client.post('/api/categories', { category_name: 'x' });
// @ts-expect-error a search needs words
client.get('/api/search', {});
`;

it('both packages hold what runs and nothing else, start, build, and give a client with types', async () => {
  const { folder, at, manifest, clientManifest } = await installedProject();
  const filesOf = (name: string) =>
    fastGlob.sync('**/*', { cwd: at(name), dot: true, followSymbolicLinks: false });
  const [files, ofClient] = names.map(filesOf) as [string[], string[]];
  expect(files.length).toBeLessThan(230);
  // Of the site, the renderer of pages and the answers of the reference alone: browsers get the finished site.
  const foreign =
    /(?<!\.d)\.tsx?$|test|browser|offline|^build\/site\/(?!explorer\/|shared\/|docs\/answers\.js)|\.css$|\.db/;
  expect(files.filter((path) => foreign.test(path))).toEqual([]);
  expect(manifest.dependencies).toEqual({ 'better-sqlite3': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  // What is inside has its license beside it.
  for (const [name, inside] of [
    [names[0], ['fastify', 'minisearch', 'pino', 'preact']],
    [names[1], ['lru-cache', 'minisearch']],
  ] as const) {
    const parts = readFileSync(at(name, 'THIRD-PARTY-LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n`);
    for (const own of inside)
      expect(parts.filter((part) => part.trim().startsWith(`${own} `))).toHaveLength(1);
    const isBare = (part: string) => part.length < 600 && !part.includes('has no license file');
    expect(parts.filter(isBare)).toEqual([]);
  }
  // The client installs nothing else, and nothing native.
  for (const key of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts'])
    expect(clientManifest).not.toHaveProperty(key);
  expect(ofClient.filter((path) => !/\.(js|d\.ts|json|md)$|LICENSE/.test(path))).toEqual([]);

  const npx = (...words: string[]) =>
    spawn('npx', ['--offline', 'film-awards', ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const service = npx('start', '--port', '0');
  const outcome = outcomeOf(service);
  const address = await addressOf(service);
  const bin = join(folder, 'node_modules/.bin/film-awards');
  const created = await run(bin, ['keys', 'create', 'editor', '--json'], { cwd: folder });
  const { key } = JSON.parse(created.stdout) as { key: string };
  writeFileSync(join(folder, 'client.js'), program(address, key));
  expect((await run(process.execPath, ['client.js'], { cwd: folder })).stdout).toBe('123 123 2 true\n');
  expect(await (await fetch(`${address}/movies/1`)).text()).toMatch(/<h1[^>]*>Sunrise/);
  // npx ends at once; its output ends with the service.
  service.kill('SIGTERM');
  expect((await outcome).stderr.replaceAll(/^npm .*\n/gm, '')).toBe('');
  expect((await run(bin, ['--version'], { cwd: folder })).stdout).toBe(`${manifest.version}\n`);
  await run(bin, ['build'], { cwd: folder });
  expect((await run(bin, ['verify'], { cwd: folder })).stdout).toContain('equal to a clean build');
  await expect(run(bin, ['generate', '--db', 'new.db'], { cwd: folder })).rejects.toThrow(
    /awards: only a checkout of the project has the generator; "awards sample" [^\n]*\n$/,
  );
  expect(existsSync(join(folder, 'new.db'))).toBe(false);

  const nodeNext = { module: 'NodeNext', moduleResolution: 'NodeNext' };
  mkdirSync(join(folder, 'types'));
  writeFileSync(join(folder, 'types/other.ts'), calls('film-awards/client'));
  const [, shown = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(project, 'README.md'), 'utf8'))!;
  const given = 'declare const key: string, moment_1_caption: string;\n';
  writeFileSync(join(folder, 'types/readme.mts'), given + shown);
  expect(await faultsOfTypes(join(folder, 'types'), calls('film-awards-client'), nodeNext)).toBe('');
  for (const [used, call, limit, unused] of [
    ['createClient', `createClient({ baseUrl: 'https://a.example' })`, 1600, /manifest\.json|typebox|node:/],
    [
      'createClient, fetchSource, snapshotFetch',
      `createClient({ fetch: snapshotFetch(fetchSource('/')) })`,
      43_000,
      /typebox|["']node:|\brequire\s*\(/,
    ],
  ] as const) {
    const contents = `import { ${used} } from 'film-awards-client'; console.log(${call});`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent' },
    });
    expect(gzipSync(outputFiles[0]!.text).length, used).toBeLessThan(limit);
    expect(outputFiles[0]!.text).not.toMatch(unused);
  }
});

it('what npm installs beside the package takes every Node that the package takes', () => {
  type Entry = { dependencies?: Record<string, string>; engines?: { node?: string } };
  const text = readFileSync(join(project, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
  const found = new Set<string>();
  const collect = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const own of Object.keys(packages[`node_modules/${name}`]!.dependencies ?? {})) collect(own);
  };
  collect('better-sqlite3');
  expect(found.size).toBeGreaterThan(2);
  for (const name of found) {
    const { node = '*' } = packages[`node_modules/${name}`]!.engines ?? {};
    const takesAll = node === '*' || /^>= ?(1?\d|20)(\.\d+)*$|\b20\.x\b.*\b22\.x\b.*\b24\.x\b/.test(node);
    expect([name, node, takesAll]).toEqual([name, node, true]);
  }
});

it('a package has no database of the project, which holds keys and receipts, and no other file of its data', () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'data'));
  const databases = ['awards.db', 'awards.db-wal', 'awards.db.replaced-2026-11-25', 'tmdb-cache.db'];
  for (const name of [...databases, 'backup.db.sha256', 'oscars.csv', 'open.ts', 'schema.sql'])
    writeFileSync(join(cwd, 'data', name), '');
  expect(shippedFiles(cwd)).toEqual(['data/schema.sql']);
});
