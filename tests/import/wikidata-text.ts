/** Made-up files in the formats of the query service of Wikidata, and records to enrich. */
import type { Connection } from '../../data/database/open.ts';

const entityAddress = 'http://www.wikidata.org/entity/';

/** A row of query results. */
export type Row = Record<string, string | { type: string; value: string; 'xml:lang'?: string }>;

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

/** The same rows as the download button of the query page gives them. */
export const arrayOf = (rows: readonly Record<string, string>[]): string =>
  JSON.stringify(rows.map((row) => ({ ...row, ...(row.item && { item: entityAddress + row.item }) })));

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
