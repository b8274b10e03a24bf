/** The record as the views read it: documents of the API, nominations with their details, and counts over the tables of one snapshot. */
import type { Pagination } from '../../../api/contract/answers.ts';
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import type { Accepted, Query } from '../../../api/contract/addresses.ts';
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { parseQuery } from '../../../api/contract/query-string.ts';
import type { Category, Ceremony, Details, Nomination } from '../../../api/contract/resources.ts';
import { matchRoute, readAsked } from '../../../api/contract/routes.ts';
import { splitTarget } from '../../../api/contract/target.ts';
import { countEntries, type Counts, countsOf, entryNumbers } from '../../../api/read/counts.ts';
import { paginationOf } from '../../../api/read/documents.ts';
import { newestFirst, personFlags } from '../../../api/read/named-columns.ts';
import { nominationRecords } from '../../../api/read/nominations.ts';
import { documentAt, isOfSnapshot } from '../../../api/read/addresses.ts';
import { recordPage } from '../../../api/read/records.ts';
import { selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';

/** The resources whose records are ranked and compared. */
export type RankedResource = 'movies' | 'nominees';

/** The API refuses a question: there is no such record (404), or parameters are wrong (400). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 404;
  readonly faults: readonly ParameterFault[];

  constructor(status: 400 | 404, faults: readonly ParameterFault[] = []) {
    super(status === 404 ? 'there is no such record' : 'the parameters are wrong');
    this.status = status;
    this.faults = faults;
  }
}

/** The client has no search left for now. */
export class SearchRefused extends Error {}

/** The document of the API at an address such as `/api/movies?genre=Drama`. @throws Refusal @throws SnapshotUnavailable */
export async function ask<T>(snapshot: Snapshot, address: string): Promise<T> {
  const { path, queryString } = splitTarget(address);
  const match = matchRoute(path);
  const asked = match && readAsked(match, queryString);
  if (Array.isArray(asked)) throw new Refusal(400, asked);
  if (asked === undefined || !isOfSnapshot(asked)) throw new Refusal(404);
  const document = await documentAt(snapshot, asked);
  if (document === undefined || !('json' in document)) throw new Refusal(404);
  return document.json as T;
}

/** A query string as the API takes it at an address. @throws Refusal */
export function queryIn(text: string, accepted: Accepted): Query {
  const parsed = parseQuery(text, accepted);
  if (!parsed.ok) throw new Refusal(400, parsed.faults);
  return parsed.query;
}

/** A nomination with its details. Nominations of the same entry count as one. */
export interface DetailedNomination extends Nomination {
  details: Details;
  entryKey: string;
}

/** A record with its nominations, ascending by id. */
export type Nominated<T> = T & { nominations: DetailedNomination[] };

/** The page of a film, person, category or song. @throws Refusal */
export async function nominated<T>(
  snapshot: Snapshot,
  resource: ResourceName,
  id: number,
): Promise<Nominated<T>> {
  const record = (await recordPage(snapshot, { resource, id, include: ['details'] })) as
    | Nominated<T>
    | undefined;
  if (record === undefined) throw new Refusal(404);
  return { ...record, nominations: await withEntries(snapshot, record.nominations) };
}

/** Adds the keys of the entries. */
export async function withEntries(
  snapshot: Snapshot,
  nominations: readonly (Nomination & { details?: Details })[],
): Promise<DetailedNomination[]> {
  const acting = actingCategories(await categoriesOf(snapshot));
  return nominations.map((nomination) => {
    const details = nomination.details!;
    const isActing = acting.has(nomination.category_id);
    return { ...nomination, details, entryKey: entryKey({ ...nomination, entry: details.entry }, isActing) };
  });
}

/** Nominations by their rows in the table. @throws SnapshotUnavailable */
export const nominationsIn = async (
  snapshot: Snapshot,
  rows: ArrayLike<number>,
): Promise<DetailedNomination[]> => withEntries(snapshot, await nominationRecords(snapshot, rows, true));

/** What most pages show of a ceremony. */
export type CeremonySummary = Pick<
  Ceremony,
  'id' | 'ceremony_year' | 'show_title' | 'date' | 'movies_eligible'
>;

/** Newest first. @throws SnapshotUnavailable */
export async function ceremoniesOf(snapshot: Snapshot): Promise<CeremonySummary[]> {
  const ceremonies = await snapshot.table('ceremonies');
  const { year, show_title, date, movies_eligible } = ceremonies;
  return newestFirst(ceremonies).map((row) => ({
    id: ceremonies.id(row),
    ceremony_year: year[row]!,
    show_title: show_title[row]!,
    date: date[row]!,
    movies_eligible: movies_eligible[row]!,
  }));
}

type CategorySummary = Pick<Category, 'id' | 'category_name' | 'category_group'>;

/** Ascending by id, which is their order at a ceremony. @throws SnapshotUnavailable */
export async function categoriesOf(snapshot: Snapshot): Promise<CategorySummary[]> {
  const categories = await snapshot.table('categories');
  return categories.name.values.map((name, row) => ({
    id: categories.id(row),
    category_name: name!,
    category_group: categories.group.values[row]!,
  }));
}

/** A category at a ceremony, with its nominations there. */
export interface Award {
  category: CategorySummary;
  nominations: DetailedNomination[];
}

/** Nominations by category, in the order of the categories. */
export async function awardsOf(
  snapshot: Snapshot,
  nominations: readonly DetailedNomination[],
): Promise<Award[]> {
  const groups = new Map(groupBy(nominations, ({ category_id }) => category_id));
  return (await categoriesOf(snapshot)).flatMap((category) => {
    const own = groups.get(category.id);
    return own ? [{ category, nominations: own }] : [];
  });
}

/** The nominations of a ceremony by category. */
export async function awardsAt(snapshot: Snapshot, ceremony: number): Promise<Award[]> {
  const { ceremony: references } = await snapshot.table('nominations');
  return awardsOf(snapshot, await nominationsIn(snapshot, references.nominationsOf(ceremony)));
}

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
  groupBy(nominations, (own) => own.entryKey).map(([, own]) => ({
    nominations: own,
    first: own[0]!,
    winner: own.some(({ winner }) => winner),
  }));

/** Entries, and those that won. */
export interface Totals {
  nominations: number;
  wins: number;
}

export interface Tally extends Totals {
  /** First and last year of the ceremonies. */
  years: [first: number, last: number] | undefined;
  /** Entries that are not official, such as write-in votes. */
  unofficial: number;
}

export function tallyOf(nominations: readonly DetailedNomination[]): Tally {
  const entries = entriesOf(nominations);
  return {
    nominations: entries.length,
    wins: entries.filter(({ winner }) => winner).length,
    years: rangeOf(nominations.map(({ ceremony_year }) => ceremony_year)),
    unofficial: entries.filter(({ first }) => !first.details.official).length,
  };
}

const rangeOf = (years: readonly number[]): [number, number] | undefined =>
  years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)];

