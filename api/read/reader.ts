/**
 * Loads the files of snapshots on demand and caches them. Shards are immutable and named by their hash, so a
 * cached shard never becomes wrong. Only the manifest changes, and with it the current snapshot.
 */
import { LRUCache } from 'lru-cache';
import {
  type LayerHead,
  layerPartPath,
  type ListedFile,
  partOf,
  uncheckedLayerHead,
} from '../contract/layer-index.ts';
import { layerIndexPath } from '../contract/layers.ts';
import {
  type FamilyName,
  type Manifest,
  manifestPath,
  readManifest,
  shardPath,
} from '../contract/snapshot.ts';
import { type Hash, type Hashing, hashBy, SnapshotUnavailable, type Source } from './source.ts';
import { Snapshot } from './snapshot.ts';
import { shardsOnlyIn } from './walk.ts';

export interface ReaderOptions extends Hashing {
  /**
   * Bytes of shards kept in memory, least recently used evicted first; parsed, they take about twice as much.
   * Default 32 MiB.
   */
  cacheBytes?: number;
}

/** A file of the site, checked against its hash. */
export interface SiteFile {
  body: Uint8Array;
  hash: string;
}

export class Reader {
  readonly #source: Source;
  readonly hash: Hash;
  /** Parsed shards by path, weighed by the length of their text. */
  readonly #cache: LRUCache<string, { value: unknown; bytes: number }>;
  /** Loads under way. Concurrent requests for a shard share one load. */
  readonly #loading = new Map<string, Promise<unknown>>();
  /** The files of the site that were read, by path. */
  readonly #siteFiles = new Map<string, SiteFile>();
  /** Of the last look at the manifest that succeeded. */
  #loaded: Snapshot | undefined;
  /** The reload under way, and the one that starts after it. */
  #active: Promise<Snapshot> | undefined;
  #next: Promise<Snapshot> | undefined;

