/** A fingerprint of the code that determines a snapshot's bytes: other code means that everything is built again. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folders = [
  '../api/contract/',
  '../api/read/',
  '../api/node/',
  './',
  './pages/',
  './shards/',
  '../data/',
];

/** Hexadecimal SHA-256 over names and contents of the source files. */
export function codeFingerprint(): string {
  // Folding and cutting into words follow the Unicode version of the engine.
  const hash = createHash('sha256').update(process.versions.unicode ?? '');
  for (const folder of folders) {
    const url = new URL(folder, import.meta.url);
    for (const name of readdirSync(url)
      .filter((file) => /\.(ts|sql)$/.test(file))
      .sort()) {
      hash.update(`${folder}${name}\0`).update(readFileSync(new URL(name, url)));
    }
  }
  return hash.digest('hex');
}
