/**
 * One snapshot: tables of columns, whole records, and values that algorithms derive from them. Each is loaded
 * or computed once, at its first use, and carries over to the next snapshot while its shards stay the same.
 */
import type { ReferencedResource } from '../contract/names.ts';
import type { RecordOf } from '../contract/resources.ts';
import { type SearchFamily, searchFamilies } from '../contract/search-index.ts';
import {
  blockSpans,
  type ColumnFamily,
  directoryOf,
  type FamilyName,
  type Manifest,
  recordFamily,
  recordShardLines,
  type ShardOf,
  type TableName,
} from '../contract/snapshot.ts';
import { lastNotAbove } from './columns.ts';
import { SearchIndex } from './search-index.ts';
import { type IdColumns, idColumns, makeTable, type NominationTable, type Table } from './tables.ts';

/** Where a snapshot gets its shards. */
interface Shards {
  /** @throws SnapshotUnavailable */
  shard<T>(family: FamilyName, hash: string, parse: (text: string) => T): Promise<T>;
  cacheShard(family: FamilyName, hash: string, value: unknown, bytes: number): void;
}

export type Tables = { [T in Exclude<TableName, 'nominations'>]: Table<T> } & {
  ids: IdColumns;
  nominations: NominationTable;
  search: SearchIndex;
};

/** The families that a table is made from. */
function familiesOf(table: keyof Tables): readonly FamilyName[] {
  if (table === 'ids' || table === 'ceremonies' || table === 'categories') return ['core'];
  if (table === 'search') return ['nominations', 'core', ...searchFamilies, 'search/totals'];
  return table === 'nominations' ? [table, 'core'] : [table];
}

interface Derived {
  /**
   * Names every shard that the value was made from. An equal signature in the next snapshot means an equal
   * value.
   */
  signature: string;
  value: Promise<unknown>;
}

export class Snapshot {
  readonly manifest: Manifest;
  readonly #source: Shards;
  readonly #values = new Map<string, Derived>();
  /** Values of an earlier snapshot that may carry over. */
  readonly #before: Map<string, Derived>;

  /** @param before an earlier snapshot */
  constructor(manifest: Manifest, source: Shards, before: Snapshot | undefined) {
    this.manifest = manifest;
    this.#source = source;
    this.#before = new Map(before ? before.#values : []);
    // A load that fails does not carry over.
    for (const [name, { value }] of this.#before) value.catch(() => this.#before.delete(name));
  }

  get id(): string {
    return this.manifest.snapshot;
  }

  /** @throws SnapshotUnavailable */
  table<N extends keyof Tables>(name: N): Promise<Tables[N]> {
    return this.#once(`table ${name}`, familiesOf(name), () => this.#make(name) as Promise<Tables[N]>);
  }

  async #make(name: keyof Tables): Promise<unknown> {
    if (name === 'search') {
      const [table, totals] = await Promise.all([this.table('nominations'), this.shards('search/totals')]);
      return new SearchIndex(table, totals[0]!, this.manifest.families, linesFrom(this.#source));
    }
    const [core] = await this.shards('core');
    if (name === 'ids') return idColumns(core!);
    const ids = await this.table('ids');
    if (name === 'ceremonies' || name === 'categories')
      return makeTable(name, [{ id: core!.ids[name], ...core![name] }], ids);
    const table = makeTable(name, await this.shards<ColumnFamily>(name), ids);
    if (name !== 'nominations') return table;
    const [ceremonies, categories] = await Promise.all([this.table('ceremonies'), this.table('categories')]);
    return Object.assign(table, { ceremonies, categories });
  }

  /**
   * A value that is computed at its first use.
   * @param tables that it is computed from
   * @throws SnapshotUnavailable
   */
  derive<T>(name: string, tables: readonly (keyof Tables)[], compute: () => Promise<T>): Promise<T> {
    const families = tables.flatMap(familiesOf);
    return this.#once(name, families, compute);
  }

  /** One record; undefined if there is none. */
  async record<R extends ReferencedResource>(resource: R, id: number): Promise<RecordOf[R] | undefined> {
    const family: `records/${ReferencedResource}` = recordFamily(resource);
    const records = await this.block(family, Math.floor(id / blockSpans[family]));
    return records?.find((record) => record.id === id) as RecordOf[R] | undefined;
  }

  /** A record that the columns refer to. */
  async existing<R extends ReferencedResource>(resource: R, id: number): Promise<RecordOf[R]> {
    const record = await this.record(resource, id);
    if (!record) throw new Error(`${resource} ${id} is in the columns but not among the records`);
    return record;
  }

  /** Hashes of the shards of a family, ascending by key. */
  hashesOf(family: FamilyName): readonly string[] {
    return directoryOf(this.manifest, family).hashes;
  }

  /** The shard of a key, in families cut by id `floor(id / span)`; undefined if there is none. */
  async block<F extends FamilyName & keyof ShardOf>(family: F, key: number): Promise<ShardOf[F] | undefined> {
    const hash = this.#hashOf(family, key);
    return hash === undefined ? undefined : this.shard(family, hash);
  }

  /** One shard of a family of columns, by its hash. */
  shard<F extends FamilyName & keyof ShardOf>(family: F, hash: string): Promise<ShardOf[F]> {
    return this.#source.shard(family, hash, (text) => JSON.parse(text) as ShardOf[F]);
  }

  /** All shards of a family of columns, ascending by key. */
  shards<F extends FamilyName & keyof ShardOf>(family: F): Promise<ShardOf[F][]> {
    return Promise.all(this.hashesOf(family).map((hash) => this.shard(family, hash)));
  }

  /** The lines of a shard of the index of search, as JSON texts; none if there is no such shard. */
  async lines(family: SearchFamily, key: number): Promise<readonly string[]> {
    const hash = this.#hashOf(family, key);
    return hash === undefined ? [] : linesFrom(this.#source)(family, hash);
  }

  /** See Reader.cacheShard(). */
  cacheShard(family: FamilyName, hash: string, value: unknown, bytes: number): void {
    this.#source.cacheShard(family, hash, value, bytes);
  }

  #hashOf(family: FamilyName, key: number): string | undefined {
    const { keys, hashes } = directoryOf(this.manifest, family);
    const position = lastNotAbove(keys, key);
    return keys[position] === key ? hashes[position] : undefined;
  }

  #once<T>(name: string, families: readonly FamilyName[], make: () => Promise<T>): Promise<T> {
    const own = this.#values.get(name);
    if (own) return own.value as Promise<T>;
    const signature = JSON.stringify(families.map((family) => directoryOf(this.manifest, family)));
    const before = this.#before.get(name);
    // A value that does not carry over now is freed.
    this.#before.delete(name);
    const derived: Derived = before?.signature === signature ? before : { signature, value: make() };
    this.#values.set(name, derived);
    // A failed load is not kept: the file may be there the next time.
    derived.value.catch(() => this.#values.delete(name));
    return derived.value as Promise<T>;
  }
}

/**
 * Loads the lines of a shard of the index of search. Not a method: the index can carry over to the next
 * snapshot, and must not keep this one, which has the tables before.
 */
const linesFrom =
  (source: Shards) =>
  (family: SearchFamily, hash: string): Promise<readonly string[]> =>
    source.shard(family, hash, recordShardLines);
