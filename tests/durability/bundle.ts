/** Scripts of these tests as single files that begin at once: compiling TypeScript takes longer than what they do. */
import { existsSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path: string) => new URL(path, import.meta.url);

/**
 * @param folder where to put it
 * @returns the path of the script made
 */
export async function bundled(script: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(script, '.ts')}.mjs`);
  await build({
    entryPoints: [fileURLToPath(at(script))],
    outfile,
    bundle: true,
    external: ['better-sqlite3', 'fast-glob'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    // The sources tell one version of the program from another: they are to be looked for where they are.
    define: { 'import.meta.url': JSON.stringify(at('../../build/script.mjs').href) },
  });
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) symlinkSync(fileURLToPath(at('../../node_modules')), packages);
  return outfile;
}
