/** The record as the views read it: records and nominations with their details, and counts of these. */
import { actingCategories, entryKey } from '../../../api/contract/entries.ts';
import type { ResourceName } from '../../../api/contract/names.ts';
import type { FilmYear } from '../../../api/contract/film-year.ts';
import type {
  Category,
  Ceremony,
  Details,
  Nomination,
  OfficialCounts,
} from '../../../api/contract/resources.ts';
import { officialCounter } from '../../../api/read/counts.ts';
import { filmYearAt, newestFirst } from '../../../api/read/named-columns.ts';
import { nominationRecords } from '../../../api/read/nominations.ts';
import { recordPage } from '../../../api/read/records.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { Refusal } from './ask.ts';

/** The resources whose records are ranked and compared. */
export type RankedResource = 'movies' | 'nominees';

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
  const record = (await recordPage(snapshot, {
    resource,
    id,
    include: resource === 'movies' ? ['details', 'film_year', 'other_names'] : ['details', 'other_names'],
  })) as Nominated<T> | undefined;
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
export type CeremonySummary = Pick<Ceremony, 'id' | 'ceremony_year' | 'show_title' | 'date'> & FilmYear;

/** Newest first. @throws SnapshotUnavailable */
export async function ceremoniesOf(snapshot: Snapshot): Promise<CeremonySummary[]> {
  const ceremonies = await snapshot.table('ceremonies');
  const { year, show_title, date } = ceremonies;
  return newestFirst(ceremonies).map((row) => ({
    id: ceremonies.id(row),
    ceremony_year: year[row]!,
    show_title: show_title[row]!,
    date: date[row]!,
    ...filmYearAt(ceremonies, row),
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

/** Official entries, and those that won: what every number of nominations and wins on a page counts. */
export interface Totals {
  nominations: number;
  wins: number;
}

/** With the entries that are not official, such as write-in votes. */
export interface Tally extends Totals, Pick<OfficialCounts, 'unofficial' | 'unofficial_wins'> {
  /** First and last year of the ceremonies. */
  years: [first: number, last: number] | undefined;
}

export function tallyOf(nominations: readonly DetailedNomination[]): Tally {
  const all = entriesOf(nominations);
  const official = entriesOf(nominations.filter(({ details }) => details.official));
  const won = (entries: readonly Entry[]) => entries.filter(({ winner }) => winner).length;
  return {
    nominations: official.length,
    wins: won(official),
    unofficial: all.length - official.length,
    unofficial_wins: won(all) - won(official),
    years: rangeOf(nominations.map(({ ceremony_year }) => ceremony_year)),
  };
}

/** What a list says of the nominations of films or people. @throws SnapshotUnavailable */
export async function talliesOf(
  snapshot: Snapshot,
  resource: RankedResource,
  ids: readonly number[],
): Promise<Omit<Tally, 'years'>[]> {
  const [table, counter] = [await snapshot.table('nominations'), await officialCounter(snapshot)];
  const references = resource === 'movies' ? table.movie : table.nominee;
  return ids.map((id) => {
    const { entries, ...counts } = counter(references.nominationsOf(id));
    return { nominations: entries, ...counts };
  });
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

export const bestPicture = 'Best Picture';

/** What a list says of a film besides its fields. */
export interface FilmNote {
  /** Those who were nominated for directing it. */
  directors: string[];
  wonBestPicture: boolean;
}

/** The notes of some films, in their order. @throws SnapshotUnavailable */
export async function filmNotes(snapshot: Snapshot, ids: readonly number[]): Promise<FilmNote[]> {
  const [table, names] = await Promise.all([snapshot.table('nominations'), snapshot.table('names')]);
  const { category, categories, movie, nominee, winner } = table;
  const [directing, picture] = ['Directing', bestPicture].map((name) => categories.name.values.indexOf(name));
  return ids.map((id) => {
    const rows = [...movie.nominationsOf(id)];
    const directed = rows.filter((row) => category.rows[row] === directing);
    return {
      directors: [...new Set(directed.map((row) => names.text.values[nominee.rows[row]!]!))],
      wonBestPicture: rows.some((row) => category.rows[row] === picture && winner[row] === 1),
    };
  });
}

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
