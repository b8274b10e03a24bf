/**
 * The files of the snapshots in a folder: read, replaced, and removed when no reader needs
 * them.
 */
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { layerNames } from '../../api/contract/layers.ts';
import { type Manifest, manifestPath } from '../../api/contract/snapshot.ts';
import type { Reader } from '../../api/read/reader.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { shardsOf, shardsOnlyIn } from '../../api/read/walk.ts';
import {
  defaultRetentionMs,
  lastManifestName,
  type OutputFolder,
  shardsFolder,
  unfinishedManifest,
} from './output-folder.ts';

/** Bytes of parsed shards that stay in memory from build to build. */
const cacheBytes = 64 * 1024 * 1024;
/** Milliseconds between two removals of retired files, while builds follow each other, and else. */
const removalIntervalMs = { ofBuilds: 10_000, ofNone: 60_000 };

export interface RetentionOptions {
  /** How long the files of replaced snapshots stay for readers that still hold their manifests. */
  retentionMs?: number | undefined;
  now?: (() => Date) | undefined;
}

export class SnapshotFiles {
  readonly #folder: OutputFolder;
  readonly #reader: Reader;
  readonly #retentionMs: number;
  readonly #now: () => Date;
  /** The last one that was read: its tables carry over. */
  #snapshot: Snapshot | undefined;
  /** Milliseconds since 1970; 0 before the first removal. */
  #lastRemoval = 0;
  /** Whether the last removal left retired files, or some may have been retired since. */
  #hasRetired = true;

  constructor(folder: OutputFolder, { retentionMs, now }: RetentionOptions) {
    this.#folder = folder;
    this.#reader = folder.reader(cacheBytes);
    this.#retentionMs = retentionMs ?? defaultRetentionMs;
    this.#now = now ?? (() => new Date());
  }

  /** The snapshot of a manifest. Parsed shards stay in memory. */
  read(manifest: Manifest): Snapshot {
    this.#snapshot = this.#reader.snapshotOf(manifest, this.#snapshot);
    return this.#snapshot;
  }

  /**
   * Puts a manifest whose shards are in the folder in the place of the current one.
   * @param before the manifest that the new one was made from; undefined if it was made from nothing
   * @returns whether it is another one
   */
  replace(
    current: Manifest | undefined,
    { manifest, bytes }: { manifest: Manifest; bytes: Uint8Array },
    before: Manifest | undefined,
  ): boolean {
    const folder = this.#folder;
    if (folder.hasBytes(manifestPath, bytes)) return false;
    // The age of the replaced shards starts before a reader can know the new manifest.
    const now = this.#now();
    for (const path of current ? shardsOnlyIn(current, manifest) : []) folder.retire(path, now);
    if (current && before === current) folder.replace(lastManifestName, folder.read(manifestPath)!);
    folder.replace(manifestPath, bytes);
    return true;
  }

  /** Whether retired files may be removed now. @param after what, a build or none */
  isRemovalDue(after: keyof typeof removalIntervalMs): boolean {
    const sinceLast = this.#now().getTime() - this.#lastRemoval;
    return this.#hasRetired && sinceLast >= removalIntervalMs[after];
  }

  /** Notes that this or another program has replaced a snapshot. */
  noteRetired(): void {
    this.#hasRetired = true;
  }

  /**
   * Removes the shards that no snapshot in use names and that were retired long enough ago. The snapshots
   * that a layer was made from stay until the layer has caught up. The first removal also takes the parts of
   * files that a killed build or a power cut left, of any age: the current snapshot does not need them, and
   * nothing can be made from them.
   */
  removeRetired(): RebuiltFile[] {
    const folder = this.#folder;
    const now = this.#now();
    const isFirst = this.#lastRemoval === 0;
    this.#lastRemoval = now.getTime();
    const namedBy = (manifest: Manifest | undefined): string[] => {
      try {
        return manifest ? Array.from(shardsOf(manifest), ({ path }) => path) : [];
      } catch {
        // The index of a layer is damaged: the layer is made again, from the current snapshot.
        return [];
      }
    };
    const current = new Set(namedBy(folder.manifest()));
    const ofLayers = new Set(layerNames.flatMap((layer) => namedBy(folder.layerHead(layer)?.manifest)));
    const isRetired = (path: string) => !ofLayers.has(path) && folder.mayRemove(path, this.#retentionMs, now);
    const unnamed = [...folder.list(shardsFolder), unfinishedManifest].filter((path) => !current.has(path));
    const removable = unnamed.filter((path) => isRetired(path) || (isFirst && !folder.isWhole(path)));
    this.#hasRetired = removable.length < unnamed.length;
    return removable
      .filter((path) => folder.remove(path))
      .map((path) => ({ path, action: 'removed', cause: 'no longer used' }));
  }
}
