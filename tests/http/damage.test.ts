/**
 * A snapshot with a missing or damaged file: requests that need the file get 503, all others their right answer. When the file
 * is back, everything is answered again without a restart.
 */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addresses as questions } from '../conformance/replacing-site.ts';
import { interceptCalls } from '../durability/intercepted-calls.ts';
import { build } from '../support/build.ts';
import type { Reply } from '../support/http.ts';
import { indexFiles } from '../support/index-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type BuiltFolder, builtFolder, expectProblem, inProcess, type Service } from './running-service.ts';

/** The state of the file after the damage, and the damage. */
const damages: [string, (file: string, bytes: Buffer) => void][] = [
  ['missing', (file) => rmSync(file)],
  ['empty', (file) => truncateSync(file, 0)],
  ['cut short', (file, bytes) => truncateSync(file, bytes.length >> 1)],
  ['one byte longer', (file, bytes) => writeFileSync(file, Buffer.concat([bytes, Buffer.from('\n')]))],
  [
    'wrong in one bit',
    (file, bytes) =>
      writeFileSync(
        file,
        bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
      ),
  ],
  ['another JSON', (file) => writeFileSync(file, '{"format":1,"id":[]}\n')],
  ['a folder', (file) => [rmSync(file), mkdirSync(file)]],
];

let built: BuiltFolder;
const healthy = new Map<string, Reply>();
let service: Service;
beforeAll(async () => {
  built = await builtFolder(undefined, []);
  service = inProcess(built.out);
  for (const question of questions) healthy.set(question, await service.ask(question));
  await service.stop();
});
afterAll(() => built.connection.close());

/** A look at the manifest is valid for less. */
let passed = 0;
const nextLook = () => {
  passed += 120;
};
beforeEach(() => {
  const clock = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + passed);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.stop();
});

/** A copy for damage. The service needs only the manifest and the shards. */
function copyOfSnapshot(): string {
  const out = join(temporaryFolder(), 'dist');
  for (const name of ['manifest.json', 'shards'])
    cpSync(join(built.out, name), join(out, name), { recursive: true });
  return out;
}

/** Asks everything; each answer is the right one or 503. @returns the number of 503 */
async function unavailable(): Promise<number> {
  nextLook();
  let count = 0;
  for (const question of questions) {
    const { status, headers, body } = await service.ask(question);
    if (status === 503) {
      count += 1;
      expectProblem(body, 503);
      expect(headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
      expect(headers.etag).toBeUndefined();
    } else {
      const right = healthy.get(question)!;
      expect([question, status, body.toString()]).toEqual([question, right.status, right.body.toString()]);
    }
  }
  return count;
}

function restore(file: string, bytes: Buffer): void {
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, bytes);
}

describe.each(damages)('a file that is %s', (name, damage) => {
  it('among the shards: 503 for what needs it, right answers for the rest, and for all when it is back', async () => {
    const out = copyOfSnapshot();
    const nth = damages.findIndex(([other]) => other === name);
    const shards = fastGlob.sync('shards/**/*.json', { cwd: out }).sort();
    // Each file is damaged in one way, a few at a time.
    const damaged = shards.filter((_path, at) => at % damages.length === nth);
    let needed = 0;
    for (const batch of [0, 1, 2]) {
      const files = damaged.filter((_path, at) => at % 3 === batch).map((path) => join(out, path));
      const before = files.map((file) => readFileSync(file));
      files.forEach((file, at) => damage(file, before[at]!));
      service = inProcess(out);
      const count = await unavailable();
      expect(service.failures.length).toBe(count);
      if (count > 0 && count < questions.length) needed += 1;
      files.forEach((file, at) => restore(file, before[at]!));
      expect(await unavailable()).toBe(0);
      await service.stop();
    }
    expect(needed).toBeGreaterThan(0);
  });

  it('the manifest: answers of the loaded snapshot, and 503 of a service that has none', async () => {
    const out = copyOfSnapshot();
    const file = join(out, 'manifest.json');
    const bytes = readFileSync(file);
    service = inProcess(out);
    expect(await unavailable()).toBe(0);
    damage(file, bytes);
    for (let looks = 0; looks < 2; looks += 1) expect(await unavailable()).toBe(0);
    expect(service.failures.length).toBeGreaterThan(0);
    await service.stop();
    service = inProcess(out);
    expect(await unavailable()).toBe(questions.length);
    restore(file, bytes);
    expect(await unavailable()).toBe(0);
  });
});

it('without a snapshot, refusals and preflights are answered, and everything as soon as there is one', async () => {
  const out = join(temporaryFolder(), 'dist');
  writeFileSync(out, 'a file');
  service = inProcess(out);
  for (const [method, path, status] of [
    ['GET', '/api/movies?page=0', 400],
    ['GET', '/api/films', 404],
    ['GET', '/api/movies/x', 404],
    ['POST', '/api/movies', 405],
    ['OPTIONS', '/api/movies', 204],
    ['HEAD', '/api/movies/1', 503],
  ] as const)
    expect((await service.ask(path, { method })).status, path).toBe(status);
  expect(await unavailable()).toBe(questions.length);
  rmSync(out);
  expect(await unavailable()).toBe(questions.length);
  await build(built.connection, out, { layers: [] });
  expect(await unavailable()).toBe(0);
  // The folder may be moved away and back.
  renameSync(out, `${out}.away`);
  expect(await unavailable()).toBe(0);
  renameSync(`${out}.away`, out);
  expect(await unavailable()).toBe(0);
});

it('a newer snapshot is answered from, also if its manifest cannot be read at the first looks', async () => {
  const { connection, out } = await builtFolder(undefined, []);
  service = inProcess(out);
  const title = async () => JSON.parse((await service.ask('/api/movies/27')).body.toString()).title as string;
  const before = await title();
  connection.exec("UPDATE movies SET title = 'Newer' WHERE id = 27");
  await build(connection, out, { layers: [] });
  connection.close();
  let refused = 0;
  const interception = interceptCalls(out, ({ name, subject }, proceed) => {
    if (name !== 'readFileSync' || !subject.endsWith('manifest.json') || refused === 2) return proceed();
    refused += 1;
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  });
  try {
    for (const expected of [before, before, 'Newer']) {
      nextLook();
      expect(await title()).toBe(expected);
    }
  } finally {
    interception.end();
  }
});

it('a damaged shard is reported, so that it is made again; addresses of files that never were are not', async () => {
  const out = copyOfSnapshot();
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
  await build(built.connection, out, { full: true, layers: [] });
  expect(await unavailable()).toBe(0);
});

it('a document of the site that an update is replacing is the one that the index names', async () => {
  const out = copyOfSnapshot();
  mkdirSync(join(out, 'api'));
  const write = (text: string) => writeFileSync(join(out, 'api/openapi.json'), text);
  write('{"first":1}');
  indexFiles(out, 'site', ['api/openapi.json']);
  service = inProcess(out, { answerBytes: 0 });
  const answer = async () => (await service.ask('/api/openapi.json')).body.toString();
  expect(await answer()).toBe('{"first":1}');
  write('{"second":2}');
  expect(await answer()).toBe('{"first":1}');
  indexFiles(out, 'site');
  expect(await answer()).toBe('{"second":2}');
});
