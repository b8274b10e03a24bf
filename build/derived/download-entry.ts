/** What the index of the downloads says of a file. */
import { createHash } from 'node:crypto';
import type { Download } from '../../api/contract/answers.ts';
import { type DownloadFormat, downloadFormats } from '../../api/contract/layers.ts';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';

export type MadeDownload = readonly [download: Download, bytes: Buffer];

/** How each format represents a record. */
const downloadDescriptions: Readonly<Record<DownloadFormat, string>> = {
  ndjson:
    'One record a line, each the JSON object that the lists of the service show, nominations with their details, films, people and ceremonies with their totals: entries and wins, as include=counts has them. Ascending by id, in UTF-8.',
  csv:
    'RFC 4180 with a heading, in UTF-8 without a byte order mark, ascending by id. Null is an empty field, an array is its ' +
    'JSON text, a boolean is true or false. In Excel, do not open the file: choose Data, From Text/CSV, and the file origin ' +
    '65001: Unicode (UTF-8). Texts are as they are in the record: a program that takes a field that begins with =, +, - or @ ' +
    'for a formula must be told that the columns are text.',
  parquet:
    'The columns of the CSV file with types: whole numbers are INT64, dates DATE, arrays LIST. A field without a value is NULL. ' +
    'Ascending by id, compressed with Snappy.',
  sqlite:
    'A database of SQLite with a table for each resource and one for the details of nominations, foreign keys and indexes, and the view nominations_listed, which ' +
    'shows nominations as the service does. Arrays are JSON texts, booleans 0 or 1. The tables are STRICT: SQLite 3.37 or newer ' +
    'reads it.',
};

/** @param resource undefined for the file with all resources */
export function describeDownload(
  resource: ResourceName | undefined,
  format: DownloadFormat,
  rows: number,
  bytes: Buffer,
): MadeDownload {
  const name = `${resource ?? 'awards'}.${format}`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const download: Download = {
    name,
    immutable_name: name.replace('.', `-${sha256.slice(0, 20)}.`),
    format,
    resource: resource ?? null,
    rows,
    bytes: bytes.length,
    sha256,
    media_type: downloadFormats[format],
    description: downloadDescriptions[format],
  };
  return [download, bytes];
}

/** By format, then by resource in the order of the interface. */
export const rankOf = ({ format, resource }: Download): number =>
  Object.keys(downloadFormats).indexOf(format) * resourceNames.length +
  (resource === null ? 0 : (resourceNames as readonly string[]).indexOf(resource));
