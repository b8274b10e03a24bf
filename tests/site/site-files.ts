/** The site files of a built folder, its manifest and one of its shards. */
import { readTree } from '../snapshot/tree.ts';

/** Paths below the root, ascending, without host rules, hidden files, and the editor, which is not published. */
export function fileAddresses(out: string): string[] {
  const paths = [...readTree(out).keys()].filter((path) => !/^[._]|\/\.|^(api|edit)\//.test(path)).sort();
  const shard = paths.find((path) => path.startsWith('shards/'))!;
  return [...paths.filter((path) => !path.startsWith('shards/')), shard];
}
