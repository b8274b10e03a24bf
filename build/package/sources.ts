/** What both packages have: declarations of the client, and fields of package.json. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../../', import.meta.url));
/** The entry of the client, without its extension. */
export const client = 'api/client/index';
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

/** The fields of package.json that both packages have. */
export function manifestOfProject() {
  const { name, version, license, description, engines, dependencies } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  ) as { name: string; dependencies: Record<string, string> } & Record<string, unknown>;
  return { name, dependencies, common: { version, license, description, engines } };
}
