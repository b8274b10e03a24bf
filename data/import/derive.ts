/**
 * Fields that the project derives: the era of a category, name and department of a person, the overview of a
 * ceremony.
 */
import { counted } from '../system/messages.ts';
import type { Columns } from '../record/records.ts';
import { bestPicture, dayInWords, directing, leadingRoles, supportingRoles } from '../reference/reference.ts';
import type { SourceNomination, SourceNominee, SourceRecord, Thing } from './source-record.ts';

/**
 * Derives the name of each nominee: the spelling of most of its rows, of several the latest. A spelling with
 * " - " names several people or companies, so that any other comes first. A nomination keeps another spelling
 * as `credited_as`.
 */
export function deriveNames({ nominees, nominations }: SourceRecord): void {
  for (const { columns, spellings } of nominees.values()) {
    const [[name] = [columns.name!]] = [...spellings].sort(
      ([a, one], [b, other]) =>
        Number(a.includes(' - ')) - Number(b.includes(' - ')) ||
        other.rows - one.rows ||
        other.latest - one.latest,
    );
    columns.name = name;
  }
  for (const { columns, nominee, creditedAs } of nominations.values())
    columns.credited_as = creditedAs === nominee.columns.name ? null : creditedAs;
}

/**
 * Derives the era of each category, the first to the last year of its nominations, and the department of each
 * person, the one of most of their nominations, of a person without one that of their first competitive
 * honor. Of several it is the earliest: by ceremony, then in the order of the source, then by id.
 * @param nominations all of the record after the import, by id, ascending
 * @param yearOf the year of a ceremony of the record
 */
export function deriveFromNominations(
  source: SourceRecord,
  nominations: ReadonlyMap<number, Columns>,
  yearOf: (ceremony: number) => number,
): void {
  const places = new Map([...source.nominations.values()].map(({ id }, place) => [id, place]));
  const placeOf = (id: number) => places.get(id) ?? places.size;
  const departments = new Map<unknown, string>(
    [...source.categories.values()].map(({ id, department }) => [id, department]),
  );
  const years = new Map<unknown, [first: number, last: number]>();
  const counts = new Map<unknown, Map<string, number>>();
  const sorted = [...nominations].sort(
    ([a, one], [b, other]) =>
      Number(one.ceremony_id) - Number(other.ceremony_id) || placeOf(a) - placeOf(b) || a - b,
  );
  for (const [, { ceremony_id, category_id, nominee_id }] of sorted) {
    const year = yearOf(Number(ceremony_id));
    const [first, last] = years.get(category_id) ?? [year, year];
    years.set(category_id, [Math.min(first, year), Math.max(last, year)]);
    const department = departments.get(category_id);
    if (department === undefined) continue;
    const own = counts.get(nominee_id) ?? new Map<string, number>();
    counts.set(nominee_id, own.set(department, (own.get(department) ?? 0) + 1));
  }
  const ofHonors = new Map<unknown, string>();
  for (const { category, nominees } of source.honors.values())
    for (const { id } of category ? nominees : [])
      if (!ofHonors.has(id)) ofHonors.set(id, category!.department);
  for (const { id, columns } of source.categories.values())
    columns.era = [...new Set(years.get(id))].join('–') || null;
  for (const { id, isPerson, columns } of source.nominees.values()) {
    if (!isPerson) continue;
    const [[department] = [ofHonors.get(id) ?? null]] = [...(counts.get(id) ?? [])].sort(
      ([, a], [, b]) => b - a,
    );
    columns.known_for_department = department;
  }
}

/**
 * Derives the overview of each ceremony from the source: the winners, the film that led, the totals.
 * @param isComplete whether the source has all categories; if not, totals and the leading film are omitted
 */
