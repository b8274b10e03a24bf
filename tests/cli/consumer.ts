/** TypeScript in the project of a user of the client. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { project } from '../support/project.ts';

/** Name, module, moduleResolution. */
export const moduleSystems = [
  ['bundler', 'ESNext', 'Bundler'],
  ['node16', 'Node16', 'Node16'],
  ['nodenext', 'NodeNext', 'NodeNext'],
] as const;

/** A module with right and wrong calls of the client. @param name of the module of the client */
export const consumerOf = (name: string): string => `
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

/**
 * What the compiler says about a module.
 * @param folder a new folder for it, where its packages are found
 * @param options besides the defaults of a strict project
 */
export async function faultsOfTypes(folder: string, source: string, options: object): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'consumer.ts'), source);
  const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', types: [], ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = join(project, 'node_modules/.bin/tsc');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return stdout + stderr;
}
