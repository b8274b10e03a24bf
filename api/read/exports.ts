/** The whole result of a list or search as CSV or NDJSON, made in pieces so that memory stays bounded. */
import { downloadFormats } from '../contract/download-names.ts';
import type { ParameterName, Query } from '../contract/parameters.ts';
import { shapingParameters } from '../contract/accepted.ts';
import type { ListRoute, SearchRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from './csv.ts';
import type { Selection } from './documents.ts';
import { selectList } from './lists.ts';
import { selectSearch } from './search.ts';
import type { Snapshot } from './snapshot.ts';

/** A question whose answer is exported. */
export interface ExportQuestion {
  route: ListRoute | SearchRoute;
  query: Query & { format: 'csv' | 'ndjson' };
}

/**
 * In the ETag of an export, beside the snapshot and the address. To be raised when other code gives other bytes: else a client
 * keeps the earlier bytes. tests/snapshot/golden.test.ts notices it.
 */
export const exportVersion = 1;

/** Records per piece. */
const pieceLength = 128;
/** Characters of a file name. */
const maxNameLength = 120;

/** The headers that tell a browser what the file is. */
export const exportHeaders = ({ route, query }: ExportQuestion) => ({
  'Content-Type': downloadFormats[query.format],
  'Content-Disposition': `attachment; filename="${fileName(route, query)}.${query.format}"`,
});

/** The collection and the filters: `nominations-category-cinematography-winner-true`. */
function fileName(route: ListRoute | SearchRoute, query: Query): string {
  const filters = route.parameters.filter((name) => !shapingParameters.has(name));
  const words = filters.flatMap((name) => wordsOf(name, query));
  const start = route.kind === 'search' ? 'search' : route.resource;
  return [start, ...words].join('-').slice(0, maxNameLength).replace(/-+$/, '');
}

function wordsOf(name: ParameterName, query: Query): string[] {
  const value = fold(String(query[name] ?? ''))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (value === '') return [];
  return name === 'q' ? [value] : [name, value];
}

/** The bytes of the answer. @throws SnapshotUnavailable */
export async function* exportPieces(
  snapshot: Snapshot,
  { route, query }: ExportQuestion,
): AsyncGenerator<Uint8Array, void, undefined> {
  const selection = await (route.kind === 'search'
    ? selectSearch(snapshot, query)
    : selectList(snapshot, route, query));
  const resource = route.kind === 'search' ? 'nominations' : route.resource;
  const columns = csvColumns(resource, query.include ?? [], query.fields);
  const encoder = new TextEncoder();
  const rows = selection.rows(0, selection.total);
  const linesOf = async (some: readonly number[]): Promise<string> => {
    if (query.format === 'ndjson') return `${(await selection.texts(some)).join('\n')}\n`;
    let lines = '';
    for (const record of await recordsIn(selection, some)) lines += csvRecord(columns, record);
    return lines;
  };
  const heading = query.format === 'csv' ? csvHeading(columns) : '';
  if (rows.length === 0 && heading !== '') yield encoder.encode(heading);
  for (let start = 0; start < rows.length; start += pieceLength) {
    const lines = await linesOf(Array.prototype.slice.call(rows, start, start + pieceLength) as number[]);
    // With the first records, so that the first piece shows whether records can be read.
    yield encoder.encode(start === 0 ? heading + lines : lines);
  }
}

async function recordsIn(
  { texts, records }: Selection,
  rows: readonly number[],
): Promise<Record<string, unknown>[]> {
  if (records) return records(rows);
  return (await texts(rows)).map((text) => JSON.parse(text) as Record<string, unknown>);
}
