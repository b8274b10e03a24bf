/** Answers of the lists. */
import type { ReferencedResource } from '../contract/names.ts';
import type { ParameterName, Query } from '../contract/parameters.ts';
import { type ListRoute, pagingParameters } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import type { IdColumn } from './columns.ts';
import { nominationTexts } from './nominations.ts';
import { countedText, countsMember, type Document, honorTexts, pageText, paginationOf } from './documents.ts';
import {
  allFlags,
  type Flags,
  flagsContaining,
  flagsEqual,
  flagsWhere,
  hasYears,
  inYears,
  officialFlags,
  rowsOfIds,
  selectNominations,
  yearFlags,
} from './selection.ts';
import type { Snapshot } from './snapshot.ts';

/** Ascending by id, except ceremonies: newest first. */
export async function answerList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Document> {
  if (route.resource === 'nominations') return answerNominations(snapshot, route, query);
  if (route.resource === 'honors') return answerHonors(snapshot, query);
  const { resource } = route;
  const table = await snapshot.idsOf(resource);
  const rows = selectRows(table, query.ids, allFlags(...(await filters[resource](snapshot, query))));
  const recordsOf = (rows: readonly number[]) =>
    Promise.all(rows.map((row) => recordText(snapshot, resource, table, row, query)));
  if (!route.paginated) {
    const all = rows ?? Array.from({ length: table.count }, (_, row) => row);
    const ordered = resource === 'ceremonies' ? await newestFirst(snapshot, all) : all;
    return { text: countedText(await recordsOf(ordered)) };
  }
  const pagination = paginationOf(rows?.length ?? table.count, query.page, query.limit);
  const start = (query.page - 1) * query.limit;
  const page = rows?.slice(start, start + query.limit) ?? rowsBetween(start, query.limit, table.count);
  return { text: pageText(await recordsOf(page), pagination), pagination };
}

const rowsBetween = (start: number, limit: number, count: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(limit, count - start)) }, (_, i) => start + i);

/** A record in the form of a list. */
async function recordText(
  snapshot: Snapshot,
  resource: ReferencedResource,
  table: IdColumn,
  row: number,
  { include = [] }: Query,
): Promise<string> {
  const record = await snapshot.existing(resource, table.id(row));
  if (include.length === 0) return record;
  return `${record.slice(0, -1)}${await countsMember(snapshot, resource, row, include)}}`;
}

async function answerNominations(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Document> {
  const table = await snapshot.nominations();
  const filtered = route.parameters.some((name) => !unfiltered.has(name) && query[name] !== undefined);
  const official = await officialFlags(snapshot, query);
  const rows = filtered ? selectNominations(table, query, official) : undefined;
  const pagination = paginationOf(rows?.length ?? table.count, query.page, query.limit);
  const start = (query.page - 1) * query.limit;
  const page = rows?.subarray(start, start + query.limit) ?? rowsBetween(start, query.limit, table.count);
  const texts = await nominationTexts(snapshot, page, query.include?.includes('details') ?? false);
  return { text: pageText(texts, pagination), pagination };
}

async function answerHonors(snapshot: Snapshot, query: Query): Promise<Document> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.honors(),
    snapshot.ceremonies(),
    snapshot.titles(),
  ]);
  const years = yearFlags(ceremonies, query);
  const movies = flagsContaining(titles.text, query.movie);
  const [movieIds, nomineeIds] = [query.movie_ids, query.nominee_ids].map((ids) => ids && new Set(ids));
  const where = (isAsked: unknown, test: (row: number) => boolean) =>
    isAsked === undefined ? undefined : flagsWhere(honors.count, test);
  const flags = allFlags(
    flagsEqual(honors.class, query.class),
    flagsContaining(honors.category, query.category),
    flagsContaining(honors.recipients, query.recipient),
    where(years, (row) => years![ceremonies.row(honors.ceremony[row]!)] === 1),
    where(movies, (row) => honors.movie[row] !== null && movies![titles.row(honors.movie[row]!)] === 1),
    where(movieIds, (row) => movieIds!.has(honors.movie[row]!)),
    where(nomineeIds, (row) => honors.nominees[row]!.some((id) => nomineeIds!.has(id))),
  );
  const rows = selectRows(honors, query.ids, flags);
  const pagination = paginationOf(rows?.length ?? honors.count, query.page, query.limit);
  const start = (query.page - 1) * query.limit;
  const page = rows?.slice(start, start + query.limit) ?? rowsBetween(start, query.limit, honors.count);
  return { text: pageText(await honorTexts(snapshot, page), pagination), pagination };
}

