/**
 * One snapshot: tables of columns, whole records as JSON texts, and values that algorithms derive from them. Each is loaded or
 * computed once, at its first use, and carries over to the next snapshot while its shards stay the same.
 */
import type { ReferencedResource } from '../contract/names.ts';
import { searchFamilies } from '../contract/search-index.ts';
import {
  blockSpans,
  type FamilyName,
  idOfRecord,
  type Manifest,
  recordFamily,
  recordShardLines,
  type ShardOf,
} from '../contract/snapshot.ts';
import { lastNotAbove } from './columns.ts';
import { NominationTable } from './nomination-table.ts';
import { SearchIndex } from './search-index.ts';
import {
  CategoryTable,
  CeremonyTable,
  CreditTable,
  FilmTable,
  HonorTable,
  type IdColumns,
  idColumns,
  PersonTable,
  SongTable,
  TextTable,
} from './tables.ts';

/** Where a snapshot gets its shards. */
interface Shards {
  /** @throws SnapshotUnavailable */
  shard<T>(family: FamilyName, hash: string, parse: (text: string) => T): Promise<T>;
  cacheShard(family: FamilyName, hash: string, value: unknown, bytes: number): void;
}

export interface Tables {
  ids: IdColumns;
  ceremonies: CeremonyTable;
  categories: CategoryTable;
  nominations: NominationTable;
  titles: TextTable;
  names: TextTable;
  films: FilmTable;
  people: PersonTable;
  songs: SongTable;
  honors: HonorTable;
  credits: CreditTable;
  search: SearchIndex;
}
export type TableName = keyof Tables;

/** Table → the families that it is made from, and how. */
const makers: {
  readonly [N in TableName]: {
    readonly families: readonly FamilyName[];
    make(snapshot: Snapshot): Promise<Tables[N]>;
  };
} = {
  ids: fromFamily('core', ([shard]) => idColumns(shard!)),
  ceremonies: fromFamily('core', ([shard]) => new CeremonyTable(shard!)),
  categories: fromFamily('core', ([shard]) => new CategoryTable(shard!)),
  titles: fromFamily('titles', (shards) => new TextTable(shards)),
  names: fromFamily('names', (shards) => new TextTable(shards)),
  films: fromFamily('films', (shards) => new FilmTable(shards)),
  people: fromFamily('people', (shards) => new PersonTable(shards)),
  songs: fromFamily('songs', (shards) => new SongTable(shards)),
  honors: fromFamily('honors', (shards) => new HonorTable(shards)),
  credits: fromFamily('details', (shards) => new CreditTable(shards)),
  nominations: {
    families: ['nominations', 'core'],
    async make(snapshot) {
      const [shards, ids, ceremonies, categories] = await Promise.all([
        snapshot.shards('nominations'),
        snapshot.table('ids'),
        snapshot.table('ceremonies'),
        snapshot.table('categories'),
      ]);
      return new NominationTable(shards, { ids, ceremonies, categories });
    },
  },
  search: {
    families: ['nominations', 'core', ...searchFamilies, 'search/totals'],
    async make(snapshot) {
      const [table, totals] = await Promise.all([
        snapshot.table('nominations'),
        snapshot.shards('search/totals'),
      ]);
      return new SearchIndex(table, totals[0]!, snapshot.manifest.families, snapshot.lineLoader());
    },
  },
};

function fromFamily<F extends FamilyName & keyof ShardOf, T>(family: F, make: (shards: ShardOf[F][]) => T) {
  return {
    families: [family],
    make: async (snapshot: Snapshot): Promise<T> => make(await snapshot.shards(family)),
  };
}

interface Derived {
  /** Names every shard that the value was made from. An equal signature in the next snapshot means an equal value. */
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
  table<N extends TableName>(name: N): Promise<Tables[N]> {
    return this.#once(`table ${name}`, makers[name].families, () => makers[name].make(this));
  }

  /** A value that is computed at its first use. @param tables that it is computed from @throws SnapshotUnavailable */
  derive<T>(name: string, tables: readonly TableName[], compute: () => Promise<T>): Promise<T> {
    const families = tables.flatMap((table) => makers[table].families);
    return this.#once(name, families, compute);
  }

  /** One record as JSON text; undefined if there is none. */
  async record(resource: ReferencedResource, id: number): Promise<string | undefined> {
    const family = recordFamily(resource);
    const records = await this.lines(family, Math.floor(id / blockSpans[family]));
    return records.find((record) => idOfRecord(record) === id);
  }

  /** A record that the columns refer to. */
  async existing(resource: ReferencedResource, id: number): Promise<string> {
    const text = await this.record(resource, id);
    if (text === undefined) throw new Error(`${resource} ${id} is in the columns but not among the records`);
    return text;
  }

  /** Hashes of the shards of a family, ascending by key. */
  hashesOf(family: FamilyName): readonly string[] {
    return this.manifest.families[family].hashes;
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

  /** What loads lines by the hash of their shard. A table that carries over must not keep this snapshot, which has the tables before. */
  lineLoader(): (family: FamilyName, hash: string) => Promise<readonly string[]> {
    const source = this.#source;
    return (family, hash) => source.shard(family, hash, recordShardLines);
  }

  /** All shards of a family of columns, ascending by key. */
  shards<F extends FamilyName & keyof ShardOf>(family: F): Promise<ShardOf[F][]> {
    return Promise.all(this.hashesOf(family).map((hash) => this.shard(family, hash)));
  }

  /** The lines of one shard of records or of the index of search, as JSON texts. */
  lineShard(family: FamilyName, hash: string): Promise<readonly string[]> {
    return this.#source.shard(family, hash, recordShardLines);
  }

  /** The lines of the shard of a key; none if there is no such shard. */
  async lines(family: FamilyName, key: number): Promise<readonly string[]> {
    const hash = this.#hashOf(family, key);
    return hash === undefined ? [] : this.lineShard(family, hash);
  }

  /** See Reader.cacheShard(). */
  cacheShard(family: FamilyName, hash: string, value: unknown, bytes: number): void {
    this.#source.cacheShard(family, hash, value, bytes);
  }

  #hashOf(family: FamilyName, key: number): string | undefined {
    const { keys, hashes } = this.manifest.families[family];
    const position = lastNotAbove(keys, key);
    return keys[position] === key ? hashes[position] : undefined;
  }

  #once<T>(name: string, families: readonly FamilyName[], make: () => Promise<T>): Promise<T> {
    const own = this.#values.get(name);
    if (own) return own.value as Promise<T>;
    const signature = JSON.stringify(families.map((family) => this.manifest.families[family]));
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
