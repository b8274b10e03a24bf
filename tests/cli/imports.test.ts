/** Imports run one way. Each layer may import itself and some of the layers above it in the table, so there are no cycles. */
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';
import { project } from '../support/project.ts';

const files = sourceFiles('api', 'build', 'data');

/** Layer → the layers that it may import. A layer is a folder or a file; the longest match counts. */
const allowed: Record<string, readonly string[]> = {
  'api/contract/': [],
  'api/read/': ['api/contract/'],
  'api/client/': ['api/contract/', 'api/read/'],
  // What the operating system and the network do.
  'build/system/': ['api/contract/'],
  'data/': ['api/contract/', 'build/system/'],
  'build/site/': ['api/contract/', 'api/read/'],
  // The folder of a snapshot on a disk: the only part of the resolver that needs Node.
  'api/read/node-source.ts': ['api/contract/', 'api/read/'],
  'api/edge/': ['api/contract/', 'api/read/', 'build/site/'],
  'build/snapshot/': ['api/contract/', 'api/read/', 'data/', 'build/system/'],
  'build/derived/': [
    'api/contract/',
    'api/read/',
    'data/',
    'build/system/',
    'build/snapshot/',
    'build/site/',
  ],
  // Runs when the site is made, not in it.
  'build/site/bundle.ts': ['api/contract/', 'api/read/', 'build/site/'],
  'build/publish/': ['api/contract/', 'api/read/', 'data/', 'build/system/', 'build/snapshot/'],
  'build/': [
    'api/contract/',
    'api/read/',
    'data/',
    'build/system/',
    'build/snapshot/',
    'build/site/',
    'build/derived/',
  ],
  // The writer's thread builds the snapshot.
  'api/write/': ['api/contract/', 'api/read/', 'data/', 'build/system/', 'build/snapshot/'],
  // These two wire the layers together.
  'api/server/': [
    'api/contract/',
    'api/read/',
    'api/edge/',
    'data/',
    'build/system/',
    'build/site/',
    'api/write/',
  ],
  'build/cli/': ['api/contract/', 'api/read/', 'data/', 'build/', 'api/write/', 'api/server/'],
};
/** Code that also runs at the edge or in a browser. */
const portable = ['api/contract/', 'api/client/', 'api/read/', 'api/edge/', 'build/site/'];

const isOfProject = (target: string) => /^(api|build|data|tests)\//.test(target) || target.startsWith('..');
const layerOf = (path: string) =>
  Object.keys(allowed)
    .filter((layer) => path.startsWith(layer))
    .sort((a, b) => b.length - a.length)[0];
const isBuiltin = (target: string) => target.startsWith('node:') || builtinModules.includes(target);

it("the edge function names the package that JSX stands for: Netlify's bundler finds no other", () => {
  const entry = files.find(({ path }) => path === 'api/edge/netlify/read.ts');
  expect(entry?.text).toContain("import 'preact/jsx-runtime';");
});

it('every source file belongs to a layer', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter(({ path }) => layerOf(path) === undefined).map(({ path }) => path)).toEqual([]);
});

it('each layer imports layers above it in the table only', () => {
  const layers = Object.keys(allowed);
  const wrong = layers.flatMap((layer, i) => allowed[layer]!.filter((target) => layers.indexOf(target) >= i));
  expect(wrong).toEqual([]);
});

describe.each(Object.entries(allowed))('%s', (layer, targets) => {
  const own = files.filter(({ path }) => layerOf(path) === layer);
  const importsWhere = (isWrong: (target: string) => boolean) =>
    own.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => isWrong(target)).map(({ target }) => `${path} imports ${target}`),
    );

  it(`imports itself and ${targets.join(', ') || 'nothing else'}`, () => {
    const isAllowed = (target: string) => [layer, ...targets].some((start) => target.startsWith(start));
    expect(own).not.toEqual([]);
    expect(importsWhere((target) => isOfProject(target) && !isAllowed(target))).toEqual([]);
  });

  if (portable.includes(layer))
    it('imports nothing of Node', () => {
      expect(importsWhere(isBuiltin)).toEqual([]);
    });
});

/** The circles of files that import each other, one line each. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, chain: readonly string[]): void => {
    const at = chain.indexOf(path);
    if (at >= 0) cycles.add([...chain.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...chain, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return [...cycles];
}

it('no file imports itself at run time, directly or through others', () => {
  const needed = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter((it) => !it.isTypeOnly).map(({ target }) => target),
    ]),
  );
  expect(circlesIn(needed)).toEqual([]);
});

it.each(['api/contract/', 'api/read/'])('no file of %s imports itself, not even for its types', (layer) => {
  const own = files.filter(({ path }) => path.startsWith(layer));
  const needed = new Map(own.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  expect(circlesIn(needed)).toEqual([]);
});

/** A file that imports more of ours knows too much. */
const maxImports = 10;
/** The files that still import more. To be made shorter, never longer. */
const knowTooMuch: readonly string[] = [
  'api/client/index.ts',
  'api/server/app.ts',
  'api/server/reads.ts',
  'api/write/routes.ts',
  'api/write/writer.ts',
  'build/cli/serve-commands.ts',
  'build/derived/downloads.ts',
  'build/derived/layer.ts',
  'build/publish/contents.ts',
  'build/site/edit/main.tsx',
  'build/site/explorer/record.ts',
  'build/site/explorer/render.tsx',
  'build/site/explorer/site-pages.ts',
  'build/site/explorer/views/lists.tsx',
  'build/snapshot/builder.ts',
  'build/snapshot/compile.ts',
  'build/verify.ts',
  'data/generate/generate.ts',
];

it(`no file imports more than ${maxImports} files of the project, but for those in the list`, () => {
  const large = files.filter(({ imports }) => {
    const targets = imports.map(({ target }) => target).filter(isOfProject);
    return new Set(targets).size > maxImports;
  });
  expect(large.map(({ path }) => path)).toEqual(knowTooMuch);
});

it('every relative import names an existing file with its extension', () => {
  const paths = new Set(files.map(({ path }) => path));
  const exists = (target: string) =>
    paths.has(target) || (/\.(css|json)$/.test(target) && existsSync(join(project, target)));
  const missing = files.flatMap(({ path, imports }: SourceFile) =>
    imports
      .filter(({ target }) => isOfProject(target) && !exists(target))
      .map(({ target }) => `${path}: ${target}`),
  );
  expect(missing).toEqual([]);
});
