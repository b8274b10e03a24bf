/** Makes the files of the downloads layer from a snapshot. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultOf } from '../../../api/contract/bodies.ts';
import type { Download, DownloadIndex } from '../../../api/contract/answers.ts';
import {
  type DownloadFormat,
  downloadFormats,
  downloadIndexPath,
  downloadsFolder,
} from '../../../api/contract/layers.ts';
import { enrichedResources, termsOf } from '../../../api/contract/enrichment.ts';
import { type ResourceName, referencedResources, resourceNames } from '../../../api/contract/names.ts';
import { recordFamily } from '../../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../../api/contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from '../../../api/read/csv.ts';
import { recordTexts } from '../../../api/read/records.ts';
import { type RestrictedField, restrictedFields } from '../../../api/read/restricted.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { RecordExport } from '../../../data/export.ts';
import { contentHashOf, linkOrCopy, measureFile } from '../../system/files.ts';
import type { LayerFile } from '../layer.ts';

/** Records that a nomination refers to come before it. */
const order: readonly ResourceName[] = [...referencedResources, 'nominations', 'honors'];
/** Nominations or honors per piece. */
const pieceLength = 1024;

/**
 * Makes all files in a folder, and yields them: the immutable names first, then the public index, then the stable names, so
 * that the index always names files that exist.
 * @param work an empty folder
 * @param maker fingerprint of the code, for the index
 * @param includeRestricted whether values that may not be passed on are in the files
 * @throws SnapshotUnavailable
 */
export async function* downloadFiles(
  snapshot: Snapshot,
  work: string,
  maker: string,
  includeRestricted: boolean,
): AsyncGenerator<LayerFile> {
  const restricted = await Restricted.of(snapshot, includeRestricted);
  const files = await makeDownloads(snapshot, work, restricted);
  const cause = 'the snapshot changed';
  const file = (name: string, content: LayerFile['content']): LayerFile => ({
    path: `${downloadsFolder}/${name}`,
    cause,
    content,
  });
  for (const { name, immutable_name, sha256 } of files)
    yield file(immutable_name, async () => {
      const second = join(work, immutable_name);
      linkOrCopy(join(work, name), second);
      return { file: second, hash: contentHashOf(sha256) };
    });
  const index: DownloadIndex = { snapshot: snapshot.id, maker, notices: restricted.notices, files };
  const bytes = new TextEncoder().encode(`${JSON.stringify(index)}\n`);
  yield { path: downloadIndexPath, cause, content: async () => bytes };
  for (const { name, sha256 } of files)
    yield file(name, async () => ({ file: join(work, name), hash: contentHashOf(sha256) }));
}

