/**
 * Imports run one way; a portable file imports nothing of Node; SQL and transactions stay in data/; comments
 * are narrow.
 */
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { project } from '../support/project.ts';

/** Comments, and literals, which may contain the text of a comment. */
const commentsAndLiterals =
  /(\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*)|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/g;
/** `import … from`, `export … from`, a bare `import '…'`, `import('…')` and `import.meta.resolve('…')`. */
const importPattern =
  /^\s*(?:import|export)\s+[^'";]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport(?:\.meta\.resolve)?\(\s*['"]([^'"]+)['"]/gm;

/** Files with their imports; the target of an import is a path below the root, or a name such as `node:fs`. */
const filesBelow = (folders: string) =>
  fastGlob
    .sync(`${folders}/**/*.{ts,tsx,mts,js,mjs}`, { cwd: project, ignore: ['**/node_modules/**'] })
    .sort()
    .map((path) => {
      const text = readFileSync(join(project, path), 'utf8');
      const literals = [...text.matchAll(commentsAndLiterals)].flatMap(([, , literal]) => literal ?? []);
      const code = text.replace(commentsAndLiterals, (_, comment?: string, literal = '') =>
        comment ? ' ' : literal,
      );
      const imports = [...code.matchAll(importPattern)].map(([, from, bare, dynamic]) => {
        const name = (from ?? bare ?? dynamic)!;
        const target = name.startsWith('.') ? relative(project, resolve(project, dirname(path), name)) : name;
        return { target };
      });
      return { path, text, code, literals, imports };
    });
const files = filesBelow('{api,build,data}');
const testFiles = filesBelow('tests');

/** Layer → the layers above it that it may import. A layer is a folder or a file; the longest match counts. */
const allowed: Readonly<Record<string, string>> = {
  'api/contract/': '',
  'api/read/': 'api/contract/',
  'api/client/': 'api/contract/ api/read/',
  // What the operating system and the network do.
  'data/system/': '',
  'data/': 'api/contract/ data/system/',
  // Makes the OpenAPI document, when the site is made.
  'build/openapi/': 'api/contract/',
  'build/site/': 'api/contract/ api/read/ build/openapi/',
  // The folder of a snapshot on a disk: the only part of the resolver that needs Node.
  'api/read/node-source.ts': 'api/contract/ api/read/',
  'api/mcp/': 'api/contract/ api/read/ build/site/',
  'api/edge/': 'api/contract/ api/read/ api/mcp/ build/site/',
  'build/snapshot/': 'api/contract/ api/read/ data/',
  'build/derived/': 'api/contract/ api/read/ data/ build/snapshot/ build/site/',
  // Runs when the site is made, not in it.
  'build/site/bundle.ts': 'api/contract/ api/read/ build/site/ build/openapi/',
  'build/publish/': 'api/contract/ api/read/ data/ build/snapshot/',
  'build/': 'api/contract/ api/read/ data/ build/snapshot/ build/site/ build/derived/',
  // The writer's thread builds the snapshot.
  'api/write/': 'api/contract/ api/read/ data/ build/snapshot/',
  // These two wire the layers together.
  'api/server/': 'api/contract/ api/read/ api/mcp/ api/edge/ data/ build/site/ api/write/',
  // The generator is loaded where it is: packages do not have it.
  'build/cli/': 'api/contract/ api/read/ data/ build/ api/write/ api/server/ tools/generate/',
};
const layers = Object.keys(allowed);
/** Code that also runs at the edge or in a browser. */
const portable = ['api/contract/', 'api/client/', 'api/read/', 'api/mcp/', 'api/edge/', 'build/site/'];

const isOfProject = (target: string) => /^(api|build|data|tests|tools)\/|^\.\./.test(target);
const isBuiltin = (target: string) => target.startsWith('node:') || builtinModules.includes(target);
const layerOf = (path: string) =>
  layers.filter((layer) => path.startsWith(layer)).sort((a, b) => b.length - a.length)[0];
const targetsOf = (layer: string) => allowed[layer]!.split(' ').filter(Boolean);
/** The imports that a rule forbids, one line each. */
const importsThat = (isWrong: (target: string, layer: string) => boolean) =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => isWrong(target, layerOf(path) ?? 'none'))
      .map(({ target }) => `${path} imports ${target}`),
  );

