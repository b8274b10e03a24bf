/** The files of a built folder that belong to the site, the manifest, and one shard for all of them. */
import { readTree } from '../snapshot/tree.ts';

/** Paths below the root, ascending; without rules for hosts, which no host shows. */
export function fileAddresses(out: string): string[] {
  const paths = [...readTree(out).keys()].filter((path) => !/^[._]|\/\.|^api\//.test(path)).sort();
  const shard = paths.find((path) => path.startsWith('shards/'))!;
  return [...paths.filter((path) => !path.startsWith('shards/')), shard];
}
