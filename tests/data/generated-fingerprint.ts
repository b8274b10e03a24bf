/** The hash of a generated database. As a script (scale, seed) it prints the hash. */

import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { resourceNames } from '../../api/contract/names.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';

/** A database in memory, filled. */
export function generated(scale: number, seed: string | number): Connection {
  const connection = openDatabase(':memory:');
  generateRecord(connection, { scale, seed });
  return connection;
}

/** The hash of every value of every record, in order. */
export function fingerprint(connection: Connection): string {
  const hash = createHash('sha256');
  for (const table of resourceNames)
    for (const row of connection.prepare(`SELECT * FROM ${table} ORDER BY id`).raw().iterate())
      hash.update(`${table}${JSON.stringify(row)}\n`);
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(fingerprint(generated(Number(process.argv[2]), process.argv[3] ?? '')));
