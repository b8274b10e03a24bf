/** Which bytes the files of the folder must have. A file that the manifest or an index names is only sent with these bytes. */
import { join } from 'node:path';
import {
  type LayerIndex,
  type LayerName,
  layerIndexPath,
  layerNames,
  layerOf,
  layersFolder,
  parseLayerIndex,
  placeOf,
} from '../contract/layers.ts';
import { assetsFolder } from '../contract/site.ts';
import { manifestPath, manifestText, parseManifest } from '../contract/snapshot.ts';
import { fileChanges, fileSource, manifestChanges, readIfPresent } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import { Reader } from '../read/reader.ts';
import { SnapshotUnavailable } from '../read/source.ts';
import { shardsOf } from '../read/walk.ts';

/** Bytes of parsed groups of indexes kept in memory. */
const cacheBytes = 8 * 1024 * 1024;

/** intact: the file may be sent. damaged: it is named, and missing or of other bytes. unknown: nothing names it. */
export type Verdict = 'intact' | 'damaged' | 'unknown';

export class NamedFiles {
  readonly #root: string;
  readonly #reader: Reader;
  readonly #hasChanged: ReadonlyMap<LayerName, () => boolean>;
  readonly #hasNewManifest: () => boolean;
  readonly #layers: readonly LayerName[];
  /** Paths of the shards that the manifest names. */
  #shards: ReadonlySet<string> | undefined;

  /**
   * @param root folder of the snapshot
   * @param layers the layers that must be there: without an index, their files count as damaged
   */
  constructor(root: string, layers: readonly LayerName[]) {
    this.#root = root;
    this.#reader = new Reader(fileSource(root), { digest: nodeDigest, cacheBytes });
    this.#layers = layers;
    const changes = (layer: LayerName) => fileChanges(join(root, layerIndexPath(layer)));
    this.#hasChanged = new Map(layerNames.map((layer) => [layer, changes(layer)]));
    this.#hasNewManifest = manifestChanges(root);
  }

  /** @param hash contentHash of the file; undefined if it is missing @param bytes of the file, unless it is large */
  async judge(path: string, hash: string | undefined, bytes?: Uint8Array): Promise<Verdict> {
    if (path === manifestPath) return bytes && isManifest(bytes) ? 'intact' : 'damaged';
    const layer = layerNames.find((name) => layerIndexPath(name) === path);
    if (layer && (bytes || this.#layers.includes(layer)))
      return bytes && parseLayerIndex(layer, bytes, nodeDigest) ? 'intact' : 'damaged';
    const own = /^(?:shards|layers|downloads)\/.*\b([0-9a-f]{20})\.[a-z]+$/.exec(path)?.[1];
    if (own !== undefined && own === hash) return 'intact';
    try {
      if (path.startsWith('shards/')) return this.#namedShards().has(path) ? 'damaged' : 'unknown';
      return await this.#judgeByIndex(path, hash, bytes);
    } catch (error) {
      if (error instanceof SnapshotUnavailable) return 'damaged';
      throw error;
    }
  }

  /** The snapshot that the index of the file's layer names; undefined for the site, which is the same for all. */
  async snapshotOf(path: string): Promise<string | undefined> {
    const { layer } = placeOf(path);
    return layer === 'site' ? undefined : (await this.#indexOf(layer))?.manifest.snapshot;
  }

  async #judgeByIndex(
    path: string,
    hash: string | undefined,
    bytes: Uint8Array | undefined,
  ): Promise<Verdict> {
    const layer = layerOf(path);
    const index = await this.#indexOf(layer);
    const isGroup = path.startsWith(`${layersFolder}/`);
    if (isGroup && index?.groups.some(([, own]) => path.endsWith(`/${own}.json`))) return 'damaged';
    const versions = isGroup ? [] : await this.#reader.versionsOf(path);
    if (versions.some((version) => version.hash === hash)) return 'intact';
    const isIncomplete = index ? index.groups.length === 0 : this.#layers.includes(layer);
    if (versions.length > 0 || isIncomplete) return 'damaged';
    // A browser with an earlier page may still ask for the assets of that page. An interrupted update may leave empty ones.
    return hash !== undefined && bytes?.length !== 0 && path.startsWith(`${assetsFolder}/`)
      ? 'intact'
      : 'unknown';
  }

  #indexOf(layer: LayerName): Promise<LayerIndex | undefined> {
    if (this.#hasChanged.get(layer)!()) this.#reader.forgetIndex(layer);
    return this.#reader.layerIndex(layer);
  }

  /** @throws SnapshotUnavailable if the manifest is damaged */
  #namedShards(): ReadonlySet<string> {
    if (this.#hasNewManifest()) this.#shards = undefined;
    if (this.#shards) return this.#shards;
    const bytes = readIfPresent(join(this.#root, manifestPath));
    const manifest = bytes && parseManifest(bytes, nodeDigest);
    if (manifest === undefined) throw new SnapshotUnavailable(`${manifestPath} is missing or damaged`);
    this.#shards = new Set(Array.from(shardsOf(manifest), ({ path }) => path));
    return this.#shards;
  }
}

/** Whether a file is a manifest, byte for byte as a build writes it. */
function isManifest(bytes: Uint8Array): boolean {
  const manifest = parseManifest(bytes, nodeDigest);
  if (manifest === undefined) return false;
  const { text } = manifestText(manifest.counts, manifest.families, nodeDigest);
  return Buffer.from(text).equals(bytes);
}
