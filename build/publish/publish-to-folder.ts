/**
 * Publishes a snapshot into another folder, for any host: first files, then the indexes and the manifest, then the removal of
 * files that nothing names. A reader that follows the manifest sees the old snapshot or the new one. Every file is compared,
 * so an interrupted publish needs no repair.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { layerIndexPath, layerIndexText, layerNames } from '../../api/contract/layers.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { nodeDigest } from '../../api/read/node-source.ts';
import { OutputFolder, snapshotLockName, temporaryOf } from '../snapshot/output-folder.ts';
import { isThere } from '../system/files.ts';
import { Requests } from '../system/requests.ts';
import { UserError } from '../system/messages.ts';
import { type ContentOptions, type Contents, openContents } from './contents.ts';
import { formatTitle, parseTitle, refuseOlder } from './deploy-title.ts';
import { withPublishState } from './state.ts';

interface FolderPublishOptions extends Pick<ContentOptions, 'out' | 'connection' | 'pages'> {
  /** Folder to publish to; it is made if it is missing. */
  to: string;
  /** Replace the snapshot there even if it is newer or not comparable. */
  force?: boolean | undefined;
  /** Compare only: write and remove nothing. */
  dryRun?: boolean | undefined;
  onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** What was done, or what a publish without `dryRun` would do. */
export interface FolderPublishReport {
  snapshot: string;
  files: number;
  written: number;
  removed: number;
  bytes: number;
  /** Changes in the database that the snapshot does not have yet. */
  behind: number;
}

/** The title of the last publish, in the target folder. */
const titleName = '.awards.published';
/** The paths of the files that publishes have put into the target folder, a line each. Nothing else there is removed. */
const filesName = '.awards.files';

/** @throws UserError if the folder is in use, or holds other files or a newer snapshot */
export async function publishToFolder(options: FolderPublishOptions): Promise<FolderPublishReport> {
  const [from, to] = [realPath(options.out), realPath(options.to)];
  if (isWithin(from, to) || isWithin(to, from))
    throw new UserError(
      `one of ${options.to} and ${options.out} is inside the other; choose another folder with --to`,
    );
  const requests = new Requests();
  const target = new OutputFolder(options.to);
  if (options.dryRun) {
    const contents = await openContents(options, requests);
    target.refuseUnusable('--to');
    refuseOlderThan(target, contents, options);
    return reportOf(contents, compare(contents, target));
  }
  return withPublishState(options.out, requests, undefined, async (_state, folder) => {
    const contents = await openContents({ ...options, freeze: { folder, without: new Set() } }, requests);
    target.prepare('--to');
    const unlock = target.lock(snapshotLockName, 0);
    try {
      refuseOlderThan(target, contents, options);
      return reportOf(contents, await copy(contents, target, options));
    } finally {
      unlock();
    }
  });
}

/** The path behind all links, also of a folder that is not there yet. */
function realPath(folder: string): string {
  const path = resolve(folder);
  if (isThere(path)) return realpathSync(path);
  return join(realPath(dirname(path)), basename(path));
}

function isWithin(inner: string, outer: string): boolean {
  const path = relative(outer, inner);
  // Between two drives of Windows there is no relative path.
  return path.split(sep)[0] !== '..' && !isAbsolute(path);
}

type Counts = Pick<FolderPublishReport, 'written' | 'removed' | 'bytes'>;

/** What copy() would do. */
function compare({ files }: Contents, target: OutputFolder): Counts {
  const changed = [...files].filter(([path, { hash }]) => target.hash(path) !== hash);
  return {
    written: changed.length,
    removed: publishedFiles(target).filter((path) => !files.has(path) && target.has(path)).length,
    bytes: changed.reduce((sum, [, { size }]) => sum + size, 0),
  };
}

async function copy(
  contents: Contents,
  target: OutputFolder,
  { onProgress }: FolderPublishOptions,
): Promise<Counts> {
  const { files } = contents;
  const counts = { written: 0, removed: 0, bytes: 0 };
  const earlier = publishedFiles(target);
  // First: an interrupted publish leaves no file that the next one does not know.
  notePublished(target, [...earlier, ...files.keys()]);
  for (const layer of layerNames) {
    const path = layerIndexPath(layer);
    const index = target.layerIndex(layer);
    // Until all files are replaced it is not to be trusted.
    if (index && target.hash(path) !== files.get(path)?.hash)
      target.put(path, Buffer.from(layerIndexText({ ...index, isFinished: false }, nodeDigest)));
  }
  // The indexes and the manifest are the last files.
  for (const [done, path] of [...files.keys()].entries()) {
    if (path === manifestPath) target.put(titleName, Buffer.from(formatTitle(contents.title)));
    if (done % 512 === 0) onProgress?.('copying', done, files.size);
    if (target.hash(path) === files.get(path)!.hash) continue;
    const bytes = await contents.read(path);
    if (!target.put(path, bytes)) continue;
    counts.written += 1;
    counts.bytes += bytes.length;
  }
  const gone = earlier.filter((path) => !files.has(path));
  // A killed publish may have left a part of a file.
  const parts = new Set([...earlier, ...files.keys()].map(temporaryOf));
  for (const path of [...gone, ...target.list().filter((own) => parts.has(own))])
    if (target.remove(path)) counts.removed += 1;
  notePublished(target, [...files.keys()]);
  return counts;
}

const reportOf = ({ title, files, behind }: Contents, counts: Counts): FolderPublishReport => ({
  snapshot: title.snapshot,
  files: files.size,
  behind,
  ...counts,
});

/** @throws UserError if the target shows a newer snapshot, or one that cannot be compared */
function refuseOlderThan(
  target: OutputFolder,
  { title }: Contents,
  { to, force }: FolderPublishOptions,
): void {
  const snapshot = target.manifest()?.snapshot;
  // A folder that a build wrote has no title.
  const live =
    parseTitle(target.read(titleName)?.toString() ?? '') ?? (snapshot && { snapshot, place: undefined });
  if (live && !force) refuseOlder(live, title, to);
}

/** The files that earlier publishes have put into the target, finished or not. */
const publishedFiles = (target: OutputFolder): string[] =>
  (target.read(filesName)?.toString() ?? '').split('\n').filter((path) => isPathWithin(path));

/** Whether a line of the list is a path below the folder. The list is a file that a user can edit. */
const isPathWithin = (path: string): boolean =>
  path !== '' && !isAbsolute(path) && !path.split('/').includes('..');

const notePublished = (target: OutputFolder, paths: readonly string[]): void =>
  void target.put(filesName, Buffer.from(`${[...new Set(paths)].sort().join('\n')}\n`));
