/** One snapshot: tables of columns, records as JSON texts, and search postings, each loaded on first use. */
import { LRUCache } from 'lru-cache';
import type { CountedResource, ReferencedResource } from '../contract/names.ts';
import type { CountKey } from '../contract/parameters.ts';
import {
  type BlockFamily,
  blockSpans,
  type Directory,
  type Manifest,
  type ManifestFamily,
  recordFamily,
  idOfRecord,
  recordShardLines,
  type ShardOf,
  searchGroup,
  type TermShard,
} from '../contract/snapshot.ts';
import type { Sort } from '../contract/parameters.ts';
import type { SortedResource } from '../contract/accepted.ts';
import { computeOrder, familiesOfOrder } from './orders.ts';
import { lastNotAbove } from './columns.ts';
import { type Counts, countEntries, countSomeEntries, numberEntries } from './counts.ts';
import { countIn, countsFamilies, type Groups, groupFamily, groupsOf } from './group-counts.ts';
import {
  NominationTable,
  NominationTexts,
  nominationFamilies,
  type SearchedTexts,
  searchedFamilies,
  textFamilies,
} from './nomination-table.ts';
import type { LayerFile, Reader } from './reader.ts';
import { type SearchFields, searchFields } from './search.ts';
import { Vocabulary } from './suggestions.ts';
import {
  type CategoryTable,
  type CeremonyTable,
  type CoreTables,
  CountryTable,
  coreTables,
  DetailBlock,
  FilmTable,
  HonorTable,
  type IdColumns,
  PersonTable,
  SongTable,
  TextTable,
} from './tables.ts';

interface CachedValue {
  /** Names every shard that the value was made from. An equal signature in the next snapshot means an equal value. */
  signature: string;
  value: Promise<unknown>;
}

export class Snapshot {
  readonly manifest: Manifest;
  readonly #reader: Reader;
  readonly #cached: Map<string, CachedValue>;
  readonly #before: Map<string, CachedValue> | undefined;
  /** Names of values that were asked for once, and then computed for few records only. */
  readonly #used = new Set<string>();
  readonly #totals: LRUCache<string, { signature: string; totals: Uint32Array }>;

