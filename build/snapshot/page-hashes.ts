/** The family "pages": every page with its hash, by group, so that a page that renders as before is not written. */
import type { PageShard } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Directories } from './directories.ts';

/** The hashes of pages by group, loaded as far as they are changed. */
export class PageHashes {
  readonly #directories: Directories;
  readonly #before: Snapshot | undefined;
  readonly #groups = new Map<string, Map<string, string>>();
  readonly #changed = new Set<string>();

  constructor(directories: Directories, before: Snapshot | undefined) {
    this.#directories = directories;
    this.#before = before;
  }

  /** @returns whether the page is new or has a new hash */
  async set(group: string, path: string, hash: string): Promise<boolean> {
    const pages = this.#groups.get(group) ?? (await this.#load(group));
    if (pages.get(path) === hash) return false;
    pages.set(path, hash);
    this.#changed.add(group);
    return true;
  }

  /** @returns whether there was such a page */
  async delete(group: string, path: string): Promise<boolean> {
    const pages = this.#groups.get(group) ?? (await this.#load(group));
    if (!pages.delete(path)) return false;
    this.#changed.add(group);
    return true;
  }

  /** The changed groups as shard texts; undefined for one that has no page any more. */
  *shards(): Generator<{ group: string; text: string | undefined }> {
    for (const group of this.#changed) {
      const pages: PageShard = [...this.#groups.get(group)!].sort(([a], [b]) => byCodeUnit(a, b));
      yield { group, text: pages.length === 0 ? undefined : `${JSON.stringify(pages)}\n` };
    }
  }

  async #load(group: string): Promise<Map<string, string>> {
    const hash = this.#directories.get('pages', group);
    const pages = new Map(hash === undefined ? [] : await this.#before!.pageShard(hash));
    this.#groups.set(group, pages);
    return pages;
  }
}
