/**
 * A snapshot with a missing or damaged file: requests that need the file get 503, all others their right answer. When the file
 * is back, everything is answered again without a restart.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { addresses as questions } from '../conformance/requests.ts';
import { runs } from '../support/settings.ts';
import { interceptCalls } from '../durability/intercepted-calls.ts';
import { build } from '../support/build.ts';
import { indexFiles } from '../support/index-files.ts';
import { expectProblem } from './raw-connection.ts';
import { type BuiltFolder, builtFolder, type RunningService, startService } from './running-service.ts';
import type { Reply } from '../support/http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
let healthy: Map<string, Reply>;
let service: RunningService;
beforeAll(async () => {
  built = await builtFolder();
  service = await startService(built.out);
  healthy = new Map();
  for (const question of questions) healthy.set(question, await service.ask(question));
  await service.stop();
});
afterEach(() => service.stop());
afterAll(() => built.connection.close());

/** A copy for damage. The service needs only the manifest and the shards. */
function copyOfSnapshot(): string {
  const out = join(temporaryFolder(), 'dist');
  mkdirSync(out);
  for (const name of ['manifest.json', 'shards'])
    cpSync(join(built.out, name), join(out, name), { recursive: true });
  return out;
}

/** Longer than the service waits between two looks at the manifest. */
const nextLook = () => new Promise((resolve) => setTimeout(resolve, 120));

/** Asks everything; each answer is the right one or 503. @returns the number of 503 */
async function unavailableOf(): Promise<number> {
  let unavailable = 0;
  for (const question of questions) {
    const { status, headers, body } = await service.ask(question);
    if (status === 503) {
      unavailable += 1;
      expectProblem(body, 503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers.etag).toBeUndefined();
    } else {
      expect(status, `${question}: ${body}`).toBe(healthy.get(question)!.status);
      expect(body.equals(healthy.get(question)!.body), question).toBe(true);
    }
  }
  return unavailable;
}

async function expectUnavailable(count: number): Promise<void> {
  await nextLook();
  expect(await unavailableOf()).toBe(count);
}

describe.each(damages)('a file that is %s', (name, damage) => {
  it('among the shards: 503 for what needs it, right answers for the rest, and for all when it is back', async () => {
    const out = copyOfSnapshot();
    const nth = damages.findIndex(([other]) => other === name);
    // Each file is damaged in one way; with more effort, in all ways.
    const shards = fastGlob
      .sync('shards/**/*.json', { cwd: out })
      .sort()
      .filter((_path, at) => runs(1) > 1 || at % damages.length === nth);
    let needed = 0;
    for (const path of shards) {
      const file = join(out, path);
      const bytes = readFileSync(file);
      damage(file, bytes);
      service = await startService(out);
      const unavailable = await unavailableOf();
      // Every question needs the core.
      if (!path.startsWith('shards/core/')) expect(unavailable, path).toBeLessThan(questions.length);
      expect(service.failures.length).toBe(unavailable);
      if (unavailable > 0) needed += 1;
      rmSync(file, { recursive: true, force: true });
      writeFileSync(file, bytes);
      expect(await unavailableOf(), path).toBe(0);
      await service.stop();
    }
    expect(needed).toBeGreaterThan(0);
  });

  it('the manifest: answers of the loaded snapshot, and 503 of a service that has none', async () => {
    const out = copyOfSnapshot();
    const file = join(out, 'manifest.json');
    const bytes = readFileSync(file);
    service = await startService(out);
    expect(await unavailableOf()).toBe(0);
    damage(file, bytes);
    for (let looks = 0; looks < 2; looks += 1) await expectUnavailable(0);
    expect(service.failures.length).toBeGreaterThan(0);
    await service.stop();
    service = await startService(out);
    await expectUnavailable(questions.length);
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, bytes);
    await expectUnavailable(0);
  });
});

