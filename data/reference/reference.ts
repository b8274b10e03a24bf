/** Facts that the project carries: the 30 categories and the ceremonies. */
import { readFileSync } from 'node:fs';
import { categoryNamed } from '../../api/contract/category-names.ts';
import type { Category, StoredCeremony } from '../../api/contract/resources.ts';

export interface CategoryFacts extends Omit<Category, 'era'> {
  /** The department of its nominees. */
  department: string;
}

/** The id is the number, from 1. */
export type CeremonyFacts = Pick<
  StoredCeremony,
  'id' | 'ceremony_year' | 'date' | 'show_title' | 'venue' | 'movies_eligible' | 'wikiurl' | 'film_years'
>;

export interface Reference {
  /** By id, ascending. */
  categories: ReadonlyMap<number, CategoryFacts>;
  /**
   * The id of a category by its name in the public record, which names 30 categories in 45 ways; undefined
   * for no category.
   */
  categoryOfSource: (name: string) => number | undefined;
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
  const categories = table('categories.tsv').map((row) => ({
    ...(row as Omit<CategoryFacts, 'id'>),
    id: Number(row.id),
  }));
  const known = new Map<string, number | undefined>();
  const idByName = new Map(categories.map(({ category_name, id }) => [category_name, id]));
  const ceremonies = table('ceremonies.tsv').map((row) => ({
    ...titlesOf(Number(row.number)),
    ceremony_year: Number(row.date!.slice(0, 4)),
    date: row.date!,
    venue: row.venue!,
    movies_eligible: `Films released between ${dayInWords(row.eligible_from!)} and ${dayInWords(row.eligible_to!)}`,
    film_years: row.film_years!,
  }));
  return {
    categories: new Map(categories.map((category) => [category.id, category])),
    categoryOfSource: (name) => {
      if (!known.has(name)) known.set(name, idByName.get(categoryNamed(name) ?? ''));
      return known.get(name);
    },
    ceremonies: new Map(ceremonies.map((ceremony) => [ceremony.id, ceremony])),
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
 * A ceremony after those of the tables, with the facts that follow from its number. Since the 7th, every
 * ceremony has honored the films of the year 1927 + its number.
 * @param filmYears the years of the films in the public record, such as "2026"
 * @returns undefined if the number and the year do not match
 */
export function laterCeremony(number: number, filmYears: string): CeremonyFacts | undefined {
  const year = Number(filmYears) + 1;
  if (!/^[0-9]{4}$/.test(filmYears) || year !== 1928 + number) return undefined;
  const unknown = { date: null, venue: null, movies_eligible: null };
  return { ...titlesOf(number), ceremony_year: year, ...unknown, film_years: filmYears };
}

function titlesOf(number: number) {
  const title = `${ordinal(number)} Academy Awards`;
  const wikiurl = `https://en.wikipedia.org/wiki/${title.replaceAll(' ', '_')}`;
  return { id: number, show_title: title, wikiurl };
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
