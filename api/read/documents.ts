/** The JSON text of every document, concatenated from stored texts and columns without parsing them. */
import type { Pagination } from '../contract/answers.ts';
import type { ResourceName } from '../contract/names.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable } from './tables.ts';

export type { Pagination } from '../contract/answers.ts';

/** The document of an address; `pagination` for a page of a list. */
export interface Document {
  text: string;
  pagination?: Pagination;
}

/** A nomination in the form of a list: `{"id":…,…,"winner":…}`. Cached in the table. */
export function nominationText(table: NominationTable, row: number): string {
  const cached = table.texts[row];
  if (cached !== undefined) return cached;
  const text = nominationMembers(
    table,
    row,
    table.categories.name.quoted(table.category.rows[row]!),
    table.titles.text.quoted(table.movie.rows[row]!),
    table.names.text.quoted(table.nominee.rows[row]!),
  );
  // Makes V8 flatten the string and release its parts.
  text.charCodeAt(0);
  table.texts[row] = text;
  return text;
}

/** @param category text or record, as JSON; so are `movie` and `nominee` */
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

/** The page of a record; undefined for an unknown id. */
export async function answerRecord(
  snapshot: Snapshot,
  resource: ResourceName,
  id: number,
): Promise<string | undefined> {
  if (resource === 'nominations') return nominationPage(await snapshot.nominations(), snapshot, id);
  const record = await snapshot.record(resource, id);
  if (record === undefined) return undefined;
  if (resource === 'ceremonies') return `${record}\n`;
  const table = await snapshot.nominations();
  const { postings } = table[referenceTo[resource]];
  const rows = postings.of((await snapshot.idsOf(resource)).row(id));
  const texts = Array.from(rows, (row) => nominationText(table, row));
  const opened = `${record.slice(0, -1)},"nominations":[`;
  if (texts.length === 0) return `${opened}]}\n`;
  // One join copies the texts once; a category has thousands.
  texts[0] = opened + texts[0];
  texts[texts.length - 1] += ']}\n';
  return texts.join(',');
}

const referenceTo = { movies: 'movie', nominees: 'nominee', songs: 'song', categories: 'category' } as const;

/** A nomination with the records it refers to. */
async function nominationPage(
  table: NominationTable,
  snapshot: Snapshot,
  id: number,
): Promise<string | undefined> {
  const row = table.row(id);
  if (row < 0) return undefined;
  const { ceremonies, categories, titles, names, songs } = table;
  const songRow = table.song.rows[row]!;
  const [ceremony, category, movie, nominee, song] = await Promise.all([
    snapshot.existing('ceremonies', ceremonies.id(table.ceremony.rows[row]!)),
    snapshot.existing('categories', categories.id(table.category.rows[row]!)),
    snapshot.existing('movies', titles.id(table.movie.rows[row]!)),
    snapshot.existing('nominees', names.id(table.nominee.rows[row]!)),
    songRow < 0 ? undefined : snapshot.existing('songs', songs.id(songRow)),
  ]);
  const members = nominationMembers(table, row, category, movie, nominee);
  return `${members.slice(0, -1)},"ceremony":${ceremony}${song === undefined ? '' : `,"song":${song}`}}\n`;
}

export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** A page of a list or search. @param query the words of a search */
export function pageText(records: readonly string[], pagination: Pagination, query?: string): string {
  const echo = query === undefined ? '' : `"query":${JSON.stringify(query)},`;
  return `{${echo}"data":[${records.join(',')}],"pagination":${JSON.stringify(pagination)}}\n`;
}

/** A list without pages. */
export function countedText(records: readonly string[]): string {
  return `{"data":[${records.join(',')}],"count":${records.length}}\n`;
}
