/** Fields that the project derives: the era of a category, the department of a person, the overview of a ceremony. */
import {
  bestPicture,
  type CeremonyFacts,
  dayInWords,
  directing,
  leadingRoles,
  type Reference,
  supportingRoles,
} from '../reference/reference.ts';
import type { AwardEntry, Film } from './dataset.ts';
import type { Merges } from './matching.ts';

/** The era of a category: the first to the last year of its nominations in the database. */
export function deriveEras({ nominations, ceremonies, categories }: Merges): void {
  const years = new Map<number, [first: number, last: number]>();
  for (const { current } of nominations.records()) {
    const year = ceremonies.get(current.ceremony_id as number)!.current.ceremony_year as number;
    const category = current.category_id as number;
    const [first, last] = years.get(category) ?? [year, year];
    years.set(category, [Math.min(first, year), Math.max(last, year)]);
  }
  for (const [category, era] of years) categories.derive(category, 'era', [...new Set(era)].join('–'));
}

/**
 * The department of a person: the one of most of their nominations in the database. Of several it is the earliest: by
 * ceremony, then in the order of the source, then by id.
 * @param entries nomination → the entry of the source
 * @param people ids of the nominees that the source names as persons
 */
export function deriveDepartments(
  { nominations, nominees }: Merges,
  entries: ReadonlyMap<number, AwardEntry>,
  people: ReadonlySet<number>,
  reference: Reference,
  categoryOf: ReadonlyMap<number, number>,
): void {
  const departmentOf = new Map(
    [...reference.categories.values()].map(({ id, department }) => [categoryOf.get(id)!, department]),
  );
  const others = [...nominations.records()].filter(({ id }) => !entries.has(id));
  const ordered = [...[...entries.keys()].map((id) => nominations.get(id)!), ...others]
    .map(({ current }) => current as { ceremony_id: number; category_id: number; nominee_id: number })
    .sort((a, b) => a.ceremony_id - b.ceremony_id);
  const counts = new Map<number, Map<string, number>>();
  for (const { category_id, nominee_id } of ordered) {
    const department = departmentOf.get(category_id);
    if (department === undefined || !people.has(nominee_id)) continue;
    const own = counts.get(nominee_id) ?? new Map<string, number>();
    counts.set(nominee_id, own.set(department, (own.get(department) ?? 0) + 1));
  }
  for (const [nominee, own] of counts) {
    // A Map keeps the order of insertion, and the sort is stable, so the earliest comes first.
    const [department] = [...own].sort(([, a], [, b]) => b - a)[0]!;
    nominees.derive(nominee, 'known_for_department', department);
  }
}

/**
 * The overview of a ceremony: the winners, the film that led, the totals.
 * @param entries those of this ceremony, in the order of the source
 * @param isComplete whether the entries cover all categories; if not, totals and the leading film are omitted
 */
export function overviewOf(
  ceremony: CeremonyFacts,
  entries: readonly AwardEntry[],
  isComplete: boolean,
): string | null {
  const wins = entries.filter((entry) => entry.winner);
  const sentences = [pictureSentence(ceremony, wins), peopleSentence(wins)];
  if (isComplete && wins.length > 0) sentences.push(leadersSentence(entries, wins));
  if (isComplete && entries.length > 0) sentences.push(totalsSentence(entries));
  return sentences.filter((sentence) => sentence !== null).join(' ') || null;
}

function pictureSentence(ceremony: CeremonyFacts, wins: readonly AwardEntry[]): string | null {
  const films = new Set(wins.filter((win) => win.category === bestPicture).map((win) => win.film));
  const day = ceremony.date === null ? null : dayInWords(ceremony.date);
  if (films.size > 0)
    return `${titles(films)} won Best Picture at the ${ceremony.showTitle}${day ? `, held on ${day}` : ''}.`;
  return day && `The date of the ${ceremony.showTitle} is ${day}.`;
}

/** The winners for directing and acting. A person may win for several films. */
function peopleSentence(wins: readonly AwardEntry[]): string | null {
  const groups = [
    { categories: [directing], one: 'directing', several: 'directing' },
    { categories: leadingRoles, one: 'a leading role', several: 'leading roles' },
    { categories: supportingRoles, one: 'a supporting role', several: 'supporting roles' },
  ];
  const parts: string[] = [];
  for (const { categories, one, several } of groups) {
    const own = wins.filter((win) => categories.includes(win.category));
    const names = [...new Set(own.map((win) => win.nominee.name))];
    const verb = parts.length === 0 ? 'won for' : 'for';
    if (names.length > 0) parts.push(`${inSeries(names)} ${verb} ${names.length === 1 ? one : several}`);
  }
  if (parts.length === 0) return null;
  // The names of a part contain "and", so a comma separates the last part.
  const last = parts.pop()!;
  return parts.length === 0 ? `${last}.` : `${parts.join(', ')}, and ${last}.`;
}

/** The films with wins in the most categories, and those with nominations in the most. */
function leadersSentence(entries: readonly AwardEntry[], wins: readonly AwardEntry[]): string {
  const won = leaders(wins);
  const nominated = leaders(entries);
  if (nominated.count === 1) return 'No film was nominated in more than one category.';
  const [were, nominatedEach] = nominated.films.length > 1 ? ['were', ' each'] : ['was', ''];
  const mostNominated = `${names(nominated)} ${were} nominated in the most, ${inWords(nominated.count)}${nominatedEach}.`;
  if (won.count === 1) return `No film won in more than one category; ${mostNominated}`;
  const winners = won.films.length > 3 ? capitalized(names(won)) : names(won);
  const each = won.films.length > 1 ? ' each' : '';
  const isSame =
    won.films.length === nominated.films.length && won.films.every((film) => nominated.films.includes(film));
  if (isSame && won.count === nominated.count)
    return `${winners} led with wins in all ${inWords(won.count)} categories of ${each ? 'their' : 'its'} nominations.`;
  if (isSame)
    return `${winners} led with wins in ${inWords(won.count)} categories${each} and nominations in ${inWords(nominated.count)}.`;
  return `${winners} won in the most categories, ${inWords(won.count)}${each}; ${mostNominated}`;
}

interface Leaders {
  films: Film[];
  /** Number of categories. Several nominees of a film in one category count once. */
  count: number;
}

function leaders(entries: readonly AwardEntry[]): Leaders {
  const categories = new Map<Film, Set<number>>();
  for (const { film, category } of entries)
    categories.set(film, (categories.get(film) ?? new Set()).add(category));
  const count = Math.max(...[...categories.values()].map((own) => own.size));
  return { films: [...categories].filter(([, own]) => own.size === count).map(([film]) => film), count };
}

/** The titles of the films, or the number of films if they are many. */
function names({ films }: Leaders): string {
  return films.length > 3 ? `${inWords(films.length)} films` : titles(films);
}

function totalsSentence(entries: readonly AwardEntry[]): string {
  const films = new Set(entries.map((entry) => entry.film)).size;
  const categories = new Set(entries.map((entry) => entry.category)).size;
  const nominations = counted(entries.length, 'individual nomination');
  const verb = entries.length === 1 ? 'is' : 'are';
  return `On record ${verb} ${nominations} for ${counted(films, 'film')} in ${counted(categories, 'category', 'categories')}.`;
}

const titles = (films: Iterable<Film>) => inSeries([...films].map((film) => film.title));

/** "A", "A and B", "A, B and C". */
function inSeries(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

const counted = (number: number, one: string, several = `${one}s`) =>
  `${number} ${number === 1 ? one : several}`;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const numberWords = (
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty'
).split(' ');

const inWords = (number: number) => numberWords[number] ?? String(number);
