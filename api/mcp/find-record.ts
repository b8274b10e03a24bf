/**
 * Finds the film or the person that a call means: exact titles before near ones, a year chooses among them.
 */
import { shortened } from '../contract/problems.ts';
import { tokens } from '../contract/text.ts';
import { recordHref } from '../../build/site/explorer/addresses.ts';
import { count } from '../../build/site/shared/format.ts';
import { talliesOf } from '../../build/site/explorer/record.ts';
import { filmYears } from '../read/named-columns.ts';
import { CallFault, type Values } from './arguments.ts';
import { type Context, read, readAll, type Row } from './reading.ts';
import { type NamedResource, namedResources, nothingNamed } from './unknown-names.ts';

/** A record that matches, with what tells it from others. */
export interface Match {
  id: number;
  title: string;
  year?: number | null | undefined;
  /** Of a person: the department. */
  department?: string | null | undefined;
  entries: number;
  page: string;
}

interface Candidate extends Match {
  /** 0: the same title; 1: but for an article; 2: a part of it. */
  distance: number;
}
type Named = Omit<Candidate, 'year' | 'entries'>;

interface NamedRow {
  id: number;
  known_for_department?: string | null;
}

/** Words of a title that are looked up one by one. */
const maxLookedUp = 4;
/** Other matches that an answer names. */
const maxOthers = 10;

const wordsOf = (title: string): string => tokens(title).join(' ');
const withoutArticle = (words: string): string => words.replace(/^(the|an?) (?=.)/, '');

/** A record with the others that match. @throws CallFault that names the nearest */
export async function findRecord(
  context: Context,
  resource: NamedResource,
  values: Values,
): Promise<{ record: Row; id: number; others: Match[]; more: number }> {
  const { title: member, one } = namedResources[resource];
  const { id, imdb_id: imdb, [member]: title } = values;
  const asked = id ?? imdb ?? title;
  if (asked === undefined) throw new CallFault(`one of ${member}, imdb_id, id is needed`);
  const imdbId = /(?:^|\/)((?:tt|nm|co)\d{5,})(?:$|[/?#])/i.exec(asked.trim())?.[1];
  const ownId = new RegExp(`(?:^|/)${resource}/(\\d+)`).exec(asked)?.[1] ?? id;
  if (imdbId !== undefined) return only({ filmindex_id: imdbId.toLowerCase() });
  if (ownId !== undefined && !/^\d+$/.test(ownId)) throw new CallFault('id must be a whole number');
  if (ownId !== undefined) return only({ ids: ownId });
  if (title === undefined) return only({ filmindex_id: imdb! });
  return byTitle(title);

  async function only(query: Values) {
    const more: Values = resource === 'movies' ? { include: 'film_year' } : {};
    const { data } = await read(context, `/api/${resource}`, { ...query, ...more });
    const [record] = data;
    if (record) return { record, id: record.id as number, others: [], more: 0 };
    throw new CallFault(`there is no ${one} with the id "${shortened(asked!)}"`);
  }

  async function byTitle(sent: string) {
    const [, plain = sent, bracketed] = /^(.*\S)\s*\((\d{4})\)\s*$/.exec(sent) ?? [];
    const wanted = Number(values.filmYear ?? values.year ?? bracketed ?? Number.NaN);
    const found = await candidates(plain);
    const ofYear = ({ year }: Candidate): number => {
      if (Number.isNaN(wanted)) return 0;
      return year === undefined || year === null ? 2 : Math.min(2, Math.abs(year - wanted));
    };
    const isPart = ({ distance }: Candidate) => (distance < 2 ? 0 : 1);
    found.sort(
      (a, b) =>
        isPart(a) - isPart(b) ||
        ofYear(a) - ofYear(b) ||
        a.distance - b.distance ||
        b.entries - a.entries ||
        a.id - b.id,
    );
    const [best, ...others] = found;
    if (!best) throw new CallFault(await nothingNamed(context, resource, sent));
    if (resource === 'movies' && ofYear(best) > 1)
      throw new CallFault(
        `there is no film "${shortened(plain)}" of ${wanted}; there is ${namesOf(found.slice(0, maxOthers))}`,
      );
    const { record } = await only({ ids: String(best.id) });
    return {
      record,
      id: best.id,
      others: others.slice(0, maxOthers),
      more: Math.max(0, others.length - maxOthers),
    };
  }

  /** The records whose title has the words of another, in their order. */
  async function candidates(title: string): Promise<Candidate[]> {
    const words = wordsOf(title);
    const { fields } = namedResources[resource];
    const found = new Map<number, Named>();
    // Punctuation may stand between the words, so each word is looked up, the longest first.
    const single = tokens(title).sort((a, b) => b.length - a.length);
    for (const text of [title.trim(), ...single.slice(0, maxLookedUp)]) {
      if (text === '' || words === '') continue;
      for (const row of await readAll(context, `/api/${resource}`, { [member]: text, fields })) {
        const own = String(row[member]);
        const distance = distanceOf(wordsOf(own), words);
        if (distance === undefined) continue;
        const { id: ownId, known_for_department: department } = row as unknown as NamedRow;
        const page = context.origin + recordHref(resource, ownId, own);
        found.set(ownId, { id: ownId, title: own, department, page, distance });
      }
      if ([...found.values()].some(({ distance }) => distance === 0)) break;
    }
    return counted(context, resource, [...found.values()]);
  }
}

/** Adds the official entries of films or nominees, and the years of films. */
const counted = (context: Context, resource: NamedResource, named: readonly Named[]): Promise<Candidate[]> =>
  context.record.answered(async (snapshot) => {
    const ids = named.map(({ id }) => id);
    const [tallies, { movie }] = [
      await talliesOf(snapshot, resource, ids),
      await snapshot.table('nominations'),
    ];
    const years = resource === 'movies' ? await filmYears(snapshot) : [];
    return named.map((own, i) => {
      const year = years[movie.table.row(own.id)]?.film_year;
      return { ...own, year, entries: tallies[i]!.nominations };
    });
  });

/** How far a title is from the words that are asked for; undefined for one without them. */
function distanceOf(own: string, words: string): number | undefined {
  if (own === words) return 0;
  if (withoutArticle(own) === withoutArticle(words)) return 1;
  return own.includes(words) ? 2 : undefined;
}

/** Matches in words, with what tells them apart. */
export const namesOf = (matches: readonly Match[]): string =>
  matches.map((own) => `${own.title} (${[...aboutMatch(own), `id ${own.id}`].join(', ')})`).join(', ');

const aboutMatch = ({ year, department, entries }: Match): string[] => [
  ...(year ? [String(year)] : []),
  ...(department ? [department] : []),
  count(entries, 'nomination'),
];
