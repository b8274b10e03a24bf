/** The JSON text of every record, concatenated from stored texts and columns without parsing them. */
import type { CountedResource, ResourceName } from '../contract/names.ts';
import type { IncludeName } from '../contract/parameters.ts';
import { countsOf, countsText } from './counts.ts';
import { filmYears } from './named-columns.ts';
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

/** The page of a record: with the records it refers to, or its nominations. Undefined for an unknown id. */
export async function recordPage(
  snapshot: Snapshot,
  { resource, id, include = [], fields }: AskedRecord,
): Promise<string | undefined> {
  const row = (await snapshot.table('ids'))[resource].row(id);
  if (row < 0) return undefined;
  if (resource === 'nominations') return nominationPage(snapshot, row, { include, fields });
  const embeds = fields === undefined || fields.includes('nominations');
  const shown = embeds ? [...include, 'nominations' as const] : include;
  const [text] = await recordTexts(snapshot, resource, [row], { include: shown, fields });
  return text;
}

/** Records as a query shows them. @param rows in the table of the resource */
export async function recordTexts(
  snapshot: Snapshot,
  resource: ResourceName,
  rows: ArrayLike<number>,
  { include = [], fields }: Showing,
): Promise<string[]> {
  const details = include.includes('details');
  if (resource === 'nominations') return nominationTexts(snapshot, rows, { details, fields });
  if (resource === 'honors') return honorTexts(snapshot, rows, fields);
  const table = (await snapshot.table('ids'))[resource];
  const records = await Promise.all(Array.from(rows, (row) => snapshot.existing(resource, table.id(row))));
  const counts = include.includes('counts')
    ? await countsOf(snapshot, resource as CountedResource)
    : undefined;
  const years = include.includes('film_year') ? await filmYears(snapshot) : undefined;
  const embedded =
    resource !== 'ceremonies' && include.includes('nominations')
      ? (await snapshot.table('nominations'))[referenceTo[resource]]
      : undefined;
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

async function honorTexts(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  fields?: readonly string[],
): Promise<string[]> {
  const [honors, ceremonies, titles] = await Promise.all([
    snapshot.table('honors'),
    snapshot.table('ceremonies'),
    snapshot.table('titles'),
  ]);
  return Array.from(rows, (row) => {
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
  row: number,
  { include = [], fields }: Showing,
): Promise<string> {
  const texts = await textsOf(snapshot);
  const { table } = texts;
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
  const [details] = await detailsOf(snapshot, [table.id(row)]);
  return withMember(page, 'details', JSON.stringify(details));
}
