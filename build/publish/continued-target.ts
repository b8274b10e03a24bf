/** A folder as a target, with its own history or that of a site, which is read over HTTP. */
import {
  changeFeedPath,
  changeIndexPath,
  readChangeIndex,
  readRelease,
  releaseDayOf,
  readReleaseIndex,
  releaseIndexPath,
  releasePath,
} from '../../api/contract/history.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import type { Source } from '../../api/read/source.ts';
import { UserError } from '../../data/system/messages.ts';
import { type RequestOptions, RetryLaterError, Requests } from '../../data/system/requests.ts';
import type { Contents } from './contents.ts';
import { type FolderOptions, FolderTarget } from './folder-target.ts';
import { siteSource } from './live-site.ts';
import type { Changes, Live, Target } from './target.ts';

export interface ContinuedOptions extends FolderOptions {
  /** Scheme and host of the site whose history goes on, where the folder may be a new one. */
  live?: string | undefined;
  /** Attempts and time limits of requests to the site. */
  retry?: RequestOptions | undefined;
}

/** A folder as a target, with its own history or that of a site. @throws UserError as FolderTarget */
export function folderTarget({ live, retry, force, ...options }: ContinuedOptions): Target<void> {
  const folder = new FolderTarget({ ...options, force });
  if (live === undefined) return folder;
  return new ContinuedTarget(folder, live, siteSource(live, new Requests(retry), force), force);
}

/**
 * A target that is a new folder, such as in CI: it goes on with the history of the site that its files will
 * be uploaded to, and gets the files of that history from there.
 */
class ContinuedTarget implements Target<void> {
  readonly frozenIn = undefined;
  readonly configuration: ReadonlyMap<string, Buffer>;
  readonly #target: Target<void>;
  readonly #address: string;
  readonly #source: Source;
  readonly #force: boolean;
  #shown: ReadonlySet<string> | undefined;
  /** The paths of files that the folder has. */
  #there: ReadonlySet<string> = new Set();

  constructor(target: Target<void>, address: string, source: Source, force = false) {
    this.#target = target;
    this.#address = address;
    this.#source = source;
    this.#force = force;
    this.configuration = target.configuration;
  }

  lock(): (() => void) | undefined {
    return this.#target.lock();
  }

  timeOf(contents: Contents, now: Date): Date {
    return this.#target.timeOf(contents, now);
  }

  async live(): Promise<Live> {
    const address = this.#address;
    const folder = await this.#target.live();
    this.#there = folder.paths;
    this.#shown ??= await this.#historyPaths();
    const site = { name: address, address, wasPublished: true, paths: this.#shown, source: this.#source };
    return { ...folder, ...site };
  }

  apply(changes: Changes): Promise<void> {
    const kept = new Set(changes.kept);
    // Dated downloads never change: those that are there stay.
    const isThere = (path: string) => releaseDayOf(path) !== undefined && this.#there.has(path);
    const paths = changes.kept.filter((path) => !isThere(path));
    const contents = { ...changes.contents, isKept: (path: string) => kept.has(path) };
    return this.#target.apply({ ...changes, contents, brought: { paths, read: (path) => this.#read(path) } });
  }

  /** @throws RetryLaterError if the site does not show the file */
  async #read(path: string): Promise<Buffer> {
    const bytes = await this.#source.file(path);
    if (bytes) return Buffer.from(bytes);
    throw new RetryLaterError(
      `${this.#address} names ${path}, but does not show it; restore it and publish again, or leave out --live to begin a new history`,
    );
  }

  /**
   * The paths of the history. Nothing lists the files of a site, so its indexes must name them.
   * @throws UserError if it shows no snapshot, or an index is missing or damaged; as siteSource()
   */
  async #historyPaths(): Promise<ReadonlySet<string>> {
    // LiveSite reads the manifest.
    await this.#document(manifestPath, (bytes) => bytes);
    const changes = (await this.#document(changeIndexPath, readChangeIndex))?.data ?? [];
    const days = (await this.#document(releaseIndexPath, readReleaseIndex))?.data ?? [];
    const paths = [manifestPath, changeIndexPath, changeFeedPath, releaseIndexPath];
    paths.push(...changes.map(({ path }) => path.slice(1)));
    for (const { date, path } of days) {
      const files = (await this.#document(path.slice(1), readRelease))?.files ?? [];
      paths.push(...files.map(({ name }) => releasePath(date, name)), path.slice(1));
    }
    return new Set(paths);
  }

  /** A document of the site; undefined only with `force`. */
  async #document<T>(path: string, parse: (bytes: Uint8Array) => T | undefined): Promise<T | undefined> {
    const bytes = await this.#source.file(path);
    const document = bytes && parse(bytes);
    if (!document && !this.#force)
      throw new UserError(
        `${path} of ${this.#address} is ${bytes ? 'damaged' : 'missing'}, so its history is not known; restore it, or leave out --live to begin a new history`,
      );
    return document;
  }
}
