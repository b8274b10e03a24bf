/** Rankings over the tables of one snapshot. */
import type { Pagination } from '../../../api/contract/answers.ts';
import { defaultQuery, type Query } from '../../../api/contract/addresses.ts';
import { countEntries, type Counts, entryNumbers } from '../../../api/read/counts.ts';
import { paginationOf } from '../../../api/read/documents.ts';
import { filmYears, personFlags } from '../../../api/read/named-columns.ts';
import { selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { rankRows } from '../../../api/read/stats.ts';
import { capitalized } from '../shared/format.ts';
import type { Totals } from './record.ts';

/** "unrewarded" are those without a win, by nominations. */
export const rankingOrders = ['nominations', 'wins', 'unrewarded'] as const;
export type RankingOrder = (typeof rankingOrders)[number];

/** Who or what the pages rank. */
export const rankedKinds = {
  'top-nominees': 'people',
  'top-movies': 'films',
  countries: 'countries',
} as const;

/** "Most nominated people", "Films with the most wins". */
export function rankingTitle(ranking: keyof typeof rankedKinds, order: RankingOrder): string {
  const kind = rankedKinds[ranking];
  if (order === 'wins') return `${capitalized(kind)} with the most wins`;
  return `Most nominated ${kind}${order === 'unrewarded' ? ' without a win' : ''}`;
}

export interface Ranked extends Totals {
  /** From 1 on; equals share one. */
  place: number;
  id: number;
  label: string;
  /** Of a film. */
  filmYears?: string | undefined;
}

export interface Ranking {
  /** One page. */
  ranked: Ranked[];
  /** How many share the first place. */
  leaders: number;
  pagination: Pagination;
}

/** What is ranked, and how it is counted. */
interface RankingQuestion {
  of: (typeof rankedKinds)[keyof typeof rankedKinds];
  /** Its filters select the nominations that count. */
  query: Query;
  order: RankingOrder;
  /** Whether several nominations of a film in one category count as one. */
  byCategory?: boolean;
}

/** The category in which countries are nominated. */
const categoryOfCountries = 'International Feature Film';

/**
 * A page of a ranking: by what the order says, then by the other total, then by id.
 * @throws SnapshotUnavailable
 */
export async function rank(snapshot: Snapshot, question: RankingQuestion): Promise<Ranking> {
  const { of, query, order } = question;
  const isFilm = of === 'films';
  const [counts, texts, isOfKind, years] = await Promise.all([
    countSelected(snapshot, question),
    snapshot.table(isFilm ? 'titles' : 'names'),
    isFilm ? undefined : personFlags(snapshot),
    isFilm ? filmYears(snapshot) : undefined,
  ]);
  const { entries, wins } = counts;
  // A win that is not official is a win.
  const { official: _, ...allQuery } = query;
  const won =
    order === 'unrewarded'
      ? (await countSelected(snapshot, { ...question, query: allQuery })).wins
      : undefined;
  const rows = rankRows(
    counts,
    order === 'wins' ? 'wins' : 'nominations',
    (row) => (isOfKind === undefined || isOfKind[row] === (of === 'people' ? 1 : 0)) && !won?.[row],
  );
  const totals = rows.map((row) => (order === 'wins' ? wins : entries)[row]!);
  const { page, limit } = query;
  const ranked = rows.slice((page - 1) * limit, page * limit).map((row) => ({
    place: totals.indexOf((order === 'wins' ? wins : entries)[row]!) + 1,
    id: texts.id(row),
    label: texts.text.values[row]!,
    filmYears: years?.[row]?.film_years,
    nominations: entries[row]!,
    wins: wins[row]!,
  }));
  const leaders = totals.filter((total) => total === totals[0]).length;
  return { ranked, leaders, pagination: paginationOf(rows.length, page, limit) };
}

/** The first of those with most official nominations. @throws SnapshotUnavailable */
export const leadersOf = (snapshot: Snapshot, of: RankingQuestion['of'], number: number): Promise<Ranking> =>
  rank(snapshot, { of, query: { ...defaultQuery, official: true, limit: number }, order: 'nominations' });

/** The official entries of all films or people, and those that won. @throws SnapshotUnavailable */
export const officialCountsOf = (snapshot: Snapshot, of: 'films' | 'people'): Promise<Counts> =>
  snapshot.derive(`official counts of ${of}`, ['nominations'], () =>
    countSelected(snapshot, { of, query: { ...defaultQuery, official: true } }),
  );

/** Counts the nominations that the filters of a question select. */
async function countSelected(
  snapshot: Snapshot,
  { of, query, byCategory = false }: Omit<RankingQuestion, 'order'>,
): Promise<Counts> {
  const resource = of === 'films' ? 'movies' : 'nominees';
  const [selected, table] = await Promise.all([
    selectNominations(snapshot, query),
    snapshot.table('nominations'),
  ]);
  const { category, categories } = table;
  const row = categories.name.values.indexOf(categoryOfCountries);
  const counted = of === 'countries' ? selected.filter((own) => category.rows[own] === row) : selected;
  return countEntries(table, byCategory ? category.rows : await entryNumbers(snapshot), resource, counted);
}
