/** A site that earlier publishes made, as the next one reads it. It is the only place of the history. */
import { isChangeFile, isHistoryIndex, isOfHistory } from '../../api/contract/history.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import type { Source } from '../../api/read/source.ts';
import { UserError } from '../../data/system/messages.ts';
import { type Requests, RetryLaterError, requestBytes } from '../../data/system/requests.ts';
import type { Live } from './target.ts';

export interface LiveSiteOptions {
  /** Go on where the history cannot be continued, and say what is lost to it. */
  force?: boolean | undefined;
  /** Called with a line about what was found and repaired, or given up. */
  onNotice?: ((line: string) => void) | undefined;
}

export class LiveSite {
  readonly name: string;
  /** The paths of all files of the history but its indexes, ascending. */
  readonly historyPaths: readonly string[];
  readonly #paths: ReadonlySet<string>;
  readonly #source: Source;
  readonly #force: boolean;
  readonly #wasPublished: boolean;
  readonly notice: (line: string) => void;

  constructor(
    { name, source, paths, wasPublished }: Live,
    { force = false, onNotice = () => {} }: LiveSiteOptions,
  ) {
    this.#wasPublished = wasPublished;
    this.name = name;
    this.#source = source;
    this.#paths = paths;
    this.historyPaths = [...this.#paths].filter((path) => isOfHistory(path) && !isHistoryIndex(path)).sort();
    this.#force = force;
    this.notice = onNotice;
  }

  /**
   * Whether nothing was published there: a first publish that was interrupted leaves files, but no manifest.
   */
  get isNew(): boolean {
    return !this.#wasPublished && !this.has(manifestPath) && this.changeFiles.length === 0;
  }

  /** The paths of the files with changes. */
  get changeFiles(): readonly string[] {
    return this.historyPaths.filter(isChangeFile);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /**
   * The bytes of a file; undefined if it is missing.
   * @throws RetryLaterError if it is there and not shown; as the source
   */
  read(path: string): Promise<Uint8Array | undefined> {
    return this.#shown(path, (source) => source.file(path));
  }

  /** As read(), of an immutable file. */
  readShard(path: string): Promise<Uint8Array | undefined> {
    return this.#shown(path, (source) => source.shard(path));
  }

  /**
   * Ends the publish, because it cannot tell how the history goes on; with `force` it says so instead.
   * @param problem what is wrong with which file @param forced what a publish with `force` does
   * @throws UserError without `force`
   */
  giveUp(problem: string, forced: string): void {
    if (!this.#force)
      throw new UserError(`${problem}; restore it and publish again, or use --force: ${forced}`);
    this.notice(`${problem}: ${forced}`);
  }

  async #shown(path: string, ask: (source: Source) => Promise<Uint8Array | undefined>) {
    const bytes = await ask(this.#source);
    // A host that has just taken a deploy may answer 404 for a while.
    if (!bytes && !this.#force && this.has(path))
      throw new RetryLaterError(`${this.name} has ${path}, but does not show it; publish again`);
    return bytes;
  }
}

/**
 * A site over HTTP; an answer with an error that may pass is asked for again.
 * @param force takes a file that the site refuses for missing
 * @throws RetryLaterError if the error does not pass; UserError if the site refuses, such as one with a
 *   password
 */
export function siteSource(address: string, requests: Requests, force = false): Source {
  const read = (path: string) =>
    requests.run(`reading ${path} of the site`, async (signal) => {
      const { ok, status, bytes } = await requestBytes(`${address}/${path}`, { signal });
      if (ok) return bytes;
      if (force || status === 404 || status === 410) return undefined;
      throw new UserError(
        `${address} refuses to show ${path} (${status}), and the history goes on from there; show deploys without a password while you publish, or begin a new history with --force`,
      );
    });
  return { file: read, shard: read };
}

/** No publish is older than the program: before, it is the clock of this machine that is wrong. */
const firstTime = '2024-01-01';
const maxAheadMs = 366 * 86_400_000;

/**
 * The time of an earlier publish, or its day; undefined if it is far later than now, so that its clock was
 * wrong.
 */
export function plausibleTime(earlier: string, now: string): string | undefined {
  const isAhead = Date.parse(earlier) - Date.parse(now) > maxAheadMs;
  return isAhead && now >= firstTime ? undefined : earlier;
}
