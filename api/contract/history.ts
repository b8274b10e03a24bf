/**
 * The history of a published site: what each publish changed, and the downloads of each day. `awards publish`
 * adds to it, and carries over the files of earlier publishes. No build makes it: it follows from what was
 * published, and when.
 *
 *   changes/index.json                    the publishes, newest first (ChangeIndex)
 *   changes/2026-11-26-SNAPSHOT.json      what one changed (ChangeList)
 *   changes/2026-11-26.json               what those of a day changed, after `daysAlone` days
 *   changes/2025.json                     what those of a year changed, after `daysByDay` days
 *   changes/feed.atom                     the newest publishes as a feed
 *   downloads/releases.json               the days with downloads of their own, newest first (ReleaseIndex)
 *   downloads/2026-11-26/…                the downloads of a day: they never change
 */
import type { Change, ChangeIndex, ChangeList, Release, ReleaseIndex } from './answers.ts';
import { downloadsFolder } from './layers.ts';

/** Days for which each publish has a file of its own; then those of a day share one. */
export const daysAlone = 7;
/** Days after which the publishes of a year share a file. */
export const daysByDay = 400;
/**
 * A publish is live at most this long after its time, which is that of its start: a failed attempt is
 * continued for a day, and the last attempt takes three hours at most.
 */
export const longestPublishMs = 27 * 3_600_000;
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
export const dayPath = (time: string): string => `${changesFolder}/${dayOf(time)}.json`;
export const yearPath = (time: string): string => `${changesFolder}/${time.slice(0, 4)}.json`;
export const releasePath = (day: string, name: string): string => `${downloadsFolder}/${day}/${name}`;

/** The day of a file of a release; undefined for other files. */
export const releaseDayOf = (path: string): string | undefined =>
  new RegExp(`^${downloadsFolder}/(\\d{4}-\\d\\d-\\d\\d)/`).exec(path)?.[1];

/** Whether a file has the changes of publishes: its name is one that this version gives. */
export const isChangeFile = (path: string): boolean =>
  new RegExp(`^${changesFolder}/\\d{4}(-\\d\\d-\\d\\d(-[0-9a-f]{20}(-\\d+)?)?)?\\.json$`).test(path);
/** Whether a file has the changes of a day or a year. */
export const isSharedFile = (path: string): boolean =>
  new RegExp(`^${changesFolder}/\\d{4}(-\\d\\d-\\d\\d)?\\.json$`).test(path);
/** Whether a file has the changes of a year. */
export const isYearFile = (path: string): boolean =>
  new RegExp(`^${changesFolder}/\\d{4}\\.json$`).test(path);

/** The beginning of an id, by which the row of a day names its earlier snapshots. */
export const shortId = (snapshot: string): string => snapshot.slice(0, 8);

/** Whether a file is made again with every publish: the others stay as they are. */
export const isHistoryIndex = (path: string): boolean =>
  [changeIndexPath, changeFeedPath, releaseIndexPath].includes(path);

/** Whether a file belongs to the history. */
export const isOfHistory = (path: string): boolean =>
  path.startsWith(`${changesFolder}/`) || path === releaseIndexPath || releaseDayOf(path) !== undefined;

/**
 * The documents of the history, read from their bytes; undefined for anything else. Members that this version
 * does not know are left in: a later version may have added them.
 */
export const readChangeIndex = (bytes: Uint8Array): ChangeIndex | undefined => read(bytes, isChangeIndex);
export const readChangeList = (bytes: Uint8Array): ChangeList | undefined => read(bytes, isChangeList);
export const readReleaseIndex = (bytes: Uint8Array): ReleaseIndex | undefined => read(bytes, isReleaseIndex);
export const readRelease = (bytes: Uint8Array): Release | undefined => read(bytes, isRelease);

function read<T>(bytes: Uint8Array, isIt: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isIt(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);
const isSnapshot = (value: unknown): boolean => isText(value, /^[0-9a-f]{20}$/);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown): boolean =>
  isText(value, /^\d{4}-\d\d-\d\dT/) && !Number.isNaN(Date.parse(value as string));

const isArrayOf = (value: unknown, isIt: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isIt);

const isPoint = (value: unknown): value is Members =>
  isObject(value) && isSnapshot(value.snapshot) && isTime(value.published_at);

const isRow = (value: unknown): boolean =>
  isPoint(value) &&
  isSnapshot(value.previous) &&
  isText(value.path, new RegExp(`^/${changesFolder}/`)) &&
  [value.added, value.changed, value.removed].every((own) => own === null || isCount(own)) &&
  (value.earlier === undefined || isArrayOf(value.earlier, (own) => isText(own, /^[0-9a-f]{8}$/)));

const isChangeIndex = (value: unknown): value is ChangeIndex =>
  isObject(value) &&
  isSnapshot(value.snapshot) &&
  isPoint(value.oldest) &&
  Array.isArray(value.data) &&
  value.data.every(isRow);

const isChange = (value: unknown): value is Change =>
  isPoint(value) && isSnapshot(value.previous) && (value.records === null || Array.isArray(value.records));

const isChangeList = (value: unknown): value is ChangeList =>
  isObject(value) && Array.isArray(value.data) && value.data.length > 0 && value.data.every(isChange);

const isReleaseRow = (value: unknown): boolean =>
  isObject(value) &&
  isText(value.date, /^\d{4}-\d\d-\d\d$/) &&
  isText(value.path, new RegExp(`^/${releasePath(value.date as string, '')}`)) &&
  isText(value.sha256, /^[0-9a-f]{64}$/) &&
  isCount(value.bytes);

const isReleaseIndex = (value: unknown): value is ReleaseIndex =>
  isObject(value) && Array.isArray(value.data) && value.data.every(isReleaseRow);

const isRelease = (value: unknown): value is Release =>
  isObject(value) &&
  isSnapshot(value.snapshot) &&
  isObject(value.records) &&
  Array.isArray(value.files) &&
  value.files.every(
    (own) => isObject(own) && isText(own.name, /./) && isText(own.sha256, /./) && isCount(own.bytes),
  );
