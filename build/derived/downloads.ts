/**
 * The downloads layer: each resource as NDJSON, CSV and Parquet, and the whole record as one SQLite database, with an index of them.
 * Every file has two names: a stable one, and an immutable one that contains its hash.
 */
import { createHash } from 'node:crypto';
import { clearFields } from '../../api/contract/bodies.ts';
import type { Download, DownloadIndex } from '../../api/contract/answers.ts';
import {
  type DownloadFormat,
  downloadFormats,
  downloadIndexName,
  downloadsFolder,
} from '../../api/contract/layers.ts';
import { enrichedResources, termsOf } from '../../api/contract/enrichment.ts';
import { type ResourceName, referencedResources, resourceNames } from '../../api/contract/names.ts';
import { recordFamily } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from '../../api/read/csv.ts';
import { type JsonRecord, recordsIn } from '../../api/read/records.ts';
import { type RestrictedField, restrictedFields } from '../../api/read/restricted.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { RecordExport } from '../../data/record/export.ts';
import { productCode } from '../snapshot/fingerprint.ts';
import { type Layer, type LayerFile, madeFile } from './layer.ts';

/** Records that a nomination refers to come before it. */
const order: readonly ResourceName[] = [...referencedResources, 'nominations', 'honors'];
/** Nominations or honors per piece. */
const pieceLength = 1024;

/** @param includeRestricted whether values that may not be passed on are in the files */
export function downloadsLayer(includeRestricted: boolean): Layer {
  return {
    name: 'downloads',
    options: includeRestricted ? 'restricted' : '',
    // Each shard is read once.
    cacheBytes: 1024 * 1024,
    all: (snapshot) => downloadFiles(snapshot, includeRestricted),
  };
}

/** The immutable names first, then the public index, then the stable names: the index always names files that exist. */
async function* downloadFiles(snapshot: Snapshot, includeRestricted: boolean): AsyncGenerator<LayerFile> {
  const restricted = await Restricted.of(snapshot, includeRestricted);
  const made = await makeDownloads(snapshot, restricted);
  const file = (name: string, content: string | Uint8Array) =>
    madeFile(`${downloadsFolder}/${name}`, content);
  for (const [{ immutable_name }, bytes] of made) yield file(immutable_name, bytes);
  const index: DownloadIndex = {
    snapshot: snapshot.id,
    maker: productCode().slice(0, 20),
    notices: restricted.notices,
    files: made.map(([download]) => download),
  };
  yield file(downloadIndexName, `${JSON.stringify(index)}\n`);
  for (const [{ name }, bytes] of made) yield file(name, bytes);
}

type MadeDownload = readonly [download: Download, bytes: Buffer];

/** Reads a snapshot once and makes all files. @returns in the order of the index */
async function makeDownloads(snapshot: Snapshot, restricted: Restricted): Promise<MadeDownload[]> {
  const files: MadeDownload[] = [];
  const { RecordExport } = await import('../../data/record/export.ts');
  const database = new RecordExport();
  try {
    for (const resource of order)
      for (const file of await makeFiles(snapshot, resource, database, restricted)) files.push(file);
    const rows = Object.values(snapshot.manifest.counts).reduce((sum, count) => sum + count, 0);
    files.push(describe(undefined, 'sqlite', rows, database.finish()));
  } finally {
    database.close();
  }
  return files.sort(([a], [b]) => rank(a) - rank(b));
}

/** Makes the files of a resource, and adds its rows to the database. */
async function makeFiles(
  snapshot: Snapshot,
  resource: ResourceName,
  database: RecordExport,
  restricted: Restricted,
): Promise<MadeDownload[]> {
  const { parquetFile } = await import('./parquet.ts');
  const columns = csvColumns(resource, ['details']);
  const rows: Record<string, unknown>[] = [];
  const ndjson: string[] = [];
  const csv = [csvHeading(columns)];
  for await (const lines of piecesOf(snapshot, resource))
    for (const { details, ...own } of lines as readonly Record<string, unknown>[]) {
      restricted.removeFrom(resource, own);
      ndjson.push(`${JSON.stringify({ ...own, details })}\n`);
      csv.push(csvRecord(columns, { ...own, details }));
      const row = { ...own, ...(details as object | undefined) };
      rows.push(row);
      database.add(resource, row);
    }
  return [
    describe(resource, 'ndjson', rows.length, Buffer.from(ndjson.join(''))),
    describe(resource, 'csv', rows.length, Buffer.from(csv.join(''))),
    describe(resource, 'parquet', rows.length, parquetFile(resource, rows)),
  ];
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

  /** Sets the restricted fields of a record to unknown. */
  removeFrom(resource: ResourceName, record: Record<string, unknown>): void {
    clearFields(record, this.#removed[resource]?.get(record.id as number) ?? []);
  }
}

/** The records of a resource as the lists show them, nominations with details, ascending by id, in pieces. */
async function* piecesOf(snapshot: Snapshot, resource: ResourceName): AsyncGenerator<readonly JsonRecord[]> {
  if (resource !== 'nominations' && resource !== 'honors') {
    const family = recordFamily(resource);
    for (const hash of snapshot.hashesOf(family)) yield await snapshot.shard(family, hash);
    return;
  }
  const { count } = (await snapshot.table('ids'))[resource];
  for (let first = 0; first < count; first += pieceLength) {
    const length = Math.min(pieceLength, count - first);
    const rows = Int32Array.from({ length }, (_, i) => first + i);
    yield await recordsIn(snapshot, resource, rows, { include: ['details'] });
  }
}

/** How each format represents a record. */
const downloadDescriptions: Readonly<Record<DownloadFormat, string>> = {
  ndjson:
    'One record a line, each the JSON object that the lists of the service show, nominations with their details, ascending by id, in UTF-8.',
  csv:
    'RFC 4180 with a heading, in UTF-8 with a byte order mark, by which Excel knows the encoding, ascending by id. Null is an ' +
    'empty field, an array is its JSON text, a boolean is true or false. Texts are as they are in the record: a program that ' +
    'takes a field that begins with =, +, - or @ for a formula must be told that the columns are text. The csv module of ' +
    'Python takes the encoding utf-8-sig.',
  parquet:
    'The columns of the CSV file with types: whole numbers are INT64, dates DATE, arrays LIST. A field without a value is NULL. ' +
    'Ascending by id, compressed with Snappy.',
  sqlite:
    'A database of SQLite with a table for each resource and one for the details of nominations, foreign keys and indexes, and the view nominations_listed, which ' +
    'shows nominations as the service does. Arrays are JSON texts, booleans 0 or 1. The tables are STRICT: SQLite 3.37 or newer ' +
    'reads it.',
};

/** @param resource undefined for the file with all resources */
function describe(
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
const rank = ({ format, resource }: Download): number =>
  Object.keys(downloadFormats).indexOf(format) * resourceNames.length +
  (resource === null ? 0 : (resourceNames as readonly string[]).indexOf(resource));
