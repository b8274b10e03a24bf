/** The WHERE clauses of the SQL alternative, for the parameters that the bench sends. */
import type { Query } from '../../api/contract/parameters.ts';
import { fold } from '../../api/contract/text.ts';

type Value = string | number;

const isAmong = (column: string): string => `${column} IN (SELECT value FROM json_each(?))`;
const hasPart = (column: string): string => `instr(${column}, ?) > 0`;
const isIn = (column: string, table: string, test: string): string =>
  `${column} IN (SELECT id FROM ${table} WHERE ${test})`;

/** Parameter → test with one placeholder. The columns of nominations start with "n.". */
const tests = {
  nominations: {
    ids: isAmong('n.id'),
    nominee: isIn('n.nominee_id', 'nominees', hasPart('name_folded')),
    movie: isIn('n.movie_id', 'movies', hasPart('title_folded')),
    category: isIn('n.category_id', 'categories', hasPart('name_folded')),
    winner: 'n.winner = ?',
    is_song: '(n.song_id IS NOT NULL) = ?',
    ceremony_ids: isAmong('n.ceremony_id'),
    category_ids: isAmong('n.category_id'),
    movie_ids: isAmong('n.movie_id'),
    nominee_ids: isAmong('n.nominee_id'),
  },
  search: { winner: 'n.winner = ?' },
  rankings: {},
  movies: { title: hasPart('title_folded') },
  nominees: { name: hasPart('name_folded'), known_for_department: hasPart('department_folded') },
  songs: { title: hasPart('title_folded'), artist: hasPart('artist_folded') },
} as const satisfies Record<string, Partial<Record<keyof Query, string>>>;

type Filtered = keyof typeof tests;

const operators = { year: '=', yearStart: '>=', yearEnd: '<=' } as const;

/** The tests of all year parameters in one subquery. */
function yearTest(filtered: Filtered, test: string): string {
  if (filtered !== 'movies' && filtered !== 'nominees') return isIn('n.ceremony_id', 'ceremonies', test);
  const reference = filtered === 'movies' ? 'movie_id' : 'nominee_id';
  return `id IN (SELECT n.${reference} FROM nominations n JOIN ceremonies c ON c.id = n.ceremony_id WHERE ${test})`;
}

/** Texts are compared folded; lists travel as JSON. */
function placeholderValue(sent: unknown): Value {
  if (typeof sent === 'string') return fold(sent);
  if (typeof sent === 'boolean') return sent ? 1 : 0;
  return typeof sent === 'number' ? sent : JSON.stringify(sent);
}

export interface Conditions {
  /** The whole WHERE clause; empty without conditions. */
  where: string;
  /** Of its placeholders. */
  values: Value[];
}

/** @param always a condition besides those of the query */
export function conditionsOf(filtered: Filtered, query: Query, always?: string): Conditions {
  const sent = <Name extends string>(byName: Partial<Record<Name, string>>) =>
    (Object.entries(byName) as [Name & keyof Query, string][]).filter(([name]) => query[name] !== undefined);
  const years = sent(operators);
  const others = sent<keyof Query>(tests[filtered]);
  const clauses = others.map(([, test]) => test);
  if (years.length > 0) {
    const test = years.map(([, operator]) => `ceremony_year ${operator} ?`).join(' AND ');
    clauses.unshift(yearTest(filtered, test));
  }
  if (always) clauses.push(always);
  return {
    where: clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`,
    values: [...years, ...others].map(([name]) => placeholderValue(query[name])),
  };
}
