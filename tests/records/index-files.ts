/** Makes the index of a layer vouch for files that a test wrote. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { layerIndexFiles } from '../../api/contract/layer-index.ts';
import type { LayerName } from '../../api/contract/layers.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { hashOf } from './named-files.ts';

/** @param added paths of files that the index names from now on, besides those that it names already, as they are now */
export function indexFiles(out: string, layer: LayerName, added: readonly string[] = []): void {
  const folder = new OutputFolder(out);
  const before = folder.layerIndex(layer);
  const paths = new Set([...(before?.files.keys() ?? []), ...added]);
  const files = new Map([...paths].map((path) => [path, hashOf(readFileSync(join(out, path)))]));
  const { code = '', manifest = folder.manifest()! } = before ?? {};
  const index = layerIndexFiles({ layer, code, manifest, isFinished: true, files });
  for (const [path, text] of index) folder.put(path, Buffer.from(text));
}
