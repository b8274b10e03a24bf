/** Stands for the program that makes the files to download: where it is the same, the same snapshot gives the same files. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const sources = [
  '../../../api/contract/download-names.ts',
  '../../../api/contract/resources.ts',
  '../../../api/read/documents.ts',
  '../../../data/export.ts',
  '../../../data/export.sql',
  '../../../data/export-indexes.sql',
  '../../../data/records.ts',
];

export function makerFingerprint(): string {
  // A database bears the version of SQLite that wrote it.
  const { version } = createRequire(import.meta.url)('better-sqlite3/package.json') as { version: string };
  const hash = createHash('sha256').update(`${version}\0`);
  const own = readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.ts'))
    .sort();
  for (const name of [...sources, ...own])
    hash.update(`${name}\0`).update(readFileSync(new URL(name, import.meta.url)));
  return hash.digest('hex').slice(0, 20);
}
