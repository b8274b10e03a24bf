/**
 * The OpenAPI document passes the linter, and client generators make code of it that compiles, with types that need no casts. Two more
 * generators than the tools of the checks have:
 *
 *   npm install --prefix FOLDER orval@7.13.2 swagger-typescript-api@13.13.0
 *   AWARDS_GENERATORS=FOLDER/node_modules npx vitest run tests/http/openapi-generators.slow.test.ts
 */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { openapiText } from '../../build/openapi/document.ts';
import { faultsOfTypes } from '../support/consumer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { needTools, toolPath } from '../support/tools.ts';

interface Generator {
  program: string;
  /** Its words in a folder with openapi.json. */
  words: string;
  /** A module with right and wrong calls of the code in ./generated: lists of values, files, changes, records by IMDb id. */
  consumer: string;
  /** Whether it is one of the tools of the checks; others are in the folder that AWARDS_GENERATORS names. */
  isTool: boolean;
}

const query = `{ yearStart: 1980, ids: [1, 2], filmindex_ids: ['tt0120338'], include: ['counts' as const, 'film_year' as const], sort: '-wins' as const }`;
/** With `index`, `releases`, `changes`, `file` and `record`, the answers of five addresses. */
const files = `
  const sizes: number[] = index.files.map(({ bytes }) => bytes);
  const days: string[] = releases.data.map(({ date }) => date);
  const changed: number[] = changes.data.flatMap(({ records }) => records.map(({ id }) => id));
  const listed: string[] = file.data.map(({ snapshot }) => snapshot);
  const name: string = 'title' in record ? record.title : record.name;
  return [...sizes, ...days, ...changed, ...listed, name, record.counts.wins, record.summary];`;
