/** What a folder answers from its current snapshot: reads of the API, and pages of the explorer. */
import type { Answer } from '../read/answer.ts';
import { type FileVersion, fileSource, nodeDigest, takingTurns } from '../read/node-source.ts';
import type { Snapshot } from '../read/snapshot.ts';
import { type ReadRequest, Resolver } from '../read/resolve.ts';
import { loadOnce, SnapshotUnavailable, SnapshotWatch } from '../read/source.ts';
import type { Files } from './files.ts';
import type { FolderWatch } from './folder-watch.ts';
import { missingFile } from './missing-files.ts';

export interface SnapshotReadsOptions {
  /** Folder of the snapshot. */
  out: string;
  folder: FolderWatch;
  /** Bytes of answers kept in memory; 0 keeps none. */
  answerBytes: number;
  /** Scheme and host of the site, for absolute addresses. Without it those of pages are relative. */
  origin?: string | undefined;
  /** Whether the same addresses accept writes. */
  writable: boolean;
  onError: (error: unknown) => void;
  /** Called when the snapshot or a document of the site may be damaged. */
  onDamage?: (() => void) | undefined;
}

/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;
/** Bytes of pages of the explorer kept in memory. */
const pageBytes = 12 * 1024 * 1024;

/** Answers reads of the API and pages of the explorer from the snapshot in a folder. */
export function snapshotReads(files: Files, context: SnapshotReadsOptions) {
  const { out, folder, answerBytes, writable, origin, onError, onDamage } = context;
  const resolver = new Resolver(fileSource(out), {
    turn: takingTurns(),
    digest: nodeDigest,
    answerBytes,
    writable,
    onError(error) {
      onError(error);
      if (error instanceof SnapshotUnavailable) onDamage?.();
    },
  });
  const pages = loadOnce(async () => {
    const { SitePages } = await import('../../build/site/explorer/site-pages.ts');
    const file = (path: string) => files.bytes(path);
    const options = { resolver, file, isWritable: writable, onError, digest: nodeDigest };
    return new SitePages({ ...options, cacheBytes: pageBytes });
  });
  /** Whether the last look at the manifest succeeded. A look sets it. */
  let isCurrent = true;
  const refresh = async () => {
    isCurrent = await resolver.refresh();
    return isCurrent;
  };
  /** The manifest of the last look, which sets it. */
  let seen: FileVersion<string> | undefined;
  const refreshIfChanged = () => {
    const before = seen;
    seen = folder.manifest();
    const hasChanged = before === undefined ? seen.isThere : seen !== before;
    // A look that failed is repeated: the file need not change again.
    return hasChanged || !isCurrent ? refresh() : undefined;
  };
  const watch = new SnapshotWatch(refreshIfChanged, watchIntervalMs);
  const answer = (request: ReadRequest): Answer | Promise<Answer> => {
    const looking = watch.check();
    return looking ? looking.then(() => resolver.answer(request)) : resolver.answer(request);
  };
  return {
    /** Loads what pages need. Node keeps a failed import for good, so it must not wait for a request. */
    load: pages,
    /** Number of requests that were answered from memory. */
    cacheHits: () => resolver.answerCache.hits,
    /** Loads a new snapshot at once. @returns whether answers come from it now */
    refresh,
    /** The id of the snapshot that is answered from now. @throws SnapshotUnavailable */
    async snapshot() {
      // A look under way first, then one of now.
      await watch.check();
      await refreshIfChanged();
      return (await resolver.snapshot()).manifest.snapshot;
    },
    /** The answer to any method at an address of the API; synchronous if it is in memory. */
    answer,
    /** Answers from one snapshot. */
    answered: <T>(work: (snapshot: Snapshot) => Promise<T>) => resolver.answered(work),
    /**
     * The answer at the address of a page of the explorer; undefined if there is no site.
     * @param mayFind see SitePages
     */
    async page(request: ReadRequest, mayFind: () => Promise<boolean>) {
      await watch.check();
      return (await pages()).answer(request, origin ?? '', mayFind);
    },
    /** The answer for a file that is not there, but known by its name. @param address of the file */
    missing: (address: string) => missingFile(folder, address.slice(1)),
    /** The page for a client beyond its rate limit; undefined if there is no site. */
    refusedPage: async () => (await pages()).refusal(),
  };
}
