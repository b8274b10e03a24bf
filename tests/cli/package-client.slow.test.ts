/** The promise: film-awards-client installs little, runs in every runtime, and has the types of the project. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeClientPackage } from '../../build/package/client-package.ts';
import { writePackage } from '../../build/package/package.ts';
import { writeDeclarations } from '../../build/package/sources.ts';
import { deno, noDeno } from '../conformance/deno.ts';
import { type RunningService, startService } from '../http/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { project } from '../support/project.ts';
import { needTools, toolPath } from '../support/tools.ts';
import { consumerOf, faultsOfTypes, moduleSystems } from './consumer.ts';
import { packed, unpack } from './packed.ts';

const run = promisify(execFile);
const name = 'film-awards-client';

/** A project with the package in its node_modules, and nothing else. */
let folder: string;
let source: string;
let service: RunningService;
const installed = () => join(folder, 'node_modules', name);

beforeAll(async () => {
  source = join(temporaryFolder(), 'package');
  await writeClientPackage(source);
  folder = temporaryFolder();
  await unpack(await packed(source), installed());
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { [name]: '*' } }),
  );
  service = await startService(inject('sample').out);
});
afterAll(() => service.stop());

it('installs less than 1 MB, no other package, and nothing native', () => {
  const files = fastGlob.sync('**/*', { cwd: installed(), dot: true, stats: true });
  const bytes = files.reduce((sum, { stats }) => sum + stats!.size, 0);
  process.stdout.write(`film-awards-client: ${files.length} files, ${bytes} bytes\n`);
  expect(bytes).toBeLessThan(1_000_000);
  const kinds = new Set(files.map(({ path }) => /(\.d\.ts|\.[a-zA-Z]+)$/.exec(path)?.[1]));
  expect([...kinds].sort()).toEqual(['.LICENSE', '.d.ts', '.js', '.json', '.md', undefined]);
  const manifest = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8')) as object;
  for (const key of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts'])
    expect(manifest).not.toHaveProperty(key);
  const imports = files
    .filter(({ path }) => /\.(js|d\.ts)$/.test(path))
    .flatMap(({ path }) => [
      ...readFileSync(join(installed(), path), 'utf8').matchAll(/(?:\bfrom |^import )["']([^'"]+)["'];$/gm),
    ]);
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.map(([, target]) => target!).filter((target) => !target.startsWith('.'))).toEqual([]);
});

/** Reads over HTTP and from the files, and prints one line. */
const program = (origin: string) => `
import { createClient, fetchSource, snapshotFetch } from '${name}';
const query = { genre: 'Drama', include: ['counts'], sort: '-entries', limit: 2 };
const answers = [];
for (const options of [{ baseUrl: '${origin}' }, { fetch: snapshotFetch(fetchSource('${origin}/')) }]) {
  const client = createClient(options);
  const { data } = await client.get('/api/movies', query);
  const found = await client.get('/api/search', { q: 'shape', limit: 1 });
  answers.push(JSON.stringify([data, found.data]));
}
console.log(answers[0] === answers[1], ...JSON.parse(answers[0]).map((list) => list.length));
`;

describe('its answers over HTTP and from the files are equal in', () => {
  const origin = () => `http://127.0.0.1:${service.port}`;
  const write = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };

  it('plain Node', async () => {
    const { stdout } = await run(process.execPath, [write('node.js', program(origin()))], { cwd: folder });
    expect(stdout).toBe('true 2 1\n');
  });

  it('Deno', async (context) => {
    if (!deno) return context.skip(noDeno);
    const words = ['run', '--no-prompt', '--no-remote', '--no-lock', '--allow-net=127.0.0.1'];
    const file = write('deno.js', program(origin()));
    const environment = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };
    const { stdout } = await run(deno, [...words, '--node-modules-dir=manual', file], {
      cwd: folder,
      env: environment,
    });
    expect(stdout).toBe('true 2 1\n');
  });

  it('a bundle for browsers', async () => {
    const outfile = join(folder, 'bundle.mjs');
    await build({
      stdin: { contents: program(origin()), resolveDir: folder },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      outfile,
      logLevel: 'silent',
    });
    const { stdout } = await run(process.execPath, [outfile], { cwd: temporaryFolder() });
    expect(stdout).toBe('true 2 1\n');
  });
});

