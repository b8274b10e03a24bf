/** The overview of a ceremony, in the project's own words, from what a source says of it. */
import {
  bestPicture,
  type CeremonyFacts,
  dayInWords,
  directing,
  leadingRoles,
  supportingRoles,
} from '../reference/reference.ts';
import type { AwardEntry, Film } from './dataset.ts';

/**
 * A few sentences on a ceremony: who won, which film led, how much is on record.
 * @param entries those of this ceremony, in the order of the source
 * @param whole whether they are all its categories: only then can totals and the leading film be told
 */
export function overviewOf(
  ceremony: CeremonyFacts,
  entries: readonly AwardEntry[],
  whole: boolean,
): string | null {
  const wins = entries.filter((entry) => entry.winner);
  const sentences = [pictureSentence(ceremony, wins), peopleSentence(wins)];
  if (whole && wins.length > 0) sentences.push(leadersSentence(entries, wins));
  if (whole && entries.length > 0) sentences.push(totalsSentence(entries));
  return sentences.filter((sentence) => sentence !== null).join(' ') || null;
}

function pictureSentence(ceremony: CeremonyFacts, wins: readonly AwardEntry[]): string | null {
  const films = new Set(wins.filter((win) => win.category === bestPicture).map((win) => win.film));
  const day = ceremony.date === null ? null : dayInWords(ceremony.date);
  if (films.size > 0)
    return `${titles(films)} won Best Picture at the ${ceremony.showTitle}${day ? `, held on ${day}` : ''}.`;
  return day && `The date of the ${ceremony.showTitle} is ${day}.`;
}

/** Names the winners for directing and acting; one person may have won for several films. */
function peopleSentence(wins: readonly AwardEntry[]): string | null {
  const groups = [
    { categories: [directing], one: 'directing', several: 'directing' },
    { categories: leadingRoles, one: 'a leading role', several: 'leading roles' },
    { categories: supportingRoles, one: 'a supporting role', several: 'supporting roles' },
  ];
  const parts: string[] = [];
  for (const { categories, one, several } of groups) {
    const names = new Set(
      wins.filter((win) => categories.includes(win.category)).map((win) => win.nominee.name),
    );
    const verb = parts.length === 0 ? 'won for' : 'for';
    if (names.size > 0) parts.push(`${inSeries([...names])} ${verb} ${names.size === 1 ? one : several}`);
  }
  if (parts.length === 0) return null;
  // Names come with "and" between them, so the parts need the comma before theirs.
  const last = parts.pop()!;
  return parts.length === 0 ? `${last}.` : `${parts.join(', ')}, and ${last}.`;
}

/** Which films won in the most categories and which were nominated in the most, in one sentence. */
function leadersSentence(entries: readonly AwardEntry[], wins: readonly AwardEntry[]): string {
  const won = leaders(wins);
  const nominated = leaders(entries);
  if (nominated.count === 1) return 'No film was nominated in more than one category.';
  if (won.count === 1) return `No film won in more than one category; ${mostNominated(nominated)}.`;
  const each = won.films.length > 1 ? ' each' : '';
  const sameFilms =
    won.films.length === nominated.films.length && won.films.every((film) => nominated.films.includes(film));
  if (sameFilms && won.count === nominated.count)
    return `${names(won, capitalized)} led with wins in all ${inWords(won.count)} categories of ${each ? 'their' : 'its'} nominations.`;
  if (sameFilms)
    return `${names(won, capitalized)} led with wins in ${inWords(won.count)} categories${each} and nominations in ${inWords(nominated.count)}.`;
  return `${names(won, capitalized)} won in the most categories, ${inWords(won.count)}${each}; ${mostNominated(nominated)}.`;
}

function mostNominated(leaders: Leaders): string {
  const [were, each] = leaders.films.length > 1 ? ['were', ' each'] : ['was', ''];
  return `${names(leaders)} ${were} nominated in the most, ${inWords(leaders.count)}${each}`;
}

interface Leaders {
  films: Film[];
  /** Categories: several nominees of one film in one category count once. */
  count: number;
}

function leaders(entries: readonly AwardEntry[]): Leaders {
  const categories = new Map<Film, Set<number>>();
  for (const { film, category } of entries)
    categories.set(film, (categories.get(film) ?? new Set()).add(category));
  const count = Math.max(...[...categories.values()].map((own) => own.size));
  return { films: [...categories].filter(([, own]) => own.size === count).map(([film]) => film), count };
}

/** The films by title, or how many they are where a list would be long. */
function names({ films }: Leaders, written = (number: string) => number): string {
  return films.length > 3 ? `${written(inWords(films.length))} films` : titles(films);
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

const words = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];

const inWords = (number: number) => words[number] ?? String(number);
