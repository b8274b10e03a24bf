/** What a layer is: a function from a snapshot to files. */
import { type LayerIndex, layerIndexFiles } from '../../api/contract/layer-index.ts';
import { assetsFolder, isDownload, isLayerPart, type LayerName } from '../../api/contract/layers.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { productCode } from '../snapshot/fingerprint.ts';
import type { Difference } from './affected.ts';

export interface LayerFile {
  path: string;
  /** Makes the bytes of the file. Call it before the next file is asked for. */
  content(): Promise<Uint8Array>;
}

/** A file of a layer whose bytes are there. */
export const madeFile = (path: string, content: string | Uint8Array): LayerFile => ({
  path,
  content: async () => (typeof content === 'string' ? Buffer.from(content) : content),
});

/** A function from a snapshot to files. */
export interface Layer {
  readonly name: LayerName;
  /** The options that change the bytes of its files, as text. */
  readonly options?: string;
  /** Whether any file may differ between any two snapshots. */
  readonly isMadeWhole?: boolean;
  /**
   * The files, in the order in which they are written.
   * @param difference to or from another snapshot: only the files that may differ; default every file
   */
  files(snapshot: Snapshot, difference?: Difference): AsyncIterable<LayerFile>;
}

/** Whether a file of a layer is immutable, so that a reader of an older index may still ask for it. */
export const isRetained = (path: string): boolean =>
  isLayerPart(path) ||
  path.startsWith(`${assetsFolder}/`) ||
  (isDownload(path) && /-[0-9a-f]{20}\.[a-z]+$/.test(path));

/** Fingerprint of all that determines the bytes of a layer besides the snapshot. */
export const codeOf = ({ options }: Layer): string =>
  options ? `${productCode()} ${options}` : productCode();

/** Whether the program that is running made the files of an index. */
export const isOfThisProgram = (code: string): boolean => code.split(' ')[0] === productCode();

/** The index of a whole layer of a snapshot, which is made without writing it. */
export async function layerInMemory(layer: Layer, snapshot: Snapshot): Promise<LayerIndex> {
  const files = new Map<string, string>();
  for await (const { path, content } of layer.files(snapshot))
    files.set(path, contentHash(await content(), nodeDigest));
  return { layer: layer.name, code: codeOf(layer), manifest: snapshot.manifest, isFinished: true, files };
}

/** The contentHash of each file of a layer of a snapshot, those of its index included, by path. */
export async function hashesInMemory(layer: Layer, snapshot: Snapshot): Promise<Map<string, string>> {
  const index = await layerInMemory(layer, snapshot);
  const ofIndex = Array.from(
    layerIndexFiles(index, nodeDigest),
    ([path, text]) => [path, contentHash(Buffer.from(text), nodeDigest)] as const,
  );
  return new Map([...index.files, ...ofIndex]);
}
