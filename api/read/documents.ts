/** The JSON text of every document, put together from texts and columns without parsing what is only passed on. */
import type { NominationTable } from './tables.ts';

/** The members of a nomination as a list shows it: `{"id":…,…,"winner":…}`. */
export function nominationText(table: NominationTable, row: number): string {
  const { titles, names } = table;
  return nominationMembers(
    table,
    row,
    table.categories.name.quoted(table.category.rows[row]!),
    titles.text.quoted(table.movie.rows[row]!),
    names.text.quoted(table.nominee.rows[row]!),
  );
}

/** What an address shows: its text, and the pagination where it is one page of several. */
export interface Document {
  text: string;
  pagination?: Pagination;
}

/** A nomination's own page: the records it refers to stand in place of their names. */
export function nominationPageText(
  table: NominationTable,
  row: number,
  related: { category: string; movie: string; nominee: string; ceremony: string; song: string | undefined },
): string {
  const members = nominationMembers(table, row, related.category, related.movie, related.nominee);
  const song = related.song === undefined ? '' : `,"song":${related.song}`;
  return `${members.slice(0, -1)},"ceremony":${related.ceremony}${song}}\n`;
}

function nominationMembers(
  table: NominationTable,
  row: number,
  category: string,
  movie: string,
  nominee: string,
): string {
  const { ceremonies, categories, titles, names, songs } = table;
  const ceremony = table.ceremony.rows[row]!;
  const song = table.song.rows[row]!;
  const songMembers =
    song < 0
      ? '"song_id":null,"song_title":null,"is_song":false'
      : `"song_id":${songs.id(song)},"song_title":${songs.title.quoted(song)},"is_song":true`;
  return (
    `{"id":${table.id(row)},"ceremony_id":${ceremonies.id(ceremony)},"ceremony_year":${ceremonies.year[ceremony]}` +
    `,"category_id":${categories.id(table.category.rows[row]!)},"category":${category}` +
    `,"movie_id":${titles.id(table.movie.rows[row]!)},"movie":${movie}` +
    `,"nominee_id":${names.id(table.nominee.rows[row]!)},"nominee":${nominee}` +
    `,${songMembers},"winner":${table.winner[row] === 1}}`
  );
}

/** A record with all its nominations. */
export function recordPageText(record: string, nominations: readonly string[]): string {
  return `${record.slice(0, -1)},"nominations":[${nominations.join(',')}]}\n`;
}

/** The pagination object of a page of a list. */
export interface Pagination {
  total: number;
  page: number;
  limit: number;
  totalPages: number;
  hasNextPage: boolean;
  hasPrevPage: boolean;
}

export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** @param query echoed back by a search */
export function pageText(records: readonly string[], pagination: Pagination, query?: string): string {
  const echo = query === undefined ? '' : `"query":${JSON.stringify(query)},`;
  return `{${echo}"data":[${records.join(',')}],"pagination":${JSON.stringify(pagination)}}\n`;
}

/** A list that is never paginated. */
export function countedText(records: readonly string[]): string {
  return `{"data":[${records.join(',')}],"count":${records.length}}\n`;
}