/** Parameters that select no records. */
const unfiltered: ReadonlySet<ParameterName> = new Set([...pagingParameters, 'include']);

/** The selected rows, ascending; undefined for all rows. */
function selectRows(table: IdColumn, ids: readonly number[] | undefined, flags: Flags): number[] | undefined {
  if (ids) return rowsOfIds(table, ids).filter((row) => flags === undefined || flags[row] === 1);
  if (flags === undefined) return undefined;
  const rows: number[] = [];
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) rows.push(row);
  return rows;
}

async function newestFirst(snapshot: Snapshot, rows: readonly number[]): Promise<number[]> {
  const { year } = await snapshot.ceremonies();
  // 1930 had two ceremonies: the later number is the newer one.
  return [...rows].sort((a, b) => year[b]! - year[a]! || b - a);
}

/** Resource → the filters of its list except ids, over the rows of its table. */
const filters: Record<ReferencedResource, (snapshot: Snapshot, query: Query) => Promise<Flags[]>> = {
  async ceremonies(snapshot, query) {
    return [yearFlags(await snapshot.ceremonies(), query)];
  },
  async categories(snapshot, query) {
    const { name, group, count } = await snapshot.categories();
    return [
      flagsContaining(name, query.category_name),
      flagsContaining(group, query.category_group),
      await nominatedInYears(snapshot, query, 'category', count),
    ];
  },
  async movies(snapshot, query) {
    const { text, count } = await snapshot.titles();
    const { moviedb_id, filmindex_id, genre } = query;
    const own = [flagsContaining(text, query.title), await nominatedInYears(snapshot, query, 'movie', count)];
    if (moviedb_id === undefined && filmindex_id === undefined && genre === undefined) return own;
    const films = await snapshot.films();
    return [
      ...own,
      flagsEqual(films.moviedbId, moviedb_id),
      flagsEqual(films.filmindexId, filmindex_id),
      genre === undefined ? undefined : films.genres.with(fold(genre)),
    ];
  },
  async nominees(snapshot, query) {
    const { text, count } = await snapshot.names();
    const { moviedb_person_id, filmindex_id, known_for_department: department } = query;
    const own = [
      flagsContaining(text, query.name),
      await nominatedInYears(snapshot, query, 'nominee', count),
    ];
    if (moviedb_person_id === undefined && filmindex_id === undefined && department === undefined) return own;
    const people = await snapshot.people();
    return [
      ...own,
      flagsEqual(people.moviedbPersonId, moviedb_person_id),
      flagsEqual(people.filmindexId, filmindex_id),
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

/** Records with a nomination that passes the year parameters. @param count rows of the table of the records */
async function nominatedInYears(
  snapshot: Snapshot,
  query: Query,
  reference: 'category' | 'movie' | 'nominee',
  count: number,
): Promise<Flags> {
  if (!hasYears(query)) return undefined;
  const table = await snapshot.nominations();
  const ceremonies = yearFlags(table.ceremonies, query)!;
  const [ceremony, record] = [table.ceremony.rows, table[reference].rows];
  const flags = new Uint8Array(count);
  for (let row = 0; row < table.count; row += 1)
    if (ceremonies[ceremony[row]!] === 1) flags[record[row]!] = 1;
  return flags;
}
