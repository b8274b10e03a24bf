/** Which bytes the files of the folder must have. A file that the manifest or an index names is only sent with these bytes. */
import { join } from 'node:path';
import {
  type LayerIndex,
  type LayerName,
  layerIndexPath,
  layerNames,
  parseLayerIndex,
  placeOf,
} from '../contract/layers.ts';
import { assetsFolder } from '../contract/site.ts';
import { manifestPath, parseManifest } from '../contract/snapshot.ts';
import { fileChanges, fileSource } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import { Reader } from '../read/reader.ts';
import { SnapshotUnavailable } from '../read/source.ts';

/** Bytes of parsed groups of indexes kept in memory. */
const cacheBytes = 8 * 1024 * 1024;

/** intact: the file may be sent. damaged: an index names it with other bytes. missing: it was immutable, and may still be named. unknown: nothing names it. */
export type Verdict = 'intact' | 'damaged' | 'missing' | 'unknown';

export class NamedFiles {
  readonly #reader: Reader;
  readonly #hasChanged: ReadonlyMap<LayerName, () => boolean>;
  readonly #layers: readonly LayerName[];

  /**
   * @param root folder of the snapshot
   * @param layers the layers that must be there: without an index, their files count as damaged
   */
  constructor(root: string, layers: readonly LayerName[]) {
    this.#reader = new Reader(fileSource(root), { digest: nodeDigest, cacheBytes });
    this.#layers = layers;
    const changes = (layer: LayerName) => fileChanges(join(root, layerIndexPath(layer)));
    this.#hasChanged = new Map(layerNames.map((layer) => [layer, changes(layer)]));
  }

  /** @param hash contentHash of the file; undefined if it is missing @param bytes of the file, unless it is large */
  async judge(path: string, hash: string | undefined, bytes?: Uint8Array): Promise<Verdict> {
    if (path === manifestPath) return intactIf(bytes && parseManifest(bytes, nodeDigest));
    const layer = layerNames.find((name) => layerIndexPath(name) === path);
    if (layer && (bytes || this.#layers.includes(layer))) return intactIf(bytes && parseLayerIndex(bytes));
    const own = /^(?:shards|layers|downloads)\/.*\b([0-9a-f]{20})\.[a-z]+$/.exec(path)?.[1];
    if (own === undefined) return this.#judgeByIndex(path, hash);
    return hash === undefined ? 'missing' : intactIf(hash === own);
  }

  /** The snapshot that the index of the file's layer names; undefined for the site, which is the same for all. */
  async snapshotOf(path: string): Promise<string | undefined> {
    const { layer } = placeOf(path);
    return layer === 'site' ? undefined : (await this.#indexOf(layer))?.manifest.snapshot;
  }

  async #judgeByIndex(path: string, hash: string | undefined): Promise<Verdict> {
    const { layer } = placeOf(path);
    const index = await this.#indexOf(layer);
    try {
      const versions = await this.#reader.versionsOf(path);
      if (versions.some((version) => version.hash === hash)) return 'intact';
      const isIncomplete = index ? index.groups.keys.length === 0 : this.#layers.includes(layer);
      if (versions.length > 0 || isIncomplete) return 'damaged';
      // A browser with an earlier page may still ask for the assets of that page.
      return hash !== undefined && path.startsWith(`${assetsFolder}/`) ? 'intact' : 'unknown';
    } catch (error) {
      if (error instanceof SnapshotUnavailable) return 'damaged';
      throw error;
    }
  }

  #indexOf(layer: LayerName): Promise<LayerIndex | undefined> {
    if (this.#hasChanged.get(layer)!()) this.#reader.forgetIndex(layer);
    return this.#reader.layerIndex(layer);
  }
}

const intactIf = (isIntact: unknown): Verdict => (isIntact ? 'intact' : 'damaged');
