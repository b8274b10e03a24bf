/** Names of the downloads: the whole record in three formats. Their schema is elsewhere, so that names need no schema library. */
import type { ResourceName } from './names.ts';

/** Folder of the downloads below the root. */
export const downloadsFolder = 'downloads';
export const downloadIndexName = 'index.json';
export const downloadIndexPath = `${downloadsFolder}/${downloadIndexName}`;

export const isDownload = (path: string): boolean => path.startsWith(`${downloadsFolder}/`);
/** Whether a path is that of a download under the name that contains its hash. */
export const isImmutableDownload = (path: string): boolean =>
  isDownload(path) && /-[0-9a-f]{20}\.[a-z]+$/.test(path);

/** Each format with its media type. */
export const downloadFormats = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  sqlite: 'application/vnd.sqlite3',
} as const;

export type DownloadFormat = keyof typeof downloadFormats;

/** The stable name: its bytes change with the record. @param resource undefined for the file with all resources */
export const stableName = (resource: ResourceName | undefined, format: DownloadFormat): string =>
  `${resource ?? 'awards'}.${format}`;

/** The immutable name. @param hash contentHash of the bytes */
export function immutableName(name: string, hash: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

/** How each format represents a record. */
export const downloadDescriptions: Readonly<Record<DownloadFormat, string>> = {
  ndjson:
    'One record a line, each the JSON object that the lists of the service show, nominations with their details, ascending by id, in UTF-8.',
  csv:
    'RFC 4180 with a heading, in UTF-8 without a byte order mark, ascending by id. Null is an empty field, an array is its JSON ' +
    'text, a boolean is true or false. Texts are as they are in the record: a program that takes a field that begins with ' +
    '=, +, - or @ for a formula must be told that the columns are text.',
  sqlite:
    'A database of SQLite with a table for each resource and one for the details of nominations, foreign keys and indexes, and the view nominations_listed, which ' +
    'shows nominations as the service does. Arrays are JSON texts, booleans 0 or 1.',
};
