/** The clauses of the SQL alternative, for the parameters that the bench sends: conditions, counts in groups, orders. */
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import type { CountKey, Query, Sort } from '../../api/contract/parameters.ts';
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

type Key = Exclude<CountKey, 'genre' | 'country'>;

/** Key → the columns of the key and its label, and the table that has them. */
const groups: Readonly<Record<Key, { key: string; label: string; join: string }>> = {
  year: { key: 'n.year', label: 'CAST(n.year AS TEXT)', join: '' },
  decade: { key: 'n.year - n.year % 10', label: "(n.year - n.year % 10) || 's'", join: '' },
  category: {
    key: 'c.name_folded',
    label: 'c.category_name',
    join: 'JOIN categories c ON c.id = n.category_id',
  },
  category_group: {
    key: 'c.group_folded',
    label: 'c.category_group',
    join: 'JOIN categories c ON c.id = n.category_id',
  },
  department: {
    key: 'p.department_folded',
    label: 'p.known_for_department',
    join: 'JOIN nominees p ON p.id = n.nominee_id',
  },
};

/** The totals of the selected nominations in each group. @throws Error for a key that the bench does not ask for */
export function countsSelect(query: Query): { select: string; values: Conditions['values'] } {
  const group = groups[query.by as Key];
  if (group === undefined) throw new Error(`the SQL alternative cannot count by ${query.by}`);
  const { key, label, join } = group;
  const { where, values } = conditionsOf('nominations', query);
  const select = `SELECT ${key} AS key, ${label} AS label, count(DISTINCT n.entry_number) AS entries,
      count(DISTINCT CASE WHEN n.winner THEN n.entry_number END) AS wins, count(*) AS nominations,
      count(DISTINCT n.movie_id) AS movies, count(DISTINCT n.nominee_id) AS nominees
    FROM nominations n ${join} ${where} GROUP BY 1 ORDER BY key IS NULL, key`;
  return { select, values };
}

/** Resource → key → column, for the keys that the bench sorts by. None of the columns has null. */
const sortColumns: Partial<Record<ResourceName, Readonly<Record<string, string>>>> = {
  nominations: { year: 'n.year', movie: 'n.movie_folded', nominee: 'n.nominee_folded' },
  movies: { title: 'title_folded', entries: 'entries', wins: 'wins' },
  nominees: { name: 'name_folded', entries: 'entries', wins: 'wins' },
  songs: { title: 'title_folded' },
};

/** The text after ORDER BY; ties ascend by id. */
export function orderOf(resource: ReferencedResource | 'nominations', sort: Sort | undefined): string {
  const id = resource === 'nominations' ? 'n.id' : 'id';
  if (sort === undefined) return id;
  const column = sortColumns[resource]?.[sort.replace('-', '')];
  if (column === undefined) throw new Error(`the SQL alternative cannot sort ${resource} by ${sort}`);
  return `${column}${sort.startsWith('-') ? ' DESC' : ''}, ${id}`;
}
