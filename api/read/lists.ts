/** Answers of the lists. */
import type { ReferencedResource } from '../contract/names.ts';
import type { Query } from '../contract/parameters.ts';
import { type SortedResource, shapingParameters } from '../contract/accepted.ts';
import type { ListRoute } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import type { IdColumn } from './columns.ts';
import {
  answerPage,
  countedText,
  type Document,
  honorTexts,
  recordsWith,
  nominationSelection,
  type Selection,
} from './documents.ts';
import { sortRows } from './orders.ts';
import {
  allFlags,
  type Flags,
  flagsAmong,
  flagsContaining,
  flagsEqual,
  flagsWhere,
  hasYears,
  inYears,
  rowsOfFlags,
  rowsOfIds,
  selectNominations,
  yearFlags,
} from './selection.ts';
import type { Snapshot } from './snapshot.ts';

/** Ascending by id or in the order of `sort`; ceremonies: newest first. */
export async function answerList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Document> {
  const selection = await selectList(snapshot, route, query);
  if (route.paginated) return answerPage(selection, query);
  return { text: countedText(await selection.texts(selection.rows(0, selection.total))) };
}

/** The records of a list that a query selects. */
export async function selectList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Selection> {
  const { resource } = route;
  if (resource === 'nominations') return selectNominationList(snapshot, route, query);
  if (resource === 'honors') return selectHonors(snapshot, query);
  const table = (await snapshot.ids())[resource];
  const rows = selectRows(table, query.ids, allFlags(...(await filters[resource](snapshot, query))));
  const texts = async (some: ArrayLike<number>) => {
    const records = await Promise.all(Array.from(some, (row) => snapshot.existing(resource, table.id(row))));
    return query.include || query.fields ? recordsWith(snapshot, resource, some, records, query) : records;
  };
  if (resource === 'ceremonies') return { ...inRows((await snapshot.ceremonies()).newestFirst(rows)), texts };
  if (resource === 'categories') return { ...ascending(rows, table.count), texts };
  return { ...(await sorted(snapshot, resource, query, rows, table.count)), texts };
}

type Rows = Omit<Selection, 'texts' | 'records'>;

const inRows = (rows: readonly number[]): Rows => ({
  total: rows.length,
  rows: (start, end) => rows.slice(start, end),
});

/** @param rows undefined for all */
const ascending = (rows: Int32Array | undefined, count: number): Rows => ({
  total: rows?.length ?? count,
  rows: (start, end) => rows?.slice(start, end) ?? rowsBetween(start, Math.min(end, count)),
});

/** @param rows ascending; undefined for all */
async function sorted(
  snapshot: Snapshot,
  resource: SortedResource,
  { sort }: Query,
  rows: Int32Array | undefined,
  count: number,
): Promise<Rows> {
  if (sort === undefined || sort === 'id') return ascending(rows, count);
  return { total: rows?.length ?? count, rows: await sortRows(snapshot, resource, sort, rows, count) };
}

const rowsBetween = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);

async function selectNominationList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Selection> {
  const filtered = route.parameters.some((name) => !shapingParameters.has(name) && query[name] !== undefined);
  const rows = filtered ? await selectNominations(snapshot, query) : undefined;
  const { nominations } = snapshot.manifest.counts;
  return nominationSelection(
    snapshot,
    await sorted(snapshot, 'nominations', query, rows, nominations),
    query,
  );
}

async function selectHonors(snapshot: Snapshot, query: Query): Promise<Selection> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.honors(),
    snapshot.ceremonies(),
    query.movie === undefined ? undefined : snapshot.titles(),
  ]);
  const years = yearFlags(ceremonies, query);
  const movies = titles && flagsContaining(titles.text, query.movie);
  const [movieIds, nomineeIds] = [query.movie_ids, query.nominee_ids].map((ids) => ids && new Set(ids));
  const where = (isAsked: unknown, test: (row: number) => boolean) =>
    isAsked === undefined ? undefined : flagsWhere(honors.count, test);
  const flags = allFlags(
    flagsEqual(honors.class, query.class),
    flagsContaining(honors.category, query.category),
    flagsContaining(honors.recipients, query.recipient),
    where(years, (row) => years![ceremonies.row(honors.ceremony[row]!)] === 1),
    where(movies, (row) => honors.movie[row] !== null && movies![titles!.row(honors.movie[row]!)] === 1),
    where(movieIds, (row) => movieIds!.has(honors.movie[row]!)),
    where(nomineeIds, (row) => honors.nominees[row]!.some((id) => nomineeIds!.has(id))),
  );
  const rows = selectRows(honors, query.ids, flags);
  return { ...ascending(rows, honors.count), texts: (some) => honorTexts(snapshot, some, query.fields) };
}