/** Reads a snapshot once and makes all files under their stable names. @returns the files in the order of the index */
async function makeDownloads(
  snapshot: Snapshot,
  folder: string,
  restricted: Restricted,
): Promise<Download[]> {
  const files: Download[] = [];
  const database = new RecordExport(join(folder, stableName(undefined, 'sqlite')));
  try {
    for (const resource of order)
      files.push(...(await makeTexts(snapshot, resource, folder, database, restricted)));
    database.finish();
  } finally {
    database.close();
  }
  const rows = Object.values(snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
  files.push(describe(folder, undefined, 'sqlite', rows));
  return inOrder(files);
}

/** Writes both texts of a resource, and its rows into the database. */
async function makeTexts(
  snapshot: Snapshot,
  resource: ResourceName,
  folder: string,
  database: RecordExport,
  restricted: Restricted,
): Promise<Download[]> {
  const columns = csvColumns(resource, ['details']);
  const append = (format: DownloadFormat, text: string) =>
    appendFileSync(join(folder, stableName(resource, format)), text);
  append('ndjson', '');
  append('csv', csvHeading(columns));
  let rows = 0;
  for await (const lines of piecesOf(snapshot, resource)) {
    let [ndjson, csv] = ['', ''];
    for (const text of lines) {
      const { details, ...own } = JSON.parse(text) as Record<string, unknown>;
      const line = restricted.removeFrom(resource, own) ? JSON.stringify(own) : text;
      ndjson += `${line}\n`;
      csv += csvRecord(columns, { ...own, details });
      database.add(resource, { ...own, ...(details as object | undefined) });
    }
    append('ndjson', ndjson);
    append('csv', csv);
    rows += lines.length;
  }
  return [describe(folder, resource, 'ndjson', rows), describe(folder, resource, 'csv', rows)];
}

type RestrictedById = ReadonlyMap<number, readonly RestrictedField[]>;

/** The values of a snapshot that may not be passed on. */
class Restricted {
  /** The notices of the sources whose values the files include. */
  readonly notices: string[];
  readonly #removed: Readonly<Partial<Record<ResourceName, RestrictedById>>>;

  private constructor(notices: string[], removed: Partial<Record<ResourceName, RestrictedById>>) {
    this.notices = notices;
    this.#removed = removed;
  }

  static async of(snapshot: Snapshot, isIncluded: boolean): Promise<Restricted> {
    const fields: Partial<Record<ResourceName, RestrictedById>> = {};
    for (const resource of enrichedResources) fields[resource] = await restrictedFields(snapshot, resource);
    if (!isIncluded) return new Restricted([], fields);
    const all = Object.values(fields).flatMap((byId) => [...byId.values()].flat());
    const sources = [...new Set(all.map(({ source }) => source))].sort(byCodeUnit);
    return new Restricted(
      sources.map((source) => termsOf(source)?.notice ?? `Some values are from ${source}.`),
      {},
    );
  }

  /** Sets the restricted fields of a record to unknown. @returns whether there are any */
  removeFrom(resource: ResourceName, record: Record<string, unknown>): boolean {
    const own = this.#removed[resource]?.get(record.id as number);
    for (const { field } of own ?? []) record[field] = defaultOf(field);
    return own !== undefined;
  }
}

/** The records of a resource as the lists show them, nominations with details: JSON texts, ascending by id, in pieces. */
async function* piecesOf(snapshot: Snapshot, resource: ResourceName): AsyncGenerator<readonly string[]> {
  if (resource !== 'nominations' && resource !== 'honors') {
    const family = recordFamily(resource);
    for (const hash of snapshot.hashesOf(family)) yield await snapshot.lineShard(family, hash);
    return;
  }
  const { count } = (await snapshot.table('ids'))[resource];
  for (let first = 0; first < count; first += pieceLength) {
    const length = Math.min(pieceLength, count - first);
    const rows = Int32Array.from({ length }, (_, i) => first + i);
    yield await recordTexts(snapshot, resource, rows, { include: ['details'] });
  }
}

/** The stable name: its bytes change with the record. @param resource undefined for the file with all resources */
const stableName = (resource: ResourceName | undefined, format: DownloadFormat): string =>
  `${resource ?? 'awards'}.${format}`;

/** The immutable name. @param hash contentHash of the bytes */
function immutableName(name: string, hash: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

/** How each format represents a record. */
const downloadDescriptions: Readonly<Record<DownloadFormat, string>> = {
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

/** @param folder has the finished file */
function describe(
  folder: string,
  resource: ResourceName | undefined,
  format: DownloadFormat,
  rows: number,
): Download {
  const name = stableName(resource, format);
  const { bytes, sha256 } = measureFile(join(folder, name));
  return {
    name,
    immutable_name: immutableName(name, contentHashOf(sha256)),
    format,
    resource: resource ?? null,
    rows,
    bytes,
    sha256,
    media_type: downloadFormats[format],
    description: downloadDescriptions[format],
  };
}

/** By format, then by resource in the order of the interface. */
function inOrder(files: readonly Download[]): Download[] {
  const rank = ({ format, resource }: Download) =>
    Object.keys(downloadFormats).indexOf(format) * resourceNames.length +
    (resource === null ? 0 : (resourceNames as readonly string[]).indexOf(resource));
  return [...files].sort((a, b) => rank(a) - rank(b));
}
