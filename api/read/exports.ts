/** All records that a query selects as a CSV or NDJSON file. */
import { downloadFormats } from '../contract/layers.ts';
import { type Query, shapingParameters } from '../contract/addresses.ts';
import type { ParameterName } from '../contract/parameters.ts';
import type { ListRoute, SearchRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import { csvColumns, csvHeading, csvRecord } from './csv.ts';
import type { JsonRecord, Selection } from './records.ts';

/** A document that browsers store as a file. It is long, so it is made in parts. */
export interface FileDocument {
  parts: AsyncIterable<string>;
  file: { name: string; type: string };
}

/** @param selection all its records are in the file */
export function exportedFile(
  selection: Selection,
  route: ListRoute | SearchRoute,
  query: Query & { format: 'csv' | 'ndjson' },
): FileDocument {
  const { format } = query;
  const file = { name: `${fileName(route, query)}.${format}`, type: downloadFormats[format] };
  if (format === 'ndjson')
    return { parts: partsOf(selection, '', (record) => `${JSON.stringify(record)}\n`), file };
  const columns = csvColumns(route.resource, query.include ?? [], query.fields);
  const heading = csvHeading(columns, query.bom);
  return { parts: partsOf(selection, heading, (record) => csvRecord(columns, record)), file };
}

/** Characters of a part at least, but for the last one: one or two milliseconds of work. */
const partLength = 64 * 1024;
/** Records that are in memory at the same time. */
const recordsAtOnce = 32;

async function* partsOf(
  { total, records }: Selection,
  heading: string,
  lineOf: (record: JsonRecord) => string,
): AsyncGenerator<string> {
  let part = heading;
  for (let start = 0; start < total; start += recordsAtOnce) {
    for (const record of await records(start, start + recordsAtOnce)) part += lineOf(record);
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  yield part;
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
