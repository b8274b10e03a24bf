/** A fingerprint of the code that determines a snapshot's bytes: other code means that everything is built again. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Documents } from './documents.ts';

const folders = [
  '../../api/contract/',
  '../../api/read/',
  '../../api/hosts/',
  './',
  '../layers/pages/',
  '../../data/',
];

/** Hexadecimal SHA-256 over names and contents of the source files, and whatever the documents depend on. */
export function codeFingerprint(documents: Documents): string {
  // Folding and cutting into words follow the Unicode version of the engine.
  const hash = createHash('sha256').update(`${process.versions.unicode}\0${documents.fingerprint}\0`);
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
