/**
 * Database → shards → manifest. Full and incremental builds share this path: a full build makes every shard,
 * an incremental build those of the changed records. The result depends on the database alone.
 */
import {
  contentHash,
  directoryOf,
  type FamilyName,
  familyNames,
  type Manifest,
  manifestText,
  shardPath,
} from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { lastNotAbove } from '../../api/read/columns.ts';
import type { Connection } from '../../data/database/open.ts';
import { sourcesOf } from '../../data/record/sources.ts';
import { isSample } from '../../data/sample/sample.ts';
import { searchShards } from './search-shards.ts';
import { blockShards, jsonShard, type MadeShard } from './blocks.ts';
import { changedRecords, type Incremental } from './changed-records.ts';
import { countsOf, makeCore } from './core.ts';

interface Compiled {
  manifest: Manifest;
  /** The bytes of manifest.json. */
  bytes: Uint8Array;
}

/** Takes a shard. @param cause why it is made, in words */
type PutFile = (path: string, bytes: Uint8Array, cause: string) => void;

/** The cause of every file of a full build. */
export const fullBuild = 'everything is built';
const encoder = new TextEncoder();

/** The sources of the record, to compare: no entry of the change log tells that they change. */
export const sourcesText = (connection: Connection): string => JSON.stringify(sourcesOf(connection));

/**
 * Compiles a snapshot. The connection must be inside a read transaction.
 * @param put gets every shard of a full build, and every shard that an incremental build adds
 * @throws SnapshotUnavailable if shards of the previous snapshot are missing or damaged
 */
export async function compileSnapshot(
  connection: Connection,
  put: PutFile,
  incremental?: Incremental,
): Promise<Compiled> {
  const before = incremental?.before;
  /** Directories of the previous snapshot, which become those of this one. */
  const families = Object.fromEntries(
    familyNames.map((family) => {
      const { keys = [], hashes = [] } = before ? directoryOf(before.manifest, family) : {};
      return [family, { keys: [...keys], hashes: [...hashes] }] as const;
    }),
  ) as Record<FamilyName, { keys: number[]; hashes: string[] }>;

  /** @param shard undefined removes it */
  function setShard(family: FamilyName, key: number, shard: MadeShard | undefined, cause: string): void {
    const { keys, hashes } = families[family];
    const last = lastNotAbove(keys, key);
    const [at, old] = keys[last] === key ? [last, hashes[last]] : [last + 1, undefined];
    const bytes = shard && encoder.encode(shard.text);
    const hash = bytes && contentHash(bytes, nodeDigest);
    keys.splice(at, old === undefined ? 0 : 1, ...(shard ? [key] : []));
    hashes.splice(at, old === undefined ? 0 : 1, ...(hash === undefined ? [] : [hash]));
    if (shard === undefined || hash === undefined) return;
    // The next build reads it.
    before?.cacheShard(family, hash, shard.value, bytes!.length);
    if (hash !== old) put(shardPath(family, hash), bytes!, incremental ? cause : fullBuild);
  }

  const changed = incremental && (await changedRecords(connection, incremental));
  const difference = changed && { changed, before: incremental.before };
  for await (const { family, key, shard } of blockShards(connection, difference))
    setShard(family, key, shard, `a record of ${family} changed`);
  for await (const { family, key, shard } of searchShards(connection, difference))
    setShard(family, key, shard, 'words of titles or names changed');

  const core = await makeCore(connection, before, changed);
  setShard('core', 0, jsonShard(core), 'records were added or removed, or a ceremony or category changed');

  const counts = countsOf(core);
  const sample = isSample(connection) && { sample: true as const };
  const content = { counts, families, sources: sourcesOf(connection), ...sample };
  const { text, manifest } = manifestText(content, nodeDigest);
  return { manifest, bytes: encoder.encode(text) };
}
