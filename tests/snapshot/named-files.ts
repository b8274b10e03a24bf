/**
 * Walks a snapshot from its manifest down to the last page, as the format says and without the project's reader: every hash on
 * the way must be that of the bytes. Finds whatever is damaged, missing or named by nothing.
 */
import { createHash } from 'node:crypto';
import type { Tree } from './tree.ts';

interface Directory {
  keys: unknown[];
  hashes: string[];
}
interface Manifest {
  format: number;
  snapshot: string;
  counts: Record<string, number>;
  families: Record<string, Directory | { head: string }>;
}

export const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 20);

/** @returns what is wrong, a line per file; nothing for a whole snapshot */
export function faultsOf(tree: Tree): string[] {
  const walk = new Walk(tree);
  walk.manifest();
  return walk.faults();
}

class Walk {
  readonly #tree: Tree;
  readonly #named = new Set<string>(['manifest.json']);
  readonly #faults: string[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  manifest(): void {
    const { snapshot, ...rest } = JSON.parse(this.#read('manifest.json', undefined)) as Manifest;
    if (hashOf(JSON.stringify(rest)) !== snapshot) this.#faults.push('manifest.json is not its snapshot');
    for (const [family, entry] of Object.entries(rest.families)) {
      const directory = 'head' in entry ? this.#shard<Directory>(family, entry.head) : entry;
      for (const hash of directory.hashes) {
        const shard = this.#shard<[string, string][] & Directory>(family, hash);
        if (family === 'pages') for (const [path, pageHash] of shard) this.#read(path, pageHash);
        if (family === 'search') for (const terms of shard.hashes) this.#shard('terms', terms);
      }
    }
  }

  faults(): string[] {
    const strays = [...this.#tree.keys()].filter((path) => !this.#named.has(path));
    return [...this.#faults, ...strays.map((path) => `${path} is named by nothing`)];
  }

  #shard<T>(family: string, hash: string): T {
    return JSON.parse(this.#read(`shards/${family}/${hash}.json`, hash)) as T;
  }

  #read(path: string, hash: string | undefined): string {
    this.#named.add(path);
    const bytes = this.#tree.get(path);
    if (bytes === undefined) this.#faults.push(`${path} is missing`);
    else if (hash !== undefined && hashOf(bytes) !== hash) this.#faults.push(`${path} is not ${hash}`);
    return bytes?.toString() ?? '[]';
  }
}
