/**
 * Fingerprint of the code that makes bytes. Files made by other code are made again, so the fingerprint must cover every
 * source file that can change a byte, and no other file: a new help text rebuilds nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Imports of values, and names of data files. Types are erased and make no bytes. */
const references =
  /(?:^|\n)(?:import|export)\s+(?!type\b)(?:[\w$*{}\s,]+\sfrom\s+)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)|['"]([\w./-]+\.(?:sql|csv|json))['"]/g;

/**
 * Hashes modules, everything they import, the data files they name, and the versions of the packages they import.
 * @param module address of the caller @param paths from there; a folder stands for all files below it
 * @returns hexadecimal SHA-256
 */
export function codeFingerprint(module: string, ...paths: readonly string[]): string {
  const sources = new Set<string>();
  const packages = new Set<string>();
  const add = (url: URL): void => {
    if (sources.has(url.href) || url.pathname.includes('/node_modules/') || !existsSync(url)) return;
    if (statSync(url).isDirectory()) {
      const folder = new URL(url.href.replace(/\/?$/, '/'));
      for (const name of readdirSync(folder)) add(new URL(name, folder));
      return;
    }
    sources.add(url.href);
    if (!/\.(ts|tsx|mjs|js)$/.test(url.pathname)) return;
    for (const [, imported, loaded, data] of readFileSync(url, 'utf8').matchAll(references)) {
      const target = imported ?? loaded ?? data!;
      if (target.startsWith('.') || data !== undefined) add(new URL(target, url));
      else if (!target.startsWith('node:')) packages.add(packageOf(target));
    }
  };
  for (const path of paths) add(new URL(path, module));
  // Case folding and word boundaries follow the Unicode version of the engine.
  const hash = createHash('sha256').update(`unicode ${process.versions.unicode}\0`);
  for (const name of [...packages].sort()) hash.update(`${name} ${versionOf(name)}\0`);
  for (const href of [...sources].sort())
    hash.update(`${href.slice(root.length)}\0`).update(readFileSync(new URL(href)));
  return hash.digest('hex');
}

const root = new URL('../../', import.meta.url).href;

/** The name of the package of an imported module. */
export const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** The installed version of a package. */
function versionOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => `${folder}/${name}/package.json`).find((path) => existsSync(path));
  return file === undefined
    ? 'missing'
    : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
