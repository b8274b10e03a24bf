/**
 * Database → shards → manifest. Full and incremental builds share this path: a full build makes every shard, an incremental
 * build those of the changed records. The result depends on the database alone.
 */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import {
  contentHash,
  type Directory,
  type FamilyName,
  type Manifest,
  type ManifestFamily,
  manifestFamilies,
  manifestText,
  searchGroup,
  shardPath,
} from '../../api/contract/snapshot.ts';
import { tokens } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Change } from '../../data/changes.ts';
import { recordExists } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';
import { countRecords, searchedResources, searchedText, searchedTexts } from '../../data/records.ts';
import { affectedBlocks, allBlocks } from './blocks.ts';
import { Directories } from './directories.ts';
import { type IndexedField, SearchIndex } from './search-index.ts';

/** The start of an incremental build. */
export interface Incremental {
  changes: readonly Change[];
  /** The snapshot that the changes are applied to. */
  before: Snapshot;
}

export interface Compiled {
  snapshot: string;
  /** The bytes of manifest.json. */
  manifest: Uint8Array;
  /** Paths of shards and head files of the snapshot before that this one does not name. Empty for a full build. */
  replaced: ReadonlySet<string>;
}

/** Takes a shard or head file. @param cause why it is made, in words */
export type PutFile = (path: string, bytes: Uint8Array, cause: string) => void;

/**
 * Compiles a snapshot. The connection must be inside a read transaction.
 * @param put gets every file of a full build, and every file that an incremental build adds; the manifest is not among them
 * @throws SnapshotUnavailable if shards of the snapshot before are missing or damaged
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

class Compilation {
  readonly #connection: Connection;
  readonly #put: PutFile;
  readonly #incremental: Incremental | undefined;
  readonly #directories = new Directories();
  readonly #search = new SearchIndex();
  /** Groups of terms that an incremental build has loaded. */
  readonly #loadedGroups = new Set<string>();
  readonly #replaced = new Set<string>();

  constructor(connection: Connection, put: PutFile, incremental: Incremental | undefined) {
    this.#connection = connection;
    this.#put = put;
    this.#incremental = incremental;
  }

  async run(): Promise<Compiled> {
    const counts = await this.#counts();
    if (this.#incremental) await this.#changedShards(this.#incremental);
    else this.#allShards();
    this.#searchShards();
    const { families, heads } = this.#directories.seal();
    for (const { path, bytes } of heads) this.#add(path, bytes, 'a shard of its family changed');
    const { text, snapshot } = manifestText(counts, families, nodeDigest);
    return { snapshot, manifest: encoder.encode(text), replaced: this.#replaced };
  }

  /** The number of records. Counting all rows again would take as long as there are rows. */
  async #counts(): Promise<Manifest['counts']> {
    if (!this.#incremental) return countRecords(this.#connection);
    const { changes, before } = this.#incremental;
    const ids = await before.idColumns();
    const counts = { ...before.manifest.counts };
    for (const { resource, id } of changes)
      counts[resource] +=
        Number(recordExists(this.#connection, resource, id)) - Number(ids[resource].row(id) >= 0);
    return counts;
  }

  #allShards(): void {
    for (const { family, key, text } of allBlocks(this.#connection))
      this.#setShard(family, key, text, fullBuild);
    for (const field of searchedResources)
      for (const { id, text } of searchedTexts(this.#connection, field)) this.#search.add(field, id, text);
  }

  async #changedShards({ changes, before }: Incremental): Promise<void> {
    for (const family of manifestFamilies) {
      const entry = before.manifest.families[family];
      this.#directories.load(family, await before.directory(family), entry);
    }
    const changed = new Map<ResourceName, Set<number>>(
      resourceNames.map((resource) => [resource, new Set()]),
    );
    for (const { resource, id } of changes) changed.get(resource)!.add(id);
    for (const { family, key, text } of affectedBlocks(this.#connection, changed))
      this.#setShard(family, key, text, `a record of ${family} changed`);
    for (const field of searchedResources) await this.#changedTerms(field, changed.get(field)!, before);
  }

  /** Loads the groups of terms that the changed texts had or have, and updates their postings. */
  async #changedTerms(field: IndexedField, changed: ReadonlySet<number>, before: Snapshot): Promise<void> {
    const table = field === 'movies' ? await before.titles() : await before.names();
    for (const id of changed) {
      const row = table.row(id);
      const old = row < 0 ? '' : (table.text.values[row] ?? '');
      const text = searchedText(this.#connection, field, id) ?? '';
      if (old === text) continue;
      for (const term of new Set([...tokens(old), ...tokens(text)]))
        await this.#loadGroup(searchGroup(term), before);
      this.#search.remove(field, id, old);
      this.#search.add(field, id, text);
    }
  }

  async #loadGroup(group: string, before: Snapshot): Promise<void> {
    if (this.#loadedGroups.has(group)) return;
    this.#loadedGroups.add(group);
    for (const hash of (await before.termDirectory(group)).hashes) {
      this.#search.load(await before.termShard(hash));
      this.#replaced.add(shardPath('terms', hash));
    }
  }

  #searchShards(): void {
    for (const { group, shards } of this.#search.shards()) {
      const cause = `words in "${group}" changed`;
      const hashes = shards.map(({ text }) => this.#putShard('terms', text, cause));
      const directory: Directory = { keys: shards.map(({ key }) => key), hashes };
      const text = shards.length === 0 ? undefined : `${JSON.stringify(directory)}\n`;
      this.#setShard('search', group, text, cause);
    }
  }

  /** @param text undefined removes the shard */
  #setShard(family: ManifestFamily, key: number | string, text: string | undefined, cause: string): void {
    const old = this.#directories.get(family, key);
    const hash = text === undefined ? undefined : this.#putShard(family, text, cause, old);
    if (hash === old) return;
    if (old !== undefined) this.#replaced.add(shardPath(family, old));
    const entry = this.#incremental?.before.manifest.families[family];
    if (entry && 'head' in entry) this.#replaced.add(shardPath(family, entry.head));
    this.#directories.set(family, key, hash);
  }

  /**
   * @param old hash of the shard that this one replaces
   * @returns hash of the shard
   */
  #putShard(family: FamilyName, text: string, cause: string, old?: string): string {
    const bytes = encoder.encode(text);
    const hash = contentHash(bytes, nodeDigest);
    if (hash !== old) this.#add(shardPath(family, hash), bytes, cause);
    return hash;
  }

  #add(path: string, bytes: Uint8Array, cause: string): void {
    // The snapshot before has this very file.
    if (this.#replaced.delete(path)) return;
    this.#put(path, bytes, cause);
  }
}
