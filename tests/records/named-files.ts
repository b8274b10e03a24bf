/**
 * Walks a folder from its manifest and the indexes of its layers down to the last file, as the format says and without the
 * project's reader. Every named file must exist and have the named hash.
 */
import { createHash } from 'node:crypto';
import type { Target } from '../../api/contract/target.ts';
import type { Tree } from './tree.ts';

interface Manifest {
  snapshot: string;
  families: Record<string, { keys: number[]; hashes: string[] }>;
}
interface Index {
  finished: boolean;
  count: number;
  parts: string[];
}

type ListedFile = [path: string, hash: string];

/** FNV-1a of the bytes of a text, 32 bits. */
const numberOf = (text: string): number =>
  Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619) >>> 0, 2_166_136_261);

export const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 20);

/** Of a file that is not changed in memory. */
const known = new WeakMap<Uint8Array, string>();
function knownHashOf(bytes: Uint8Array): string {
  const hash = known.get(bytes) ?? hashOf(bytes);
  known.set(bytes, hash);
  return hash;
}

/** What is wrong in a folder, a line per file. Intact immutable files of earlier snapshots are no fault. */
export function faultsOf(tree: Tree): string[] {
  const walk = new Walk(tree);
  walk.manifest();
  for (const path of tree.keys()) {
    const [, layer] = /^layers\/([\w-]+)\.json$/.exec(path) ?? [];
    if (layer !== undefined) walk.layer(layer);
  }
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
    if (hashOf(JSON.stringify(rest)) !== snapshot) this.#faults.push('manifest.json has a wrong id');
    for (const [family, { hashes }] of Object.entries(rest.families))
      for (const hash of hashes) this.#read(`shards/${family}/${hash}.json`, hash);
  }

  layer(layer: string): void {
    const { finished, count, parts } = JSON.parse(this.#read(`layers/${layer}.json`, undefined)) as Index;
    if (!finished) this.#faults.push(`layers/${layer}.json is unfinished`);
    let found = 0;
    for (const [number, part] of parts.entries())
      for (const [path, hash] of JSON.parse(
        this.#read(`layers/${layer}/${part}.json`, part),
      ) as ListedFile[]) {
        this.#read(path, hash);
        if (numberOf(path) % parts.length !== number) this.#faults.push(`${path} is in part ${number}`);
        found += 1;
      }
    if (found !== count) this.#faults.push(`layers/${layer}.json counts ${count} files, not ${found}`);
  }

  faults(): string[] {
    const strays = [...this.#tree].filter(
      ([path, bytes]) => !this.#named.has(path) && !path.includes(knownHashOf(bytes)),
    );
    return [...this.#faults, ...strays.map(([path]) => `${path} is named by nothing`)];
  }

  #read(path: string, hash: string | undefined): string {
    this.#named.add(path);
    const bytes = this.#tree.get(path);
    if (bytes === undefined) this.#faults.push(`${path} is missing`);
    else if (hash !== undefined && knownHashOf(bytes) !== hash) this.#faults.push(`${path} is not ${hash}`);
    return bytes?.toString() ?? '[]';
  }
}

/** The address of a page, from its path alone and without the code of the build. @returns undefined for other files */
export function addressOfPage(file: string): Target | undefined {
  const path = /^(api\/.+)\.json$/.exec(file)?.[1];
  if (path === undefined) return undefined;
  const [, resource, folder, ...rest] = path.split('/');
  if (folder === 'ceremony_ids' || folder === 'year') {
    const [value, , page = 1] = rest;
    return { path: `/api/${resource}`, queryString: `${folder}=${value}&limit=100&page=${page}` };
  }
  if (folder === 'sort') return { path: `/api/${resource}`, queryString: `sort=${rest[0]}&include=counts` };
  if (resource === 'stats') return rankingAddress(folder!, rest);
  if (folder === 'pages') return { path: `/api/${resource}`, queryString: `page=${rest[0]}` };
  return { path: `/${path}`, queryString: '' };
}

function rankingAddress(ranking: string, [sort, filter, value]: string[]): Target {
  if (ranking === 'counts') return { path: '/api/stats/counts', queryString: `by=${sort}` };
  const filtered = filter === undefined ? '' : `&${filter}=${percentEncoded(value!)}`;
  return { path: `/api/stats/${ranking}`, queryString: `sort=${sort}${filtered}` };
}

/** In file names a hyphen is a space, and `_` precedes the two hexadecimal digits of any other byte. */
function percentEncoded(name: string): string {
  return name.replaceAll('-', '%20').replaceAll('_', '%');
}
