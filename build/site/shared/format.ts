/**
 * Numbers, dates and nouns in words, in British English for every reader. Only names of countries take Intl:
 * loading its data takes longer than a page of a cold server.
 */
import { summaryOf, unofficialText } from '../../../api/contract/award-summary.ts';
import { withdrawnCountries } from '../../../api/contract/countries.ts';
import { filmYearOf } from '../../../api/contract/film-year.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import type { OfficialCounts, StoredCeremony } from '../../../api/contract/resources.ts';

/** Singular and plural of each resource, as pages name it. */
export const nouns: Readonly<Record<ResourceName, { one: string; many: string }>> = {
  nominations: { one: 'nomination', many: 'nominations' },
  ceremonies: { one: 'ceremony', many: 'ceremonies' },
  movies: { one: 'film', many: 'films' },
  nominees: { one: 'person or company', many: 'people and companies' },
  categories: { one: 'category', many: 'categories' },
  songs: { one: 'song', many: 'songs' },
  honors: { one: 'honor', many: 'honors' },
};

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "16,609". @param value an integer */
export const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** `count(2, 'win')` is "2 wins". */
export const count = (value: number, singular: string, plural = `${singular}s`): string =>
  `${number(value)} ${value === 1 ? singular : plural}`;

type Counts = { nominations: number } & Omit<OfficialCounts, 'entries'>;

/** "13 nominations (1 not official)": the official ones, and those beside them. */
export const nominationsText = (counts: Omit<Counts, 'wins'>): string =>
  count(counts.nominations, 'nomination') + unofficialText(counts);

/** What a film, a person or a song has won, as the API says it: "Won 2 of 5 nominations (1 not official)". */
export const summaryText = ({ nominations, ...counts }: Counts): string =>
  summaryOf({ entries: nominations, ...counts });

/** A text in three parts, of which the second has the colour of winners. */
export type WonText = readonly [before: string, won: string, after?: string];

/** `summaryText()`, with its beginning, such as "Won 2", in the colour of winners. */
export function summaryParts(counts: Counts): WonText {
  const text = summaryText(counts);
  const [won = ''] = /^Won \d+/.exec(text) ?? [];
  return won === '' ? [text, ''] : ['', won, text.slice(won.length)];
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** "27 March 1995" for "1995-03-27". */
export function date(iso: string): string {
  const [year, month, day] = iso.split('-').map(Number);
  return `${day} ${months[month! - 1]} ${year}`;
}

const smallWords: ReadonlySet<string> = new Set('a an and at by for from in of on or the to with'.split(' '));

/** A name that the source writes in capitals in the case of titles: "Art Direction (Color)". */
export const titleCased = (text: string): string =>
  text.replace(/(?!I+\b)[A-Z][A-Z']+|\bA\b/g, (word, at: number) => {
    const lower = word.toLowerCase();
    return at > 0 && smallWords.has(lower) ? lower : capitalized(lower);
  });

/**
 * A note of the source as sentences: no words in capitals, one full stop at the end. "came in 3rd THIS IS NOT
 * AN OFFICIAL NOMINATION." is "Came in 3rd. This is not an official nomination."
 */
export function plainCase(note: string): string {
  const parts = note.trim().split(/\s*((?:\b[A-Z][A-Z']*\b[\s,.;:!-]*){3,})/);
  const sentences = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/^[^a-z]*$/.test(part) && / /.test(part) ? part.toLowerCase() : part))
    .map((part) => (/[.!?)”"]$/.test(part) ? part : `${part}.`));
  return sentences.map(capitalized).join(' ');
}

/** What an honor is called: those who received it, else the film, else its category. */
export const honorTitle = (honor: {
  recipients: string | null;
  movie: string | null;
  category: string;
}): string => honor.recipients ?? honor.movie ?? titleCased(honor.category);

/** The name of a category at the time; undefined if it is the name of today. */
export function historicalName(then: string | null, today: string): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  if (then === null || letters(then) === letters(today)) return undefined;
  return titleCased(then);
}

/** "a, b and c". */
export function together(items: Iterable<string>): string {
  const all = [...items];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** The given parts, separated by dots. */
export const joined = (...parts: (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

let countries: Intl.DisplayNames | undefined;

/** "United States" for "US"; other texts stay as they are. */
export function country(code: string): string {
  const withdrawn = withdrawnCountries.get(code);
  if (withdrawn !== undefined) return withdrawn;
  if (!/^[A-Z]{2}$/.test(code)) return code;
  countries ??= new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' });
  return countries.of(code) ?? code;
}

/** "1979–2018", or one year if they are equal. */
export const span = (first: number, last: number): string =>
  first === last ? String(first) : `${first}–${last}`;

/** "2 h 22 min". */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''].join(' ').trim();
}

/** "1.4 MB", in powers of 1000. */
export function size(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Title of a ceremony, or its year. */
export const ceremonyTitle = (ceremony: { show_title: string | null; ceremony_year: number }): string =>
  ceremony.show_title ?? `Ceremony of ${ceremony.ceremony_year}`;

/** "films of 1927/28" */
export const filmsOf = (ceremony: Pick<StoredCeremony, 'ceremony_year' | 'film_years'>): string =>
  `films of ${filmYearOf(ceremony).film_years}`;
