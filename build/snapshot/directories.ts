/** The directories of all families while a build changes them, and their way into the manifest. */
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

export interface NamedFile {
  path: string;
  bytes: Uint8Array;
}

export class Directories {
  readonly #families = new Map<ManifestFamily, Map<Key, string>>(
    manifestFamilies.map((family) => [family, new Map()]),
  );
  /** Directories as files or inline, until they change again. */
  readonly #entries = new Map<
    ManifestFamily,
    { entry: Manifest['families'][ManifestFamily]; head: NamedFile | undefined }
  >();

  /** Takes over the directory of an existing snapshot. */
  load(family: ManifestFamily, { keys, hashes }: Directory): void {
    this.#families.set(family, new Map(keys.map((key, i) => [key, hashes[i]!])));
    this.#entries.delete(family);
  }

  get(family: ManifestFamily, key: Key): string | undefined {
    return this.#families.get(family)!.get(key);
  }

  keys(family: ManifestFamily): Key[] {
    return [...this.#families.get(family)!.keys()];
  }

  set(family: ManifestFamily, key: Key, hash: string): void {
    this.#families.get(family)!.set(key, hash);
    this.#entries.delete(family);
  }

  delete(family: ManifestFamily, key: Key): void {
    this.#families.get(family)!.delete(key);
    this.#entries.delete(family);
  }

  /** The families for a manifest, and the head files they name. */
  seal(): { families: Manifest['families']; heads: NamedFile[] } {
    const families: Partial<Manifest['families']> = {};
    const heads: NamedFile[] = [];
    for (const family of manifestFamilies) {
      const { entry, head } = this.#entries.get(family) ?? this.#sealFamily(family);
      families[family] = entry;
      if (head) heads.push(head);
    }
    return { families: families as Manifest['families'], heads };
  }

  #sealFamily(family: ManifestFamily) {
    const entries = [...this.#families.get(family)!].sort(([a], [b]) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : byCodeUnit(String(a), String(b)),
    );
    const directory: Directory = {
      keys: entries.map(([key]) => key),
      hashes: entries.map(([, hash]) => hash),
    };
    let sealed: { entry: Manifest['families'][ManifestFamily]; head: NamedFile | undefined };
    if (entries.length <= inlineDirectoryLimit) {
      sealed = { entry: directory, head: undefined };
    } else {
      const bytes = new TextEncoder().encode(`${JSON.stringify(directory)}\n`);
      const hash = contentHash(bytes, nodeDigest);
      sealed = { entry: { head: hash }, head: { path: shardPath(family, hash), bytes } };
    }
    this.#entries.set(family, sealed);
    return sealed;
  }
}
