/** Compares a folder with the files of a clean build, byte for byte, without writing anything into it. */
import {
  hasBuiltName,
  isCurrent,
  isLayerPart,
  type LayerName,
  layerIndexPath,
  layerOf,
  layersFolder,
  type LayerState as MadeFrom,
} from '../api/contract/layers.ts';
import { contentHash } from '../api/contract/snapshot.ts';
import { byCodeUnit } from '../api/contract/text.ts';
import { nodeDigest } from '../api/read/node-source.ts';
import type { Connection } from '../data/database/open.ts';
import { isThere } from '../data/system/files.ts';
import { UserError } from '../data/system/messages.ts';
import { codeOf, hashesInMemory, isRetained, type Layer } from './derived/layer.ts';
import { compileWholeRecord } from './snapshot/in-memory.ts';
import { isShard, OutputFolder } from './snapshot/output-folder.ts';

export interface Difference {
  path: string;
  problem: 'missing' | 'different' | 'unexpected';
}

/** "behind": made from an earlier snapshot; it follows when the build or the service brings it up to date. */
export type LayerState = 'current' | 'behind' | 'missing';

export interface Verification {
  snapshot: string;
  /** Ascending by path. */
  differences: Difference[];
  /** Files of a clean build. */
  files: number;
  layers: Partial<Record<LayerName, LayerState>>;
  /** Files that no build makes. Builds leave them, and publishes leave them out. Ascending. */
  others: string[];
}

interface VerifyOptions {
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Layers that may be missing or behind without being a difference. Default the downloads. */
  optional?: readonly LayerName[] | undefined;
}

/** @throws UserError if there is no such folder, or a reference in the database is broken */
export async function verify(
  connection: Connection,
  out: string,
  layers: readonly Layer[],
  { onProgress, optional = ['downloads'] }: VerifyOptions = {},
): Promise<Verification> {
  const folder = new OutputFolder(out);
  if (!isThere(folder.root)) throw new UserError(`there is no folder ${out}; "awards build" makes it`);
  const { files, snapshot } = await compileWholeRecord(connection);
  /** Path → contentHash of a clean build. */
  const expected = new Map([...files].map(([path, bytes]) => [path, contentHash(bytes, nodeDigest)]));
  /** Files of layers that may be behind. */
  const ignored = new Set<string>();
  const states: Partial<Record<LayerName, LayerState>> = {};
  const total = Object.values(snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
  for (const layer of layers) {
    const path = layerIndexPath(layer.name);
    const found = folder.layerIndex(layer.name);
    const state = stateOfLayer(found, folder.has(path), snapshot.id, codeOf(layer));
    states[layer.name] = state;
    if (state !== 'current' && optional.includes(layer.name)) {
      const parts = folder
        .list(layersFolder)
        .filter((own) => isLayerPart(own) && layerOf(own) === layer.name);
      for (const named of [path, ...parts, ...(found?.files.keys() ?? [])]) ignored.add(named);
      continue;
    }
    for (const [named, hash] of await hashesInMemory(layer, snapshot)) expected.set(named, hash);
    onProgress?.(Math.min(expected.size, total), total);
  }
  const differences = [...differencesOf(folder, expected, ignored)];
  differences.sort((a, b) => byCodeUnit(a.path, b.path));
  const isOther = ({ path, problem }: Difference) => problem === 'unexpected' && !isOfBuild(path);
  return {
    snapshot: snapshot.id,
    differences: differences.filter((each) => !isOther(each)),
    files: expected.size,
    layers: states,
    others: differences.filter(isOther).map(({ path }) => path),
  };
}

/** @param index undefined for none, and for a damaged one, which is compared and found different */
function stateOfLayer(
  index: MadeFrom | undefined,
  isThere: boolean,
  snapshot: string,
  code: string,
): LayerState {
  if (index !== undefined && !isCurrent(index, snapshot, code)) return 'behind';
  return isThere ? 'current' : 'missing';
}

/** Whether only a build can have left a file. */
const isOfBuild = (path: string): boolean =>
  isShard(path) || path.endsWith('.unfinished') || hasBuiltName(path);

/** Retained files of earlier snapshots are no difference. */
function* differencesOf(
  folder: OutputFolder,
  expected: ReadonlyMap<string, string>,
  ignored: ReadonlySet<string>,
): Generator<Difference> {
  for (const [path, hash] of expected) {
    const found = folder.hash(path);
    if (found !== hash) yield { path, problem: found === undefined ? 'missing' : 'different' };
  }
  for (const path of folder.list())
    if (!expected.has(path) && !ignored.has(path))
      if (!((isShard(path) || (isRetained(path) && hasBuiltName(path))) && folder.isWhole(path)))
        yield { path, problem: 'unexpected' };
}
