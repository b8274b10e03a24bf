/** The expected files of `format`: NDJSON, and CSV by RFC 4180 with the columns of the downloads. */
import type { RecordOf } from '../../api/contract/resources.ts';
import { type Given, includesIn, keysIn } from './parameters.ts';
import { membersOf } from './record.ts';

type Row = Record<string, unknown>;

/** @param rows with all their members */
export function ndjsonOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** @param rows with all their members, also those that `fields` leaves out */
export function csvOf(resource: keyof RecordOf, rows: readonly Row[], given: Given): string {
  const included = includesIn(given, `fields of ${resource}`);
  const inner = (member: string, names: string, prefix = ''): [string, (row: Row) => unknown][] =>
    names.split(' ').map((name) => [prefix + name, (row) => (row[member] as Row)[name]]);
  const groups: Record<string, [string, (row: Row) => unknown][]> = {
    ...Object.fromEntries(membersOf[resource].map((name) => [name, [[name, (row: Row) => row[name]]]])),
    ...(resource === 'nominations' && {
      details: inner('details', 'entry character note official historical_category credited_as'),
    }),
    ...(included.includes('nominations') && { nominations: [['nominations', (row) => row.nominations]] }),
    ...(included.includes('counts') && { counts: inner('counts', 'entries wins nominations', 'counts.') }),
    ...(included.includes('film_year') && { film_year: [['film_year', (row) => row.film_year]] }),
  };
  const chosen = given.has('fields') ? keysIn(given.get('fields')!) : undefined;
  const columns = Object.entries(groups).flatMap(([member, own]) =>
    chosen === undefined || chosen.includes(member) ? own : [],
  );
  const lines = rows.map((row) => columns.map(([, read]) => read(row)));
  return [columns.map(([heading]) => heading), ...lines].map(lineOf).join('');
}

function lineOf(values: readonly unknown[]): string {
  const fields = values.map((value) => {
    if (value === null) return '';
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const isPlain = !/[",\r\n]/.test(text) && !/^[ \t]|[ \t]$/.test(text);
    return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
  });
  return `${fields.join(',') || '""'}\r\n`;
}
