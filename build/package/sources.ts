/** What both packages are made of: JavaScript and declarations of the project's modules. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import fastGlob from 'fast-glob';

export const project = fileURLToPath(new URL('../../', import.meta.url));
/** The entry of the client, without its extension. */
export const client = 'api/client/index';
/** What the commands of the package run. */
export const program = 'build/cli/main.js';

/** A quoted name of a source file, also where it is only text: workers, and entries of fingerprints. */
const sourceName = /(["'])((?:\.{1,2}\/)[\w./-]+)\.tsx?\1/g;
const imported = /(?:^|\n)(?:import|export)\s[^'"]*?["']([^'"]+)["']|\bimport\(["']([^'"]+)["']\)/g;

/** The JavaScript of a source file. */
export async function scriptOf(path: string): Promise<string> {
  const source = readFileSync(join(project, path), 'utf8');
  const loader = path.endsWith('.tsx') ? 'tsx' : 'ts';
  const { code } = await transform(source, { loader, format: 'esm', target: 'node20' });
  return code.replaceAll(sourceName, '$1$2.js$1');
}

/** What a script imports: relative paths, packages, and modules of Node. */
export const importsOf = (script: string): string[] =>
  [...script.matchAll(imported)].map(([, first, second]) => first ?? second!);

/** Writes the declarations of the client and of all that it exports. */
export function writeDeclarations(folder: string): void {
  const words = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--rewriteRelativeImportExtensions',
    '--rootDir',
    project,
    '--outDir',
    folder,
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom,dom.iterable',
    '--types',
    'node',
    '--resolveJsonModule',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    '--stripInternal',
  ];
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...words, join(project, `${client}.ts`)], { stdio: 'inherit' });
  for (const path of fastGlob.sync('**/*.d.ts', { cwd: folder })) {
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(sourceName, '$1$2.js$1'));
  }
}

/** The fields of package.json that both packages have. */
export function manifestOfProject() {
  const { name, version, license, description, engines, dependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  ) as { name: string; dependencies: Record<string, string> } & Record<string, unknown>;
  return { name, dependencies, common: { version, license, description, engines } };
}

/** The name of the package of an imported module. */
export const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
