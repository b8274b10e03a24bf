/** The files of one resource among the downloads. */
import type { ResourceName } from '../../api/contract/names.ts';
import { recordFamily } from '../../api/contract/snapshot.ts';
import { csvColumns, csvHeading, csvRecord } from '../../api/read/csv.ts';
import { type JsonRecord, recordsIn } from '../../api/read/records.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { RecordExport } from '../../data/record/export.ts';
import { describeDownload, type MadeDownload } from './download-entry.ts';
import type { Restricted } from './restricted-values.ts';

/** Nominations or honors per piece. */
const pieceLength = 1024;

/** Makes the files of a resource, and adds its rows to the database. */
export async function makeFiles(
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
    for (const { details, ...listed } of lines as readonly Record<string, unknown>[]) {
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
    describeDownload(resource, 'parquet', rows.length, parquetFile(resource, rows)),
  ];
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
