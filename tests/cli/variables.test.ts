/**
 * Every environment variable that the project reads is in a table, and nothing else is: those of the command line in
 * build/cli/environment.ts, those of the hosts in docs/deploy.md, those of tests and workflows in CONTRIBUTING.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { commandVariables } from '../../build/cli/environment.ts';
import { project } from '../support/project.ts';

const table = 'build/cli/environment.ts';
const own = /\b(?:AWARDS|NETLIFY|TMDB|WRITE)_[A-Z_]*[A-Z]\b/g;
const read = /\b(?:env|environment|variables)(?:\.|\[')([A-Z][A-Z_]+)\b|\bvariable\('([A-Z_]+)'\)/g;
/** Of other programs: the system, Netlify's and Cloudflare's own tools. */
const system = ['HOME', 'PATH', 'TMPDIR', 'LC_ALL', 'NODE_ENV'];
const hosts = ['NETLIFY_TELEMETRY_DISABLED', 'NETLIFY_EDGE_BOOTSTRAP', 'URL', 'ASSETS'];
/** Of a helper of one test. */
const ofTests = ['AWARDS_TEST_END'];
const foreign = new Set([...system, ...hosts, ...ofTests]);

/** Shows the code of other programs. */
const samples = 'build/site/docs/openapi.ts';

const text = (path: string) => readFileSync(join(project, path), 'utf8');
/** The names in the first column of the tables of a document. */
const tabled = (path: string) => [...text(path).matchAll(/^\| `([A-Z][A-Z_]+)` /gm)].map(([, name]) => name!);
const edgeVariables = tabled('docs/deploy.md');
const developmentVariables = tabled('CONTRIBUTING.md');
const files = (...patterns: string[]) =>
  fastGlob.sync(patterns, { cwd: project, dot: true, ignore: ['**/node_modules/**', table] }).sort();
const source = files('{api,build,data}/**/*.{ts,tsx,mjs,json}').filter((path) => path !== samples);
const others = files(
  'tests/**/*.ts',
  '*.{ts,json,toml}',
  '.github/workflows/*.yml',
  'deploy/**/*',
  'compose.yaml',
  'Dockerfile',
);

/** The names of variables in a file, by their prefix or by how they are read. */
const namesIn = (path: string): string[] => [
  ...[...text(path).matchAll(own)].map(([name]) => name),
  ...[...text(path).matchAll(read)].map(([, first, second]) => first ?? second!),
];

it('no variable is missing in the table', () => {
  const known = new Set([
    ...Object.keys(commandVariables),
    ...edgeVariables,
    ...developmentVariables,
    ...foreign,
  ]);
  const missing = [...source, ...others].flatMap((path) =>
    namesIn(path)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect([...new Set(missing)]).toEqual([]);
});

it('the source reads the variables of its process through the table', () => {
  // The bundler replaces NODE_ENV.
  const reading = source.filter((path) => /\bprocess\.env\b(?!\.NODE_ENV)/.test(text(path)));
  expect(reading).toEqual([]);
});

it('the table has no variable that nothing reads', () => {
  const options = new Set(
    Object.entries(commandVariables)
      .filter(([, variable]) => 'option' in variable)
      .map(([name]) => name),
  );
  const program = text('build/cli/program.ts');
  for (const name of options) expect(program, name).toContain(`optionOf('${name}')`);
  const readBySource = new Set(source.flatMap(namesIn));
  const readByOthers = new Set(others.flatMap(namesIn));
  for (const name of [...Object.keys(commandVariables), ...edgeVariables])
    expect(options.has(name) || readBySource.has(name), name).toBe(true);
  expect(edgeVariables.length * developmentVariables.length).toBeGreaterThan(0);
  for (const name of developmentVariables) expect(readByOthers.has(name), name).toBe(true);
});
