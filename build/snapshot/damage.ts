/**
 * Detects damaged files: compares them with the hashes under which a manifest or an index names them. SnapshotBuilder and
 * LayerUpdate repair them.
 */
import { type LayerIndex, layerIndexPath, layerIndexText, layersFolder } from '../../api/contract/layers.ts';
import { contentHash, type Manifest, manifestPath, manifestText } from '../../api/contract/snapshot.ts';
import { folderRead, nodeDigest } from '../../api/read/node-source.ts';
import { SnapshotUnavailable } from '../../api/read/source.ts';
import { type NamedFile, shardsOf, walkLayer } from '../../api/read/walk.ts';
import { OwnFiles } from './own-files.ts';

/**
 * The first file of a snapshot that is missing or damaged, in words; undefined if there is none.
 * @param manifest of the folder
 */
export async function snapshotDamage(root: string, manifest: Manifest): Promise<string | undefined> {
  const { text } = manifestText(manifest, nodeDigest);
  const [damaged] = await damagedFiles(root, manifestPath, text, shardsOf(manifest));
  return damaged && `${damaged} is missing or damaged`;
}

/**
 * The files of a layer that are missing or damaged, in the order of its index.
 * @param index of the folder
 * @throws SnapshotUnavailable if the index or one of its groups is missing or damaged
 */
export async function damagedLayerFiles(root: string, index: LayerIndex): Promise<Set<string>> {
  const text = layerIndexText(index.layer, index, nodeDigest);
  const walk = walkLayer(index, folderRead(root));
  const damaged = await damagedFiles(root, layerIndexPath(index.layer), text, walk);
  for (const path of damaged)
    if (path.startsWith(`${layersFolder}/`)) throw new SnapshotUnavailable(`${path} is missing or damaged`);
  return damaged;
}

/** @param path of the manifest or index, which must be `text` @param files that it names */
async function damagedFiles(
  root: string,
  path: string,
  text: string,
  files: Iterable<NamedFile> | AsyncIterable<NamedFile>,
): Promise<Set<string>> {
  const damaged = new Set<string>();
  const own = new OwnFiles(root);
  const compare = (file: NamedFile) => own.hash(file.path) === file.hash || damaged.add(file.path);
  compare({ path, hash: contentHash(new TextEncoder().encode(text), nodeDigest) });
  for await (const file of files) compare(file);
  return damaged;
}
