/**
 * Loads the parts of a snapshot on demand and keeps them. Shards are immutable and named by their hash, so a kept shard is
 * right for as long as it is kept; the manifest alone can change, and with it the snapshot in force.
 */
import { LRUCache } from 'lru-cache';
import {
  type Directory,
  type FamilyName,
  type Manifest,
  type ManifestFamily,
  manifestFamilies,
  readManifest,
  shardPath,
} from '../contract/snapshot.ts';
import { type Hash, type Hashing, hashBy } from './hashing.ts';
import { Snapshot } from './snapshot.ts';
import { SnapshotUnavailable, type Source } from './source.ts';

export interface ReaderOptions extends Hashing {
  /** Bytes of shards kept in memory; the least recently used go first. Default 32 MiB. */
  cacheBytes?: number;
}

export class Reader {
  readonly #source: Source;
  readonly #hash: Hash;
  /** Parsed shards by path, weighed by the length of their text. */
  readonly #kept: LRUCache<string, { value: unknown; bytes: number }>;
  /** Loads under way, so that requests that arrive together share one. */
  readonly #loading = new Map<string, Promise<unknown>>();
  #snapshot: Promise<Snapshot> | undefined;
  #loaded: Snapshot | undefined;
  /** The load at work, and the one that begins when it ends, for all who asked meanwhile. */
  #atWork: Promise<Snapshot> | undefined;
  #next: Promise<Snapshot> | undefined;

