/** Fingerprint of the program. Files that were made by another program are made again. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { byCodeUnit } from '../../api/contract/text.ts';

const root = new URL('../../', import.meta.url);
/** What bytes are made from, besides packages. A database or an import in data/ is not among them. */
const source = /\.(tsx?|mjs|css|sql|tsv|rq|txt|svg|png|webmanifest)$/;

let code: string | undefined;

/**
 * A fingerprint of all sources of a checkout and its packages, or of the version that is installed. Computed
 * once: if sources change later, this process still runs the old code.
 * @returns hexadecimal SHA-256
 */
export function productCode(): string {
  code ??= fingerprintOf(import.meta.url.endsWith('.ts') ? sourcesOfCheckout() : ['package.json']);
  return code;
}

function fingerprintOf(paths: readonly string[]): string {
  // Case folding and word boundaries follow the Unicode version of the engine.
  const hash = createHash('sha256').update(`unicode ${process.versions.unicode}\0`);
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(new URL(path, root)));
  return hash.digest('hex');
}

function sourcesOfCheckout(): string[] {
  const sources = ['api', 'build', 'data'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => source.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const others = ['docs/errors.md', 'package-lock.json'].filter((path) => existsSync(new URL(path, root)));
  return [...sources, ...others].sort(byCodeUnit);
}
