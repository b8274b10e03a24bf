/** The JSON text of every record, concatenated from stored texts and columns without parsing them. */
import type { CountedResource, ReferencedResource, ResourceName } from '../contract/names.ts';
import type { IncludeName } from '../contract/parameters.ts';
import { countsOf, countsText } from './counts.ts';
import { filmYears } from './film-years.ts';
import { opened, selected, selectedText, withMember } from './members.ts';
import { referenceTo } from './nomination-table.ts';
import { detailsOf, nominationMembers, nominationTexts, textsOf } from './nominations.ts';
import type { Snapshot } from './snapshot.ts';

/** How a query shows a record: what it adds, and the members that it shows, undefined for all. */
interface Showing {
  include?: readonly IncludeName[] | undefined;
  fields?: readonly string[] | undefined;
}
export interface AskedRecord extends Showing {
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
    const [text] = await honorTexts(snapshot, [(await snapshot.table('honors')).row(id)], fields);
    return text;
  }
  const record = await snapshot.record(resource, id);
  if (record === undefined) return undefined;
  const row = (await snapshot.table('ids'))[resource].row(id);
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
  const counts = include.includes('counts')
    ? await countsOf(snapshot, resource as CountedResource)
    : undefined;
  const embedded =
    resource !== 'ceremonies' && include.includes('nominations')
      ? (await snapshot.table('nominations'))[referenceTo[resource]]
      : undefined;
  const details = include.includes('details');
  const years = include.includes('film_year') ? await filmYears(snapshot) : undefined;
  return Promise.all(
    records.map(async (record, i) => {
      const own = selectedText(record, fields);
      const added: string[] = [];
      if (counts) added.push(`"counts":${countsText(counts, rows[i]!)}`);
      if (years) added.push(`"film_year":${years[rows[i]!]}`);
      if (embedded === undefined) return added.length === 0 ? own : `${opened(own)}${added.join(',')}}`;
      const closing = `${[']', ...added].join(',')}}`;
      const nominations = embedded.nominationsOf(embedded.table.id(rows[i]!));
      const texts = await nominationTexts(snapshot, nominations, { details });
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
    snapshot.table('honors'),
    snapshot.table('ceremonies'),
    snapshot.table('titles'),
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
  const table = await snapshot.table('nominations');
  const row = table.row(id);
  if (row < 0) return undefined;
  const texts = await textsOf(snapshot);
  const [ceremony, category, movie, nominee, song] = await Promise.all([
    snapshot.existing('ceremonies', table.ceremony.idAt(row)),
    snapshot.existing('categories', table.category.idAt(row)),
    snapshot.existing('movies', table.movie.idAt(row)),
    snapshot.existing('nominees', table.nominee.idAt(row)),
    table.song.has(row) ? snapshot.existing('songs', table.song.idAt(row)) : undefined,
  ]);
  const members = nominationMembers(texts, row, category, movie, nominee);
  const whole = `${members},"ceremony":${ceremony}${song === undefined ? '' : `,"song":${song}`}}`;
  const page = selectedText(whole, fields);
  if (!include.includes('details')) return page;
  const [details] = await detailsOf(snapshot, [id]);
  return withMember(page, 'details', JSON.stringify(details));
}
