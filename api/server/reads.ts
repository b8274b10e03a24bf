/** Answers reads of the API and pages of the explorer from the snapshot in a folder. */
import type { Answer } from '../read/answer.ts';
import type { AnswerCacheState } from '../read/answer-cache.ts';
import { loadOnce } from '../read/load-once.ts';
import { fileSource, manifestChanges, nodeDigest } from '../read/node-source.ts';
import { type ReadRequest, Resolver } from '../read/resolve.ts';
import { SnapshotUnavailable } from '../read/source.ts';
import { SnapshotWatch } from '../read/watch.ts';
import type { HtmlPages } from '../../build/site/explorer/html-pages.ts';

export interface ReadsOptions {
  /** Folder of the snapshot. */
  out: string;
  /** Bytes of answers kept in memory; 0 keeps none. */
  answerBytes: number;
  /** Whether the same addresses accept writes. */
  writable: boolean;
  /** Scheme and host of the site, for absolute addresses in its pages. */
  origin: () => string;
  /** Reads a file of the folder. */
  file: (path: string) => Promise<Uint8Array | undefined>;
  onError: (error: unknown) => void;
  /** Called when the snapshot or a document of the site may be damaged. */
  onDamage: () => void;
}

/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;
/** Bytes of pages of the explorer kept in memory. */
const pageBytes = 12 * 1024 * 1024;

export class Reads {
  readonly #resolver: Resolver;
  readonly #pages: () => Promise<HtmlPages>;
  readonly #origin: () => string;
  readonly #watch: SnapshotWatch;
  readonly #refreshIfChanged: () => Promise<unknown> | undefined;
  /** Whether the last look at the manifest succeeded. A look sets it. */
  #isCurrent = true;

  constructor({ out, answerBytes, writable, origin, file, onError, onDamage }: ReadsOptions) {
    const resolver = new Resolver(fileSource(out), {
      digest: nodeDigest,
      answerBytes,
      writable,
      onError(error) {
        onError(error);
        if (error instanceof SnapshotUnavailable) onDamage();
      },
    });
    this.#resolver = resolver;
    this.#pages = loadOnce(async () => {
      const { HtmlPages } = await import('../../build/site/explorer/html-pages.ts');
      const { renderer: render } = await import('../../build/site/explorer/render.tsx');
      return new HtmlPages({ resolver, render, file, cacheBytes: pageBytes, onError, digest: nodeDigest });
    });
    this.#origin = origin;
    const hasChanged = manifestChanges(out);
    // A look that failed is repeated: the file need not change again.
    this.#refreshIfChanged = () => (hasChanged() || !this.#isCurrent ? this.refresh() : undefined);
    this.#watch = new SnapshotWatch(this.#refreshIfChanged, watchIntervalMs);
  }

  /** Loads a new snapshot at once. @returns whether answers come from it now */
  async refresh(): Promise<boolean> {
    this.#isCurrent = await this.#resolver.refresh();
    return this.#isCurrent;
  }

  /** The id of the snapshot that is answered from now. @throws SnapshotUnavailable */
  async snapshot(): Promise<string> {
    // A look under way first, then one of now.
    await this.#watch.check();
    await this.#refreshIfChanged();
    return (await this.#resolver.snapshot()).manifest.snapshot;
  }

  /** How full the cache of answers is, and how often it was used. */
  get answerCache(): AnswerCacheState {
    return this.#resolver.answerCache;
  }

  /** The answer to any method at an address of the API; synchronous if it is in memory. */
  answer(request: ReadRequest): Answer | Promise<Answer> {
    const looking = this.#watch.check();
    const known = looking === undefined ? this.#resolver.cached(request) : undefined;
    return known ?? this.#computed(request, looking);
  }

  async #computed(request: ReadRequest, looking: Promise<unknown> | undefined): Promise<Answer> {
    await looking;
    return this.#resolver.answer(request);
  }

  /** The answer at the address of a page of the explorer; undefined if there is no site. */
  async page(request: ReadRequest): Promise<Answer | undefined> {
    await this.#watch.check();
    return (await this.#pages()).answer(request, this.#origin());
  }

  /** The page for a client beyond its rate limit; undefined if there is no site. */
  async refusedPage(): Promise<Answer | undefined> {
    return (await this.#pages()).refusal();
  }
}
