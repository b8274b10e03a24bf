/** The files that the program is made from. Plain JavaScript, because it runs before anything is compiled. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Besides packages. A database or an import in data/ is not among them. */
const isSource = /\.(tsx?|mjs|css|sql|tsv|rq|txt|svg|png|woff2|webmanifest)$/;

/**
 * A hash of all sources of a checkout, and of the versions of its packages.
 * @param {URL} root folder of the checkout
 * @returns {string} hexadecimal SHA-256
 */
export function hashOfSources(root) {
  const hash = createHash('sha256');
  for (const path of sourcesBelow(root)) hash.update(`${path}\0`).update(readFileSync(new URL(path, root)));
  return hash.digest('hex');
}

/**
 * @param {URL} root
 * @returns {string[]} paths in the order of their code units
 */
function sourcesBelow(root) {
  const folders = ['api', 'build', 'data', 'tools/generate'].filter((path) =>
    existsSync(new URL(path, root)),
  );
  const sources = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => isSource.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  const others = ['build/openapi/examples.json', 'docs/errors.md', 'package-lock.json'].filter((path) =>
    existsSync(new URL(path, root)),
  );
  return [...sources, ...others].sort();
}
