/** A snapshot in memory: what a clean build makes. */
import { manifestPath } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Connection } from '../../data/database/open.ts';
import { readTransaction } from '../../data/database/transaction.ts';
import { refuseBrokenReferences } from '../../data/record/records.ts';
import { compileSnapshot } from './compile.ts';

interface MemorySnapshot {
  files: ReadonlyMap<string, Uint8Array>;
  snapshot: Snapshot;
}

/** Compiles a database in memory. The result is a Source as well as files. */
export async function compileInMemory(connection: Connection): Promise<MemorySnapshot> {
  const files = new Map<string, Uint8Array>();
  const { manifest, bytes } = await compileSnapshot(connection, (path, shard) => void files.set(path, shard));
  files.set(manifestPath, bytes);
  const read = async (path: string) => files.get(path);
  const reader = new Reader(
    { file: read, shard: read },
    { digest: nodeDigest, cacheBytes: 256 * 1024 * 1024 },
  );
  return { files, snapshot: reader.snapshotOf(manifest) };
}

/** Compiles what the database holds at one moment. @throws UserError if a reference in it is broken */
export const compileWholeRecord = (connection: Connection): Promise<MemorySnapshot> =>
  readTransaction(connection, () => {
    refuseBrokenReferences(connection);
    return compileInMemory(connection);
  });
