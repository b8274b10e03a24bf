/** Numbers, dates and lists in words, the same for every reader: one fixed locale, and dates without a time zone. */
const locale = 'en-GB';
const whole = new Intl.NumberFormat(locale);
const day = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const list = new Intl.ListFormat(locale, { type: 'conjunction' });

export const number = (value: number): string => whole.format(value);

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });

/** "United States" for "US"; what is no code stays as it is. */
export const country = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;

/** `count(2, 'win')` is "2 wins". */
export const count = (value: number, singular: string, plural = `${singular}s`): string =>
  `${number(value)} ${value === 1 ? singular : plural}`;

/** "27 March 1995" for "1995-03-27". */
export const date = (iso: string): string => day.format(new Date(`${iso}T00:00:00Z`));

/** "a, b and c". */
export const together = (items: Iterable<string>): string => list.format(items);

/** "1979–2018", or one year where they are the same. */
export const span = (first: number, last: number): string =>
  first === last ? String(first) : `${first}–${last}`;

/** "2 h 22 min". */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''].join(' ').trim();
}

const units = ['bytes', 'KB', 'MB', 'GB'];

/** "1.4 MB", in thousands. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "1994" or "1927–1928": the years that the films of a ceremony are from, where its eligibility window tells them. */
export function filmYears(eligibility: string | null): string | undefined {
  const years = eligibility?.match(/\b[0-9]{4}\b/g)?.map(Number);
  return years && span(Math.min(...years), Math.max(...years));
}

/** The letters that stand for a name where there is no picture: "TH" for Tom Hanks. */
export function initials(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /^\p{L}|^\p{N}/u.test(word));
  const chosen = words.length > 1 ? [words[0]!, words[words.length - 1]!] : words;
  return chosen.map((word) => [...word][0]!.toUpperCase()).join('');
}
