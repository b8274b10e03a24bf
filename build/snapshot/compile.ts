/**
 * Database → shards → manifest. Full and incremental builds share this path: a full build makes every shard, an incremental
 * build those of the changed records. The result depends on the database alone.
 */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import {
  contentHash,
  type CoreShard,
  type FamilyName,
  familyNames,
  type Manifest,
  manifestText,
  shardPath,
  toRuns,
} from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { IdColumn, lastNotAbove } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Change } from '../../data/database/changes.ts';
import { recordExists } from '../../data/record/edits.ts';
import type { Connection } from '../../data/database/open.ts';
import { forEachResource, recordIds, recordsBetween } from '../../data/record/records.ts';
import { isSample } from '../../data/sample/state.ts';
import { searchShards } from './search-shards.ts';
import { blockShards, type ChangedRecords, coreColumns, jsonShard, type MadeShard } from './blocks.ts';

/** The input of an incremental build. */
interface Incremental {
  changes: readonly Change[];
  /** The snapshot that the changes are applied to. */
  before: Snapshot;
}

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
      const { keys = [], hashes = [] } = before?.manifest.families[family] ?? {};
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

  const idsBefore = await before?.table('ids');
  // Reading all ids takes time for each row: they are read only if some were added or removed.
  const idsOf = (resource: ResourceName) => {
    const own = idsBefore?.[resource];
    const isSame = (id: number) => recordExists(connection, resource, id) === own!.row(id) >= 0;
    return own && [...changed!.get(resource)!.keys()].every(isSame)
      ? own.runs
      : toRuns(recordIds(connection, resource));
  };
  const ids = forEachResource(idsOf);
  const core: CoreShard = {
    ids,
    ceremonies: coreColumns(connection, 'ceremonies'),
    categories: coreColumns(connection, 'categories'),
  };
  setShard('core', 0, jsonShard(core), 'records were added or removed, or a ceremony or category changed');

  const counts = forEachResource((resource) => new IdColumn([{ id: ids[resource] }]).count);
  const content = { counts, families, ...(isSample(connection) && { sample: true as const }) };
  const { text, manifest } = manifestText(content, nodeDigest);
  return { manifest, bytes: encoder.encode(text) };
}

type AnyRecord = Readonly<Record<string, unknown>>;

/**
 * The changed records with the fields that differ from the previous snapshot: a new title makes `titles` again and not `films`.
 * Any field may differ of records that were added or removed, and of nominations and honors, which have no shards of whole
 * records to compare with.
 */
async function changedRecords(
  connection: Connection,
  { changes, before }: Incremental,
): Promise<ReadonlyMap<ResourceName, ChangedRecords>> {
  const changed = new Map(
    resourceNames.map((resource) => [resource, new Map<number, ReadonlySet<string> | undefined>()]),
  );
  for (const { resource, id } of changes) {
    const own = changed.get(resource);
    // The change log may have been edited by hand.
    if (own === undefined) continue;
    const isWhole = resource !== 'nominations' && resource !== 'honors';
    const old = isWhole ? ((await before.record(resource, id)) as AnyRecord | undefined) : undefined;
    const now = old && recordsBetween(connection, resource as 'movies', id, id + 1)[0];
    const isDifferent = ([field, value]: [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(old![field]);
    const fields =
      now &&
      new Set(
        Object.entries(now)
          .filter(isDifferent)
          .map(([field]) => field),
      );
    own.set(id, fields);
  }
  return changed;
}
