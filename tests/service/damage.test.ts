/**
 * A snapshot that is not whole: whatever needs the file that is missing or damaged is answered with 503, everything else as
 * ever, and all is well again as soon as the file is, without a restart. Never half a record, never a wrong one.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../support/build.ts';
import { runs } from '../settings.ts';
import { damages, questions } from './damages.ts';
import { expectProblem } from './raw-connection.ts';
import {
  type BuiltFolder,
  builtFolder,
  type Reply,
  type RunningService,
  startService,
} from './running-service.ts';
import { removeTemporaryFolders, temporaryFolder } from './temporary-folder.ts';

removeTemporaryFolders();

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

/** A copy of what the service reads of the snapshot, to be damaged. */
function copyOfSnapshot(): string {
  const out = join(temporaryFolder(), 'dist');
  mkdirSync(out);
  for (const name of ['manifest.json', 'shards'])
    cpSync(join(built.out, name), join(out, name), { recursive: true });
  return out;
}

/** Asks everything; each answer is the right one or 503. @returns how many were 503 */
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

describe.each(damages)('a file that is %s', (name, damage) => {
  it('among the shards: 503 for what needs it, the rest as ever, and all of it when it is back', async () => {
    const out = copyOfSnapshot();
    const nth = damages.findIndex(([other]) => other === name);
    // Each file is damaged in one way, with more effort in all of them.
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
      expect(unavailable, path).toBeLessThan(questions.length);
      expect(service.failures.length).toBe(unavailable);
      if (unavailable > 0) needed += 1;
      rmSync(file, { recursive: true, force: true });
      writeFileSync(file, bytes);
      expect(await unavailableOf(), path).toBe(0);
      await service.stop();
    }
    expect(needed).toBeGreaterThan(0);
  });

  it('the manifest: 503 for everything, until it is back', async () => {
    const out = copyOfSnapshot();
    const file = join(out, 'manifest.json');
    const bytes = readFileSync(file);
    service = await startService(out);
    expect(await unavailableOf()).toBe(0);
    damage(file, bytes);
    await new Promise((resolve) => setTimeout(resolve, 120));
    // White space behind the manifest takes nothing from it; "verify" is for that.
    expect(await unavailableOf()).toBe(name === 'one byte longer' ? 0 : questions.length);
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, bytes);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await unavailableOf()).toBe(0);
  });
});

it('of the pages, which only a CDN reads, none is needed here', async () => {
  service = await startService(copyOfSnapshot());
  expect(await unavailableOf()).toBe(0);
});

it('refusals need no snapshot: a damaged one leaves 400, 404 and 405 what they are', async () => {
  service = await startService(join(temporaryFolder(), 'none'));
  expect((await service.ask('/api/movies?page=0')).status).toBe(400);
  expect((await service.ask('/api/films')).status).toBe(404);
  expect((await service.ask('/api/movies/x')).status).toBe(404);
  expect((await service.ask('/api/movies', { method: 'POST' })).status).toBe(405);
  expect((await service.ask('/api/movies', { method: 'OPTIONS' })).status).toBe(204);
  expect((await service.ask('/api/movies/1', { method: 'HEAD' })).status).toBe(503);
});

it('a service that starts before there is a snapshot answers from it as soon as it is built', async () => {
  const out = join(temporaryFolder(), 'not', 'yet');
  service = await startService(out);
  expect(await unavailableOf()).toBe(questions.length);
  await build(built.connection, out);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await unavailableOf()).toBe(0);
});

it('the whole folder may go and come back, or be another kind of thing', async () => {
  const out = copyOfSnapshot();
  service = await startService(out);
  expect(await unavailableOf()).toBe(0);
  renameSync(out, `${out}.away`);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await unavailableOf()).toBe(questions.length);
  writeFileSync(out, 'a file');
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await unavailableOf()).toBe(questions.length);
  rmSync(out);
  renameSync(`${out}.away`, out);
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await unavailableOf()).toBe(0);
});

it('a service can be started on a folder that is a file, and waits for it to be mended', async () => {
  const out = join(temporaryFolder(), 'dist');
  writeFileSync(out, 'a file');
  service = await startService(out);
  expect(await unavailableOf()).toBe(questions.length);
});

it('a full build mends a damaged snapshot under the service', async () => {
  const out = copyOfSnapshot();
  service = await startService(out);
  const shards = fastGlob.sync('shards/**/*.json', { cwd: out });
  for (let round = 0; round < runs(3); round += 1) {
    shards.forEach((path, at) => {
      const file = join(out, path);
      if ((at + round) % 3 === 0 && existsSync(file)) rmSync(file);
      else if ((at + round) % 3 === 1) writeFileSync(file, 'x');
    });
    await unavailableOf();
    await build(built.connection, out, { full: true });
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await unavailableOf()).toBe(0);
  }
});
