/** Answers of the lists. */
import type { ReferencedResource } from '../contract/names.ts';
import type { Query } from '../contract/parameters.ts';
import { type SortedResource, shapingParameters } from '../contract/accepted.ts';
import type { ListRoute } from '../contract/routes.ts';
import type { IdColumn } from './columns.ts';
import { answerPage, countedText, type Document, nominationSelection, type Selection } from './documents.ts';
import { sortRows } from './orders.ts';
import { honorTexts, recordsWith } from './records.ts';
import {
  allRows,
  among,
  ceremoniesIn,
  containing,
  equal,
  inFilmYears,
  inYearsOf,
  type Predicate,
  passing,
  referring,
  rowsOfIds,
  selectNominations,
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
  const table = (await snapshot.table('ids'))[resource];
  // Without a filter, the columns that they look through are not needed.
  const rows = isFiltered(route, query)
    ? passing(rowsOf(table, query.ids), await filters[resource](snapshot, query))
    : undefined;
  const texts = async (some: ArrayLike<number>) => {
    const records = await Promise.all(Array.from(some, (row) => snapshot.existing(resource, table.id(row))));
    return query.include || query.fields ? recordsWith(snapshot, resource, some, records, query) : records;
  };
  if (resource === 'ceremonies')
    return { ...inRows((await snapshot.table('ceremonies')).newestFirst(rows)), texts };
  if (resource === 'categories') return { ...ascending(rows, table.count), texts };
  return { ...(await sorted(snapshot, resource, query, rows, table.count)), texts };
}

const isFiltered = (route: ListRoute, query: Query): boolean =>
  route.parameters.some((name) => !shapingParameters.has(name) && query[name] !== undefined);

/** The rows of some ids; default all. */
const rowsOf = (table: IdColumn, ids: readonly number[] | undefined): Int32Array =>
  ids ? rowsOfIds(table, ids) : allRows(table.count);

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
  const rows = isFiltered(route, query) ? await selectNominations(snapshot, query) : undefined;
  const { nominations } = snapshot.manifest.counts;
  return nominationSelection(
    snapshot,
    await sorted(snapshot, 'nominations', query, rows, nominations),
    query,
  );
}

async function selectHonors(snapshot: Snapshot, query: Query): Promise<Selection> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.table('honors'),
    snapshot.table('ceremonies'),
    query.movie === undefined ? undefined : snapshot.table('titles'),
  ]);
  const [movieIds, nomineeIds] = [query.movie_ids, query.nominee_ids].map((ids) => ids && new Set(ids));
  const isCeremony = ceremoniesIn(ceremonies, query);
  const isMovie = titles && containing(titles.text, query.movie);
  const movieAt = (row: number) => titles!.row(honors.movie[row] ?? -1);
  const rows = passing(rowsOf(honors, query.ids), [
    equal(honors.class, query.class),
    containing(honors.category, query.category),
    containing(honors.recipients, query.recipient),
    isCeremony && ((row) => isCeremony(ceremonies.row(honors.ceremony[row]!))),
    isMovie && ((row) => movieAt(row) >= 0 && isMovie(movieAt(row))),
    movieIds && ((row) => movieIds.has(honors.movie[row]!)),
    nomineeIds && ((row) => honors.nominees[row]!.some((id) => nomineeIds.has(id))),
  ]);
  return { ...ascending(rows, honors.count), texts: (some) => honorTexts(snapshot, some, query.fields) };
}

/** Resource → the filters of its list except ids, over the rows of its table. */
const filters: Record<ReferencedResource, (snapshot: Snapshot, query: Query) => Promise<Predicate[]>> = {
  async ceremonies(snapshot, query) {
    return [ceremoniesIn(await snapshot.table('ceremonies'), query)];
  },
  async categories(snapshot, query) {
    const { name, group } = await snapshot.table('categories');
    return [
      containing(name, query.category_name),
      containing(group, query.category_group),
      await nominatedInYears(snapshot, query, 'category'),
    ];
  },
  async movies(snapshot, query) {
    const { title, genre } = query;
    const [titles, films, inYears, filmYears] = await Promise.all([
      snapshot.table('titles'),
      snapshot.table('films'),
      nominatedInYears(snapshot, query, 'movie'),
      inFilmYears(snapshot, query),
    ]);
    return [
      containing(titles.text, title),
      inYears,
      filmYears,
      equal(films.moviedbId, query.moviedb_id),
      equal(films.filmindexId, query.filmindex_id),
      among(films.filmindexId, query.filmindex_ids),
      genre === undefined ? undefined : equal(films.genres.with(genre), 1),
    ];
  },
  async nominees(snapshot, query) {
    const [names, people, inYears] = await Promise.all([
      snapshot.table('names'),
      snapshot.table('people'),
      nominatedInYears(snapshot, query, 'nominee'),
    ]);
    return [
      containing(names.text, query.name),
      inYears,
      equal(people.moviedbPersonId, query.moviedb_person_id),
      equal(people.filmindexId, query.filmindex_id),
      among(people.filmindexId, query.filmindex_ids),
      containing(people.department, query.known_for_department),
    ];
  },
  async songs(snapshot, query) {
    const { title, artist, year } = await snapshot.table('songs');
    return [containing(title, query.title), containing(artist, query.artist), inYearsOf(year, query)];
  },
};

/** Records with a nomination that passes the year parameters. */
async function nominatedInYears(
  snapshot: Snapshot,
  query: Query,
  reference: 'category' | 'movie' | 'nominee',
): Promise<Predicate> {
  const isInYears = ceremoniesIn(await snapshot.table('ceremonies'), query);
  if (isInYears === undefined) return undefined;
  const table = await snapshot.table('nominations');
  const nominations = passing(allRows(table.count), [referring(table.ceremony, [isInYears])]);
  const { rows } = table[reference];
  const records = new Set(nominations.map((row) => rows[row]!));
  return (row) => records.has(row);
}
