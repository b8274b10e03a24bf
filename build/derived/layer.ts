/** What a layer is: a function from a snapshot to files. */
import { assetsFolder, isDownload, type LayerIndex, type LayerName } from '../../api/contract/layers.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { productCode } from '../snapshot/fingerprint.ts';

export interface LayerFile {
  path: string;
  /** What the file shows, as affected() names it. */
  topic: string;
  /** Makes the bytes of the file. Call it before the next file is asked for. */
  content(): Promise<Uint8Array>;
}

/** A file of a layer that is always made as a whole. */
export const madeFile = (path: string, content: string | Uint8Array): LayerFile => ({
  path,
  topic: 'any',
  content: async () => (typeof content === 'string' ? Buffer.from(content) : content),
});

/** A function from a snapshot to files. */
export interface Layer {
  readonly name: LayerName;
  /** What determines the bytes besides the snapshot and the program. */
  readonly options?: string;
  /** Every file, in the order in which they are written. */
  all(snapshot: Snapshot): AsyncIterable<LayerFile>;
  /** The topics of the files that may differ between two snapshots. Without it, every file may differ. */
  affected?(before: Snapshot, after: Snapshot): Promise<ReadonlySet<string>>;
  /** Bytes of parsed shards kept in memory. Default 256 MiB: pages show most records several times. */
  readonly cacheBytes?: number;
}

/** Whether a file of a layer is immutable, so that a reader of an older index may still ask for it. */
export const isRetained = (path: string): boolean =>
  path.startsWith(`${assetsFolder}/`) || (isDownload(path) && /-[0-9a-f]{20}\.[a-z]+$/.test(path));

/** Fingerprint of all that determines the bytes of a layer besides the snapshot. */
export const codeOf = ({ options }: Layer): string =>
  options ? `${productCode()} ${options}` : productCode();

/** The index of a whole layer of a snapshot, which is made without writing it. */
export async function layerInMemory(layer: Layer, snapshot: Snapshot): Promise<LayerIndex> {
  const files = new Map<string, string>();
  for await (const { path, content } of layer.all(snapshot))
    files.set(path, contentHash(await content(), nodeDigest));
  return { layer: layer.name, code: codeOf(layer), manifest: snapshot.manifest, isFinished: true, files };
}
