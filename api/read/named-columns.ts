/**
 * The columns of all tables by name, such as "titles.text": what filters, orders and groups look at. Some are
 * computed from others: film years, the known names of categories, who is a person.
 */
import { filmYear } from '../contract/film-year.ts';
import type { NomineeKind, ReferencedResource, ResourceName } from '../contract/names.ts';
import { type ColumnsOf, type TableName, tables } from '../contract/snapshot.ts';
import { fold } from '../contract/text.ts';
import { type IdColumn, TagColumn, type TextColumn } from './columns.ts';
import type { Snapshot } from './snapshot.ts';
import { KnownNames, type NominationTable, type References, referenceTo, type Table } from './tables.ts';

/** A column whose values are there as they are. */
type PlainColumn = ArrayLike<number | string | readonly number[] | null>;
export type Column = TextColumn | TagColumn | IdColumn | References | PlainColumn;

/** A table and a column of it. Film years, known names and kinds are computed. */
export type ColumnName =
  | { [T in TableName]: `${T}.${keyof ColumnsOf<T> & string}` }[TableName]
  | `ids.${ResourceName}`
  | 'films.filmYear'
  | 'people.kind'
  | 'categories.knownName';

/** @throws SnapshotUnavailable */
export async function columnOf(snapshot: Snapshot, name: ColumnName): Promise<Column> {
  if (name === 'films.filmYear') return filmYears(snapshot);
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

/**
 * The film year of each film: that of the first ceremony that nominated it, null for a film without a
 * nomination.
 * @throws SnapshotUnavailable
 */
export const filmYears = (snapshot: Snapshot): Promise<readonly (number | null)[]> =>
  snapshot.derive('film years', ['nominations'], async () =>
    filmYearsOf(await snapshot.table('nominations')),
  );

function filmYearsOf({ ceremonies, ceremony, movie, count }: NominationTable): (number | null)[] {
  const { year, movies_eligible } = ceremonies;
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
