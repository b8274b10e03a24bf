/** The promise: the commands of a checkout run its sources as they are, compiled; nothing has to be done for it. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { addressOf, outcomeOf, startNode } from '../support/processes.ts';
import { project } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let checkout: string;
const at = (...path: string[]) => join(checkout, ...path);

/** A fresh checkout after "npm ci". */
beforeEach(() => {
  checkout = temporaryFolder();
  for (const name of ['api', 'build', 'data', 'docs', 'package.json', 'package-lock.json'])
    cpSync(join(project, name), at(name), {
      recursive: true,
      filter: (path) => !/\.db/.test(path),
    });
  mkdirSync(at('node_modules'));
  for (const name of readdirSync(join(project, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(project, 'node_modules', name), at('node_modules', name));
});

const start = (words: readonly string[], variables?: Record<string, string>) =>
  startNode(['--enable-source-maps', at('build/program/run.mjs'), ...words], variables);
const run = (...words: string[]) => outcomeOf(start(words));
const programs = () =>
  readdirSync(at('node_modules/.cache/film-awards')).filter((name) => name !== 'site.json');

/** Replaces a text of a source. */
function change(path: string, before: string, after: string): void {
  const text = readFileSync(at(path), 'utf8');
  expect(text).toContain(before);
  writeFileSync(at(path), text.replace(before, after));
}

it('first starts at the same time all run, and compile one program', async () => {
  const outcomes = await Promise.all([run('--version'), run('--version'), run('--version')]);
  for (const { code, stdout, stderr } of outcomes)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d/), stderr: '' });
  expect(programs()).toEqual([expect.stringMatching(/^program-[0-9a-f]{20}$/)]);
});

it('a start that is killed while it compiles leaves nothing that a later start would run', async () => {
  for (const ms of [150, 250, 350, 450]) {
    const child = start(['--version']);
    const outcome = outcomeOf(child);
    await pause(ms);
    child.kill('SIGKILL');
    await outcome;
  }
  expect(await run('--version')).toMatchObject({ code: 0, stderr: '' });
});

it('a changed source takes effect at the next start, and a running service keeps its code', async () => {
  const [db, out] = [at('awards.db'), at('dist')];
  const service = start(['start', '--port', '0', '--db', db, '--out', out], {
    AWARDS_API_KEY: 'a'.repeat(40),
  });
  const outcome = outcomeOf(service);
  const address = await addressOf(service);
  const [first] = programs();
  change('build/cli/program.ts', "'Film awards: a record", "'Changed: a record");
  expect((await run('--help')).stdout).toContain('Changed: a record');
  expect(programs()).toHaveLength(2);
  // Its writer and its layers are threads and processes of the code that it runs.
  change('build/derived/update-process.ts', 'JSON.parse(', 'JSON.broken(');
  const answer = await fetch(`${address}/api/movies/1`, {
    method: 'PATCH',
    headers: { 'x-api-key': 'a'.repeat(40), 'content-type': 'application/json' },
    body: '{"runtime":123}',
  });
  expect(answer.status).toBe(200);
  const page = () => readFileSync(join(out, 'api/movies/1.json'), 'utf8');
  await expect.poll(page, { timeout: 60_000 }).toContain('"runtime":123');
  service.kill('SIGTERM');
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  // Without the change, it is the program before.
  change('build/derived/update-process.ts', 'JSON.broken(', 'JSON.parse(');
  change('build/cli/program.ts', "'Changed: a record", "'Film awards: a record");
  expect((await run('--help')).stdout).toContain('Film awards: a record');
  expect(programs()).toContain(first);
  expect(programs()).toHaveLength(2);
});

it.each(['compiled', 'through tsx'])('a stack trace names the line of the source, %s', async (manner) => {
  // Where nothing can be kept, the sources run through tsx.
  if (manner === 'through tsx') writeFileSync(at('node_modules/.cache'), '');
  change('data/database/open.ts', 'export function openDatabase', '\n\nexport function openDatabase');
  writeFileSync(at('text.db'), 'not a database, but long enough to be looked at'.repeat(100));
  const words = ['build', '--db', at('text.db'), '--out', at('dist')];
  const { code, stderr } = await outcomeOf(start(words, { AWARDS_DEBUG: '1' }));
  expect(code).toBe(1);
  const traced = [...stderr.matchAll(/^ +at .*?\(?(?:file:\/\/)?(\/[^\s()]+\.ts):(\d+):\d+\)?$/gm)];
  expect(traced.length, stderr).toBeGreaterThan(2);
  const [, file = '', line] = traced[0]!;
  expect(file).toBe(at('data/database/open.ts'));
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('throw ');
});
