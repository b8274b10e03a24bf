/** The expected files of `format`: NDJSON, and CSV by RFC 4180 with the columns of the downloads, after a byte order mark if `bom` asks for it. */
import type { RecordOf } from '../../../api/contract/resources.ts';
import { addedBy, type Given, includesIn, keysIn } from './parameters.ts';
import { membersOf } from '../record.ts';

type Row = Record<string, unknown>;

/** @param rows with all their members */
export function ndjsonOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** @param rows with all their members, also those that `fields` leaves out @param more members of downloads */
export function csvOf(
  resource: keyof RecordOf,
  rows: readonly Row[],
  given: Given,
  more: readonly string[] = [],
): string {
  const inner: Record<string, string> = {
    details: 'entry character note official historical_category credited_as',
    counts: 'counts.entries counts.wins counts.nominations',
  };
  const added =
    resource === 'nominations'
      ? ['details']
      : ['nominations', 'counts', 'film_year', 'film_years', 'honors', 'other_names'];
  const included = resource === 'nominations' ? added : includesIn(given, resource).flatMap(addedBy);
  const members = [...membersOf[resource], ...added.filter((name) => included.includes(name))];
  const shown = members.filter((name) => !given.has('fields') || keysIn(given.get('fields')).includes(name));
  const columns = [...shown, ...more].flatMap((member) =>
    (inner[member] ?? '').split(' ').map((name) => (name === '' ? [member] : [member, name])),
  );
  const cellOf = (row: Row, [member, name]: readonly string[]) =>
    name === undefined ? row[member!] : (row[member!] as Row)[name.split('.').at(-1)!];
  const lines = rows.map((row) => columns.map((column) => cellOf(row, column)));
  return `${given.get('bom') === 'true' ? '\ufeff' : ''}${[columns.map((column) => column.at(-1)), ...lines].map(lineOf).join('')}`;
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
