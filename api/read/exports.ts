/** The whole result of a list or search as a CSV or NDJSON file. */
import { downloadFormats } from '../contract/download-names.ts';
import type { ParameterName, Query } from '../contract/parameters.ts';
import { shapingParameters } from '../contract/accepted.ts';
import type { ListRoute, SearchRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from './csv.ts';
import type { Document } from './documents.ts';
import { selectList } from './lists.ts';
import { selectSearch } from './search.ts';
import type { Snapshot } from './snapshot.ts';

/** A question whose answer is exported. */
export interface ExportQuestion {
  route: ListRoute | SearchRoute;
  query: Query & { format: 'csv' | 'ndjson' };
}

/** Characters of a file name. */
const maxNameLength = 120;

/** All records that a query selects, as a file. */
export async function exportDocument(
  snapshot: Snapshot,
  { route, query }: ExportQuestion,
): Promise<Document> {
  const { format } = query;
  const { total, rows, texts, records } = await (route.kind === 'search'
    ? selectSearch(snapshot, query)
    : selectList(snapshot, route, query));
  const file = { name: `${fileName(route, query)}.${format}`, type: downloadFormats[format] };
  const all = rows(0, total);
  if (format === 'ndjson') return { text: (await texts(all)).map((line) => `${line}\n`).join(''), file };
  const resource = route.kind === 'search' ? 'nominations' : route.resource;
  const columns = csvColumns(resource, query.include ?? [], query.fields);
  const objects = records
    ? await records(all)
    : (await texts(all)).map((text) => JSON.parse(text) as Record<string, unknown>);
  const lines = objects.map((record) => csvRecord(columns, record));
  return { text: csvHeading(columns) + lines.join(''), file };
}

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