  constructor(source: Source, options: ReaderOptions = {}) {
    this.#source = source;
    this.hash = hashBy(options);
    this.#cache = new LRUCache({
      maxSize: options.cacheBytes ?? 32 * 1024 * 1024,
      sizeCalculation: (entry) => entry.bytes + 1,
    });
  }

  /** The current snapshot, as of the last look that succeeded. @throws SnapshotUnavailable if none has */
  async current(): Promise<Snapshot> {
    return this.#loaded ?? this.#active ?? this.reload();
  }

  /** The current snapshot, if it is loaded. */
  get loaded(): Snapshot | undefined {
    return this.#loaded;
  }

  /**
   * Reads the manifest again. Tables whose shards did not change carry over. When the promise resolves, the
   * current snapshot is the one at the time of the call, or a later one. When it rejects, the current
   * snapshot is the one before.
   * @throws SnapshotUnavailable
   */
  reload(): Promise<Snapshot> {
    if (this.#next) return this.#next;
    if (!this.#active) return this.#load();
    // The active reload may have read an older manifest, and two reloads at once could finish in either
    // order.
    this.#next = this.#active.catch(() => undefined).then(() => this.#load());
    return this.#next;
  }

  /** The snapshot of any manifest whose shards are in the source. @param before tables carry over from it */
  snapshotOf(manifest: Manifest, before?: Snapshot): Snapshot {
    return before?.id === manifest.snapshot ? before : new Snapshot(manifest, this, before);
  }

  /**
   * Answers from one snapshot. If its files are gone, a newer snapshot has replaced it: answers from that
   * one.
   */
  async answered<T>(answer: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    let snapshot = await this.current();
    for (let successors = 0; ; successors += 1) {
      try {
        return await answer(snapshot);
      } catch (error) {
        if (!(error instanceof SnapshotUnavailable) || successors === maxSuccessors) throw error;
        const successor = await this.reload();
        if (successor === snapshot) throw error;
        snapshot = successor;
      }
    }
  }

  #load(): Promise<Snapshot> {
    this.#next = undefined;
    const loading = this.#read(this.#loaded)
      .then((snapshot) => {
        this.#loaded = snapshot;
        return snapshot;
      })
      .finally(() => {
        this.#active = undefined;
      });
    this.#active = loading;
    return loading;
  }

  async #read(before: Snapshot | undefined): Promise<Snapshot> {
    const bytes = await read(manifestPath, this.#source.file(manifestPath));
    if (bytes === undefined) throw new SnapshotUnavailable(`there is no ${manifestPath}`);
    const parts = readManifest(bytes);
    if (parts === undefined || (await this.hash(parts.named)) !== parts.manifest.snapshot)
      throw new SnapshotUnavailable(`${manifestPath} is damaged or of another format version`);
    const { manifest } = parts;
    if (before) for (const path of shardsOnlyIn(before.manifest, manifest)) this.#cache.delete(path);
    return this.snapshotOf(manifest, before);
  }

  /** A parsed shard. Every caller gets the same object and must not change it. @throws SnapshotUnavailable */
  shard<T>(family: FamilyName, hash: string, parse: (text: string) => T): Promise<T> {
    return this.#immutable(shardPath(family, hash), hash, parse);
  }

  /** The content of a file that its hash names. */
  #immutable<T>(path: string, hash: string, parse: (text: string) => T): Promise<T> {
    const cached = this.#cache.get(path);
    if (cached !== undefined) return Promise.resolve(cached.value as T);
    const active = this.#loading.get(path);
    if (active !== undefined) return active as Promise<T>;
    const loading = this.#readImmutable(path, hash, parse).finally(() => this.#loading.delete(path));
    this.#loading.set(path, loading);
    return loading;
  }

  /**
   * Adds a shard to the cache: the caller has written it.
   * @param value as shard() would parse it
   * @param bytes of its text
   */
  cacheShard(family: FamilyName, hash: string, value: unknown, bytes: number): void {
    this.#cache.set(shardPath(family, hash), { value, bytes });
  }

  /** The bytes of a file of the history; undefined if there is none. @throws SnapshotUnavailable */
  file(path: string): Promise<Uint8Array | undefined> {
    return read(path, this.#source.file(path));
  }

  /**
   * A file of the site with its hash; undefined if the index does not name it.
   * @throws SnapshotUnavailable if the file is missing, damaged or being replaced, and was not read before
   */
  async siteFile(path: string): Promise<SiteFile | undefined> {
    for (const isLast of [false, true]) {
      const hash = await this.#siteHash(path);
      if (hash === undefined) return undefined;
      const body = await read(path, this.#source.file(path));
      if (body && (await this.hash(body)) === hash) {
        this.#siteFiles.set(path, { body, hash });
        return { body, hash };
      }
      // An update may be replacing it: the file that the index still names is the answer.
      const last = this.#siteFiles.get(path);
      if (last?.hash === hash) return last;
      // The file may have been replaced since the index was read.
      if (isLast) throw new SnapshotUnavailable(`${path} is missing or damaged`);
    }
    return undefined;
  }

  /** The hash of a file of the site, as its index has it; undefined if it does not name the file. */
  async #siteHash(path: string): Promise<string | undefined> {
    const head = await this.#siteHead();
    if (!head) return undefined;
    const part = head.parts[partOf(path, head.parts.length)]!;
    const files = await this.#immutable(layerPartPath('site', part), part, filesOfPart);
    return files.get(path);
  }

  async #siteHead(): Promise<LayerHead | undefined> {
    const path = layerIndexPath('site');
    const bytes = await read(path, this.#source.file(path));
    const found = bytes && uncheckedLayerHead('site', bytes);
    return found && (await this.hash(found.named)) === found.id ? found.head : undefined;
  }

  async #readImmutable<T>(path: string, hash: string, parse: (text: string) => T): Promise<T> {
    const bytes = await read(path, this.#source.shard(path));
    if (bytes === undefined) throw new SnapshotUnavailable(`${path} is missing`);
    if ((await this.hash(bytes)) !== hash) throw new SnapshotUnavailable(`${path} is damaged`);
    const value = parse(new TextDecoder().decode(bytes));
    this.#cache.set(path, { value, bytes: bytes.length });
    return value;
  }
}

const filesOfPart = (text: string): ReadonlyMap<string, string> =>
  new Map(JSON.parse(text) as readonly ListedFile[]);

/** Newer snapshots that one request follows before it fails. */
const maxSuccessors = 5;

/** A source that fails counts as a source without the file. */
async function read(path: string, reading: Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
  try {
    return await reading;
  } catch (error) {
    throw new SnapshotUnavailable(`${path} cannot be read`, { cause: error });
  }
}
