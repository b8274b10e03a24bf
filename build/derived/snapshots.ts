/** The snapshots of one update. All layers share what is read and compared. */
import { join } from 'node:path';
import { type Manifest, manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { type FileVersion, nodeDigest, watchedFile } from '../../api/read/node-source.ts';
import type { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { OutputFolder } from '../snapshot/output-folder.ts';
import { type Difference, differenceOf } from './affected.ts';

/** Bytes of parsed shards kept in memory: files are made in the order of the ids, as shards are cut. */
const cacheBytes = 64 * 1024 * 1024;

export class Snapshots {
  readonly #reader: Reader;
  readonly #manifest: () => FileVersion<Manifest>;
  readonly #read = new Map<string, Snapshot>();
  /** Its tables carry over to the next one. */
  #last: Snapshot | undefined;
  /** The snapshot before and the one after, by their ids. */
  readonly #differences = new Map<string, Promise<Difference>>();

  constructor(folder: OutputFolder) {
    this.#reader = folder.reader(cacheBytes);
    this.#manifest = watchedFile(join(folder.root, manifestPath), (bytes) =>
      parseManifest(bytes, nodeDigest),
    );
  }

  /** The manifest of the folder as it is now. */
  current(): Manifest | undefined {
    return this.#manifest().content;
  }

  of(manifest: Manifest): Snapshot {
    const read = this.#read.get(manifest.snapshot) ?? this.#reader.snapshotOf(manifest, this.#last);
    this.#read.set(manifest.snapshot, read);
    this.#last = read;
    return read;
  }

  /** @throws SnapshotUnavailable */
  difference(before: Manifest, after: Manifest): Promise<Difference> {
    const key = `${before.snapshot} ${after.snapshot}`;
    const difference = this.#differences.get(key) ?? this.#compare(before, after);
    this.#differences.set(key, difference);
    return difference;
  }

  async #compare(before: Manifest, after: Manifest): Promise<Difference> {
    const old = this.of(before);
    await Promise.all((['nominations', 'honors', 'ids'] as const).map((name) => old.table(name)));
    return differenceOf(old, this.of(after));
  }
}