  constructor(source: Source, options: ReaderOptions = {}) {
    this.#source = source;
    this.#hash = hashBy(options);
    this.#kept = new LRUCache({
      maxSize: options.cacheBytes ?? 32 * 1024 * 1024,
      sizeCalculation: (entry) => entry.bytes + 1,
    });
  }

  /** The snapshot in force, as of the last load. @throws SnapshotUnavailable */
  current(): Promise<Snapshot> {
    return this.#snapshot ?? this.reload();
  }

  /** The snapshot in force, if it is loaded by now. */
  get loaded(): Snapshot | undefined {
    return this.#loaded;
  }

  /**
   * Reads the manifest again; tables whose shards did not change are taken over. Whoever waits for it finds the snapshot that
   * was there at the time of the call, or a later one, in force. @throws SnapshotUnavailable
   */
  reload(): Promise<Snapshot> {
    if (this.#next) return this.#next;
    if (!this.#atWork) return this.#load();
    // The load at work may have read a manifest that is replaced by now; and two at once could end in either order.
    this.#next = this.#atWork.catch(() => undefined).then(() => this.#load());
    return this.#next;
  }

  #load(): Promise<Snapshot> {
    this.#next = undefined;
    const loading = this.#read(this.#snapshot).then(
      (snapshot) => {
        this.#atWork = undefined;
        this.#loaded = snapshot;
        return snapshot;
      },
      (error: unknown) => {
        // A failure is not kept: the files may be there the next time.
        this.#atWork = this.#snapshot = this.#loaded = undefined;
        throw error;
      },
    );
    this.#atWork = this.#snapshot = loading;
    return loading;
  }

  async #read(before: Promise<Snapshot> | undefined): Promise<Snapshot> {
    const bytes = await read('manifest.json', this.#source.manifest());
    if (bytes === undefined) throw new SnapshotUnavailable('there is no manifest.json');
    const parts = readManifest(bytes);
    if (parts === undefined || (await this.#hash(parts.named)) !== parts.manifest.snapshot)
      throw new SnapshotUnavailable('manifest.json is damaged or of another version');
    const { manifest } = parts;
    const previous = await before?.catch(() => undefined);
    if (previous?.id === manifest.snapshot) return previous;
    // Nobody waits for it, and what cannot be read for it whoever needs it will hear of.
    if (previous) this.#letGo(previous.manifest, manifest).catch(() => {});
    return new Snapshot(manifest, this, previous);
  }

  /** Lets go of the shards that one snapshot named and the next does not: a thousand snapshots on, they would fill the memory. */
  async #letGo(before: Manifest, now: Manifest): Promise<void> {
    for (const family of manifestFamilies) {
      const entry = before.families[family];
      const old = 'head' in entry ? this.#keptDirectory(family, entry.head) : entry;
      if (old === undefined) continue;
      const { keys, hashes } = await this.directory(now, family);
      const named = new Set(hashes);
      for (const [i, hash] of old.hashes.entries()) {
        if (named.has(hash)) continue;
        if (family === 'search') await this.#letGoOfTerms(hash, hashes[keys.indexOf(old.keys[i]!)]);
        this.#kept.delete(shardPath(family, hash));
      }
      if ('head' in entry && !sameEntry(entry, now.families[family]))
        this.#kept.delete(shardPath(family, entry.head));
    }
  }

  /** The same for the shards of a group of terms. @param now the group's directory in the new snapshot, if there is one */
  async #letGoOfTerms(before: string, now: string | undefined): Promise<void> {
    const old = this.#keptDirectory('search', before);
    if (old === undefined) return;
    const named = new Set(now === undefined ? [] : (await this.#directoryShard('search', now)).hashes);
    for (const hash of old.hashes) if (!named.has(hash)) this.#kept.delete(shardPath('terms', hash));
  }

  /** A directory, if it was read and is still kept. */
  #keptDirectory(family: ManifestFamily, hash: string): Directory | undefined {
    return this.#kept.peek(shardPath(family, hash))?.value as Directory | undefined;
  }

  #directoryShard(family: ManifestFamily, hash: string): Promise<Directory> {
    return this.shard(family, hash, (text) => JSON.parse(text) as Directory);
  }

  /** The directory of a family. */
  async directory(manifest: Manifest, family: ManifestFamily): Promise<Directory> {
    const entry = manifest.families[family];
    return 'head' in entry ? this.#directoryShard(family, entry.head) : entry;
  }

  /** A shard, parsed; the same object for every caller, so never to be changed. @throws SnapshotUnavailable */
  shard<T>(family: FamilyName, hash: string, parse: (text: string) => T): Promise<T> {
    const path = shardPath(family, hash);
    const kept = this.#kept.get(path);
    if (kept !== undefined) return Promise.resolve(kept.value as T);
    const underWay = this.#loading.get(path);
    if (underWay !== undefined) return underWay as Promise<T>;
    const loading = this.#readShard(path, hash, parse).finally(() => this.#loading.delete(path));
    this.#loading.set(path, loading);
    return loading;
  }

  /** Whether pages can be read at all. */
  get hasPages(): boolean {
    return this.#source.page !== undefined;
  }

  /**
   * A page or another file at an address that the snapshot names with this hash.
   * @throws SnapshotUnavailable where it is another one by now
   */
  async page(path: string, hash: string): Promise<Uint8Array> {
    const source = this.#source;
    const bytes = await read(path, source.page ? source.page(path) : source.shard(path));
    if (bytes === undefined) throw new SnapshotUnavailable(`${path} is missing`);
    if ((await this.#hash(bytes)) !== hash)
      throw new SnapshotUnavailable(`${path} is damaged or of another snapshot`);
    return bytes;
  }

  async #readShard<T>(path: string, hash: string, parse: (text: string) => T): Promise<T> {
    const bytes = await read(path, this.#source.shard(path));
    if (bytes === undefined) throw new SnapshotUnavailable(`${path} is missing`);
    if ((await this.#hash(bytes)) !== hash) throw new SnapshotUnavailable(`${path} is damaged`);
    const value = parse(new TextDecoder().decode(bytes));
    this.#kept.set(path, { value, bytes: bytes.length });
    return value;
  }
}

const sameEntry = (one: { head: string }, other: Directory | { head: string }): boolean =>
  'head' in other && other.head === one.head;

/** What a source reads; a source that fails makes the snapshot unavailable like one that has nothing. */
async function read(path: string, reading: Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
  try {
    return await reading;
  } catch (error) {
    throw new SnapshotUnavailable(`${path} cannot be read`, { cause: error });
  }
}
