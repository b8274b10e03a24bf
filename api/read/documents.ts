/** The JSON text of every document, concatenated from stored texts and columns without parsing them. */
import type { Pagination } from '../contract/answers.ts';
import type { CountedResource, ReferencedResource, ResourceName } from '../contract/names.ts';
import type { IncludeName, Query } from '../contract/parameters.ts';
import { countsText } from './counts.ts';
import { opened, selected, selectedText, withMember } from './members.ts';
import { referenceTo } from './nomination-table.ts';
import { detailsOf, idsOf, nominationMembers, nominationRecord, nominationTexts } from './nominations.ts';
import { paginationOf } from './pagination.ts';
import type { Snapshot } from './snapshot.ts';

/** The document of an address; `pagination` for a page of a list. */
export interface Document {
  text: string;
  pagination?: Pagination;
  /** Of a document that browsers store as a file. */
  file?: { name: string; type: string };
}

/** How a query shows a record: what it adds, and the members that it shows, undefined for all. */
interface Showing {
  include?: readonly IncludeName[] | undefined;
  fields?: readonly string[] | undefined;
}
interface AskedRecord extends Showing {
  resource: ResourceName;
  id: number;
}

/** The page of a record; undefined for an unknown id. */
export async function answerRecord(snapshot: Snapshot, asked: AskedRecord): Promise<string | undefined> {
  const text = await recordPage(snapshot, asked);
  return text && `${text}\n`;
}

async function recordPage(
  snapshot: Snapshot,
  { resource, id, include = [], fields }: AskedRecord,
): Promise<string | undefined> {
  if (resource === 'nominations') return nominationPage(snapshot, id, include, fields);
  if (resource === 'honors') {
    const [text] = await honorTexts(snapshot, [(await snapshot.honors()).row(id)], fields);
    return text;
  }
  const record = await snapshot.record(resource, id);
  if (record === undefined) return undefined;
  const row = (await snapshot.ids())[resource].row(id);
  const embeds = fields === undefined || fields.includes('nominations');
  const [text] = await recordsWith(snapshot, resource, [row], [record], {
    include: embeds ? [...include, 'nominations'] : include,
    fields,
  });
  return text;
}

/**
 * Records with what a query adds to them, and only the members that it shows.
 * @param rows of the records @param records as JSON
 */
export async function recordsWith(
  snapshot: Snapshot,
  resource: ReferencedResource,
  rows: ArrayLike<number>,
  records: readonly string[],
  { include = [], fields }: Showing,
): Promise<string[]> {
  const counts = include.includes('counts') ? await snapshot.counts(resource as CountedResource) : undefined;
  const embedded =
    resource !== 'ceremonies' && include.includes('nominations')
      ? (await snapshot.nominations())[referenceTo[resource]]
      : undefined;
  const details = include.includes('details');
  const years = include.includes('film_year') ? await snapshot.filmYears() : undefined;
  return Promise.all(
    records.map(async (record, i) => {
      const own = selectedText(record, fields);
      const added: string[] = [];
      if (counts) added.push(`"counts":${countsText(counts, rows[i]!)}`);
      if (years) added.push(`"film_year":${years[rows[i]!]}`);
      if (embedded === undefined) return added.length === 0 ? own : `${opened(own)}${added.join(',')}}`;
      const closing = `${[']', ...added].join(',')}}`;
      const texts = await nominationTexts(snapshot, embedded.nominationsOf(rows[i]!), { details });
      const opening = `${opened(own)}"nominations":[`;
      if (texts.length === 0) return opening + closing;
      // One join copies the texts once; a category has thousands.
      texts[0] = opening + texts[0];
      texts[texts.length - 1] += closing;
      return texts.join(',');
    }),
  );
}

/** Honors in the form of a list. @param rows -1 for an unknown one, which is left out @param fields undefined for all members */
export async function honorTexts(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  fields?: readonly string[],
): Promise<string[]> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.honors(),
    snapshot.ceremonies(),
    snapshot.titles(),
  ]);
  const shown = Array.from(rows).filter((row) => row >= 0);
  return shown.map((row) => {
    const [ceremony_id, movie_id] = [honors.ceremony[row]!, honors.movie[row]!];
    const record = {
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
    };
    return JSON.stringify(fields ? selected(record, fields) : record);
  });
}

/** A nomination with the records it refers to. */
async function nominationPage(
  snapshot: Snapshot,
  id: number,
  include: readonly IncludeName[],
  fields: readonly string[] | undefined,
): Promise<string | undefined> {
  const table = await snapshot.nominations();
  const row = table.row(id);
  if (row < 0) return undefined;
  const texts = await snapshot.texts();
  const [ceremony, category, movie, nominee, song] = await Promise.all([
    snapshot.existing('ceremonies', table.ceremony.idAt(row)),
    snapshot.existing('categories', table.category.idAt(row)),
    snapshot.existing('movies', table.movie.idAt(row)),
    snapshot.existing('nominees', table.nominee.idAt(row)),
    table.song.rows[row]! < 0 ? undefined : snapshot.existing('songs', table.song.idAt(row)),
  ]);
  const members = nominationMembers(texts, row, category, movie, nominee);
  const whole = `${members},"ceremony":${ceremony}${song === undefined ? '' : `,"song":${song}`}}`;
  const page = selectedText(whole, fields);
  if (!include.includes('details')) return page;
  const [details] = await detailsOf(snapshot, [id]);
  return withMember(page, 'details', JSON.stringify(details));
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
  /** The records in some rows as JSON, as the query shows them. */
  texts(rows: ArrayLike<number>): Promise<string[]>;
  /** The same records as objects, perhaps with members that the query does not show. Default: the texts, parsed. */
  records?: (rows: ArrayLike<number>) => Promise<Record<string, unknown>[]>;
}

/** The nominations of a list or search. @param rows their rows, in the order of the query */
export const nominationSelection = (
  snapshot: Snapshot,
  rows: Omit<Selection, 'texts' | 'records'>,
  { include, fields }: Query,
): Selection => {
  const details = include?.includes('details') ?? false;
  return {
    ...rows,
    texts: (some) => nominationTexts(snapshot, some, { details, fields }),
    async records(some) {
      const nominations = await snapshot.texts();
      const all = details ? await detailsOf(snapshot, idsOf(nominations.table, some)) : undefined;
      return Array.from(some, (row, i) => nominationRecord(nominations, row, all?.[i]));
    },
  };
};

/** The page of a list or search that a query asks for. */
export async function answerPage(
  { total, rows, texts }: Selection,
  { page, limit }: Query,
  search?: SearchMembers,
): Promise<Document> {
  const pagination = paginationOf(total, page, limit);
  const start = (page - 1) * limit;
  return {
    text: pageText(await texts(rows(start, start + limit)), pagination, search),
    pagination,
  };
}

/** A list without pages. */
export function countedText(records: readonly string[]): string {
  return `{"data":[${records.join(',')}],"count":${records.length}}\n`;
}
