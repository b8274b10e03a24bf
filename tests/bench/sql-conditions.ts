/** The WHERE clauses of the SQL alternative: which records a query asks for. */
import type { ReferencedResource } from '../../api/contract/names.ts';
import type { Query } from '../../api/contract/parameters.ts';
import { fold } from '../../api/contract/text.ts';

type Value = string | number;

/** Conditions joined by AND, with the values of their placeholders. */
export class Conditions {
  readonly #clauses: string[] = [];
  readonly values: Value[] = [];

  add(clause: string, ...values: Value[]): void {
    this.#clauses.push(clause);
    this.values.push(...values);
  }

  /** A partial match of a folded column; nothing where the parameter was not sent. */
  contains(expression: (test: string) => string, column: string, part: string | undefined): void {
    if (part !== undefined) this.add(expression(`instr(${column}, ?) > 0`), fold(part));
  }

  equals(column: string, value: Value | undefined): void {
    if (value !== undefined) this.add(`${column} = ?`, value);
  }

  among(column: string, ids: readonly number[] | undefined): void {
    if (ids) this.add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(ids));
  }

  /** The three year parameters against a column. @param wrap puts the tests into a sub-query where the year is elsewhere */
  years(column: string, query: Query, wrap = (tests: string) => tests): void {
    const { year, yearStart, yearEnd } = query;
    const tests: [string, number][] = [];
    if (year !== undefined) tests.push([`${column} = ?`, year]);
    if (yearStart !== undefined) tests.push([`${column} >= ?`, yearStart]);
    if (yearEnd !== undefined) tests.push([`${column} <= ?`, yearEnd]);
    if (tests.length === 0) return;
    this.add(wrap(tests.map(([test]) => test).join(' AND ')), ...tests.map(([, value]) => value));
  }

  get sql(): string {
    return this.#clauses.length === 0 ? '' : `WHERE ${this.#clauses.join(' AND ')}`;
  }
}

const itself = (test: string) => test;
const idIn = (column: string, table: string) => (test: string) =>
  `${column} IN (SELECT id FROM ${table} WHERE ${test})`;
const inCeremonies = idIn('n.ceremony_id', 'ceremonies');

/** What nominations (as n) a list asks for. */
export function nominationConditions(query: Query): Conditions {
  const conditions = new Conditions();
  conditions.among('n.id', query.ids);
  conditions.years('ceremony_year', query, inCeremonies);
  conditions.contains(idIn('n.nominee_id', 'nominees'), 'name_folded', query.nominee);
  conditions.contains(idIn('n.movie_id', 'movies'), 'title_folded', query.movie);
  conditions.contains(idIn('n.category_id', 'categories'), 'name_folded', query.category);
  if (query.winner !== undefined) conditions.equals('n.winner', query.winner ? 1 : 0);
  if (query.is_song !== undefined) conditions.add(`n.song_id IS ${query.is_song ? 'NOT NULL' : 'NULL'}`);
  conditions.among('n.ceremony_id', query.ceremony_ids);
  conditions.among('n.category_id', query.category_ids);
  conditions.among('n.movie_id', query.movie_ids);
  conditions.among('n.nominee_id', query.nominee_ids);
  return conditions;
}

/** What nominations (as n) a search keeps, besides matching. */
export function searchConditions(query: Query): Conditions {
  const conditions = new Conditions();
  if (query.winner !== undefined) conditions.equals('n.winner', query.winner ? 1 : 0);
  conditions.years('ceremony_year', query, inCeremonies);
  return conditions;
}

/** What nominations (as n) a ranking counts. */
export function rankingConditions(query: Query): Conditions {
  const conditions = new Conditions();
  conditions.years('ceremony_year', query, inCeremonies);
  if (query.genre !== undefined)
    conditions.add('n.movie_id IN (SELECT movie_id FROM movie_genres WHERE genre = ?)', fold(query.genre));
  conditions.contains(idIn('n.nominee_id', 'nominees'), 'department_folded', query.known_for_department);
  conditions.contains(idIn('n.category_id', 'categories'), 'name_folded', query.category);
  conditions.contains(idIn('n.category_id', 'categories'), 'group_folded', query.category_group);
  return conditions;
}

const nominatedIn = (reference: string) => (tests: string) =>
  `id IN (SELECT n.${reference} FROM nominations n JOIN ceremonies c ON c.id = n.ceremony_id WHERE ${tests})`;

/** What records of the other tables a list asks for. */
export const recordConditions: Record<ReferencedResource, (query: Query) => Conditions> = {
  ceremonies(query) {
    const conditions = withIds(query);
    conditions.years('ceremony_year', query);
    return conditions;
  },
  categories(query) {
    const conditions = withIds(query);
    conditions.contains(itself, 'name_folded', query.category_name);
    conditions.contains(itself, 'group_folded', query.category_group);
    conditions.years('c.ceremony_year', query, nominatedIn('category_id'));
    return conditions;
  },
  movies(query) {
    const conditions = withIds(query);
    conditions.contains(itself, 'title_folded', query.title);
    conditions.equals('moviedb_id', query.moviedb_id);
    conditions.equals('filmindex_id', query.filmindex_id);
    if (query.genre !== undefined)
      conditions.add('id IN (SELECT movie_id FROM movie_genres WHERE genre = ?)', fold(query.genre));
    conditions.years('c.ceremony_year', query, nominatedIn('movie_id'));
    return conditions;
  },
  nominees(query) {
    const conditions = withIds(query);
    conditions.contains(itself, 'name_folded', query.name);
    conditions.equals('moviedb_person_id', query.moviedb_person_id);
    conditions.equals('filmindex_id', query.filmindex_id);
    conditions.contains(itself, 'department_folded', query.known_for_department);
    conditions.years('c.ceremony_year', query, nominatedIn('nominee_id'));
    return conditions;
  },
  songs(query) {
    const conditions = withIds(query);
    conditions.contains(itself, 'title_folded', query.title);
    conditions.contains(itself, 'artist_folded', query.artist);
    conditions.years('streaming_year', query);
    return conditions;
  },
};

function withIds(query: Query): Conditions {
  const conditions = new Conditions();
  conditions.among('id', query.ids);
  return conditions;
}
