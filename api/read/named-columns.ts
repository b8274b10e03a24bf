/**
 * The columns of all tables by name, such as "titles.text": what filters, orders and groups look at. Some are
 * computed from others: film years, the known names of categories, who is a person.
 */
import { type FilmYear, filmYearOf, yearsIn } from '../contract/film-year.ts';
import type { NomineeKind, ReferencedResource, ResourceName } from '../contract/names.ts';
import { type ColumnsOf, type TableName, tables } from '../contract/snapshot.ts';
import { fold } from '../contract/text.ts';
import { type IdColumn, TagColumn, type TextColumn } from './columns.ts';
import type { Snapshot } from './snapshot.ts';
import { KnownNames, type NominationTable, type References, referenceTo, type Table } from './tables.ts';

/** A column whose values are there as they are. */
type PlainColumn = ArrayLike<number | string | readonly number[] | null>;
export type Column = TextColumn | TagColumn | IdColumn | References | PlainColumn;

/** A table and a column of it. Film years, kinds, and the known names of categories are computed. */
export type ColumnName =
  | { [T in TableName]: `${T}.${keyof ColumnsOf<T> & string}` }[TableName]
  | `ids.${ResourceName}`
  | 'films.filmYears'
  | 'films.firstFilmYear'
  | 'films.filmYear'
  | 'people.kind'
  | 'categories.knownName';

/** @throws SnapshotUnavailable */
export async function columnOf(snapshot: Snapshot, name: ColumnName): Promise<Column> {
  if (isOfFilmYears(name)) return filmYearColumn(snapshot, name);
  if (name === 'people.kind') return nomineeKindsOf(snapshot);
  if (name === 'categories.knownName') return knownNames(snapshot);
  const [table, column] = name.split('.') as [TableName | 'ids', string];
  return ((await snapshot.table(table)) as unknown as Record<string, Column>)[column]!;
}

/** The distinct folded texts of a column, without the empty text. @throws SnapshotUnavailable */
export async function textsIn(snapshot: Snapshot, name: ColumnName): Promise<string[]> {
  const column = await columnOf(snapshot, name);
  const texts = column instanceof TagColumn ? column.texts : (column as TextColumn).values;
  return [...new Set(texts.map((text) => fold(text ?? '')))].filter((text) => text !== '');
}

export const tableOf = (name: ColumnName) => name.split('.', 1)[0] as TableName | 'ids';

/** The tables that a column is made from. */
export const tablesOf = (name: ColumnName): (TableName | 'ids')[] =>
  isOfFilmYears(name) ? [...ofFilmYears] : [tableOf(name)];

/** The resource whose records are the rows of a column. */
export function resourceOf(name: ColumnName): ResourceName {
  const table = tableOf(name);
  return table === 'ids' ? (name.slice('ids.'.length) as ResourceName) : tables[table].resource;
}

/** For each nomination the row of a column that it refers to, -1 for none. @throws SnapshotUnavailable */
export const rowsIn = async (snapshot: Snapshot, name: ColumnName): Promise<Int32Array> =>
  (await snapshot.table('nominations'))[referenceTo[resourceOf(name) as ReferencedResource]].rows;

const knownNames = (snapshot: Snapshot): Promise<KnownNames> =>
  snapshot.derive(
    'known names',
    ['categories'],
    async () => new KnownNames((await snapshot.table('categories')).name.values),
  );

/** Whether a nominee is a person: by its IMDb id, and without one by whether it has a department. */
export const isPerson = (filmindexId: string | null, department: string | null): boolean =>
  filmindexId === null ? department !== null : !filmindexId.startsWith('co');

/** One byte per nominee, 1 for people and 0 for companies and countries. @throws SnapshotUnavailable */
export const personFlags = (snapshot: Snapshot): Promise<Uint8Array> =>
  snapshot.derive('people', ['people'], async () => {
    const { filmindex_id, department } = await snapshot.table('people');
    return Uint8Array.from(filmindex_id, (id, row) => (isPerson(id, department.values[row]!) ? 1 : 0));
  });

const nomineeKindsOf = (snapshot: Snapshot): Promise<NomineeKind[]> =>
  snapshot.derive('kinds of nominees', ['people'], async () =>
    Array.from(await personFlags(snapshot), (flag) => (flag === 1 ? 'person' : 'company')),
  );

/**
 * Rows of ceremonies, the newest first. 1930 had two: the later number is the newer one.
 * @param rows default all
 */
export const newestFirst = (
  { year }: Table<'ceremonies'>,
  rows: ArrayLike<number> = year.map((_, row) => row),
): number[] => Array.from(rows).sort((a, b) => year[b]! - year[a]! || b - a);

/** The tables that film years are made from. */
const ofFilmYears = ['nominations', 'honors'] as const;

/** The years of the films of a ceremony. @param row of the ceremony */
export const filmYearAt = ({ year, film_years }: Table<'ceremonies'>, row: number): FilmYear =>
  filmYearOf({ ceremony_year: year[row]!, film_years: film_years[row]! });

/**
 * The years of each film: those of the first ceremony that nominated it or gave it a competitive award; null
 * for a film without one.
 * @throws SnapshotUnavailable
 */
export const filmYears = (snapshot: Snapshot): Promise<readonly (FilmYear | null)[]> =>
  snapshot.derive('film years', ofFilmYears, async () => {
    const [nominations, honors] = await Promise.all([
      snapshot.table('nominations'),
      snapshot.table('honors'),
    ]);
    return filmYearsOf(nominations, honors);
  });

function filmYearsOf(
  { ceremonies, ceremony, movie, count }: NominationTable,
  honors: Table<'honors'>,
): (FilmYear | null)[] {
  const { year } = ceremonies;
  const first = new Int32Array(movie.table.count).fill(-1);
  const note = (film: number, own: number) => {
    const known = first[film]!;
    // Two ceremonies can be in one year: the lower number was first.
    if (known < 0 || year[own]! < year[known]! || (year[own] === year[known] && own < known))
      first[film] = own;
  };
  const [films, held] = [movie.rows, ceremony.rows];
  for (let row = 0; row < count; row += 1) note(films[row]!, held[row]!);
  for (const [row, awardClass] of honors.class.entries()) {
    const film = honors.movie[row]!;
    if (awardClass === 'Competitive' && film !== null)
      note(movie.table.row(film), ceremonies.row(honors.ceremony[row]!));
  }
  const years = year.map((_, row) => filmYearAt(ceremonies, row));
  return Array.from(first, (own) => (own < 0 ? null : years[own]!));
}

/** The first and the last film year of each film, as the column of a filter. */
const filmYearColumns = {
  'films.filmYears': ({ film_years }: FilmYear) => yearsIn(film_years),
  'films.firstFilmYear': ({ film_years }: FilmYear) => yearsIn(film_years)[0],
  'films.filmYear': ({ film_year }: FilmYear) => film_year,
} as const;

const isOfFilmYears = (name: ColumnName): name is keyof typeof filmYearColumns =>
  Object.hasOwn(filmYearColumns, name);

const filmYearColumn = (snapshot: Snapshot, name: keyof typeof filmYearColumns): Promise<PlainColumn> =>
  snapshot.derive(name, ofFilmYears, async () =>
    (await filmYears(snapshot)).map((year) => year && filmYearColumns[name](year)),
  );
