/** What the folder of the snapshot holds, from its manifest and the indexes of its layers. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type LayerName, layerIndexPath, parseLayerIndex } from '../contract/layers.ts';
import { manifestPath, parseManifest } from '../contract/snapshot.ts';
import { readIfPresent } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';

interface FolderLook {
  /** The id of the snapshot and when it was put in place; undefined if there is no valid manifest. */
  snapshot: { id: string; since: Date } | undefined;
  /** When the first snapshot that a layer lacks was put in place, as far as earlier looks saw; undefined if it lacks none. */
  layers: ReadonlyMap<LayerName, Date | undefined>;
}

/** Looks into a folder. A look costs a few microseconds while nothing changes. */
export class FolderStatus {
  readonly #manifest: () => Parsed<{ snapshot: string }>;
  readonly #indexes: ReadonlyMap<LayerName, () => Parsed<{ snapshot: string; isPending: boolean }>>;
  /** Layers that the last look found behind: the snapshot that they have, and since when. */
  readonly #behind = new Map<LayerName, { has: string | undefined; since: Date }>();

  /** @param layers the layers that are kept up to date in this folder */
  constructor(root: string, layers: readonly LayerName[]) {
    this.#manifest = parsedFile(join(root, manifestPath), (bytes) => parseManifest(bytes, nodeDigest));
    this.#indexes = new Map(
      layers.map((layer) => [layer, parsedFile(join(root, layerIndexPath(layer)), indexParser(layer))]),
    );
  }

  look(): FolderLook {
    const { value, modified } = this.#manifest();
    const snapshot = value && { id: value.snapshot, since: modified };
    const layers = new Map(
      [...this.#indexes].map(([layer, read]) => {
        const { value: index, modified: updated } = read();
        const isCurrent = index !== undefined && index.snapshot === snapshot?.id;
        if (isCurrent && !index.isPending) this.#behind.delete(layer);
        else this.#noteBehind(layer, index?.snapshot, isCurrent ? updated : modified);
        return [layer, this.#behind.get(layer)?.since] as const;
      }),
    );
    return { snapshot, layers };
  }

  #noteBehind(layer: LayerName, has: string | undefined, since: Date): void {
    const before = this.#behind.get(layer);
    // A layer with another snapshot than before has been up to date in between.
    if (before === undefined || before.has !== has) this.#behind.set(layer, { has, since });
  }
}

const indexParser =
  (layer: LayerName) =>
  (bytes: Uint8Array): { snapshot: string; isPending: boolean } | undefined => {
    const index = parseLayerIndex(layer, bytes, nodeDigest);
    return index && { snapshot: index.manifest.snapshot, isPending: index.pending !== undefined };
  };

interface Parsed<T> {
  /** undefined if there is no such file, or not a valid one. */
  value: T | undefined;
  modified: Date;
}

/** A function that reads a file, and parses it again only when it was replaced. */
function parsedFile<T>(file: string, parse: (bytes: Uint8Array) => T | undefined): () => Parsed<T> {
  let state = '';
  let parsed: Parsed<T> = { value: undefined, modified: new Date(0) };
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const current = stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : '';
    if (current !== state) {
      const bytes = readIfPresent(file);
      parsed = { value: bytes && parse(bytes), modified: stats?.mtime ?? new Date() };
      state = current;
    }
    return parsed;
  };
}
