/** Nominations counted and grouped for display: entries, tallies, and counts by year. */
import type { Pagination } from '../../../api/contract/answers.ts';
import { count, span } from '../shared/format.ts';
import type { DetailedNomination } from './record.ts';

/** Items in groups, in the order in which the groups first appear. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** The first item of each group. */
export const firstOfEach = <T, K>(items: readonly T[], keyOf: (item: T) => K): T[] =>
  groupBy(items, keyOf).map(([, own]) => own[0]!);

/** What counts as one nomination: often several people, sometimes several films. */
export interface Entry {
  nominations: readonly DetailedNomination[];
  first: DetailedNomination;
  winner: boolean;
}

/** Entries in the order of their first nominations. */
export const entriesOf = (nominations: readonly DetailedNomination[]): Entry[] =>
  groupBy(nominations, ({ entryKey }) => entryKey).map(([, own]) => ({
    nominations: own,
    first: own[0]!,
    winner: own.some(({ winner }) => winner),
  }));

/** Entries, and those that won. */
export interface Tally {
  nominations: number;
  wins: number;
  /** Of the ceremonies; in the tallies of films, the year of the film. */
  years: [first: number, last: number] | undefined;
  /** Entries that are not official, such as write-in votes. Known where the details of all nominations are. */
  unofficial?: number;
}

export const yearsOf = (years: readonly number[]): Tally['years'] =>
  years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)];

export function tallyOf(nominations: readonly DetailedNomination[]): Tally {
  const entries = entriesOf(nominations);
  return {
    nominations: entries.length,
    wins: entries.filter(({ winner }) => winner).length,
    years: yearsOf(nominations.map(({ ceremony_year }) => ceremony_year)),
    unofficial: entries.filter(({ first }) => !first.details.official).length,
  };
}

/** The tally of a film or person; undefined for an unknown id. */
export type TallyOf = (id: number) => Tally | undefined;

/** The total that orders a ranking; the other one orders equals. */
export type RankedBy = 'nominations' | 'wins';

/** "unrewarded" are those without a win, by nominations. */
export type RankingOrder = RankedBy | 'unrewarded';

export interface Ranked {
  /** From 1 on; equals share one. */
  place: number;
  id: number;
  label: string;
  nominations: number;
  wins: number;
}

/** One page of a ranking. */
export interface RankingSlice {
  ranked: Ranked[];
  /** How many share the first place; undefined where all of the page do, and more can follow. */
  leaders: number | undefined;
  /** Absent where the API gives the ranking: it has one page. */
  pagination?: Pagination;
}

/** The place of a total, from 1 on; equals share one. @param totals of the whole ranking, descending */
export const placeOf = (total: number, totals: readonly number[]): number => totals.indexOf(total) + 1;

/** "1995 · 13 nominations" and " · 6 wins". */
export function tallyTexts({ nominations, wins, years }: Tally): [nominations: string, wins: string] {
  if (!years) return ['no nominations on record', ''];
  return [
    `${span(...years)} · ${count(nominations, 'nomination')}`,
    wins > 0 ? ` · ${count(wins, 'win')}` : '',
  ];
}

/** The entries of each year among nominations, ascending. */
export const totalsByYear = (nominations: readonly DetailedNomination[]): YearTotals[] =>
  groupBy(nominations, ({ ceremony_year }) => ceremony_year)
    .map(([year, own]) => ({ year, ...tallyOf(own) }))
    .sort((a, b) => a.year - b.year);

/** What a ceremony had: its nominations as entries, and the categories and films that they are in. */
export interface CeremonySize {
  nominations: number;
  categories: number;
  films: number;
}

/** Entries of one year, and those that won. */
export interface YearTotals {
  year: number;
  nominations: number;
  wins: number;
}

/** The totals of one category in one year. */
export interface YearCount extends YearTotals {
  category_id: number;
  category: string;
  group: string;
}

export const sumOf = (totals: readonly Pick<Tally, 'nominations' | 'wins'>[]) => ({
  nominations: totals.reduce((sum, { nominations }) => sum + nominations, 0),
  wins: totals.reduce((sum, { wins }) => sum + wins, 0),
});

/** The totals of each year, ascending. An entry belongs to one category, so the sums of categories count none twice. */
export const yearTotals = (counts: readonly YearCount[]): YearTotals[] =>
  groupBy(counts, ({ year }) => year)
    .map(([year, own]) => ({ year, ...sumOf(own) }))
    .sort((a, b) => a.year - b.year);
