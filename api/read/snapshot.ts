/** One snapshot: tables of columns, records as JSON texts, and the searched fields, each loaded on first use. */
import type { CountedResource, ReferencedResource } from '../contract/names.ts';
import type { CountKey, Sort } from '../contract/parameters.ts';
import {
  type BlockFamily,
  blockSpans,
  type FamilyName,
  type Manifest,
  recordFamily,
  idOfRecord,
  recordShardLines,
  type ShardOf,
} from '../contract/snapshot.ts';
import type { SortedResource } from '../contract/accepted.ts';
import { computeOrder, familiesOfOrder } from './orders.ts';
import { CachedValues } from './cached-values.ts';
import { lastNotAbove } from './columns.ts';
import { type Counts, countEntries, numberEntries } from './counts.ts';
import { filmYearsOf } from './film-years.ts';
import { groupFamilies, type Groups, groupsOf } from './group-counts.ts';
import {
  NominationTable,
  type NominationTexts,
  nominationFamilies,
  searchedFamilies,
} from './nomination-table.ts';
import type { LayerFile, Reader } from './reader.ts';
import { type SearchFields, searchFields } from './search-fields.ts';
import {
  type CategoryTable,
  type CeremonyTable,
  type CoreTables,
  coreTables,
  DetailBlock,
  FilmTable,
  HonorTable,
  type IdColumns,
  PersonTable,
  SongTable,
  TextTable,
} from './tables.ts';

export class Snapshot {
  readonly manifest: Manifest;
  readonly #reader: Reader;
  readonly #values: CachedValues;

  /** @param before an earlier snapshot; tables that did not change carry over from it */
  constructor(manifest: Manifest, reader: Reader, before: Snapshot | undefined) {
    this.manifest = manifest;
    this.#reader = reader;
    this.#values = new CachedValues(manifest, before ? before.#values : undefined);
  }

  get id(): string {
    return this.manifest.snapshot;
  }

  /** Hashes of the shards of a family, ascending by key. */
  hashesOf(family: FamilyName): readonly string[] {
    return this.manifest.families[family].hashes;
  }

  titles = (): Promise<TextTable> => this.#table('titles', (shards) => new TextTable(shards));
  names = (): Promise<TextTable> => this.#table('names', (shards) => new TextTable(shards));
  films = (): Promise<FilmTable> => this.#table('films', (shards) => new FilmTable(shards));
  people = (): Promise<PersonTable> => this.#table('people', (shards) => new PersonTable(shards));
  songs = (): Promise<SongTable> => this.#table('songs', (shards) => new SongTable(shards));
  core = (): Promise<CoreTables> => this.#table('core', ([shard]) => coreTables(shard!));
  ids = async (): Promise<IdColumns> => (await this.core()).ids;
  ceremonies = async (): Promise<CeremonyTable> => (await this.core()).ceremonies;
  categories = async (): Promise<CategoryTable> => (await this.core()).categories;

  nominations(): Promise<NominationTable> {
    return this.#values.once('nomination table', nominationFamilies, async () => {
      const [shards, core] = await Promise.all([this.#shards('nominations'), this.core()]);
      return new NominationTable(shards, core);
    });
  }

  /** The nominations with the texts that they show. */
  async texts(): Promise<NominationTexts> {
    const [table, titles, names, songs] = await Promise.all([
      this.nominations(),
      this.titles(),
      this.names(),
      this.songs(),
    ]);
    return { table, titles, names, songs };
  }

  honors = (): Promise<HonorTable> => this.#table('honors', (shards) => new HonorTable(shards));

