/**
 * CSV lines (RFC 4180) in UTF-8. Null is an empty field, an array its JSON text. Values are not protected
 * against formulas in spreadsheets: programs would read a changed text.
 */

import { countNames, detailNames, fieldNames, membersOf } from '../contract/fields.ts';
import type { ResourceName } from '../contract/names.ts';
import type { IncludeName } from '../contract/addresses.ts';

/** Characters that need quotes. */
const special = /[",\r\n]/;

/** Also quoted: a space at either end, because some readers trim it. */
const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t';

function fieldOf(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return special.test(text) || isSpace(text[0]) || isSpace(text.at(-1))
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** A column: the member of the record that has the value, and the member of that member. */
interface CsvColumn {
  heading: string;
  member: string;
  inner?: string;
}

/**
 * The columns of a resource: its fields, then the included members. The members of details are columns with
 * their names, those of counts begin with `counts.`; embedded nominations and honors are one column
 * each.
 * @param fields the members to show; undefined for all
 */
export function csvColumns(
  resource: ResourceName,
  added: readonly IncludeName[],
  fields?: readonly string[],
): CsvColumn[] {
  const own = fieldNames[resource].map((field): CsvColumn => ({ heading: field, member: field }));
  const members = added.flatMap(membersOf);
  // Details of another resource are those of its nominations.
  const columns = [
    ...own,
    ...addedColumns.filter(
      ({ member }) => members.includes(member) && (member !== 'details' || resource === 'nominations'),
    ),
  ];
  return fields ? columns.filter(({ member }) => fields.includes(member)) : columns;
}

const addedColumns: readonly CsvColumn[] = [
  ...detailNames.map((name) => ({ heading: name, member: 'details' as const, inner: name })),
  { heading: 'nominations', member: 'nominations' },
  ...countNames.map((name) => ({ heading: `counts.${name}`, member: 'counts' as const, inner: name })),
  ...[...membersOf('film_year'), 'honors', 'other_names'].map((name) => ({ heading: name, member: name })),
];

/**
 * The first line.
 * @param hasMark whether a byte order mark comes first: Excel reads UTF-8 with it, and most programs take it
 * for a part of the first heading
 */
export const csvHeading = (columns: readonly CsvColumn[], hasMark = false): string =>
  `${hasMark ? '\ufeff' : ''}${columns.map(({ heading }) => fieldOf(heading)).join(',')}\r\n`;

/** A line. @param record as parsed from JSON */
export function csvRecord(columns: readonly CsvColumn[], record: Readonly<Record<string, unknown>>): string {
  let line = '';
  for (let i = 0; i < columns.length; i += 1) {
    const { member, inner } = columns[i]!;
    const value = record[member];
    if (i > 0) line += ',';
    line += fieldOf(inner === undefined ? value : (value as Record<string, unknown>)[inner]);
  }
  // The only column is empty. Readers skip an empty line.
  return `${line || '""'}\r\n`;
}
