/** Detects damaged files: compares them with the hashes under which a manifest or an index names them. Builds repair them. */
import type { LayerIndex } from '../../api/contract/layers.ts';
import type { Manifest } from '../../api/contract/snapshot.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { OutputFolder } from './output-folder.ts';

/** The first shard of a snapshot that is missing or damaged, in words; undefined if there is none. */
export function snapshotDamage(root: string, manifest: Manifest): string | undefined {
  const folder = new OutputFolder(root);
  for (const { path, hash } of shardsOf(manifest))
    if (folder.hash(path) !== hash) return `${path} is missing or damaged`;
  return undefined;
}

/** The files of a layer that are missing or damaged, ascending. */
export function damagedLayerFiles(root: string, { files }: LayerIndex): string[] {
  const folder = new OutputFolder(root);
  return [...files].filter(([path, hash]) => folder.hash(path) !== hash).map(([path]) => path);
}
