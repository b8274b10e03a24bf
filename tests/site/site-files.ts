/** The site files of a built folder, its manifest and one of its shards. */
import { readTree } from '../snapshot/tree.ts';

/** Paths below the root, ascending, without host rules and hidden files. */
export function fileAddresses(out: string): string[] {
  const paths = [...readTree(out).keys()].filter((path) => !/^[._]|\/\.|^api\//.test(path)).sort();
  const shard = paths.find((path) => path.startsWith('shards/'))!;
  return [...paths.filter((path) => !path.startsWith('shards/')), shard];
}
