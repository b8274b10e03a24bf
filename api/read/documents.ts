/** The JSON text of every document, concatenated from stored texts and columns without parsing them. */
import type { Pagination } from '../contract/answers.ts';
import type { CountedResource, ResourceName } from '../contract/names.ts';
import type { IncludeName } from '../contract/parameters.ts';
import { countsText } from './counts.ts';
import { detailTexts, nominationMembers, nominationTexts, withMember } from './nominations.ts';
import type { Snapshot } from './snapshot.ts';

export type { Pagination } from '../contract/answers.ts';

/** The document of an address; `pagination` for a page of a list. */
export interface Document {
  text: string;
  pagination?: Pagination;
}

/** The page of a record; undefined for an unknown id. @param include what to add to it */
export async function answerRecord(
  snapshot: Snapshot,
  resource: ResourceName,
  id: number,
  include: readonly IncludeName[] = [],
): Promise<string | undefined> {
  if (resource === 'nominations') return nominationPage(snapshot, id, include);
  if (resource === 'honors') {
    const [text] = await honorTexts(snapshot, [(await snapshot.honors()).row(id)]);
    return text && `${text}\n`;
  }
  const record = await snapshot.record(resource, id);
  if (record === undefined) return undefined;
  const row = (await snapshot.idsOf(resource)).row(id);
  const closing = `${await countsMember(snapshot, resource, row, include)}}\n`;
  const opened = record.slice(0, -1);
  if (resource === 'ceremonies') return opened + closing;
  const table = await snapshot.nominations();
  const rows = table[referenceTo[resource]].postings.of(row);
  const texts = await nominationTexts(snapshot, rows, include.includes('details'));
  if (texts.length === 0) return `${opened},"nominations":[]${closing}`;
  // One join copies the texts once; a category has thousands.
  texts[0] = `${opened},"nominations":[${texts[0]}`;
  texts[texts.length - 1] += `]${closing}`;
  return texts.join(',');
}

/** Honors in the form of a list. @param rows -1 for an unknown one, which is left out */
export async function honorTexts(snapshot: Snapshot, rows: readonly number[]): Promise<string[]> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.honors(),
    snapshot.ceremonies(),
    snapshot.titles(),
  ]);
  return rows
    .filter((row) => row >= 0)
    .map((row) => {
      const [ceremony_id, movie_id] = [honors.ceremony[row]!, honors.movie[row]!];
      return JSON.stringify({
        id: honors.id(row),
        ceremony_id,
        ceremony_year: ceremonies.year[ceremonies.row(ceremony_id)],
        class: honors.class[row],
        category: honors.category.values[row],
        movie_id,
        movie: movie_id === null ? null : titles.text.values[titles.row(movie_id)],
        recipients: honors.recipients.values[row],
        nominee_ids: honors.nominees[row],
        citation: honors.citation[row],
      });
    });
}

/** The member `counts` of a record with a leading comma; empty if it is not asked for. */
export async function countsMember(
  snapshot: Snapshot,
  resource: ResourceName,
  row: number,
  include: readonly IncludeName[],
): Promise<string> {
  if (!include.includes('counts')) return '';
  return `,"counts":${countsText(await snapshot.counts(resource as CountedResource), row)}`;
}

const referenceTo = { movies: 'movie', nominees: 'nominee', songs: 'song', categories: 'category' } as const;

/** A nomination with the records it refers to. */
async function nominationPage(
  snapshot: Snapshot,
  id: number,
  include: readonly IncludeName[],
): Promise<string | undefined> {
  const table = await snapshot.nominations();
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
  const page = `${members.slice(0, -1)},"ceremony":${ceremony}${song === undefined ? '' : `,"song":${song}`}}`;
  if (!include.includes('details')) return `${page}\n`;
  return `${withMember(page, 'details', (await detailTexts(snapshot, [row]))[0]!)}\n`;
}

export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** A page of a list or search. @param query the words of a search @param suggestions of a search that finds nothing */
export function pageText(
  records: readonly string[],
  pagination: Pagination,
  query?: string,
  suggestions?: readonly string[],
): string {
  const echo = query === undefined ? '' : `"query":${JSON.stringify(query)},`;
  const more = suggestions === undefined ? '' : `,"suggestions":${JSON.stringify(suggestions)}`;
  return `{${echo}"data":[${records.join(',')}],"pagination":${JSON.stringify(pagination)}${more}}\n`;
}

/** A list without pages. */
export function countedText(records: readonly string[]): string {
  return `{"data":[${records.join(',')}],"count":${records.length}}\n`;
}
