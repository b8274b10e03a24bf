/** The columns of all tables by name, such as "titles.text": what filters, orders and groups look at. */
import { filmYear } from '../contract/film-year.ts';
import type { ReferencedResource, ResourceName } from '../contract/names.ts';
import type { IdColumn, TagColumn, TextColumn } from './columns.ts';
import { type NominationTable, type References, referenceTo } from './nomination-table.ts';
import type { Snapshot, TableName, Tables } from './snapshot.ts';

/** A column whose values are there as they are. */
type PlainColumn = ArrayLike<number | string | readonly number[] | null>;
export type Column = TextColumn | TagColumn | IdColumn | References | PlainColumn;

/** A table and a column of it. Film years are computed. */
export type ColumnName =
  | {
      [T in TableName]: `${T}.${{
        [C in keyof Tables[T] & string]: Tables[T][C] extends Column ? C : never;
      }[keyof Tables[T] & string]}`;
    }[TableName]
  | 'films.filmYear';

/** @throws SnapshotUnavailable */
export async function columnOf(snapshot: Snapshot, name: ColumnName): Promise<Column> {
  if (name === 'films.filmYear') return filmYears(snapshot);
  const [table, column] = name.split('.') as [TableName, string];
  return ((await snapshot.table(table)) as unknown as Record<string, Column>)[column]!;
}

export const tableOf = (name: ColumnName): TableName => name.split('.', 1)[0] as TableName;

/** The tables whose rows are those of a resource with another name. */
const resources: Partial<Record<TableName, ResourceName>> = {
  titles: 'movies',
  films: 'movies',
  names: 'nominees',
  people: 'nominees',
};

/** The resource whose records are the rows of a column. */
export function resourceOf(name: ColumnName): ResourceName {
  const table = tableOf(name);
  return resources[table] ?? ((table === 'ids' ? name.slice('ids.'.length) : table) as ResourceName);
}

/** For each nomination the row of a column that it refers to, -1 for none. @throws SnapshotUnavailable */
export const rowsIn = async (snapshot: Snapshot, name: ColumnName): Promise<Int32Array> =>
  (await snapshot.table('nominations'))[referenceTo[resourceOf(name) as ReferencedResource]].rows;

/**
 * The film year of each film: that of the first ceremony that nominated it, null for a film without a nomination.
 * @throws SnapshotUnavailable
 */
export const filmYears = (snapshot: Snapshot): Promise<readonly (number | null)[]> =>
  snapshot.derive('film years', ['nominations'], async () =>
    filmYearsOf(await snapshot.table('nominations')),
  );

function filmYearsOf({ ceremonies, ceremony, movie, count }: NominationTable): (number | null)[] {
  const { year, movies_eligible } = ceremonies.columns;
  const first = new Int32Array(movie.table.count).fill(-1);
  for (let row = 0; row < count; row += 1) {
    const film = movie.rows[row]!;
    const own = ceremony.rows[row]!;
    const known = first[film]!;
    // Two ceremonies can be in one year: the lower number was first.
    if (known < 0 || year[own]! < year[known]! || (year[own] === year[known] && own < known))
      first[film] = own;
  }
  const years = year.map((own, row) =>
    filmYear({ ceremony_year: own, movies_eligible: movies_eligible[row]! }),
  );
  return Array.from(first, (own) => (own < 0 ? null : years[own]!));
}
