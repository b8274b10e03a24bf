/** Imports run one way: contract ← read; contract ← data ← build; contract, data ← write; only serve and the command line wire layers together. */
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project, type SourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles('api', 'build', 'data');

/** Folder → what its files may import of the project, by the beginning of the path. */
const allowed: Record<string, readonly string[]> = {
  'api/contract/': ['api/contract/'],
  'api/client/': ['api/contract/', 'api/read/', 'api/client/'],
  'api/read/': ['api/contract/', 'api/read/'],
  'data/': ['api/contract/', 'data/'],
  'api/hosts/file-source.ts': ['api/contract/', 'api/read/'],
  'api/hosts/node-digest.ts': ['api/contract/'],
  'api/hosts/': ['api/contract/', 'api/read/', 'api/hosts/'],
  'build/site/': ['api/contract/', 'api/read/', 'build/site/'],
  'build/cli/': ['api/', 'data/', 'build/'],
  'build/': ['api/contract/', 'api/read/', 'api/hosts/', 'data/', 'build/'],
  'api/write/': ['api/contract/', 'api/read/', 'data/', 'api/write/'],
  'api/serve/': ['api/contract/', 'api/read/', 'api/hosts/', 'api/write/', 'data/', 'build/', 'api/serve/'],
  'api/edge/': ['api/hosts/'],
  'api/cloudflare/': ['api/contract/', 'api/read/', 'api/hosts/'],
};
/** Code that also runs at the edge or in a browser. */
const anywhere = [
  'api/contract/',
  'api/client/',
  'api/read/',
  'api/hosts/',
  'api/edge/',
  'api/cloudflare/',
  'build/site/',
];

const isOfProject = (target: string) => /^(api|build|data|tests)\//.test(target) || target.startsWith('..');
const layerOf = (path: string) => Object.keys(allowed).find((folder) => path.startsWith(folder));
const isBuiltin = (target: string) => target.startsWith('node:') || builtinModules.includes(target);

it('every source file belongs to a layer', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter(({ path }) => layerOf(path) === undefined).map(({ path }) => path)).toEqual([]);
});

describe.each(Object.entries(allowed))('%s', (layer, targets) => {
  const own = files.filter(({ path }) => layerOf(path) === layer);

  it(`imports of the project only ${targets.join(', ')}`, () => {
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => isOfProject(target) && !targets.some((folder) => target.startsWith(folder)))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  if (anywhere.includes(layer))
    it('imports nothing of Node, so that it runs anywhere', () => {
      const wrong = own.flatMap(({ path, imports }) =>
        imports.filter(({ target }) => isBuiltin(target)).map(({ target }) => `${path} imports ${target}`),
      );
      expect(wrong).toEqual([]);
    });
});

it('no file needs itself at run time, by whatever detour', () => {
  const needed = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter((it) => !it.isTypeOnly).map(({ target }) => target),
    ]),
  );
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) cycles.add([...way.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const target of needed.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of needed.keys()) visit(path, []);
  expect([...cycles]).toEqual([]);
});

it('every relative import names a file that is there, with its extension', () => {
  const paths = new Set(files.map(({ path }) => path));
  const isThere = (target: string) =>
    paths.has(target) || (/\.(css|json)$/.test(target) && existsSync(join(project, target)));
  const missing = files.flatMap(({ path, imports }: SourceFile) =>
    imports
      .filter(({ target }) => isOfProject(target) && !isThere(target))
      .map(({ target }) => `${path}: ${target}`),
  );
  expect(missing).toEqual([]);
});
