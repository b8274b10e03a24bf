/** Promise: client generators make code of the OpenAPI document that compiles, with types that need no casts. */
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openapiText } from '../../api/contract/openapi/document.ts';
import { faultsOfTypes } from '../cli/consumer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { needTools, toolPath } from '../support/tools.ts';

interface Generator {
  name: string;
  /** Its program, and its words in a folder with openapi.json. */
  program: string;
  words: readonly string[];
  /** A module with right and wrong calls of the code in ./generated. */
  consumer: string;
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript, with openapi-fetch',
    program: 'openapi-typescript',
    words: ['openapi.json', '--output', 'generated.ts'],
    consumer: `
import createClient from 'openapi-fetch';
import type { components, paths } from '../openapi/generated';

const client = createClient<paths>({ baseUrl: 'https://awards.example' });
export async function films(): Promise<components['schemas']['MovieList']> {
  const query = { yearStart: 1980, ids: [1, 2], include: ['counts' as const], sort: '-wins' as const };
  const { data, error } = await client.GET('/api/movies', { params: { query } });
  if (error !== undefined) throw new Error(error.errors?.[0]?.message ?? error.detail);
  const title: string = data.data[0]!.title;
  return title === '' ? { ...data, data: [] } : data;
}
export async function honors(): Promise<('SciTech' | 'Special')[]> {
  const { data } = await client.GET('/api/honors', { params: { query: { class: 'SciTech' } } });
  return data!.data.map((honor) => honor.class);
}
export async function correct(id: number): Promise<number | null> {
  const { data, error } = await client.PATCH('/api/movies/{id}', { params: { path: { id } }, body: { runtime: 1 } });
  if (error?.type === 'urn:film-awards:problem:precondition-failed') return null;
  return data!.runtime;
}
// @ts-expect-error a runtime is a number
client.PATCH('/api/movies/{id}', { params: { path: { id: 1 } }, body: { runtime: 'x' } });
// @ts-expect-error a search needs words
client.GET('/api/search', { params: { query: {} } });
`,
  },
  {
    name: '@hey-api/openapi-ts',
    program: 'openapi-ts',
    words: ['--input', 'openapi.json', '--output', 'generated'],
    consumer: `
import { getHonors, getMovies, type MovieList, updateMovie } from '../openapi/generated';

const baseUrl = 'https://awards.example';
export async function films(): Promise<MovieList> {
  const query = { yearStart: 1980, ids: [1, 2], include: ['counts' as const], sort: '-wins' as const };
  const { data, error } = await getMovies({ baseUrl, query });
  if (error !== undefined) throw new Error(error.errors?.[0]?.message ?? error.detail);
  const title: string = data!.data[0]!.title;
  return title === '' ? { ...data!, data: [] } : data!;
}
export async function honors(): Promise<('SciTech' | 'Special')[]> {
  const { data } = await getHonors({ baseUrl, query: { class: 'SciTech' } });
  return data!.data.map((honor) => honor.class);
}
export async function correct(id: number): Promise<number | null> {
  const { data, error } = await updateMovie({ baseUrl, path: { id }, body: { runtime: 1 } });
  if (error?.type === 'urn:film-awards:problem:precondition-failed') return null;
  return data!.runtime;
}
// @ts-expect-error films have no venue
updateMovie({ baseUrl, path: { id: 1 }, body: { venue: 'x' } });
`,
  },
  {
    name: 'orval',
    program: 'orval',
    words: ['--input', 'openapi.json', '--output', 'generated.ts', '--client', 'fetch'],
    consumer: `
import { getHonors, getMovies, type MovieList, updateMovie } from '../openapi/generated';

export async function films(): Promise<MovieList> {
  const answer = await getMovies({ yearStart: 1980, ids: [1, 2], include: ['counts'], sort: '-wins' });
  if (answer.status !== 200) throw new Error(answer.status === 304 ? '' : answer.data.detail);
  const title: string = answer.data.data[0]!.title;
  return title === '' ? { ...answer.data, data: [] } : answer.data;
}
export async function honors(): Promise<('SciTech' | 'Special')[]> {
  const answer = await getHonors({ class: 'SciTech' });
  return answer.status === 200 ? answer.data.data.map((honor) => honor.class) : [];
}
export async function correct(id: number): Promise<number | null> {
  const answer = await updateMovie(id, { runtime: 1 });
  return answer.status === 200 ? answer.data.runtime : null;
}
// @ts-expect-error films have no venue
updateMovie(1, { venue: 'x' });
`,
  },
  {
    name: 'swagger-typescript-api',
    program: 'swagger-typescript-api',
    words: ['generate', '--path', 'openapi.json', '--output', '.', '--name', 'generated.ts'],
    consumer: `
import { Api, type MovieList } from '../openapi/generated';

const { api } = new Api({ baseUrl: 'https://awards.example' });
export async function films(): Promise<MovieList> {
  const { data } = await api.getMovies({ yearStart: 1980, ids: [1, 2], include: ['counts'], sort: '-wins' });
  const title: string = data.data[0]!.title;
  return title === '' ? { ...data, data: [] } : data;
}
export async function honors(): Promise<('SciTech' | 'Special')[]> {
  return (await api.getHonors({ class: 'SciTech' })).data.data.map((honor) => honor.class);
}
export async function correct(id: number): Promise<number | null> {
  return (await api.updateMovie(id, { runtime: 1 })).data.runtime;
}
// @ts-expect-error films have no venue
api.updateMovie(1, { venue: 'x' });
`,
  },
];

it.for(generators)('$name makes code that compiles', { timeout: 240_000 }, async (generator, context) => {
  needTools(context);
  const folder = temporaryFolder();
  symlinkSync(toolPath('.'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), openapiText());
  const program = toolPath(`.bin/${generator.program}`);
  await promisify(execFile)(process.execPath, [program, ...generator.words], {
    cwd: folder,
    // Makes the generators send no requests.
    env: { ...process.env, CI: '1', DO_NOT_TRACK: '1' },
  });
  const options = { module: 'ESNext', moduleResolution: 'Bundler', skipLibCheck: false };
  expect(await faultsOfTypes(folder, generator.consumer, options)).toBe('');
});