export function deriveOverviews(source: SourceRecord, isComplete: boolean): void {
  const nominations = new Map(
    [...source.ceremonies.keys()].map((id): [number, SourceNomination[]] => [id, []]),
  );
  for (const nomination of source.nominations.values())
    nominations.get(nomination.ceremony)!.push(nomination);
  for (const [id, ceremony] of source.ceremonies) {
    const results = resultsOf(nominations.get(id)!);
    const sentences = [pictureSentence(ceremony, results), peopleSentence(results)];
    if (isComplete) {
      sentences.push(leadersSentence('Most wins', results.won));
      sentences.push(leadersSentence('Most nominations', results.nominated));
    }
    ceremony.columns.overview = sentences.filter((sentence) => sentence !== null).join(' ') || null;
  }
}

/** What the source says of a ceremony. Films and people in order of first appearance. */
interface Results {
  filmsWon: (category: number) => string[];
  /** The names of the people who won in some categories. */
  peopleWon: (categories: readonly number[]) => string[];
  nominated: Leaders;
  /** The films with wins in the most categories. */
  won: Leaders;
}

interface Leaders {
  /** None if the number of categories is one. */
  films: Thing[];
  /** Number of categories. Several nominees of a film in one category count once. */
  count: number;
}

function resultsOf(nominations: readonly SourceNomination[]): Results {
  const winners = nominations.filter(({ columns }) => columns.winner === 1);
  const won = (categories: readonly number[]) =>
    winners.filter(({ category }) => categories.includes(category.number));
  return {
    filmsWon: (category) => [...new Set(won([category]).map(({ movie }) => movie))].map(titleOf),
    peopleWon: (categories) => [...new Set(won(categories).map(({ nominee }) => nameOf(nominee)))],
    nominated: leadersOf(nominations),
    won: leadersOf(winners),
  };
}

const titleOf = ({ columns }: Thing) => String(columns.title);
const nameOf = ({ columns }: SourceNominee) => String(columns.name);

function leadersOf(nominations: readonly SourceNomination[]): Leaders {
  const byFilm = new Map<Thing, Set<Thing>>();
  for (const { movie, category } of nominations)
    byFilm.set(movie, (byFilm.get(movie) ?? new Set()).add(category));
  const count = Math.max(1, ...[...byFilm.values()].map(({ size }) => size));
  const films = [...byFilm].filter(([, { size }]) => size === count && count > 1).map(([film]) => film);
  return { films, count };
}

function pictureSentence({ columns }: Thing, { filmsWon }: Results): string | null {
  const films = filmsWon(bestPicture);
  const day = columns.date === null ? null : dayInWords(String(columns.date));
  if (films.length > 0)
    return `${inSeries(films)} won Best Picture at the ${columns.show_title}${day ? `, held on ${day}` : ''}.`;
  return day && `The date of the ${columns.show_title} is ${day}.`;
}

/** The winners for directing and acting. A person may win for several films. */
function peopleSentence({ peopleWon }: Results): string | null {
  const groups = [
    { categories: [directing], one: 'directing', several: 'directing' },
    { categories: leadingRoles, one: 'a leading role', several: 'leading roles' },
    { categories: supportingRoles, one: 'a supporting role', several: 'supporting roles' },
  ];
  const parts: string[] = [];
  for (const { categories, one, several } of groups) {
    const people = peopleWon(categories);
    const verb = parts.length === 0 ? 'won for' : 'for';
    if (people.length > 0) parts.push(`${inSeries(people)} ${verb} ${people.length === 1 ? one : several}`);
  }
  if (parts.length === 0) return null;
  // The names of a part contain "and", so a comma separates the last part.
  const last = parts.pop()!;
  return parts.length === 0 ? `${last}.` : `${parts.join(', ')}, and ${last}.`;
}

/** Films that a sentence names. */
const maxTitles = 3;

/**
 * The films with the most of something, or their number if they are many. None if the most is one category.
 */
function leadersSentence(most: string, { films, count }: Leaders): string | null {
  if (films.length === 0) return null;
  const named = films.length > maxTitles ? counted(films.length, 'film') : inSeries(films.map(titleOf));
  return `${most}: ${named}, in ${count} categories${films.length > 1 ? ' each' : ''}.`;
}

/** "A", "A and B", "A, B and C". */
function inSeries(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
