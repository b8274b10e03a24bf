/**
 * Publishes a snapshot into another folder, for any host: first files, then the indexes and the manifest,
 * then the removal of files that nothing names. A reader that follows the manifest sees the old snapshot or
 * the new one. Every file is compared, so an interrupted publish needs no repair.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { layerIndexPath, layerNames } from '../../api/contract/layers.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { OutputFolder, snapshotLockName, temporaryOf } from '../snapshot/output-folder.ts';
import { isThere } from '../../data/system/files.ts';
import { UserError } from '../../data/system/messages.ts';
import { Requests } from '../../data/system/requests.ts';
import { type ContentOptions, type Contents, isIndex } from './contents.ts';
import { openContents, withFrozenContents } from './open-contents.ts';
import { formatTitle, parseTitle, refuseOlder, withKnownPlace } from './deploy-title.ts';
import { type HistoryOptions, withHistory } from './history.ts';

interface FolderPublishOptions
  extends Pick<ContentOptions, 'out' | 'connection' | 'pages' | 'byImdb'>,
    Partial<Omit<HistoryOptions, 'live' | 'origin'>> {
  origin?: string | undefined;
  /** Folder to publish to; it is made if it is missing. */
  to: string;
  /** Replace the snapshot there even if it is newer or not comparable. */
  force?: boolean | undefined;
  /** Compare only: write and remove nothing. */
  dryRun?: boolean | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** What was done, or what a publish without `dryRun` would do. */
export type FolderPublishReport = ReturnType<typeof reportOf>;

/** The title of the last publish, in the target folder. */
const titleName = '.awards.published';
/**
 * The paths of the files that publishes have put into the target folder, a line each. Nothing else there is
 * removed.
 */
const filesName = '.awards.files';

/** @throws UserError if the folder is in use, or holds other files or a newer snapshot */
export async function publishToFolder(options: FolderPublishOptions): Promise<FolderPublishReport> {
  const [from, to] = [options.out, options.to].map((folder) => realPath(resolve(folder)) + sep);
  if (from!.startsWith(to!) || to!.startsWith(from!))
    throw new UserError(
      `one of ${options.to} and ${options.out} is inside the other; choose another folder with --to`,
    );
  const requests = new Requests();
  const target = new OutputFolder(options.to);
  if (options.dryRun) {
    const contents = await openContents(options, requests);
    target.refuseUnusable('--to');
    refuseOlderThan(target, contents, options);
    const planned = await nextContents(contents, target, options);
    return reportOf(planned, differences(planned, target));
  }
  return withFrozenContents(options, requests, undefined, async (contents) => {
    target.prepare('--to');
    const unlock = target.lock(snapshotLockName, 0);
    try {
      refuseOlderThan(target, contents, options);
      const next = await nextContents(contents, target, options);
      const found = differences(next, target);
      await apply(found, next, target, options);
      return reportOf(next, found);
    } finally {
      unlock();
    }
  });
}

/** The path behind all links, also of a folder that is not there yet. */
const realPath = (path: string): string =>
  isThere(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));

/** What goes into the target: the contents, and the history that is there. */
const nextContents = (
  contents: Contents,
  target: OutputFolder,
  options: FolderPublishOptions,
): Promise<Contents> =>
  withHistory(withKnownPlace(contents, shownTitle(target)), {
    ...options,
    origin: options.origin ?? '',
    live: {
      name: options.to,
      source: target.source(),
      paths: target.list(),
      wasPublished: publishedFiles(target).includes(manifestPath),
    },
  });

interface Differences {
  /** Files to write, in the order of the contents. */
  changed: string[];
  /** Files to remove: of earlier publishes, and parts of files that a killed one left. */
  gone: string[];
}

function differences({ files, isKept }: Contents, target: OutputFolder): Differences {
  const earlier = publishedFiles(target);
  const parts = new Set([...earlier, ...files.keys(), titleName, filesName].map(temporaryOf));
  const gone = earlier.filter((path) => !files.has(path) && !isKept(path) && target.has(path));
  return {
    changed: [...files].filter(([path, { hash }]) => target.hash(path) !== hash).map(([path]) => path),
    gone: [...gone, ...target.list().filter((path) => parts.has(path))],
  };
}

