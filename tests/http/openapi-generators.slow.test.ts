/** The OpenAPI document passes the linter, and client generators make code of it that compiles, with types that need no casts. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { openapiText } from '../../build/openapi/document.ts';
import { faultsOfTypes } from '../cli/consumer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { needTools, toolPath } from '../support/tools.ts';

interface Generator {
  program: string;
  /** Its words in a folder with openapi.json. */
  words: string;
  /** A module with right and wrong calls of the code in ./generated. */
  consumer: string;
}

const query = `{ yearStart: 1980, ids: [1, 2], include: ['counts' as const], sort: '-wins' as const }`;
const generators: readonly Generator[] = [
  {
    program: 'openapi-typescript',
    words: 'openapi.json --output generated.ts',
    consumer: `
import createClient from 'openapi-fetch';
import type { paths } from './generated';
const client = createClient<paths>({ baseUrl: 'https://awards.example' });
export async function films(): Promise<string> {
  const { data, error } = await client.GET('/api/movies', { params: { query: ${query} } });
  return error !== undefined ? (error.errors?.[0]?.message ?? error.detail) : data.data[0]!.title;
}
export async function honors(): Promise<('SciTech' | 'Special')[]> {
  const { data } = await client.GET('/api/honors', { params: { query: { class: 'SciTech' } } });
  return data!.data.map((honor) => honor.class);
}
export async function correct(id: number): Promise<number | null> {
  const { data, error } = await client.PATCH('/api/movies/{id}', { params: { path: { id } }, body: { runtime: 1 } });
  return error?.type === 'urn:film-awards:problem:precondition-failed' ? null : data!.runtime;
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
    consumer: `
import { getHonors, getMovies, updateMovie } from './generated';
const baseUrl = 'https://awards.example';
export async function films(): Promise<string> {
  const { data, error } = await getMovies({ baseUrl, query: ${query} });
  return error !== undefined ? (error.errors?.[0]?.message ?? error.detail) : data!.data[0]!.title;
}
export async function honors(): Promise<('SciTech' | 'Special')[]> {
  return (await getHonors({ baseUrl, query: { class: 'SciTech' } })).data!.data.map((honor) => honor.class);
}
// @ts-expect-error films have no venue
updateMovie({ baseUrl, path: { id: 1 }, body: { venue: 'x' } });
`,
  },
];

const root = temporaryFolder();
/** Makes the programs send no requests. */
const quiet = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  CI: '1',
};
const run = (program: string, words: string, cwd: string) =>
  promisify(execFile)(process.execPath, [toolPath(`.bin/${program}`), ...words.split(' ')], {
    cwd,
    env: { ...process.env, ...quiet },
  });
beforeAll(() => {
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'openapi.json'), openapiText());
});

it('the linter has no error and no warning by its recommended rules', async (context) => {
  needTools(context);
  const { stdout } = await run('redocly', 'lint openapi.json --extends=recommended --format=json', root);
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
});

it('the code of two generators compiles, with right calls and without wrong ones', async (context) => {
  needTools(context);
  symlinkSync(toolPath('.'), join(root, 'node_modules'));
  await Promise.all(
    generators.map(async ({ program, words, consumer }) => {
      const folder = join(root, program);
      mkdirSync(folder);
      writeFileSync(join(folder, 'openapi.json'), openapiText());
      writeFileSync(join(folder, 'calls.ts'), consumer);
      await run(program, words, folder);
    }),
  );
  const options = { module: 'ESNext', moduleResolution: 'Bundler', skipLibCheck: false };
  expect(await faultsOfTypes(root, '', options)).toBe('');
});