export interface YearTotals extends Totals {
  year: number;
}

/** The entries of each year among nominations, ascending. */
export const totalsByYear = (nominations: readonly DetailedNomination[]): YearTotals[] =>
  groupBy(nominations, ({ ceremony_year }) => ceremony_year)
    .map(([year, own]) => ({ year, ...tallyOf(own) }))
    .sort((a, b) => a.year - b.year);

export const decadeOf = (year: number): number => year - (year % 10);

/** The decades of some years, each once, latest first. */
export const decadesOf = (years: readonly number[]): number[] =>
  [...new Set(years.map(decadeOf))].sort((a, b) => b - a);

/** The first and the last year in which each of some people was nominated. @throws SnapshotUnavailable */
export async function nominatedYears(
  snapshot: Snapshot,
  ids: readonly number[],
): Promise<([number, number] | undefined)[]> {
  const table = await snapshot.table('nominations');
  return ids.map((id) =>
    rangeOf(
      Array.from(table.nominee.nominationsOf(id), (row) => table.ceremonies.year[table.ceremony.rows[row]!]!),
    ),
  );
}

/** "unrewarded" are those without a win, by nominations. */
export type RankingOrder = 'nominations' | 'wins' | 'unrewarded';

export interface Ranked extends Totals {
  /** From 1 on; equals share one. */
  place: number;
  id: number;
  label: string;
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
  of: 'people' | 'films' | 'countries';
  /** Its filters select the nominations that count. */
  query: Query;
  order: RankingOrder;
  /** Whether several nominations of a film in one category count as one. */
  byCategory?: boolean;
}

/** The category in which countries are nominated. */
const categoryOfCountries = 'International Feature Film';

/** A page of a ranking: by what the order says, then by the other total, then by id. @throws SnapshotUnavailable */
export async function rank(snapshot: Snapshot, question: RankingQuestion): Promise<Ranking> {
  const { of, query, order, byCategory = false } = question;
  const isFilm = of === 'films';
  const [counts, texts, isOfKind] = await Promise.all([
    countSelected(snapshot, question, byCategory),
    snapshot.table(isFilm ? 'titles' : 'names'),
    isFilm ? undefined : personFlags(snapshot),
  ]);
  const { entries, wins } = counts;
  const rows: number[] = [];
  for (let row = 0; row < entries.length; row += 1) {
    const isRanked = isOfKind === undefined || isOfKind[row] === (of === 'people' ? 1 : 0);
    if (isRanked && entries[row]! > 0 && !(order === 'unrewarded' && wins[row]! > 0)) rows.push(row);
  }
  const [first, second] = order === 'wins' ? [wins, entries] : [entries, wins];
  rows.sort((a, b) => first[b]! - first[a]! || second[b]! - second[a]! || a - b);
  const totals = rows.map((row) => first[row]!);
  const { page, limit } = query;
  const ranked = rows.slice((page - 1) * limit, page * limit).map((row) => ({
    place: totals.indexOf(first[row]!) + 1,
    id: texts.id(row),
    label: texts.text.values[row]!,
    nominations: entries[row]!,
    wins: wins[row]!,
  }));
  const leaders = totals.filter((total) => total === totals[0]).length;
  return { ranked, leaders, pagination: paginationOf(rows.length, page, limit) };
}

/** Counts the nominations that the filters of a question select. */
async function countSelected(
  snapshot: Snapshot,
  { of, query }: RankingQuestion,
  byCategory: boolean,
): Promise<Counts> {
  const resource = of === 'films' ? 'movies' : 'nominees';
  const [selected, table] = await Promise.all([
    selectNominations(snapshot, query),
    snapshot.table('nominations'),
  ]);
  if (selected.length === table.count && of !== 'countries' && !byCategory)
    return countsOf(snapshot, resource);
  const { category, categories } = table;
  const row = categories.name.values.indexOf(categoryOfCountries);
  const counted = of === 'countries' ? selected.filter((own) => category.rows[own] === row) : selected;
  return countEntries(table, byCategory ? category.rows : await entryNumbers(snapshot), resource, counted);
}
