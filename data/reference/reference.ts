/** The facts the project carries in its own form: the 30 categories, what the public record calls them, the ceremonies. */
import { readTable, type TableRow } from './table.ts';

interface CategoryFacts {
  id: number;
  name: string;
  group: string;
  /** What a person nominated here is known for. */
  department: string;
  definition: string;
  history: string;
}

export interface CeremonyFacts {
  /** Which ceremony it is, from 1; also its id. */
  number: number;
  year: number;
  showTitle: string;
  encyclopediaUrl: string;
  date: string | null;
  venue: string | null;
  /** The eligibility window in words. */
  moviesEligible: string | null;
}

export interface Reference {
  /** By id, ascending. */
  categories: ReadonlyMap<number, CategoryFacts>;
  /** Category of the public record → our category id: 45 historical names fold into 30. */
  categoryOfSource: ReadonlyMap<string, number>;
  /** By number, ascending. */
  ceremonies: ReadonlyMap<number, CeremonyFacts>;
}

/** Categories the project's own words speak of by name. */
export const bestPicture = 1;
export const directing = 6;
export const leadingRoles: readonly number[] = [2, 3];
export const supportingRoles: readonly number[] = [4, 5];
export const originalSong = 'MUSIC (Original Song)';

/** Reads all reference tables. */
export function readReference(): Reference {
  const table = (name: string) => readTable(new URL(name, import.meta.url));
  return {
    categories: new Map(table('categories.tsv').map((row) => [Number(row.id), categoryOf(row)])),
    categoryOfSource: new Map(
      table('source-categories.tsv').map((row) => [row.source_category!, Number(row.category_id)]),
    ),
    ceremonies: new Map(table('ceremonies.tsv').map((row) => [Number(row.number), ceremonyOf(row)])),
  };
}

/**
 * A ceremony the tables do not know yet, of which only what follows from its number is known; undefined if the number
 * does not fit the year of its films. Since the 7th every ceremony has honoured the films of the year 1927 + its number.
 * @param filmYear the year of the films as the public record writes it, such as "2026"
 */
export function laterCeremony(number: number, filmYear: string): CeremonyFacts | undefined {
  const year = Number(filmYear) + 1;
  if (!/^[0-9]{4}$/.test(filmYear) || year !== 1928 + number) return undefined;
  return { number, year, ...titlesOf(number), date: null, venue: null, moviesEligible: null };
}

function categoryOf(row: TableRow): CategoryFacts {
  return {
    id: Number(row.id),
    name: row.category_name!,
    group: row.category_group!,
    department: row.department!,
    definition: row.definition!,
    history: row.history!,
  };
}

function ceremonyOf(row: TableRow): CeremonyFacts {
  const number = Number(row.number);
  return {
    number,
    year: Number(row.date!.slice(0, 4)),
    ...titlesOf(number),
    date: row.date!,
    venue: row.venue!,
    moviesEligible: `Films released between ${dayInWords(row.eligible_from!)} and ${dayInWords(row.eligible_to!)}`,
  };
}

function titlesOf(number: number) {
  const showTitle = `${ordinal(number)} Academy Awards`;
  return { showTitle, encyclopediaUrl: `https://en.wikipedia.org/wiki/${showTitle.replaceAll(' ', '_')}` };
}

/** English ordinal number: 1st, 2nd, 3rd, 4th, 11th, 21st. */
export function ordinal(number: number): string {
  const teens = number % 100 >= 11 && number % 100 <= 13;
  const suffix = teens ? undefined : ['th', 'st', 'nd', 'rd'][number % 10];
  return `${number}${suffix ?? 'th'}`;
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A calendar date as English writes it: `dayInWords('2025-03-02')` is "2 March 2025". */
export function dayInWords(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${months[month! - 1]} ${year}`;
}