it('refusals and preflights need no snapshot', async () => {
  service = await startService(join(temporaryFolder(), 'none'));
  for (const [method, path, status] of [
    ['GET', '/api/movies?page=0', 400],
    ['GET', '/api/films', 404],
    ['GET', '/api/movies/x', 404],
    ['POST', '/api/movies', 405],
    ['OPTIONS', '/api/movies', 204],
    ['HEAD', '/api/movies/1', 503],
  ] as const)
    expect((await service.ask(path, { method })).status, path).toBe(status);
});

it('a service that starts without a snapshot, or on a file, answers as soon as there is one', async () => {
  const out = join(temporaryFolder(), 'dist');
  writeFileSync(out, 'a file');
  service = await startService(out);
  expect(await unavailableOf()).toBe(questions.length);
  rmSync(out);
  await expectUnavailable(questions.length);
  await build(built.connection, out);
  await expectUnavailable(0);
});

it('the folder may be moved away and back, or replaced by a file', async () => {
  const out = copyOfSnapshot();
  service = await startService(out);
  expect(await unavailableOf()).toBe(0);
  renameSync(out, `${out}.away`);
  await expectUnavailable(0);
  writeFileSync(out, 'a file');
  await expectUnavailable(0);
  rmSync(out);
  renameSync(`${out}.away`, out);
  await expectUnavailable(0);
});

it('a newer snapshot is answered from, also if its manifest cannot be read at the first look', async () => {
  const { connection, out } = await builtFolder();
  service = await startService(out);
  const title = async () => JSON.parse((await service.ask('/api/movies/27')).body.toString()).title;
  const before = await title();
  let refused = 0;
  const interception = interceptCalls(out, ({ name, subject }, proceed) => {
    if (name !== 'readFileSync' || !subject.endsWith('manifest.json') || refused === 2) return proceed();
    refused += 1;
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  });
  try {
    connection.exec("UPDATE movies SET title = 'Newer' WHERE id = 27");
    refused = 2;
    await build(connection, out, { layers: [] });
    refused = 0;
    for (let looks = 0; looks < 2; looks += 1) {
      await nextLook();
      expect(await title()).toBe(before);
    }
    await nextLook();
    expect(await title()).toBe('Newer');
  } finally {
    interception.end();
    connection.close();
  }
});

it('a full build repairs a damaged snapshot of a running service', async () => {
  const out = copyOfSnapshot();
  service = await startService(out);
  const shards = fastGlob.sync('shards/**/*.json', { cwd: out });
  for (let round = 0; round < runs(2); round += 1) {
    shards.forEach((path, at) => {
      const file = join(out, path);
      if ((at + round) % 3 === 0 && existsSync(file)) rmSync(file);
      else if ((at + round) % 3 === 1) writeFileSync(file, 'x');
    });
    await unavailableOf();
    await build(built.connection, out, { full: true });
    await expectUnavailable(0);
  }
});

it('a damaged shard is reported, so that it is made again; addresses of files that never were are not', async () => {
  const out = copyOfSnapshot();
  let reports = 0;
  const onDamage = () => {
    reports += 1;
  };
  service = await startService(out, { onDamage });
  expect((await service.ask('/shards/titles/0123456789abcdef0123.json')).status).toBe(404);
  expect(reports).toBe(0);
  for (const path of fastGlob.sync('shards/core/*', { cwd: out })) rmSync(join(out, path));
  expect((await service.ask('/api/movies')).status).toBe(503);
  expect(reports).toBe(1);
});

it('a document of the site that an update is replacing: the one that the index names', async () => {
  const out = copyOfSnapshot();
  mkdirSync(join(out, 'api'));
  const write = (text: string) => writeFileSync(join(out, 'api/openapi.json'), text);
  write('{"first":1}');
  indexFiles(out, 'site', ['api/openapi.json']);
  const resolver = new Resolver(fileSource(out), { digest: nodeDigest, answerBytes: 0 });
  const request = { method: 'GET', path: '/api/openapi.json', queryString: '' };
  const answer = async () => Buffer.from((await resolver.answer(request)).body ?? '').toString();
  expect(await answer()).toBe('{"first":1}');
  write('{"second":2}');
  expect(await answer()).toBe('{"first":1}');
  indexFiles(out, 'site');
  expect(await answer()).toBe('{"second":2}');
});