/** The selected rows, ascending; undefined for all rows. */
function selectRows(
  table: IdColumn,
  ids: readonly number[] | undefined,
  flags: Flags,
): Int32Array | undefined {
  if (ids)
    return Int32Array.from(rowsOfIds(table, ids).filter((row) => flags === undefined || flags[row] === 1));
  return flags && rowsOfFlags(flags);
}

/** Resource → the filters of its list except ids, over the rows of its table. */
const filters: Record<ReferencedResource, (snapshot: Snapshot, query: Query) => Promise<Flags[]>> = {
  async ceremonies(snapshot, query) {
    return [yearFlags(await snapshot.ceremonies(), query)];
  },
  async categories(snapshot, query) {
    const { name, group } = await snapshot.categories();
    return [
      flagsContaining(name, query.category_name),
      flagsContaining(group, query.category_group),
      await nominatedInYears(snapshot, query, 'category'),
    ];
  },
  async movies(snapshot, query) {
    const { title, moviedb_id, filmindex_id, filmindex_ids, genre } = query;
    const own = [
      title === undefined ? undefined : flagsContaining((await snapshot.titles()).text, title),
      await nominatedInYears(snapshot, query, 'movie'),
    ];
    if ([moviedb_id, filmindex_id, filmindex_ids, genre].every((value) => value === undefined)) return own;
    const films = await snapshot.films();
    return [
      ...own,
      flagsEqual(films.moviedbId, moviedb_id),
      flagsEqual(films.filmindexId, filmindex_id),
      flagsAmong(films.filmindexId, filmindex_ids),
      genre === undefined ? undefined : films.genres.with(fold(genre)),
    ];
  },
  async nominees(snapshot, query) {
    const { name, moviedb_person_id, filmindex_id, filmindex_ids, known_for_department: department } = query;
    const own = [
      name === undefined ? undefined : flagsContaining((await snapshot.names()).text, name),
      await nominatedInYears(snapshot, query, 'nominee'),
    ];
    if ([moviedb_person_id, filmindex_id, filmindex_ids, department].every((value) => value === undefined))
      return own;
    const people = await snapshot.people();
    return [
      ...own,
      flagsEqual(people.moviedbPersonId, moviedb_person_id),
      flagsEqual(people.filmindexId, filmindex_id),
      flagsAmong(people.filmindexId, filmindex_ids),
      flagsContaining(people.department, department),
    ];
  },
  async songs(snapshot, query) {
    const { title, artist, year, count } = await snapshot.songs();
    const isInYears = (row: number) => year[row] !== null && inYears(year[row]!, query);
    return [
      flagsContaining(title, query.title),
      flagsContaining(artist, query.artist),
      hasYears(query) ? flagsWhere(count, isInYears) : undefined,
    ];
  },
};

/** Records with a nomination that passes the year parameters. */
async function nominatedInYears(
  snapshot: Snapshot,
  query: Query,
  reference: 'category' | 'movie' | 'nominee',
): Promise<Flags> {
  if (!hasYears(query)) return undefined;
  const table = await snapshot.nominations();
  const ceremonies = yearFlags(table.ceremonies, query)!;
  const [ceremony, record] = [table.ceremony.rows, table[reference].rows];
  const flags = new Uint8Array(table[reference].table.count);
  for (let row = 0; row < table.count; row += 1)
    if (ceremonies[ceremony[row]!] === 1) flags[record[row]!] = 1;
  return flags;
}
