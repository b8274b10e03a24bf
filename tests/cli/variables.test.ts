/**
 * Every environment variable that is read stands in a table, and the tables have no other: those of the command line in
 * build/cli/environment.ts, those of the hosts in docs/deploy.md, those of tests and workflows in CONTRIBUTING.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { commandVariables } from '../../build/cli/environment.ts';
import { project } from '../support/project.ts';

const own = /\b(?:AWARDS|NETLIFY|TMDB|WRITE)_[A-Z_]*[A-Z]\b/g;
const read = /\b(?:env|environment|variables)(?:\.|\[')([A-Z][A-Z_]+)\b|\bvariable\('([A-Z_]+)'\)/g;
/** Of the system, of Netlify's and Cloudflare's own tools, and of a helper of one test. */
const foreign = [
  ...['HOME', 'PATH', 'TMPDIR', 'LC_ALL', 'NODE_ENV', 'AWARDS_TEST_END'],
  ...['NETLIFY_TELEMETRY_DISABLED', 'NETLIFY_EDGE_BOOTSTRAP', 'URL', 'ASSETS'],
];

const text = (path: string) => readFileSync(join(project, path), 'utf8');
/** The names in the first column of the tables of a document. */
const tabled = (path: string) => [...text(path).matchAll(/^\| `([A-Z][A-Z_]+)` /gm)].map(([, name]) => name!);
const ofHosts = tabled('docs/deploy.md');
const ofDevelopment = tabled('CONTRIBUTING.md');
const files = (...patterns: string[]) =>
  fastGlob.sync(patterns, { cwd: project, ignore: ['**/node_modules/**'] });
const table = 'build/cli/environment.ts';
/** Shows the code of other programs. */
const foreignCode = 'build/site/docs/openapi.ts';
const source = files('{api,build,data}/**/*.{ts,tsx,mjs,json}').filter((path) => path !== foreignCode);
const others = files(
  ...['{tests,tools}/**/*.{ts,mjs}', '*.{ts,json,toml}', '.github/workflows/*.yml', 'deploy/**/*'],
  ...['compose.yaml', 'Dockerfile'],
);

/** The text of a file, without the table: it names every variable, and reads none. */
const textOfReaders = (path: string) =>
  path === table ? text(path).replace(/^export const commandVariables = [\s\S]*?^\}/m, '') : text(path);
/** The names of variables in a file, by their prefix or by how they are read. */
const namesIn = (path: string): string[] => [
  ...[...textOfReaders(path).matchAll(own)].map(([name]) => name),
  ...[...textOfReaders(path).matchAll(read)].map(([, first, second]) => first ?? second!),
];

it('no variable is missing in the tables', () => {
  const known = new Set([...Object.keys(commandVariables), ...ofHosts, ...ofDevelopment, ...foreign]);
  const missing = [...source, ...others].flatMap((path) =>
    namesIn(path)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect([...new Set(missing)]).toEqual([]);
});

it('the source reads the variables of its process through the table', () => {
  // The bundler replaces NODE_ENV.
  expect(source.filter((path) => /\bprocess\.env\b(?!\.NODE_ENV)/.test(text(path)))).toEqual([table]);
});

it('the tables have no variable that nothing reads', () => {
  expect(Math.min(ofHosts.length, ofDevelopment.length)).toBeGreaterThan(0);
  const [bySource, byOthers] = [source, others].map((paths) => new Set(paths.flatMap(namesIn)));
  const program = text('build/cli/program.ts');
  const isUnused = ([name, variable]: [string, object]) =>
    'option' in variable ? !program.includes(`optionOf('${name}')`) : !bySource!.has(name);
  expect(Object.entries(commandVariables).filter(isUnused)).toEqual([]);
  expect(ofHosts.filter((name) => !bySource!.has(name) && !(name in commandVariables))).toEqual([]);
  expect(ofDevelopment.filter((name) => !byOthers!.has(name))).toEqual([]);
});
