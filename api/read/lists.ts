/** Answers of the six lists: which records, in which order, which page. */
import type { ReferencedResource } from '../contract/names.ts';
import type { Query } from '../contract/parameters.ts';
import { type ListRoute, pagingParameters } from '../contract/routes.ts';
import { fold } from '../contract/text.ts';
import type { IdColumn } from './columns.ts';
import { countedText, type Document, nominationText, pageText, paginationOf } from './documents.ts';
import {
  bothFlags,
  type Flags,
  flagsContaining,
  flagsWhere,
  hasYears,
  inYears,
  rowsOfIds,
  selectNominations,
  yearFlags,
} from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable } from './tables.ts';

export async function answerList(snapshot: Snapshot, route: ListRoute, query: Query): Promise<Document> {
  if (route.resource === 'nominations') return answerNominations(await snapshot.nominations(), route, query);
  const { resource } = route;
  const table = await snapshot.idsOf(resource);
  const flags = await filters[resource](snapshot, query);
  const rows = selectRows(table, query.ids, flags);
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

/** Rows that were asked for, ascending; undefined for all of them. */
function selectRows(table: IdColumn, ids: readonly number[] | undefined, flags: Flags): number[] | undefined {
  if (ids) return rowsOfIds(table, ids).filter((row) => flags === undefined || flags[row] === 1);
  if (flags === undefined) return undefined;
  const rows: number[] = [];
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) rows.push(row);
  return rows;
}

async function newestFirst(snapshot: Snapshot, rows: readonly number[]): Promise<number[]> {
  const { year } = await snapshot.ceremonies();
  // Two ceremonies were held in 1930: the later number is the newer.
  return [...rows].sort((a, b) => year[b]! - year[a]! || b - a);
}

/** What each list filters by, besides ids: flags over the rows of its table. */
const filters: Record<ReferencedResource, (snapshot: Snapshot, query: Query) => Promise<Flags>> = {
  async ceremonies(snapshot, query) {
    return yearFlags(await snapshot.ceremonies(), query);
  },
  async categories(snapshot, query) {
    const { name, group, count } = await snapshot.categories();
    return all(
      flagsContaining(name, query.category_name),
      flagsContaining(group, query.category_group),
      await nominatedInYears(snapshot, query, 'category', count),
    );
  },
  async movies(snapshot, query) {
    const { text, count } = await snapshot.titles();
    return all(
      flagsContaining(text, query.title),
      await filmFlags(snapshot, query, count),
      await nominatedInYears(snapshot, query, 'movie', count),
    );
  },
  async nominees(snapshot, query) {
    const { text, count } = await snapshot.names();
    return all(
      flagsContaining(text, query.name),
      await personFlags(snapshot, query, count),
      await nominatedInYears(snapshot, query, 'nominee', count),
    );
  },
  async songs(snapshot, query) {
    const { title, artist, year, count } = await snapshot.songs();
    return all(
      flagsContaining(title, query.title),
      flagsContaining(artist, query.artist),
      hasYears(query)
        ? flagsWhere(count, (row) => year[row] !== null && inYears(year[row]!, query))
        : undefined,
    );
  },
};

const all = (...flags: Flags[]): Flags => flags.reduce(bothFlags, undefined);

async function filmFlags(snapshot: Snapshot, query: Query, count: number): Promise<Flags> {
  const { moviedb_id, filmindex_id, genre } = query;
  if (moviedb_id === undefined && filmindex_id === undefined && genre === undefined) return undefined;
  const films = await snapshot.films();
  return all(
    moviedb_id === undefined ? undefined : flagsWhere(count, (row) => films.moviedbId[row] === moviedb_id),
    filmindex_id === undefined
      ? undefined
      : flagsWhere(count, (row) => films.filmindexId[row] === filmindex_id),
    genre === undefined ? undefined : films.withGenre(fold(genre)),
  );
}

async function personFlags(snapshot: Snapshot, query: Query, count: number): Promise<Flags> {
  const { moviedb_person_id, filmindex_id, known_for_department: department } = query;
  if (moviedb_person_id === undefined && filmindex_id === undefined && department === undefined)
    return undefined;
  const people = await snapshot.people();
  return all(
    moviedb_person_id === undefined
      ? undefined
      : flagsWhere(count, (row) => people.moviedbPersonId[row] === moviedb_person_id),
    filmindex_id === undefined
      ? undefined
      : flagsWhere(count, (row) => people.filmindexId[row] === filmindex_id),
    flagsContaining(people.department, department),
  );
}

/** Records with a nomination in the years asked for. */
async function nominatedInYears(
  snapshot: Snapshot,
  query: Query,
  name: 'category' | 'movie' | 'nominee',
  count: number,
): Promise<Flags> {
  if (!hasYears(query)) return undefined;
  const table = await snapshot.nominations();
  const ceremonies = yearFlags(table.ceremonies, query)!;
  const [held, references] = [table.ceremony.rows, table[name].rows];
  const flags = new Uint8Array(count);
  for (let row = 0; row < table.count; row += 1)
    if (ceremonies[held[row]!] === 1) flags[references[row]!] = 1;
  return flags;
}