const resolver = /manifest\.json|typebox|node:|SnapshotUnavailable/;
it.each([
  ['createClient', `createClient({ baseUrl: 'https://awards.example' })`, 1500, resolver],
  [
    'createClient, fetchSource, snapshotFetch',
    `createClient({ fetch: snapshotFetch(fetchSource('/')) })`,
    40_000,
    /typebox|["']node:/,
  ],
])('a bundle with %s has what it uses, and no more', async (names, call, limit, unused) => {
  const contents = `import { ${names} } from '${name}'; console.log(${call});`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const { text } = outputFiles[0]!;
  const size = gzipSync(text).length;
  process.stdout.write(`a bundle with ${names}: ${size} bytes gzipped\n`);
  expect(size).toBeLessThan(limit);
  expect(text).not.toMatch(unused);
});

it.each(moduleSystems)(
  'TypeScript checks calls of the client with the default options of %s',
  async (system, module, moduleResolution) => {
    const own = join(folder, system);
    expect(await faultsOfTypes(own, consumerOf(name), { module, moduleResolution })).toBe('');
  },
);

it('its types are those of film-awards/client', async () => {
  const other = join(folder, 'node_modules/film-awards');
  writeDeclarations(other);
  writeFileSync(
    join(other, 'package.json'),
    '{ "type": "module", "exports": { "./client": { "types": "./api/client/index.d.ts" } } }',
  );
  symlinkSync(join(project, 'node_modules/typebox'), join(folder, 'node_modules/typebox'));
  const types = [
    ...['Movie', 'Nomination', 'Nominee', 'Ceremony', 'Category', 'Song', 'RecordOf', 'ListOf'],
    ...['RankingOf', 'CountsList', 'SearchResult', 'ReceiptDocument', 'ReceiptList', 'Download'],
    ...['DownloadIndex', 'Pagination', 'Fault', 'ProblemCode'],
  ];
  const source = `
import type * as One from '${name}';
import type * as Other from 'film-awards/client';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
${types.map((type) => `export const ${type}: Equal<One.${type}, Other.${type}> = true;`).join('\n')}
// @ts-expect-error two types that differ
export const different: Equal<One.Movie, Other.Song> = true;
`;
  const options = { module: 'NodeNext', moduleResolution: 'NodeNext' };
  expect(await faultsOfTypes(join(folder, 'equal'), source, options)).toBe('');
});

/** publint on the folder, and attw on the tarball. Both packages are ES modules only, which Node 20.19 can also require(). */
async function judge(folder: string): Promise<string[]> {
  const lint = [toolPath('publint/src/cli.js'), folder, '--strict', '--pack', 'npm'];
  const types = [toolPath('@arethetypeswrong/cli/dist/index.js'), await packed(folder)];
  const options = ['--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii'];
  return Promise.all(
    [lint, [...types, ...options]].map(async (words) => {
      const { stdout } = await run(process.execPath, words, { env: { ...process.env, NO_COLOR: '1' } });
      return stdout;
    }),
  );
}

it.for([
  ['film-awards', writePackage],
  [name, writeClientPackage],
] as const)('publint and attw find no fault in %s', async ([_name, writeFiles], context) => {
  needTools(context);
  const own = join(temporaryFolder(), 'package');
  await writeFiles(own);
  const [lint, types] = await judge(own);
  expect(lint).toMatch(/All good!/);
  expect(types).toMatch(/^node16 \(from ESM\): 🟢 \(ESM\)\nbundler: 🟢 /m);
  // They do find faults.
  const file = join(own, 'package.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('index.d.ts', 'missing.d.ts'));
  await expect(judge(own)).rejects.toThrow();
});
