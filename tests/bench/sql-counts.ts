/** Counts in groups and sort orders of the SQL alternative, for the requests of the bench. */
import type { ReferencedResource, ResourceName } from '../../api/contract/names.ts';
import type { CountKey, Query, Sort } from '../../api/contract/parameters.ts';
import { type Conditions, conditionsOf } from './sql-conditions.ts';

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
