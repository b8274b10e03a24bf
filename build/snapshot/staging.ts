/**
 * Where a snapshot is put together before its files are all there: the shards made so far, over those of the folder. It can
 * outlive a build: what it has read and made stays, so the next build of the same folder reads no shard again.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';
import { answerQuestion } from '../../api/read/question.ts';
import { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Source } from '../../api/read/source.ts';

/** Every record stands on many pages: all of them are kept while pages are rendered, and from build to build. */
const cacheBytes = 256 * 1024 * 1024;

const encoder = new TextEncoder();

export class Staging {
  readonly #reader: Reader;
  /** Shards and heads made and perhaps not yet read back, by path. */
  readonly #made = new Map<string, Uint8Array>();
  #manifest: Uint8Array | undefined;
  /** Holds one page at a time: 30,000 buffers would cost more than the rendering. */
  #buffer = new Uint8Array(64 * 1024);

  /** @param folder what is there already; undefined for a build from nothing */
  constructor(folder: Source | undefined) {
    const source: Source = {
      manifest: async () => this.#manifest ?? folder?.manifest(),
      shard: async (path) => this.#made.get(path) ?? folder?.shard(path),
    };
    this.#reader = new Reader(source, { digest: nodeDigest, cacheBytes });
  }

  /**
   * The snapshot that the folder holds; what was staged is let go of. Its tables are loaded, for the next one to take over
   * what holds still.
   * @throws SnapshotUnavailable
   */
  async inFolder(): Promise<Snapshot> {
    this.#made.clear();
    this.#manifest = undefined;
    const snapshot = await this.#reader.reload();
    await Promise.all([snapshot.nominations(), snapshot.films(), snapshot.people()]);
    return snapshot;
  }

  /** Adds a file of the snapshot to be. */
  add(path: string, bytes: Uint8Array): void {
    this.#made.set(path, bytes);
  }

  /** The snapshot that a manifest makes of what was added and what the folder holds. */
  assemble(manifest: Uint8Array): Promise<Snapshot> {
    this.#manifest = manifest;
    return this.#reader.reload();
  }

  /** The bytes of a page; the next page takes their place, so an output that keeps them copies them. */
  encode(text: string): Uint8Array {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    if (this.#buffer.length < text.length * 3) this.#buffer = new Uint8Array(text.length * 6);
    return this.#buffer.subarray(0, encoder.encodeInto(text, this.#buffer).written);
  }

  /** The hash of a record's page in the folder's snapshot, which is its ETag without the quotes; undefined if there is none. */
  async pageHash(resource: ResourceName, id: number): Promise<string | undefined> {
    const page = await answerQuestion(await this.inFolder(), { kind: 'record', resource, id });
    return page && contentHash(this.encode(page.text), nodeDigest);
  }
}
