/** The files of one resource among the downloads. */
import type { IncludeName } from '../../api/contract/addresses.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { downloadSchemas } from '../../api/contract/resources.ts';
import { csvColumns, csvHeading, csvRecord } from '../../api/read/csv.ts';
import { type JsonRecord, recordsIn } from '../../api/read/records.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { RecordExport } from '../../data/record/export.ts';
import { describeDownload, type MadeDownload } from './download-entry.ts';
import type { Restricted } from './restricted-values.ts';

/** What the files show of a record besides its fields. */
const included: { readonly [R in ResourceName]?: readonly IncludeName[] } = {
  nominations: ['details'],
  ceremonies: ['film_years', 'counts'],
  movies: ['film_year', 'counts'],
  nominees: ['counts'],
};

/** Records per piece. */
const pieceLength = 1024;

/** Makes the files of a resource, and adds its rows to the database. */
export async function makeFiles(
  snapshot: Snapshot,
  resource: ResourceName,
  database: RecordExport,
  restricted: Restricted,
): Promise<MadeDownload[]> {
  const { parquetFile } = await import('./parquet.ts');
  const added = Object.keys(downloadSchemas[resource] ?? {});
  const columns = [
    ...csvColumns(resource, ['details']),
    ...added.map((name) => ({ heading: name, member: name })),
  ];
  const rows: Record<string, unknown>[] = [];
  const ndjson: string[] = [];
  const csv = [csvHeading(columns)];
  for await (const lines of piecesOf(snapshot, resource))
    for (const { details, counts, ...own } of lines as readonly Record<string, unknown>[]) {
      const { nominations: _, ...totals } = (counts ?? {}) as Record<string, unknown>;
      const listed = { ...own, ...totals };
      restricted.removeFrom(resource, listed);
      ndjson.push(`${JSON.stringify({ ...listed, details })}\n`);
      csv.push(csvRecord(columns, { ...listed, details }));
      const row = { ...listed, ...(details as object | undefined) };
      rows.push(row);
      database.add(resource, row);
    }
  return [
    describeDownload(resource, 'ndjson', rows.length, Buffer.from(ndjson.join(''))),
    describeDownload(resource, 'csv', rows.length, Buffer.from(csv.join(''))),
    describeDownload(resource, 'parquet', rows.length, parquetFile(resource, rows, restricted.sources)),
  ];
}

/**
 * The records of a resource as the lists show them, nominations with details, others with their counts,
 * ascending by id, in pieces.
 */
async function* piecesOf(snapshot: Snapshot, resource: ResourceName): AsyncGenerator<readonly JsonRecord[]> {
  const { count } = (await snapshot.table('ids'))[resource];
  for (let first = 0; first < count; first += pieceLength) {
    const length = Math.min(pieceLength, count - first);
    const rows = Int32Array.from({ length }, (_, i) => first + i);
    yield await recordsIn(snapshot, resource, rows, { include: included[resource] ?? [] });
  }
}
