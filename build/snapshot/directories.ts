/** The directories of all families while a build changes them, and their form in the manifest. */
import {
  contentHash,
  type Directory,
  inlineDirectoryLimit,
  type Manifest,
  type ManifestFamily,
  manifestFamilies,
  shardPath,
} from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { nodeDigest } from '../../api/hosts/node-digest.ts';

type Key = number | string;
type Entry = Manifest['families'][ManifestFamily];

export interface HeadFile {
  path: string;
  bytes: Uint8Array;
}

export class Directories {
  readonly #families = new Map<ManifestFamily, Map<Key, string>>(
    manifestFamilies.map((family) => [family, new Map()]),
  );
  /** Entries for the manifest of families that have not changed since they were made. */
  readonly #entries = new Map<ManifestFamily, { entry: Entry; head: HeadFile | undefined }>();

  /** Takes over a directory and its manifest entry from an existing snapshot. */
  load(family: ManifestFamily, { keys, hashes }: Directory, entry: Entry): void {
    this.#families.set(family, new Map(keys.map((key, i) => [key, hashes[i]!])));
    this.#entries.set(family, { entry, head: undefined });
  }

  get(family: ManifestFamily, key: Key): string | undefined {
    return this.#families.get(family)!.get(key);
  }

  /** @param hash undefined removes the key */
  set(family: ManifestFamily, key: Key, hash: string | undefined): void {
    if (hash === undefined) this.#families.get(family)!.delete(key);
    else this.#families.get(family)!.set(key, hash);
    this.#entries.delete(family);
  }

  /** The families for a manifest, and the new head files. */
  seal(): { families: Manifest['families']; heads: HeadFile[] } {
    const families: Partial<Manifest['families']> = {};
    const heads: HeadFile[] = [];
    for (const family of manifestFamilies) {
      const { entry, head } = this.#entries.get(family) ?? this.#entryOf(family);
      families[family] = entry;
      if (head) heads.push(head);
    }
    return { families: families as Manifest['families'], heads };
  }

  #entryOf(family: ManifestFamily): { entry: Entry; head: HeadFile | undefined } {
    const directory = directoryOf(this.#families.get(family)!);
    if (directory.keys.length <= inlineDirectoryLimit) return { entry: directory, head: undefined };
    const bytes = new TextEncoder().encode(`${JSON.stringify(directory)}\n`);
    const hash = contentHash(bytes, nodeDigest);
    return { entry: { head: hash }, head: { path: shardPath(family, hash), bytes } };
  }
}

/** A directory in ascending order of its keys: numbers by value, strings by code unit. */
export function directoryOf(hashes: ReadonlyMap<Key, string>): Directory {
  const entries = [...hashes].sort(([a], [b]) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : byCodeUnit(String(a), String(b)),
  );
  return { keys: entries.map(([key]) => key), hashes: entries.map(([, hash]) => hash) };
}
