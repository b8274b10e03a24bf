/** A database and the folder of its snapshot, as an editor finds them before work, copied for one case after the other. */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { build } from '../support/build.ts';
import { bareDocuments } from '../../build/snapshot/documents.ts';
import { verify } from '../../build/snapshot/verify.ts';
import type { Connection } from '../../data/open.ts';
import { type Fill, writeDatabase } from '../snapshot/databases.ts';
import { faultsOf } from '../snapshot/named-files.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { readTree, type Tree, writeTree } from '../snapshot/tree.ts';
import { apiKey } from './client.ts';
import { type Place, placeIn, withDatabase } from './place.ts';
import { Retelling, receiptsNotBuilt } from './retelling.ts';

export class Stage {
  readonly #original: Place;
  readonly #tree: Tree;

  private constructor(original: Place, tree: Tree) {
    this.#original = original;
    this.#tree = tree;
  }

  /** @param documents what the snapshot has besides the record: nothing, unless the command line is to go on with it */
  static async prepare(
    folder: string,
    documents = bareDocuments,
    fill: Fill = fillWithTinyRecord,
  ): Promise<Stage> {
    const place = placeIn(folder);
    mkdirSync(folder, { recursive: true });
    writeDatabase(place.db, (connection) => {
      fill(connection);
      addKey(connection);
    });
    await withDatabase(place, (connection) => build(connection, place.out, { documents }));
    return new Stage(place, readTree(place.out));
  }

  /** Puts a copy into a folder; what was there is gone. */
  copyTo(folder: string): Place {
    const place = placeIn(folder);
    mkdirSync(folder, { recursive: true });
    for (const suffix of ['-wal', '-shm']) rmSync(`${place.db}${suffix}`, { force: true });
    copyFileSync(this.#original.db, place.db);
    // The database knows its snapshots by their folders.
    const connection = new Database(place.db);
    connection.prepare('UPDATE builds SET out = ?').run(place.out);
    connection.close();
    writeTree(place.out, this.#tree);
    return place;
  }

  /** The record as it is here, to be followed through its receipts. */
  retelling(): Promise<Retelling> {
    return withDatabase(this.#original, (connection) => new Retelling(connection));
  }
}

/** Makes the key of these tests, which is the same each time, one to write with. */
function addKey(connection: Connection): void {
  const digest = createHash('sha256').update(apiKey).digest('hex');
  connection
    .prepare('INSERT INTO api_keys (name, digest, created_at) VALUES (?, ?, ?)')
    .run('editor', digest, '2025-01-02T03:04:05.678Z');
}

/** What of a folder at rest is not as a clean build of the database makes it, and what its receipts do not tell; a line each. */
export async function faultsAtRest(
  connection: Connection,
  out: string,
  documents = bareDocuments,
): Promise<string[]> {
  const { differences } = await verify(connection, out, { documents });
  const waiting = receiptsNotBuilt(connection);
  return [
    ...differences.map(({ path, problem }) => `${problem} ${path}`),
    ...faultsOf(readTree(out)),
    ...(waiting === 0 ? [] : [`${waiting} receipts know of no build`]),
  ];
}

/** What a reader can trip over in a folder between two snapshots: a file cut short, or a manifest that names what is not there. */
export function faultsBetween(out: string): string[] {
  const tree = readTree(out);
  if (!tree.has('manifest.json')) return [];
  const isOfRecord = (path: string) => /(^|\/)[^./][^/]*\.json$/.test(path);
  const cutShort = [...tree].filter(([path, bytes]) => isOfRecord(path) && !isDocument(bytes.toString()));
  if (cutShort.length > 0) return cutShort.map(([path]) => `${path} is cut short`);
  // Pages may be a step ahead of the manifest, and what it does not name yet, or no more, does no harm.
  return faultsOf(tree).filter(
    (fault) => /^(shards\/|manifest)/.test(fault) && !fault.endsWith('by nothing'),
  );
}

function isDocument(text: string): boolean {
  try {
    JSON.parse(text);
    return text.endsWith('\n');
  } catch {
    return false;
  }
}