  /** @param before an earlier snapshot; tables that did not change carry over from it */
  constructor(manifest: Manifest, reader: Reader, before: Snapshot | undefined) {
    this.manifest = manifest;
    this.#reader = reader;
    this.#cached = new Map();
    this.#totals = before ? before.#totals : new LRUCache({ max: maxTotals });
    this.#before = before && new Map(before.#cached);
    // A load that fails does not carry over.
    for (const [name, cached] of this.#before ?? []) cached.value.catch(() => this.#before!.delete(name));
  }

  get id(): string {
    return this.manifest.snapshot;
  }

  directory(family: ManifestFamily): Promise<Directory> {
    return this.#reader.directory(this.manifest, family);
  }

  titles = (): Promise<TextTable> => this.#table('titles', (shards) => new TextTable(shards));
  names = (): Promise<TextTable> => this.#table('names', (shards) => new TextTable(shards));
  films = (): Promise<FilmTable> => this.#table('films', (shards) => new FilmTable(shards));
  countries = (): Promise<CountryTable> => this.#table('countries', (shards) => new CountryTable(shards));
  people = (): Promise<PersonTable> => this.#table('people', (shards) => new PersonTable(shards));
  songs = (): Promise<SongTable> => this.#table('songs', (shards) => new SongTable(shards));
  core = (): Promise<CoreTables> => this.#table('core', ([shard]) => coreTables(shard!));
  ids = async (): Promise<IdColumns> => (await this.core()).ids;
  ceremonies = async (): Promise<CeremonyTable> => (await this.core()).ceremonies;
  categories = async (): Promise<CategoryTable> => (await this.core()).categories;

  nominations(): Promise<NominationTable> {
    return this.#once<NominationTable>('nomination table', nominationFamilies, async (before) => {
      const [shards, core] = await Promise.all([this.#shards('nominations'), this.core()]);
      return new NominationTable(shards, core, await before);
    });
  }

  /** The nominations with the texts that they show. */
  texts(): Promise<NominationTexts> {
    return this.#once<NominationTexts>('nomination texts', textFamilies, async (before) => {
      const [table, titles, names, songs] = await Promise.all([
        this.nominations(),
        this.titles(),
        this.names(),
        this.songs(),
      ]);
      return new NominationTexts(table, titles, names, songs, await before);
    });
  }

  honors = (): Promise<HonorTable> => this.#table('honors', (shards) => new HonorTable(shards));

  /** See numberEntries(). */
  entryNumbers(): Promise<Int32Array> {
    return this.#once('entry numbers', nominationFamilies, async () =>
      numberEntries(await this.nominations()),
    );
  }

  /**
   * Entries, wins and nominations of every record.
   * @param some the records whose counts are needed; default all
   */
  async counts(resource: CountedResource, some?: ArrayLike<number>): Promise<Counts> {
    const name = `counts of ${resource}`;
    if (some && this.#noteUse(name)) return countSomeEntries(await this.nominations(), resource, some);
    return this.#once(name, nominationFamilies, async () => {
      const [table, entries] = await Promise.all([this.nominations(), this.entryNumbers()]);
      return countEntries(table, entries, resource);
    });
  }

  /** All rows of a resource in the order of a sort such as `-title`. @throws SnapshotUnavailable */
  order(resource: SortedResource, sort: Sort): Promise<Int32Array> {
    const name = nameOfOrder(resource, sort);
    return this.#once(name, familiesOfOrder(resource, sort), () => computeOrder(this, resource, sort));
  }

  /** Notes that an order is needed. @returns whether for the first time: few rows are then sorted faster on their own */
  noteOrder(resource: SortedResource, sort: Sort): boolean {
    return this.#noteUse(nameOfOrder(resource, sort));
  }

  /**
   * Notes that a value of all records is needed.
   * @returns whether for the first time: the question is then answered from few records, because at the edge most processes
   * answer one
   */
  #noteUse(name: string): boolean {
    // A value of the snapshot before may carry over.
    if (this.#cached.has(name) || this.#before?.has(name) || this.#used.has(name)) return false;
    this.#used.add(name);
    return true;
  }

  /** The groups of the nominations by a key. */
  groups(by: CountKey): Promise<Groups> {
    return this.#once(`groups by ${by}`, [...nominationFamilies, groupFamily[by]], () => groupsOf(this, by));
  }

  /** The answer of unfiltered counts. */
  allCounts(by: CountKey): Promise<string> {
    return this.#once(`counts by ${by}`, countsFamilies(by), () => countIn(this, by));
  }

  /** The details of the nominations with `floor(id / span) = key`. @throws SnapshotUnavailable */
  async detailBlock(key: number): Promise<DetailBlock> {
    const { keys, hashes } = await this.directory('details');
    const hash = hashes[positionOf(keys, key)];
    if (hash === undefined)
      throw new Error(`details ${key} are not in the snapshot, but their nominations are`);
    return this.#reader.shard('details', hash, (text) => new DetailBlock(parseJson(text)));
  }

  /** The columns that search scores by, besides postings. */
  searchFields = (): Promise<SearchFields> => this.#ofSearched('search fields', searchFields);

  /** The words of all titles, names and categories. */
  vocabulary = (): Promise<Vocabulary> =>
    this.#ofSearched('vocabulary', (searched) => new Vocabulary(searched));

  #ofSearched<T>(name: string, make: (searched: SearchedTexts) => T): Promise<T> {
    return this.#once(name, searchedFamilies, async () => {
      const [table, titles, names] = await Promise.all([this.nominations(), this.titles(), this.names()]);
      return make({ table, titles, names });
    });
  }

  /** The totals of a ranking. They carry over from snapshot to snapshot while the families they count do not change. */
  totals(name: string, families: readonly ManifestFamily[], count: () => Uint32Array): Uint32Array {
    const signature = this.#signature(families);
    const cached = this.#totals.get(name);
    if (cached?.signature === signature) return cached.totals;
    const totals = count();
    this.#totals.set(name, { signature, totals });
    return totals;
  }

  /** One record as JSON text; undefined if there is none. */
  async record(resource: ReferencedResource, id: number): Promise<string | undefined> {
    const family = recordFamily(resource);
    const { keys, hashes } = await this.directory(family);
    const hash = hashes[positionOf(keys, Math.floor(id / blockSpans[family]))];
    if (hash === undefined) return undefined;
    return recordIn(await this.recordShard(family, hash), id);
  }

  /** A record that the columns refer to. */
  async existing(resource: ReferencedResource, id: number): Promise<string> {
    const text = await this.record(resource, id);
    if (text === undefined) throw new Error(`${resource} ${id} is in the columns but not among the records`);
    return text;
  }

  /** The shards that can hold terms with a prefix, or with `whole` the term itself. */
  async searchShards(prefix: string, whole: boolean): Promise<TermShard[]> {
    const { keys, hashes } = await this.termDirectory(searchGroup(prefix));
    const first = Math.max(0, lastNotAbove(keys, prefix));
    let end = Math.min(first + 1, keys.length);
    if (!whole) while (end < keys.length && (keys[end] as string).startsWith(prefix)) end += 1;
    return Promise.all(hashes.slice(first, end).map((hash) => this.termShard(hash)));
  }

  /** The shards of a group of terms, empty for a group that has none. */
  async termDirectory(group: string): Promise<Directory> {
    const { keys, hashes } = await this.directory('search');
    const hash = hashes[keys.indexOf(group)];
    return hash === undefined
      ? { keys: [], hashes: [] }
      : this.#reader.shard('search', hash, parseJson<Directory>);
  }

  /** One shard of terms by its name. */
  termShard(hash: string): Promise<TermShard> {
    return this.#reader.shard('terms', hash, parseJson<TermShard>);
  }

  /** Whether answers should come from precomputed pages. */
  get readsPages(): boolean {
    return this.#reader.readsPages;
  }

  /** A precomputed page with its hash; undefined if the snapshot has no such page yet. */
  page(path: string): Promise<LayerFile | undefined> {
    // The answer can be computed where the page is damaged.
    return this.#reader.layerFile(path, this.id).catch(() => undefined);
  }

  /** A document of the site, such as the OpenAPI document. @throws SnapshotUnavailable if it is damaged */
  document(path: string): Promise<LayerFile | undefined> {
    return this.#reader.layerFile(path);
  }

  /** One shard of a family of columns, by its hash. */
  shard<F extends ManifestFamily & keyof ShardOf>(family: F, hash: string): Promise<ShardOf[F]> {
    return this.#reader.shard(family, hash, parseJson<ShardOf[F]>);
  }

  /** The records of one shard as JSON texts, ascending by id. */
  recordShard(family: BlockFamily, hash: string): Promise<readonly string[]> {
    return this.#reader.shard(family, hash, recordShardLines);
  }

  #table<F extends ManifestFamily & keyof ShardOf, T>(
    family: F,
    make: (shards: ShardOf[F][]) => T,
  ): Promise<T> {
    return this.#once(family, [family], async () => make(await this.#shards(family)));
  }

  async #shards<F extends ManifestFamily & keyof ShardOf>(family: F): Promise<ShardOf[F][]> {
    const { hashes } = await this.directory(family);
    return Promise.all(hashes.map((hash) => this.shard(family, hash)));
  }

  /** @param make gets the value of the snapshot before, from which it may carry parts over */
  #once<T>(
    name: string,
    families: readonly ManifestFamily[],
    make: (before: Promise<T | undefined> | undefined) => Promise<T>,
  ): Promise<T> {
    const own = this.#cached.get(name);
    if (own) return own.value as Promise<T>;
    const signature = this.#signature(families);
    const before = this.#before?.get(name);
    // A value that does not carry over now is freed.
    this.#before?.delete(name);
    // A load that is still under way can fail: the files of the snapshot before may be gone.
    const earlier = before?.value.catch(() => undefined) as Promise<T | undefined> | undefined;
    const cached: CachedValue =
      before?.signature === signature ? before : { signature, value: make(earlier) };
    this.#cached.set(name, cached);
    // A failed load is not kept: the file may be there the next time.
    cached.value.catch(() => this.#cached.delete(name));
    return cached.value as Promise<T>;
  }

  #signature(families: readonly ManifestFamily[]): string {
    return JSON.stringify(families.map((family) => this.manifest.families[family]));
  }
}

const nameOfOrder = (resource: SortedResource, sort: Sort): string => `order of ${resource} by ${sort}`;

/** Rankings whose totals are cached. */
const maxTotals = 64;

const parseJson = <T>(text: string): T => JSON.parse(text) as T;

/** The record with an id among the records of a shard. */
function recordIn(records: readonly string[], id: number): string | undefined {
  // Without gaps in the ids, the first one tried is the right one.
  const last = Math.min(id - idOfRecord(records[0]!), records.length - 1);
  for (let at = last; at >= 0 && idOfRecord(records[at]!) >= id; at -= 1)
    if (idOfRecord(records[at]!) === id) return records[at];
  return undefined;
}

/** Position of a block number among ascending keys, -1 if it is not there. */
function positionOf(keys: readonly (number | string)[], block: number): number {
  // Blocks are nearly always all there, from 0.
  const position = keys[block] === block ? block : lastNotAbove(keys, block);
  return keys[position] === block ? position : -1;
}
