/**
 * The history of a published site: what each publish changed, and the downloads of each day. `awards publish` adds to it, and
 * carries over the files of earlier publishes. No build makes it: it follows from what was published, and when.
 *
 *   changes/index.json                    the publishes, newest first (ChangeIndex)
 *   changes/2026-11-26-SNAPSHOT.json      what one changed (ChangeList)
 *   changes/2025.json                     what those of a year changed, after `changeDays` days
 *   changes/feed.atom                     the newest publishes as a feed
 *   downloads/releases.json               the days with downloads of their own, newest first (ReleaseIndex)
 *   downloads/2026-11-26/…                the downloads of a day: they never change
 */
import { downloadsFolder } from './layers.ts';

/** Days for which each publish has a file of its own. */
export const changeDays = 400;
/** Releases that are kept; of older ones the first of each month. */
export const defaultReleases = 30;

export const changesFolder = 'changes';
export const changeIndexPath = `${changesFolder}/index.json`;
export const changeFeedPath = `${changesFolder}/feed.atom`;
export const releaseIndexPath = `${downloadsFolder}/releases.json`;

/** @param time in ISO 8601 */
export const dayOf = (time: string): string => time.slice(0, 10);
export const changePath = (time: string, snapshot: string): string =>
  `${changesFolder}/${dayOf(time)}-${snapshot}.json`;
export const yearPath = (time: string): string => `${changesFolder}/${time.slice(0, 4)}.json`;
export const releasePath = (day: string, name: string): string => `${downloadsFolder}/${day}/${name}`;

/** The day of a file of a release; undefined for other files. */
export const releaseDayOf = (path: string): string | undefined =>
  new RegExp(`^${downloadsFolder}/(\\d{4}-\\d\\d-\\d\\d)/`).exec(path)?.[1];

/** Whether a file is made again with every publish: the others stay as they are. */
export const isHistoryIndex = (path: string): boolean =>
  [changeIndexPath, changeFeedPath, releaseIndexPath].includes(path);

/** Whether a file belongs to the history. */
export const isOfHistory = (path: string): boolean =>
  path.startsWith(`${changesFolder}/`) || path === releaseIndexPath || releaseDayOf(path) !== undefined;
