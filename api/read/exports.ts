/** All records that a query selects as a CSV or NDJSON file. */
import { shapingParameters } from '../contract/accepted.ts';
import { downloadFormats } from '../contract/layers.ts';
import type { ParameterName, Query } from '../contract/parameters.ts';
import type { ListRoute, SearchRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from './csv.ts';
import type { Selection } from './records.ts';

/** A document that browsers store as a file. */
export interface FileDocument {
  text: string;
  file: { name: string; type: string };
}

/** All records that a query selects, as a file. */
export async function exportedFile(
  { total, records }: Selection,
  route: ListRoute | SearchRoute,
  query: Query & { format: 'csv' | 'ndjson' },
): Promise<FileDocument> {
  const { format } = query;
  const file = { name: `${fileName(route, query)}.${format}`, type: downloadFormats[format] };
  const all = await records(0, total);
  if (format === 'ndjson') return { text: all.map((record) => `${JSON.stringify(record)}\n`).join(''), file };
  const resource = route.kind === 'search' ? 'nominations' : route.resource;
  const columns = csvColumns(resource, query.include ?? [], query.fields);
  return { text: csvHeading(columns) + all.map((record) => csvRecord(columns, record)).join(''), file };
}

/** Characters of a file name. */
const maxNameLength = 120;

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
