/**
 * A snapshot with a missing or damaged file: requests that need the file get 503, all others their right answer. When the file
 * is back, everything is answered again without a restart.
 */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fileSource } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { addresses as questions } from '../support/requests.ts';
import { interceptCalls } from '../support/intercepted-calls.ts';
import { answerAt, build } from '../records/build.ts';
import type { Reply } from '../support/http.ts';
import { indexFiles } from '../records/index-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type BuiltFolder,
  builtFolder,
  expectProblem,
  inProcess,
  type Service,
} from '../support/running-service.ts';

/** The state of the file after the damage, and the damage. */
const damages: [string, (file: string, bytes: Uint8Array) => void][] = [
  ['missing', (file) => rmSync(file)],
  ['empty', (file) => truncateSync(file, 0)],
  ['wrong in one bit', (file, bytes) => writeFileSync(file, bytes.with(9, bytes[9]! ^ 1))],
  ['another JSON', (file) => writeFileSync(file, '{"format":1,"id":[]}\n')],
  ['a folder', (file) => [rmSync(file), mkdirSync(file)]],
];

let built: BuiltFolder;
const healthy = new Map<string, Reply>();
/** A copy for damage. The service needs only the manifest and the shards. */
let out: string;
let service: Service;
/** Milliseconds added to the clock: a look at the manifest is valid for less than what is added at once. */
let passed = 0;
beforeAll(async () => {
  built = await builtFolder(undefined, []);
  service = inProcess(built.out);
  for (const question of questions) healthy.set(question, await service.ask(question));
  await service.stop();
});
beforeEach(() => {
  out = join(temporaryFolder(), 'dist');
  for (const name of ['manifest.json', 'shards'])
    cpSync(join(built.out, name), join(out, name), { recursive: true });
  const clock = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + passed);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.stop();
});
afterAll(() => built.connection.close());

/** Asks everything; each answer is the right one or 503. @returns the number of 503 */
async function unavailable(): Promise<number> {
  passed += 120;
  let count = 0;
  for (const question of questions) {
    const { status, headers, body } = await service.ask(question);
    if (status === 503) {
      count += 1;
      expectProblem(body, 503);
      expect(headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
    } else {
      const right = healthy.get(question)!;
      expect([question, status, body.toString()]).toEqual([question, right.status, right.body.toString()]);
    }
  }
  return count;
}

it.each(damages)(
  'files that are %s: 503 for what needs them, and right answers when they are back',
  async (name, damage) => {
    const nth = damages.findIndex(([other]) => other === name);
    const shards = fastGlob.sync('shards/**/*.json', { cwd: out }).sort();
    // Each shard is damaged in one way, a few at a time; the manifest in every way.
    const damaged = shards.filter((_path, at) => at % damages.length === nth);
    const batches = [0, 1].map((batch) => damaged.filter((_path, at) => at % 2 === batch));
    let partly = 0;
    for (const paths of [...batches, ['manifest.json']]) {
      const files = paths.map((path) => join(out, path));
      const before = files.map((file) => readFileSync(file));
      for (const [at, file] of files.entries()) damage(file, before[at]!);
      service = inProcess(out);
      const count = await unavailable();
      if (paths[0] !== 'manifest.json') expect(service.failures.length).toBe(count);
      if (count > 0 && count < questions.length) partly += 1;
      for (const [at, file] of files.entries()) {
        rmSync(file, { recursive: true, force: true });
        writeFileSync(file, before[at]!);
      }
      expect(await unavailable()).toBe(0);
      // A service that has loaded its snapshot needs no manifest.
      if (paths[0] === 'manifest.json') {
        damage(files[0]!, before[0]!);
        expect(await unavailable()).toBe(0);
      }
      await service.stop();
    }
    expect(partly).toBeGreaterThan(0);
  },
);

it('without a snapshot, refusals and preflights are answered, and everything as soon as there is one', async () => {
  rmSync(out, { recursive: true });
  writeFileSync(out, 'a file');
  service = inProcess(out);
  for (const [method, path, status] of [
    ['GET', '/api/movies?page=0', 400],
    ['GET', '/api/films', 404],
    ['OPTIONS', '/api/movies', 204],
    ['HEAD', '/api/movies/1', 503],
  ] as const)
    expect((await service.ask(path, { method })).status, path).toBe(status);
  expect(await unavailable()).toBe(questions.length);
  rmSync(out);
  await build(built.connection, out, { layers: [] });
  expect(await unavailable()).toBe(0);
  // The folder may be moved away and back.
  renameSync(out, `${out}.away`);
  expect(await unavailable()).toBe(0);
  renameSync(`${out}.away`, out);
  expect(await unavailable()).toBe(0);
});

it('a request that needs a lost file looks at the manifest once more, and not again and again', async () => {
  rmSync(join(out, 'shards/records/movies'), { recursive: true });
  const source = fileSource(out);
  const looks: string[] = [];
  const file = (path: string) => {
    looks.push(path);
    return source.file(path);
  };
  const { status } = await answerAt(new Resolver({ ...source, file }), '/api/movies/27');
  expect([status, looks]).toEqual([503, ['manifest.json', 'manifest.json']]);
});

it('a look at the manifest that failed is repeated, though the file does not change again', async () => {
  const { connection } = built;
  const edit = (tagline: string | null) =>
    connection.prepare('UPDATE movies SET tagline = ? WHERE id = 27').run(tagline);
  service = inProcess(out);
  const shown = async () => {
    passed += 120;
    const { body } = await service.ask('/api/movies/27');
    return (JSON.parse(body.toString()) as { tagline: string | null }).tagline;
  };
  const before = await shown();
  edit('After the failure');
  await build(connection, out, { layers: [] });
  edit(before);
  const failing = interceptCalls(join(out, 'manifest.json'), ({ name }, proceed) => {
    if (name === 'readFileSync') throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    return proceed();
  });
  try {
    for (let look = 1; look <= 2; look += 1) {
      expect(await shown()).toBe(before);
      expect(service.failures).toHaveLength(look);
    }
  } finally {
    failing.end();
  }
  expect(await shown()).toBe('After the failure');
  expect(service.failures).toHaveLength(2);
});

it('damage is reported, so that it is mended; addresses of files that never were are not', async () => {
  const onDamage = vi.fn();
  service = inProcess(out, { onDamage });
  expect((await service.ask('/shards/titles/0123456789abcdef0123.json')).status).toBe(404);
  expect(onDamage).not.toHaveBeenCalled();
  for (const path of fastGlob.sync('shards/{core,titles,records/movies}/*', { cwd: out }))
    rmSync(join(out, path));
  // No part of an export passes for the whole.
  for (const target of ['/api/movies', '/api/movies?format=csv'])
    expect((await service.ask(target)).status).toBe(503);
  expect(onDamage).toHaveBeenCalledTimes(2);
});

it('a document of the site that an update is replacing is the one that the index names', async () => {
  mkdirSync(join(out, 'api'));
  const write = (text: string) => writeFileSync(join(out, 'api/openapi.json'), text);
  write('{"first":1}');
  indexFiles(out, 'site', ['api/openapi.json']);
  service = inProcess(out, { answerBytes: 0 });
  const answer = async () => (await service.ask('/api/openapi.json')).body.toString();
  const first = await answer();
  write('{"second":2}');
  const second = await answer();
  indexFiles(out, 'site');
  expect([first, second, await answer()]).toEqual(['{"first":1}', '{"first":1}', '{"second":2}']);
});
