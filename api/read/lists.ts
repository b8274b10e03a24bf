/** Answers of the six lists. */
import type { ReferencedResource } from '../contract/names.ts';
import type { Query } from '../contract/parameters.ts';
import { type ListRoute, pagingParameters } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import type { IdColumn } from './columns.ts';
import { countedText, type Document, nominationText, pageText, paginationOf } from './documents.ts';
import {
  allFlags,
  type Flags,
  flagsContaining,
  flagsEqual,
  flagsWhere,
  hasYears,
  inYears,
  rowsOfIds,
  selectNominations,
  yearFlags,
} from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable } from './tables.ts';

/** Ascending by id, except ceremonies: newest first. */
export async function answerList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Document> {
  if (route.resource === 'nominations') return answerNominations(await snapshot.nominations(), route, query);
  const { resource } = route;
  const table = await snapshot.idsOf(resource);
  const rows = selectRows(table, query.ids, allFlags(...(await filters[resource](snapshot, query))));
  const recordsOf = (ids: readonly number[]) => Promise.all(ids.map((id) => snapshot.existing(resource, id)));
  if (!route.paginated) {
    const all = rows ?? Array.from({ length: table.count }, (_, row) => row);
    const ordered = resource === 'ceremonies' ? await newestFirst(snapshot, all) : all;
    return { text: countedText(await recordsOf(ordered.map((row) => table.id(row)))) };
  }
  const pagination = paginationOf(rows?.length ?? table.count, query.page, query.limit);
  const start = (query.page - 1) * query.limit;
  const ids = rows
    ? rows.slice(start, start + query.limit).map((row) => table.id(row))
    : table.idsBetween(start, start + query.limit);
  return { text: pageText(await recordsOf(ids), pagination), pagination };
}

function answerNominations(table: NominationTable, route: ListRoute, query: Query): Document {
  const filtered = route.parameters.some((name) => !pagingParameters.has(name) && query[name] !== undefined);
  const rows = filtered ? selectNominations(table, query) : undefined;
  const pagination = paginationOf(rows?.length ?? table.count, query.page, query.limit);
  const start = (query.page - 1) * query.limit;
  const end = Math.min(start + query.limit, pagination.total);
  const texts: string[] = [];
  for (let at = start; at < end; at += 1) texts.push(nominationText(table, rows ? rows[at]! : at));
  return { text: pageText(texts, pagination), pagination };
}

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
      genre === undefined ? undefined : films.withGenre(fold(genre)),
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
