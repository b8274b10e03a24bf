/** The JSON text of every document, concatenated from stored texts and columns without parsing them. */
import type { Pagination } from '../contract/answers.ts';
import type { CountedResource, ReferencedResource, ResourceName } from '../contract/names.ts';
import type { IncludeName, Query } from '../contract/parameters.ts';
import { countsText } from './counts.ts';
import { detailTexts, nominationMembers, nominationTexts, withMember } from './nominations.ts';
import type { Snapshot } from './snapshot.ts';

export type { Pagination } from '../contract/answers.ts';

/** The document of an address; `pagination` for a page of a list. */
export interface Document {
  text: string;
  pagination?: Pagination;
}

/** A record to show: what to add to it, and the members to show, undefined for all. */
interface AskedRecord {
  resource: ResourceName;
  id: number;
  include?: readonly IncludeName[] | undefined;
  fields?: readonly string[] | undefined;
}

/** The page of a record; undefined for an unknown id. */
export async function answerRecord(snapshot: Snapshot, asked: AskedRecord): Promise<string | undefined> {
  const text = await recordPage(snapshot, asked);
  return text && `${selectMembers(text, asked.fields)}\n`;
}

async function recordPage(
  snapshot: Snapshot,
  { resource, id, include = [], fields }: AskedRecord,
): Promise<string | undefined> {
  if (resource === 'nominations') return nominationPage(snapshot, id, include);
  if (resource === 'honors') {
    const [text] = await honorTexts(snapshot, [(await snapshot.honors()).row(id)]);
    return text;
  }
  const record = await snapshot.record(resource, id);
  if (record === undefined) return undefined;
  const row = (await snapshot.idsOf(resource)).row(id);
  const embeds = fields === undefined || fields.includes('nominations');
  return recordWith(snapshot, resource, row, record, embeds ? [...include, 'nominations'] : include);
}

/** A record with what `include` adds to it. @param record as JSON */
export async function recordWith(
  snapshot: Snapshot,
  resource: ReferencedResource,
  row: number,
  record: string,
  include: readonly IncludeName[],
): Promise<string> {
  const closing = `${await countsMember(snapshot, resource, row, include)}}`;
  const opened = record.slice(0, -1);
  if (resource === 'ceremonies' || !include.includes('nominations')) return opened + closing;
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
export async function honorTexts(snapshot: Snapshot, rows: ArrayLike<number>): Promise<string[]> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.honors(),
    snapshot.ceremonies(),
    snapshot.titles(),
  ]);
  return Array.from(rows)
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
async function countsMember(
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
  return include.includes('details')
    ? withMember(page, 'details', (await detailTexts(snapshot, [row]))[0]!)
    : page;
}

export function paginationOf(total: number, page: number, limit: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}

/** What a page of a search has besides. */
interface SearchMembers {
  words: string;
  suggestions: readonly string[] | undefined;
}

/** A page of a list or search. */
function pageText(records: readonly string[], pagination: Pagination, search?: SearchMembers): string {
  const echo = search ? `"query":${JSON.stringify(search.words)},` : '';
  const more = search?.suggestions ? `,"suggestions":${JSON.stringify(search.suggestions)}` : '';
  return `{${echo}"data":[${records.join(',')}],"pagination":${JSON.stringify(pagination)}${more}}\n`;
}

/** The records that a query selects, in its order. */
export interface Selection {
  total: number;
  /** The rows of the records from one position to another, exclusive. */
  rows(start: number, end: number): ArrayLike<number>;
  /** The records in some rows as JSON, with all their members and what the query adds to them. */
  texts(rows: ArrayLike<number>): Promise<string[]>;
}

/** Some members of a JSON object, in its order; the whole object without `fields`. */
function selectMembers(object: string, fields: readonly string[] | undefined): string {
  if (fields === undefined) return object;
  const members = Object.entries(JSON.parse(object) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => fields.includes(name))));
}

/** The records in some rows as JSON, as the query shows them. */
export async function shownTexts(
  { texts }: Selection,
  rows: ArrayLike<number>,
  { fields }: Query,
): Promise<string[]> {
  const whole = await texts(rows);
  return fields ? whole.map((text) => selectMembers(text, fields)) : whole;
}

/** The page of a list or search that a query asks for. */
export async function answerPage(
  selection: Selection,
  query: Query,
  search?: SearchMembers,
): Promise<Document> {
  const { total, rows } = selection;
  const { page, limit } = query;
  const pagination = paginationOf(total, page, limit);
  const start = (page - 1) * limit;
  return {
    text: pageText(await shownTexts(selection, rows(start, start + limit), query), pagination, search),
    pagination,
  };
}

/** A list without pages. */
export function countedText(records: readonly string[]): string {
  return `{"data":[${records.join(',')}],"count":${records.length}}\n`;
}
