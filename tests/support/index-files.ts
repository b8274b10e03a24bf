/** Makes the index of a layer vouch for files that a test wrote. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LayerName, layerIndexPath } from '../../api/contract/layers.ts';
import { folderRead } from '../../api/read/node-source.ts';
import { walkLayer } from '../../api/read/walk.ts';
import { groupFile, groupOf, indexBytes, listOf } from '../../build/derived/layer-index.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { hashOf } from '../snapshot/named-files.ts';

/** @param added paths of files that the index names from now on, besides those that it names already, as they are now */
export async function indexFiles(
  out: string,
  layer: LayerName,
  added: readonly string[] = [],
): Promise<void> {
  const folder = new OutputFolder(out);
  const index = folder.layerIndex(layer);
  const paths = new Set(added);
  if (index)
    for await (const { path } of walkLayer(index, folderRead(out)))
      if (!path.startsWith('layers/')) paths.add(path);
  const groups = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const group = groupOf(path);
    groups.set(group, (groups.get(group) ?? new Map()).set(path, hashOf(readFileSync(join(out, path)))));
  }
  const files = [...groups].map(([group, own]) => [group, groupFile(layer, own)] as const);
  mkdirSync(join(out, 'layers', layer), { recursive: true });
  for (const [, { path, bytes }] of files) writeFileSync(join(out, path), bytes);
  const named = listOf(new Map(files.map(([group, { hash }]) => [group, hash])));
  const manifest = index?.manifest ?? folder.manifest()!;
  folder.put(layerIndexPath(layer), indexBytes(layer, { code: index?.code ?? '', manifest, groups: named }));
}
