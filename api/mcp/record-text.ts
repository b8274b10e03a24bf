/** A record as text: its fields, what it won, each nomination as the press counts it, and its honors. */
import type { IncludeName } from '../contract/addresses.ts';
import type { ResourceName } from '../contract/names.ts';
import { listPath, recordPath } from '../contract/routes.ts';
import { recordHref } from '../../build/site/explorer/addresses.ts';
import { type Entry, entriesOf, withEntries } from '../../build/site/explorer/record.ts';
import { together } from '../../build/site/shared/format.ts';
import { type HonorRow, honorLine } from './page-lines.ts';
import { type Context, read, readAll, type Row, summaryAt } from './reading.ts';

const included: { readonly [R in ResourceName]?: readonly IncludeName[] } = {
  movies: ['details', 'film_year', 'honors'],
  nominees: ['details', 'honors'],
  ceremonies: ['film_years', 'honors'],
  categories: ['details'],
  songs: ['details'],
};

type Nominations = Parameters<typeof withEntries>[1];
interface TextRecord extends Row {
  nominations?: Nominations;
  honors?: readonly HonorRow[];
}

/** @throws CallFault if there is no such record */
export async function recordText(
  context: Context,
  resource: ResourceName,
  id: number,
): Promise<{ title: string; text: string; href: string }> {
  const record = await recordAt(context, resource, id);
  const { nominations, honors = [], ...members } = record;
  const title = titleOf(record);
  const isSummed = resource === 'movies' || resource === 'nominees';
  const own = resource === 'ceremonies' ? await nominationsAt(context, id) : nominations;
  const entries = await context.record.answered(async (snapshot) =>
    entriesOf(await withEntries(snapshot, own ?? [])),
  );
  const lines = [
    title,
    ...(isSummed ? [await summaryAt(context, resource, id)] : []),
    ...Object.entries(members)
      .filter(isShown)
      .map(([name, value]) => `${name}: ${String(value)}`),
    ...entries.map(entryLine),
    ...honors.map((honor) => `Honor, ${honorLine(honor)}`),
  ];
  const named = resource === 'ceremonies' ? String(record.ceremony_year) : title;
  const href = recordHref(resource, id, named);
  return { title, text: lines.join('\n'), href };
}

async function recordAt(context: Context, resource: ResourceName, id: number): Promise<TextRecord> {
  const include = included[resource]?.join();
  const record = await read<TextRecord>(
    context,
    recordPath(resource, id),
    include === undefined ? {} : { include },
  );
  if (resource !== 'nominations') return record;
  // The list has it flat, with the names of what it refers to.
  const [flat] = await readAll(context, listPath(resource), { ids: String(id), include: 'details' });
  return { ...flat, nominations: [flat] as unknown as Nominations };
}

function titleOf(record: Row): string {
  const { title, name, original_title, category_name, nominee, movie, recipients, category } = record;
  if (nominee !== undefined) return `${nominee}, ${movie}`;
  const own = title ?? name ?? original_title ?? category_name ?? recipients ?? category;
  return String(own ?? record.show_title ?? `Ceremony of ${record.ceremony_year}`);
}

const nominationsAt = async (context: Context, ceremony: number): Promise<Nominations> =>
  (await readAll(context, listPath('nominations'), {
    ceremony_ids: String(ceremony),
    include: 'details',
  })) as unknown as Nominations;

const isShown = ([, value]: [string, unknown]): boolean =>
  value !== null && (typeof value !== 'object' || Array.isArray(value)) && String(value) !== '';

/** "2020 Best Picture: Kwak Sin Ae and Bong Joon Ho, Parasite (won)". */
function entryLine({ nominations, first, winner }: Entry): string {
  const { ceremony_year, category, song_title, details } = first;
  const [names, films] = (['nominee', 'movie'] as const).map((name) =>
    together(new Set(nominations.map((own) => own[name]))),
  );
  const song = song_title === null ? '' : `, “${song_title}”`;
  const role = details.character === null ? '' : ` as ${details.character}`;
  const outcome = winner ? 'won' : 'nominated';
  return `${ceremony_year} ${category}: ${names}${role}, ${films}${song} (${outcome}${details.official ? '' : ', not official'})`;
}
