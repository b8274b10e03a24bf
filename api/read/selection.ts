/** Which rows a query asks for: flags per table for each filter, and nominations picked by the most selective of them. */
import type { Query } from '../contract/parameters.ts';
import type { IdColumn, TextColumn } from './columns.ts';
import type { CeremonyTable, NominationTable, References } from './tables.ts';

/** One byte per row, 1 for rows that pass; undefined where nothing is filtered. */
export type Flags = Uint8Array | undefined;

export type YearQuery = Pick<Query, 'year' | 'yearStart' | 'yearEnd'>;

/** Whether a year passes the three year parameters. */
export function inYears(year: number, { year: exact, yearStart, yearEnd }: YearQuery): boolean {
  return (
    (exact === undefined || year === exact) &&
    (yearStart === undefined || year >= yearStart) &&
    (yearEnd === undefined || year <= yearEnd)
  );
}

export const hasYears = ({ year, yearStart, yearEnd }: YearQuery): boolean =>
  year !== undefined || yearStart !== undefined || yearEnd !== undefined;

/** Flags for the rows listed. */
function flagsOf(rows: readonly number[], count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (const row of rows) flags[row] = 1;
  return flags;
}

/** Flags for the rows whose text contains a part; undefined where no part was sent. */
export const flagsContaining = (text: TextColumn, part: string | undefined): Flags =>
  part === undefined ? undefined : flagsOf(text.rowsContaining(part), text.values.length);

/** Flags for the rows that pass a test. */
export function flagsWhere(count: number, test: (row: number) => boolean): Uint8Array {
  const flags = new Uint8Array(count);
  for (let row = 0; row < count; row += 1) if (test(row)) flags[row] = 1;
  return flags;
}

/** Rows that pass both; either may be undefined for "all". */
export function bothFlags(a: Flags, b: Flags): Flags {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return a.map((flag, row) => flag & b[row]!);
}

/** Rows of the ids that exist, ascending. */
export function rowsOfIds(table: IdColumn, ids: readonly number[]): number[] {
  return ids.map((id) => table.row(id)).filter((row) => row >= 0);
}

/** Flags for ids; undefined where the parameter was not sent. */
const idFlags = (table: IdColumn, ids: readonly number[] | undefined): Flags =>
  ids && flagsOf(rowsOfIds(table, ids), table.count);

/** Ceremonies in the years asked for. */
export const yearFlags = (ceremonies: CeremonyTable, query: YearQuery): Flags =>
  hasYears(query) ? flagsWhere(ceremonies.count, (row) => inYears(ceremonies.year[row]!, query)) : undefined;

/** One condition on nominations: the row each refers to must be flagged. */
interface Condition {
  rows: ArrayLike<number>;
  flags: Uint8Array;
}

/** The conditions of a query on nominations, besides `ids`; films and nominees apart, as those that choose few. */
interface Conditions {
  movie: Flags;
  nominee: Flags;
  all: readonly Condition[];
}

function conditionsOf(table: NominationTable, query: Query): Conditions {
  const { ceremonies, categories, titles, names } = table;
  const all: Condition[] = [];
  const add = (references: References, flags: Flags) => {
    if (flags) all.push({ rows: references.rows, flags });
    return flags;
  };
  const ofMovie = bothFlags(flagsContaining(titles.text, query.movie), idFlags(titles, query.movie_ids));
  const ofNominee = bothFlags(flagsContaining(names.text, query.nominee), idFlags(names, query.nominee_ids));
  const ofCategory = bothFlags(
    flagsContaining(categories.name, query.category),
    idFlags(categories, query.category_ids),
  );
  const movie = add(table.movie, ofMovie);
  const nominee = add(table.nominee, ofNominee);
  add(table.ceremony, bothFlags(yearFlags(ceremonies, query), idFlags(ceremonies, query.ceremony_ids)));
  add(table.category, ofCategory);
  if (query.winner !== undefined)
    all.push({ rows: table.winner, flags: Uint8Array.of(query.winner ? 0 : 1, query.winner ? 1 : 0) });
  if (query.is_song !== undefined) {
    const isSong = table.song.rows.map((row) => (row < 0 ? 0 : 1));
    all.push({ rows: isSong, flags: Uint8Array.of(query.is_song ? 0 : 1, query.is_song ? 1 : 0) });
  }
  return { movie, nominee, all };
}

function passes(conditions: readonly Condition[], row: number): boolean {
  for (let i = 0; i < conditions.length; i += 1) {
    const { rows, flags } = conditions[i]!;
    if (flags[rows[row]!] !== 1) return false;
  }
  return true;
}

/** Rows of the nominations that pass, ascending. Looks at each nomination at most once. */
export function selectNominations(table: NominationTable, query: Query): Int32Array {
  const conditions = conditionsOf(table, query);
  const candidates = query.ids ? Int32Array.from(rowsOfIds(table, query.ids)) : fewest(table, conditions);
  const { all } = conditions;
  if (candidates) return candidates.filter((row) => passes(all, row));
  const rows = new Int32Array(table.count);
  let found = 0;
  for (let row = 0; row < table.count; row += 1) if (passes(all, row)) rows[found++] = row;
  return rows.subarray(0, found);
}

/** The postings of a film or nominee filter, ascending, where they are so few that gathering them beats a scan. */
function fewest(table: NominationTable, { movie, nominee }: Conditions): Int32Array | undefined {
  const most = table.count >> 3;
  const gathered = [
    movie && gather(movie, table.movie, most),
    nominee && gather(nominee, table.nominee, most),
  ]
    .filter((rows) => rows !== undefined)
    .sort((a, b) => a.length - b.length);
  return gathered[0]?.sort();
}

function gather(flags: Uint8Array, { postings }: References, most: number): Int32Array | undefined {
  let total = 0;
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) {
    total += postings.count(row);
    if (total > most) return undefined;
  }
  const rows = new Int32Array(total);
  let at = 0;
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) {
    const posted = postings.of(row);
    rows.set(posted, at);
    at += posted.length;
  }
  return rows;
}
