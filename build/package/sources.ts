/** What both packages have: declarations of the client, licenses, and fields of package.json. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';

export const project = fileURLToPath(new URL('../../', import.meta.url));
/** The entry of the client, without its extension. */
export const client = 'api/client/index';
/** The licenses of the packages that are inside. */
export const licenses = 'THIRD-PARTY-LICENSES.txt';
/** What the commands of the package run. */
export const program = 'build/cli/main.js';

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
}

export const isOfPackage = (path: string): boolean => path.startsWith('node_modules/');

/** The package of a file in node_modules, which another package may contain. */
function packageAt(path: string): string {
  const [, folder = ''] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder;
}

/** Writes the licenses of the packages that are inside. @param sources paths below the project */
export function writeLicenses(folder: string, sources: readonly string[]): void {
  const packages = [...new Set(sources.filter(isOfPackage).map(packageAt))].sort();
  const texts = packages.map((path) => {
    const own = join(project, path);
    const { name, version, license } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const files = fastGlob.sync('{licen[sc]e,notice}*', { cwd: own, caseSensitiveMatch: false }).sort();
    const words = files.map((file) => readFileSync(join(own, file), 'utf8').trim());
    if (words.length === 0)
      words.push('The package has no license file; its package.json names the license.');
    return [`${name} ${version} (${license})`, ...words].join('\n\n');
  });
  writeFileSync(join(folder, licenses), `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** The fields of package.json that both packages have. */
export function manifestOfProject() {
  const { name, version, license, description, engines, dependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  ) as { name: string; dependencies: Record<string, string> } & Record<string, unknown>;
  return { name, dependencies, common: { version, license, description, engines } };
}
