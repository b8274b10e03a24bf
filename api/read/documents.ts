/** The JSON text of every document, put together from texts and columns without parsing what is only passed on. */
import type { NominationTable } from './tables.ts';

/** A nomination as a list shows it: `{"id":…,…,"winner":…}`. It stands on four pages and more, so its text is kept. */
export function nominationText(table: NominationTable, row: number): string {
  const kept = table.texts[row];
  if (kept !== undefined) return kept;
  const { titles, names } = table;
  const text = nominationMembers(
    table,
    row,
    table.categories.name.quoted(table.category.rows[row]!),
    titles.text.quoted(table.movie.rows[row]!),
    names.text.quoted(table.nominee.rows[row]!),
  );
  // Looked into, a string put together from parts becomes one piece, and its parts are let go.
  text.charCodeAt(0);
  table.texts[row] = text;
  return text;
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

/** A record with all its nominations, whose array is used up. */
export function recordPageText(record: string, nominations: string[]): string {
  const opened = `${record.slice(0, -1)},"nominations":[`;
  if (nominations.length === 0) return `${opened}]}\n`;
  // A category has thousands: joined together with what stands around them, they are copied once and not twice.
  nominations[0] = opened + nominations[0];
  nominations[nominations.length - 1] += ']}\n';
  return nominations.join(',');
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
