/** Facts that the project carries: the 30 categories, their names in the public record, and the ceremonies. */
import { readFileSync } from 'node:fs';

interface CategoryFacts {
  id: number;
  name: string;
  group: string;
  /** The department of its nominees. */
  department: string;
  definition: string;
  history: string;
}

export interface CeremonyFacts {
  /** From 1; also the id. */
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
  /** Category of the public record → category id. 45 historical names map to 30 categories. */
  categoryOfSource: ReadonlyMap<string, number>;
  /** By number, ascending. */
  ceremonies: ReadonlyMap<number, CeremonyFacts>;
}

/** The categories and the source category that the code refers to. */
export const bestPicture = 1;
export const directing = 6;
export const leadingRoles: readonly number[] = [2, 3];
export const supportingRoles: readonly number[] = [4, 5];
export const originalSong = 'MUSIC (Original Song)';

export function readReference(): Reference {
  const table = (name: string) => readTable(new URL(name, import.meta.url));
  const categories = table('categories.tsv').map(({ category_name, category_group, id, ...row }) => ({
    ...(row as Pick<CategoryFacts, 'department' | 'definition' | 'history'>),
    id: Number(id),
    name: category_name!,
    group: category_group!,
  }));
  const sources = table('source-categories.tsv');
  const ceremonies = table('ceremonies.tsv').map((row) => ({
    ...titlesOf(Number(row.number)),
    year: Number(row.date!.slice(0, 4)),
    date: row.date!,
    venue: row.venue!,
    moviesEligible: `Films released between ${dayInWords(row.eligible_from!)} and ${dayInWords(row.eligible_to!)}`,
  }));
  return {
    categories: new Map(categories.map((category) => [category.id, category])),
    categoryOfSource: new Map(sources.map((row) => [row.source_category!, Number(row.category_id)])),
    ceremonies: new Map(ceremonies.map((ceremony) => [ceremony.number, ceremony])),
  };
}

/**
 * The rows of a tab-separated table without quoting, each as values by column. An empty value is ''.
 * @throws Error if a row and the header differ in the number of cells
 */
export function readTable(file: URL): Readonly<Record<string, string>>[] {
  const [head, ...lines] = readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
  const columns = head!.split('\t');
  return lines.map((line, index) => {
    const cells = line.split('\t');
    if (cells.length !== columns.length)
      throw new Error(
        `${file.pathname}, line ${index + 2}: ${cells.length} cells, ${columns.length} columns`,
      );
    return Object.fromEntries(columns.map((column, position) => [column, cells[position]!]));
  });
}

/**
 * A ceremony after those of the tables, with the facts that follow from its number. Since the 7th, every ceremony has honoured
 * the films of the year 1927 + its number.
 * @param filmYear the year of the films in the public record, such as "2026"
 * @returns undefined if the number and the year do not match
 */
export function laterCeremony(number: number, filmYear: string): CeremonyFacts | undefined {
  const year = Number(filmYear) + 1;
  if (!/^[0-9]{4}$/.test(filmYear) || year !== 1928 + number) return undefined;
  return { ...titlesOf(number), year, date: null, venue: null, moviesEligible: null };
}

function titlesOf(number: number) {
  const showTitle = `${ordinal(number)} Academy Awards`;
  const encyclopediaUrl = `https://en.wikipedia.org/wiki/${showTitle.replaceAll(' ', '_')}`;
  return { number, showTitle, encyclopediaUrl };
}

/** English ordinal number: 1st, 2nd, 3rd, 4th, 11th, 21st. */
export function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  const suffix = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10];
  return `${number}${suffix ?? 'th'}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** A date in words: `dayInWords('2025-03-02')` is "2 March 2025". */
export function dayInWords(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${months[month! - 1]} ${year}`;
}
