/** Made-up files of Wikidata in the formats of its query service and its dumps, and records to enrich. */
import type { Connection } from '../../data/open.ts';

/** A property of an entity → its statements. */
export type Claims = Record<string, unknown>;

const entityAddress = 'http://www.wikidata.org/entity/';

export interface StatementOptions {
  rank?: 'preferred' | 'normal' | 'deprecated';
  snaktype?: 'value' | 'somevalue' | 'novalue';
}

export const statement = (
  value: unknown,
  { rank = 'normal', snaktype = 'value' }: StatementOptions = {},
) => ({
  mainsnak: { snaktype, ...(snaktype === 'value' && { datavalue: { value, type: 'any' } }) },
  type: 'statement',
  rank,
});
export const itemValue = (id: string) => ({ 'entity-type': 'item', 'numeric-id': Number(id.slice(1)), id });
export const amount = (number: string | number, unit = 'Q7727') => ({
  amount: `+${number}`,
  unit: unit === '1' ? '1' : entityAddress + unit,
});
export const time = (date: string, precision = 11, calendar = 'Q1985727') => ({
  time: `+${date}T00:00:00Z`,
  precision,
  calendarmodel: entityAddress + calendar,
});

export const entity = (id: string, claims: Claims = {}, label?: string) => ({
  type: 'item',
  id,
  labels: label === undefined ? {} : { en: { language: 'en', value: label } },
  descriptions: {},
  claims,
  sitelinks: {},
});
export const country = (id: string, code: string) =>
  entity(id, { P297: [statement(code)] }, `country ${code}`);

/** As in a dump: an array with one entity a line. */
export const dumpOf = (entities: readonly object[]): string =>
  `[\n${entities.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`;
export const linesOf = (entities: readonly object[]): string =>
  entities.map((each) => `${JSON.stringify(each)}\n`).join('');

/** A row of query results. */
export type Row = Record<string, string | { type: string; value: string }>;

const literals: Readonly<Record<string, object>> = {
  genreLabel: { 'xml:lang': 'en' },
  duration: { datatype: 'http://www.w3.org/2001/XMLSchema#decimal' },
  date: { datatype: 'http://www.w3.org/2001/XMLSchema#dateTime' },
};

/** SPARQL JSON results. A text is a literal, in "item" the id of an entity. */
export function resultsOf(rows: readonly Row[], indent = 2): string {
  const bindings = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (typeof value !== 'string') return [name, value];
        if (name === 'item') return [name, { type: 'uri', value: entityAddress + value }];
        return [name, { ...literals[name], type: 'literal', value }];
      }),
    ),
  );
  const vars = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return JSON.stringify({ head: { vars }, results: { bindings } }, null, indent);
}

/** Adds films and people that have an id in the film index, and nothing else. */
export function addUnknown(
  connection: Connection,
  films: readonly string[],
  people: readonly string[] = [],
): void {
  const film = connection.prepare('INSERT INTO movies (title, filmindex_id) VALUES (?, ?)');
  const person = connection.prepare('INSERT INTO nominees (name, filmindex_id) VALUES (?, ?)');
  for (const id of films) film.run(`Film ${id}`, id);
  for (const id of people) person.run(`Person ${id}`, id);
}