it('every file belongs to a layer, and each layer may import layers above it in the table only', () => {
  expect(files.length).toBeGreaterThan(150);
  expect([...new Set(files.map(({ path }) => layerOf(path)))].sort()).toEqual([...layers].sort());
  for (const [i, layer] of layers.entries())
    expect(
      targetsOf(layer).filter((target) => layers.indexOf(target) >= i),
      layer,
    ).toEqual([]);
});

it('a file imports its own layer and those that the table allows, by names of existing files', () => {
  const isForbidden = (target: string, layer: string) =>
    ![layer, ...targetsOf(layer)].some((start) => target.startsWith(start));
  expect(importsThat((target, layer) => isOfProject(target) && isForbidden(target, layer))).toEqual([]);
  expect(importsThat((target) => isOfProject(target) && !existsSync(join(project, target)))).toEqual([]);
});

it('portable layers import nothing of Node', () => {
  expect(importsThat((target, layer) => portable.includes(layer) && isBuiltin(target))).toEqual([]);
});

/** The circles of files that import each other, one line each. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, chain: readonly string[]): void => {
    const at = chain.indexOf(path);
    if (at >= 0) circles.add([...chain.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...chain, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return [...circles];
}

it('no file imports itself through others, not even for types', () => {
  const targets = files.map(({ path, imports }): [string, string[]] => [
    path,
    imports.map(({ target }) => target),
  ]);
  expect(circlesIn(new Map(targets))).toEqual([]);
});

it('a folder of tests imports tests/support and tests/records, and no other folder of tests', () => {
  const folderOf = (path: string) => path.split('/')[1]!;
  const shared: Readonly<Record<string, readonly string[]>> = { records: [], support: ['records'] };
  const forbidden = testFiles.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith('tests/'))
      .filter(({ target }) => {
        const [from, to] = [folderOf(path), folderOf(target)];
        return from !== to && !(shared[from] ?? ['records', 'support']).includes(to);
      })
      .map(({ target }) => `${path} imports ${target}`),
  );
  expect(testFiles.length).toBeGreaterThan(100);
  expect(forbidden).toEqual([]);
});

it('no test replaces a module: files of a worker share their modules, and the next one would get it, too', () => {
  const replacing = testFiles.filter(({ code }) => /\bvi\.(mock|doMock)\(/.test(code));
  expect(replacing.map(({ path }) => path)).toEqual([]);
});

/** A file that imports more of ours knows too much. */
const maxImports = 10;
it(`no file imports more than ${maxImports} files of the project`, () => {
  const large = files.filter(
    ({ imports }) => new Set(imports.map(({ target }) => target).filter(isOfProject)).size > maxImports,
  );
  expect(large.map(({ path }) => path)).toEqual([]);
});

it('a line of a comment has at most 110 characters, as the formatter holds it for code', () => {
  const long = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => line.length > 110 && /^\s*(\/\*|\*|\/\/)/.test(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(long).toEqual([]);
});

it('SQL is in data/ only, and so are transactions', () => {
  const sql =
    /\bSELECT\b[\s\S]*\bFROM\b|\bINSERT\s+(OR\s+\w+\s+)?INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE\s+FROM\b|\b(CREATE|DROP|ALTER)\s+TABLE\b|\bPRAGMA\b/;
  const transaction = /^.\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/;
  const others = files.filter(({ path }) => !path.startsWith('data/'));
  const withSql = others.filter(({ literals }) => literals.some((literal) => sql.test(literal)));
  expect(withSql.map(({ path }) => path)).toEqual([]);
  const deciding = others.filter(
    ({ literals, code }) =>
      literals.some((literal) => transaction.test(literal)) || /\.transaction\(/.test(code),
  );
  expect(deciding.map(({ path }) => path)).toEqual([]);
});

it('each component names its JSX runtime, and the edge function its package: bundlers of hosts find no other', () => {
  const components = files.filter(({ path }) => /^build\/site\/explorer\/.*\.tsx$/.test(path));
  expect(components.length).toBeGreaterThan(10);
  for (const { path, text } of components)
    expect(text.split('\n')[0], path).toBe('/** @jsxRuntime automatic @jsxImportSource preact */');
  const entry = files.find(({ path }) => path === 'api/edge/netlify/read.ts')!;
  expect(entry.text).toContain("import 'preact/jsx-runtime';");
});