  /** See numberEntries(). */
  entryNumbers(): Promise<Int32Array> {
    return this.#values.once('entry numbers', nominationFamilies, async () =>
      numberEntries(await this.nominations()),
    );
  }

  /** The film year of each film, null without a nomination. */
  filmYears(): Promise<readonly (number | null)[]> {
    return this.#values.once('film years', nominationFamilies, async () =>
      filmYearsOf(await this.nominations()),
    );
  }

  /** Entries, wins and nominations of every record. */
  counts(resource: CountedResource): Promise<Counts> {
    return this.#values.once(`counts of ${resource}`, nominationFamilies, async () => {
      const [table, entries] = await Promise.all([this.nominations(), this.entryNumbers()]);
      return countEntries(table, entries, resource);
    });
  }

  /** All rows of a resource in the order of a sort such as `-title`. @throws SnapshotUnavailable */
  order(resource: SortedResource, sort: Sort): Promise<Int32Array> {
    const name = `order of ${resource} by ${sort}`;
    return this.#values.once(name, familiesOfOrder(resource, sort), () => computeOrder(this, resource, sort));
  }

  /** The groups of the nominations by a key. */
  groups(by: CountKey): Promise<Groups> {
    return this.#values.once(`groups by ${by}`, groupFamilies(by), () => groupsOf(this, by));
  }

  /** The details of the nominations with `floor(id / span) = key`. @throws SnapshotUnavailable */
  async detailBlock(key: number): Promise<DetailBlock> {
    const hash = this.#hashOf('details', key);
    if (hash === undefined)
      throw new Error(`details ${key} are not in the snapshot, but their nominations are`);
    return this.#reader.shard('details', hash, (text) => new DetailBlock(parseJson(text)));
  }

  /** What search looks through. */
  searchFields(): Promise<SearchFields> {
    return this.#values.once('search fields', searchedFamilies, async () => {
      const [table, titles, names] = await Promise.all([this.nominations(), this.titles(), this.names()]);
      return searchFields(table, titles, names);
    });
  }

  /** One record as JSON text; undefined if there is none. */
  async record(resource: ReferencedResource, id: number): Promise<string | undefined> {
    const family = recordFamily(resource);
    const hash = this.#hashOf(family, Math.floor(id / blockSpans[family]));
    if (hash === undefined) return undefined;
    return recordIn(await this.recordShard(family, hash), id);
  }

  /** A record that the columns refer to. */
  async existing(resource: ReferencedResource, id: number): Promise<string> {
    const text = await this.record(resource, id);
    if (text === undefined) throw new Error(`${resource} ${id} is in the columns but not among the records`);
    return text;
  }

  /** See Reader.cacheShard(). */
  cacheShard(family: FamilyName, hash: string, value: unknown, bytes: number): void {
    this.#reader.cacheShard(family, hash, value, bytes);
  }

  /** A document of the site, such as the OpenAPI document. @throws SnapshotUnavailable if it is damaged */
  document(path: string): Promise<LayerFile | undefined> {
    return this.#reader.layerFile(path);
  }

  /** The shard of the records with `floor(id / span) = key`; undefined if there are none. */
  async block<F extends BlockFamily & keyof ShardOf>(
    family: F,
    key: number,
  ): Promise<ShardOf[F] | undefined> {
    const hash = this.#hashOf(family, key);
    return hash === undefined ? undefined : this.shard(family, hash);
  }

  /** One shard of a family of columns, by its hash. */
  shard<F extends FamilyName & keyof ShardOf>(family: F, hash: string): Promise<ShardOf[F]> {
    return this.#reader.shard(family, hash, parseJson<ShardOf[F]>);
  }

  /** The records of one shard as JSON texts, ascending by id. */
  recordShard(family: BlockFamily, hash: string): Promise<readonly string[]> {
    return this.#reader.shard(family, hash, recordShardLines);
  }

  #hashOf(family: BlockFamily, key: number): string | undefined {
    const { keys, hashes } = this.manifest.families[family];
    return hashes[positionOf(keys, key)];
  }

  #table<F extends FamilyName & keyof ShardOf, T>(family: F, make: (shards: ShardOf[F][]) => T): Promise<T> {
    return this.#values.once(family, [family], async () => make(await this.#shards(family)));
  }

  #shards<F extends FamilyName & keyof ShardOf>(family: F): Promise<ShardOf[F][]> {
    return Promise.all(this.hashesOf(family).map((hash) => this.shard(family, hash)));
  }
}

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
function positionOf(keys: readonly number[], block: number): number {
  // Blocks are nearly always all there, from 0.
  const position = keys[block] === block ? block : lastNotAbove(keys, block);
  return keys[position] === block ? position : -1;
}
