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
  type Runs,
  shardPath,
  toRuns,
} from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { IdColumn, lastNotAbove } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Change } from '../../data/changes.ts';
import { recordExists } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';
import { columnsBetween, forEachResource, recordIds, recordsBetween } from '../../data/records.ts';
import { isSample } from '../../data/sample/state.ts';
import { searchShards } from './search-shards.ts';
import { affectedBlocks, allBlocks, type ChangedRecords, jsonShard, type MadeShard } from './blocks.ts';

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

/**
 * Compiles a snapshot. The connection must be inside a read transaction.
 * @param put gets every shard of a full build, and every shard that an incremental build adds
 * @throws SnapshotUnavailable if shards of the previous snapshot are missing or damaged
 */
export function compileSnapshot(
  connection: Connection,
  put: PutFile,
  incremental?: Incremental,
): Promise<Compiled> {
  return new Compilation(connection, put, incremental).run();
}

/** The cause of every file of a full build. */
export const fullBuild = 'everything is built';
const encoder = new TextEncoder();

/** A Directory that changes. */
interface OwnDirectory {
  keys: number[];
  hashes: string[];
}

class Compilation {
  readonly #connection: Connection;
  readonly #put: PutFile;
  readonly #incremental: Incremental | undefined;
  /** The ids of the changed records. */
  readonly #changed = new Map<ResourceName, Set<number>>(
    resourceNames.map((resource) => [resource, new Set()]),
  );
  /** Directories of the previous snapshot, which become those of this one. */
  readonly #families: Record<FamilyName, OwnDirectory>;

  constructor(connection: Connection, put: PutFile, incremental: Incremental | undefined) {
    this.#connection = connection;
    this.#put = put;
    this.#incremental = incremental;
    const before = incremental?.before.manifest.families;
    const copies = familyNames.map((family) => {
      const { keys = [], hashes = [] } = before?.[family] ?? {};
      return [family, { keys: [...keys], hashes: [...hashes] }] as const;
    });
    this.#families = Object.fromEntries(copies) as Record<FamilyName, OwnDirectory>;
    // Ignore unknown resources: the change log may have been edited by hand.
    for (const { resource, id } of incremental?.changes ?? []) this.#changed.get(resource)?.add(id);
  }

  async run(): Promise<Compiled> {
    if (this.#incremental) await this.#changedShards(this.#incremental.before);
    else await this.#allShards();
    const counts = await this.#coreShard();
    const content = {
      counts,
      families: this.#families,
      ...(isSample(this.#connection) && { sample: true as const }),
    };
    const { text, manifest } = manifestText(content, nodeDigest);
    return { manifest, bytes: encoder.encode(text) };
  }

  async #allShards(): Promise<void> {
    for (const { family, key, shard } of allBlocks(this.#connection))
      this.#setShard(family, key, shard, fullBuild);
    for await (const { family, key, shard } of searchShards(this.#connection))
      this.#setShard(family, key, shard, fullBuild);
  }

  async #changedShards(before: Snapshot): Promise<void> {
    // A new title makes `titles` again and not `films`: only the fields that differ count.
    const fields = new Map<ResourceName, ChangedRecords>();
    for (const [resource, ids] of this.#changed) {
      const own = new Map<number, ReadonlySet<string> | undefined>();
      for (const id of ids) own.set(id, await this.#differentFields(resource, id, before));
      fields.set(resource, own);
    }
    for await (const { family, key, shard } of affectedBlocks(this.#connection, fields, before))
      this.#setShard(family, key, shard, `a record of ${family} changed`);
    for await (const { family, key, shard } of searchShards(this.#connection, { changed: fields, before }))
      this.#setShard(family, key, shard, 'words of titles or names changed');
  }

  /**
   * The fields of a changed record that differ from the previous snapshot. Undefined if any may differ: for records that were
   * added or removed, and for nominations and honors, which have no shards of whole records to compare with.
   */
  async #differentFields(
    resource: ResourceName,
    id: number,
    before: Snapshot,
  ): Promise<ReadonlySet<string> | undefined> {
    if (resource === 'nominations' || resource === 'honors') return undefined;
    const text = await before.record(resource, id);
    const [now] = recordsBetween(this.#connection, resource, id, id + 1);
    if (text === undefined || now === undefined) return undefined;
    const [old, after] = [JSON.parse(text) as AnyRecord, now as AnyRecord];
    const isDifferent = (field: string) => JSON.stringify(after[field]) !== JSON.stringify(old[field]);
    return new Set(Object.keys(after).filter(isDifferent));
  }

  /** Makes the shard of "core". @returns the number of records */
  async #coreShard(): Promise<Manifest['counts']> {
    const before = await this.#incremental?.before.table('ids');
    const ids = forEachResource((resource) => this.#idsOf(resource, before?.[resource]));
    const shard: CoreShard = { ids, ...coreColumns(this.#connection) };
    const cause = before ? 'records were added or removed, or a ceremony or category changed' : fullBuild;
    this.#setShard('core', 0, jsonShard(shard), cause);
    return forEachResource((resource) => new IdColumn([{ id: ids[resource] }]).count);
  }

  /** The ids of a resource. Reading all takes time for each row, so they are read only if some were added or removed. */
  #idsOf(resource: ResourceName, before: IdColumn | undefined): Runs {
    const isSame =
      before &&
      [...this.#changed.get(resource)!].every(
        (id) => recordExists(this.#connection, resource, id) === before.row(id) >= 0,
      );
    return isSame ? before.runs : toRuns(recordIds(this.#connection, resource));
  }

  /** @param shard undefined removes it */
  #setShard(family: FamilyName, key: number, shard: MadeShard | undefined, cause: string): void {
    const { keys, hashes } = this.#families[family];
    const last = lastNotAbove(keys, key);
    const [at, old] = keys[last] === key ? [last, hashes[last]] : [last + 1, undefined];
    const replaced = old === undefined ? 0 : 1;
    if (shard === undefined) {
      keys.splice(at, replaced);
      hashes.splice(at, replaced);
    } else {
      keys.splice(at, replaced, key);
      hashes.splice(at, replaced, this.#putShard(family, shard, cause, old));
    }
  }

  /**
   * @param old hash of the shard that this one replaces
   * @returns hash of the shard
   */
  #putShard(family: FamilyName, { text, value }: MadeShard, cause: string, old: string | undefined): string {
    const bytes = encoder.encode(text);
    const hash = contentHash(bytes, nodeDigest);
    const path = shardPath(family, hash);
    // Cache it: the next build reads it.
    this.#incremental?.before.cacheShard(family, hash, value, bytes.length);
    if (hash !== old) this.#put(path, bytes, cause);
    return hash;
  }
}

type AnyRecord = Readonly<Record<string, unknown>>;

/** The columns of ceremonies and categories that the shard of "core" has. */
function coreColumns(connection: Connection): Pick<CoreShard, 'ceremonies' | 'categories'> {
  const all = [0, Number.POSITIVE_INFINITY] as const;
  const ceremonyFields = ['ceremony_year', 'show_title', 'date', 'movies_eligible'] as const;
  const ceremonies = columnsBetween(connection, 'ceremonies', ceremonyFields, ...all);
  const categoryFields = ['category_name', 'category_group'] as const;
  const categories = columnsBetween(connection, 'categories', categoryFields, ...all);
  const { ceremony_year: year, show_title, date, movies_eligible } = ceremonies;
  const { category_name: name, category_group: group } = categories;
  return { ceremonies: { year, show_title, date, movies_eligible }, categories: { name, group } };
}