/**
 * Writes what differs. After a power cut at any time the target has the manifest of before or the new one,
 * and all that belongs to it: what a file names is on the disk before that file.
 */
async function apply(
  { changed, gone }: Differences,
  { files, title, isKept, read }: Contents,
  target: OutputFolder,
  { onProgress }: FolderPublishOptions,
): Promise<void> {
  // First: an interrupted publish leaves no file that the next one does not know.
  // It names the manifest once there was one.
  const isPublished = (path: string) => path !== manifestPath || target.has(path);
  await notePublished(target, [...publishedFiles(target), ...[...files.keys()].filter(isPublished)]);
  for (const layer of layerNames) {
    const path = layerIndexPath(layer);
    const unfinished = target.unfinishedIndex(layer);
    // Until all files are replaced it is not to be trusted.
    if (unfinished && (changed.includes(path) || gone.includes(path))) await put(target, path, unfinished);
  }
  const others = changed.filter((path) => !isIndex(path) && path !== manifestPath);
  for (let done = 0; done < others.length; done += flushedTogether) {
    onProgress?.('copying', done, changed.length);
    const some = others.slice(done, done + flushedTogether);
    const bytes = await Promise.all(some.map(async (path) => [path, await read(path)] as const));
    await target.replaceDurably(new Map(bytes));
  }
  // Also those of files that are as they should be: a publish that was killed did not flush them.
  target.flushFolders(files.keys());
  for (const path of changed.filter(isIndex)) await put(target, path, await read(path));
  await put(target, titleName, Buffer.from(formatTitle(title)));
  target.flushFolders(files.keys());
  if (changed.includes(manifestPath)) await put(target, manifestPath, await read(manifestPath));
  target.flushFolders([]);
  for (const path of gone) target.remove(path);
  // A file that comes back would be named by nothing.
  target.flushFolders(gone);
  await notePublished(target, [...files.keys(), ...publishedFiles(target).filter(isKept)]);
}

/** Files that are in memory, and flushed, at a time. */
const flushedTogether = 64;

/** Makes a file of the target have these bytes, on the disk before it has its name. */
async function put(target: OutputFolder, path: string, bytes: Uint8Array): Promise<void> {
  if (!target.hasBytes(path, bytes)) await target.replaceDurably(new Map([[path, bytes]]));
}

const reportOf = ({ title, files, behind }: Contents, { changed, gone }: Differences) => ({
  snapshot: title.snapshot,
  files: files.size,
  /** Changes in the database that the snapshot does not have yet. */
  behind,
  written: changed.length,
  removed: gone.length,
  bytes: changed.reduce((sum, path) => sum + files.get(path)!.size, 0),
});

/** @throws UserError if the target shows a newer snapshot, or one that cannot be compared */
function refuseOlderThan(
  target: OutputFolder,
  { title }: Contents,
  { to, force }: FolderPublishOptions,
): void {
  const snapshot = target.manifest()?.snapshot;
  // A folder that a build wrote has no title.
  const live = shownTitle(target) ?? (snapshot && { snapshot, place: undefined });
  if (live && !force) refuseOlder(live, title, to);
}

/** The title of the last publish; undefined if there is none. */
const shownTitle = (target: OutputFolder) => parseTitle(target.read(titleName)?.toString() ?? '');

/**
 * The files that earlier publishes have put into the target. A user can edit the list: no path leads out of
 * the folder.
 */
const publishedFiles = (target: OutputFolder): string[] =>
  (target.read(filesName)?.toString() ?? '')
    .split('\n')
    .filter((path) => path !== '' && join(target.root, path).startsWith(target.root + sep));

const notePublished = (target: OutputFolder, paths: readonly string[]): Promise<void> =>
  put(target, filesName, Buffer.from(`${[...new Set(paths)].sort().join('\n')}\n`));