const generators: readonly Generator[] = [
  {
    program: 'openapi-typescript',
    words: 'openapi.json --output generated.ts',
    isTool: true,
    consumer: `
import createClient from 'openapi-fetch';
import type { paths } from './generated';
const client = createClient<paths>({ baseUrl: 'https://awards.example' });
export async function films(): Promise<string> {
  const { data, error } = await client.GET('/api/movies', { params: { query: ${query} } });
  return error !== undefined ? (error.errors?.[0]?.message ?? error.detail) : data.data[0]!.title;
}
export async function honors(): Promise<('SciTech' | 'Special' | 'Competitive')[]> {
  const { data } = await client.GET('/api/honors', { params: { query: { class: 'SciTech' } } });
  return data!.data.map((honor) => honor.class);
}
export async function correct(id: number): Promise<number | null> {
  const { data, error } = await client.PATCH('/api/movies/{id}', { params: { path: { id } }, body: { runtime: 1 } });
  return error?.type === '/docs#problem-precondition-failed' ? null : data!.runtime;
}
export async function files() {
  const index = (await client.GET('/downloads/index.json')).data!;
  const releases = (await client.GET('/downloads/releases.json')).data!;
  const changes = (await client.GET('/api/changes', { params: { query: { since: '2026-11-26' } } })).data!;
  const params = { path: { file: '2025.json' } };
  const file = (await client.GET('/changes/{file}', { params })).data!;
  const record = (await client.GET('/by-imdb/{imdb_id}.json', { params: { path: { imdb_id: 'tt0120338' } } })).data!;
  if (typeof file === 'string') throw new Error(file);${files}
}
// @ts-expect-error a runtime is a number
client.PATCH('/api/movies/{id}', { params: { path: { id: 1 } }, body: { runtime: 'x' } });
// @ts-expect-error a search needs words
client.GET('/api/search', { params: { query: {} } });
`,
  },
  {
    program: 'openapi-ts',
    words: '--input openapi.json --output generated',
    isTool: true,
    consumer: `
import { getChangeFile, getChanges, getDownloads, getHonors, getMovies, getRecordByImdb, getReleases, updateMovie } from './generated';
const baseUrl = 'https://awards.example';
export async function films(): Promise<string> {
  const { data, error } = await getMovies({ baseUrl, query: ${query} });
  return error !== undefined ? (error.errors?.[0]?.message ?? error.detail) : data!.data[0]!.title;
}
export async function honors(): Promise<('SciTech' | 'Special' | 'Competitive')[]> {
  return (await getHonors({ baseUrl, query: { class: 'SciTech' } })).data!.data.map((honor) => honor.class);
}
export async function files() {
  const index = (await getDownloads({ baseUrl })).data!;
  const releases = (await getReleases({ baseUrl })).data!;
  const changes = (await getChanges({ baseUrl, query: { since: '2026-11-26' } })).data!;
  const file = (await getChangeFile({ baseUrl, path: { file: '2025.json' } })).data!;
  const record = (await getRecordByImdb({ baseUrl, path: { imdb_id: 'tt0120338' } })).data!;
  if (typeof file === 'string') throw new Error(file);${files}
}
// @ts-expect-error films have no venue
updateMovie({ baseUrl, path: { id: 1 }, body: { venue: 'x' } });
`,
  },
  {
    program: 'orval',
    words: '--input ./openapi.json --output ./generated.ts --client fetch',
    isTool: false,
    consumer: `
import { getChangeFile, getChanges, getDownloads, getMovies, getRecordByImdb, getReleases, updateMovie } from './generated';
export async function films(): Promise<string> {
  const answer = await getMovies(${query});
  if (answer.status === 304) throw new Error('unchanged');
  return answer.status === 200 ? answer.data.data[0]!.title : (answer.data.errors?.[0]?.message ?? answer.data.detail);
}
const good = <T extends { status: number }>(answer: T) => answer as Extract<T, { status: 200 }>;
export async function files() {
  const index = good(await getDownloads()).data;
  const releases = good(await getReleases()).data;
  const changes = good(await getChanges({ since: '2026-11-26' })).data;
  const file = good(await getChangeFile('2025.json')).data;
  const record = good(await getRecordByImdb('tt0120338')).data;
  if (typeof file === 'string') throw new Error(file);${files}
}
// @ts-expect-error films have no venue
updateMovie(1, { venue: 'x' });
`,
  },
  {
    program: 'swagger-typescript-api',
    words: 'generate -p openapi.json -o . -n generated.ts',
    isTool: false,
    consumer: `
import { Api } from './generated';
const client = new Api({ baseUrl: 'https://awards.example' });
export async function films(): Promise<string> {
  const { data, error } = await client.api.getMovies(${query});
  return error ? error.detail : data.data[0]!.title;
}
export async function files() {
  const index = (await client.downloads.getDownloads()).data;
  const releases = (await client.downloads.getReleases()).data;
  const changes = (await client.api.getChanges({ since: '2026-11-26' })).data;
  const file = (await client.changes.getChangeFile('2025.json')).data;
  const record = (await client.byImdb.getRecordByImdb('tt0120338')).data;
  if (typeof file === 'string') throw new Error(file);${files}
}
// @ts-expect-error films have no venue
client.api.updateMovie(1, { venue: 'x' });
`,
  },
];
/** Where generators are that are no tools of the checks. */
const otherPrograms = process.env.AWARDS_GENERATORS;

const root = temporaryFolder();
/** Makes the programs send no requests. */
const quiet = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  CI: '1',
};
const run = (program: string, words: string, cwd: string) =>
  promisify(execFile)(process.execPath, [program, ...words.split(' ')], {
    cwd,
    env: { ...process.env, ...quiet },
  });
beforeAll(() => {
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'openapi.json'), openapiText());
});

it('the linter has no error and no warning by its recommended rules', async (context) => {
  needTools(context);
  const { stdout } = await run(
    toolPath('.bin/redocly'),
    'lint openapi.json --extends=recommended --format=json',
    root,
  );
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
});

it('the code of each generator compiles, with right calls and without wrong ones', async (context) => {
  needTools(context);
  symlinkSync(toolPath('.'), join(root, 'node_modules'));
  const there = generators.filter(({ isTool }) => isTool || otherPrograms !== undefined);
  await Promise.all(
    there.map(async ({ program, words, consumer, isTool }) => {
      const folder = join(root, program);
      mkdirSync(folder);
      writeFileSync(join(folder, 'openapi.json'), openapiText());
      writeFileSync(join(folder, 'calls.ts'), consumer);
      await run(isTool ? toolPath(`.bin/${program}`) : join(otherPrograms!, '.bin', program), words, folder);
    }),
  );
  const options = { module: 'ESNext', moduleResolution: 'Bundler', skipLibCheck: false };
  const faults = await faultsOfTypes(root, '', { ...options, lib: ['ES2023', 'DOM', 'DOM.Iterable'] });
  expect(faults).toBe('');
});
