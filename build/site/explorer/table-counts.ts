/** Nominations counted in the tables of a snapshot. The browser loads this with the resolver, after the first view. */
import { filmYear } from '../../../api/contract/film-year.ts';
import type { Query } from '../../../api/contract/parameters.ts';
import { countEntries, countOne, type Counts, countsOf, entryNumbers } from '../../../api/read/counts.ts';
import { rowsByValue } from '../../../api/read/orders.ts';
import { paginationOf } from '../../../api/read/documents.ts';
import { allRows, type Predicate, passing, selectNominations } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { joined, titleCased } from '../shared/format.ts';
import { type RankedResource, recordHref } from './addresses.ts';
import type { Row } from './parts/lists.tsx';
import {
  type CeremonySize,
  groupBy,
  placeOf,
  type RankingOrder,
  type RankingSlice,
  type TallyOf,
  type YearCount,
  yearsOf,
} from './counts.ts';

/** Counts a record when it is asked for: a page shows few. @throws SnapshotUnavailable */
export async function tallies(snapshot: Snapshot, resource: RankedResource | 'categories'): Promise<TallyOf> {
  const [table, entries] = await Promise.all([snapshot.table('nominations'), entryNumbers(snapshot)]);
  const references = { movies: table.movie, nominees: table.nominee, categories: table.category }[resource];
  const { year, movies_eligible } = table.ceremonies.columns;
  const yearOf = (ceremony: number) =>
    resource === 'movies'
      ? filmYear({ ceremony_year: year[ceremony]!, movies_eligible: movies_eligible[ceremony]! })
      : year[ceremony]!;
  return (id) => {
    if (references.table.row(id) < 0) return undefined;
    const nominations = references.nominationsOf(id);
    const counts = countOne(table, entries, nominations);
    const ceremonies = new Set(nominations.map((own) => table.ceremony.rows[own]!));
    const years = Array.from(ceremonies, yearOf);
    // A film has one year, even if it was nominated at several ceremonies.
    const shown = resource === 'movies' && years.length > 0 ? [Math.min(...years)] : years;
    return { nominations: counts.entries, wins: counts.wins, years: yearsOf(shown) };
  };
}

/** The sizes of some ceremonies, in their order. @param ceremonies their ids @throws SnapshotUnavailable */
export async function sizesOf(snapshot: Snapshot, ceremonies: readonly number[]): Promise<CeremonySize[]> {
  const [table, entries] = await Promise.all([snapshot.table('nominations'), entryNumbers(snapshot)]);
  return ceremonies.map((id) => {
    const nominations = Array.from(table.ceremony.nominationsOf(id));
    return {
      nominations: countOne(table, entries, nominations).entries,
      categories: new Set(nominations.map((row) => table.category.rows[row])).size,
      films: new Set(nominations.map((row) => table.movie.rows[row])).size,
    };
  });
}

/**
 * The honors of a person as rows of a list, without the larger tables that a list of the API takes.
 * @throws SnapshotUnavailable
 */
export async function honorsOf(snapshot: Snapshot, person: number): Promise<Row[]> {
  const [honors, ceremonies] = await Promise.all([snapshot.table('honors'), snapshot.table('ceremonies')]);
  return honors.nominees.flatMap((nominees, row) => {
    if (!nominees.includes(person)) return [];
    const category = titleCased(honors.category.values[row]!);
    const year = ceremonies.year[ceremonies.row(honors.ceremony[row]!)]!;
    return {
      href: recordHref('honors', honors.id(row), honors.recipients.values[row] ?? category),
      label: joined(category, String(year)),
      detail: honors.citation[row] ?? '',
    };
  });
}

/**
 * A page of films or people by entries and wins: by what the order says, then by the other total, then by id.
 * @param query parsed; its filters select the nominations that count @throws SnapshotUnavailable
 */
export async function rankByEntries(
  snapshot: Snapshot,
  resource: RankedResource,
  query: Query,
  order: RankingOrder,
): Promise<Required<RankingSlice>> {
  const isFilm = resource === 'movies';
  const [{ entries, wins, nominations }, texts] = await Promise.all([
    countSelected(snapshot, resource, query),
    isFilm ? snapshot.table('titles') : snapshot.table('names'),
  ]);
  const isRanked: Predicate[] = [(row) => nominations[row]! > 0];
  if (!isFilm) {
    const persons = (await snapshot.table('people')).persons();
    isRanked.push((row) => persons[row] === 1);
  }
  if (order === 'unrewarded') isRanked.push((row) => wins[row] === 0);
  const rows = passing(allRows(wins.length), isRanked);
  const [first, second] = order === 'wins' ? [wins, entries] : [entries, wins];
  const secondLimit = snapshot.manifest.counts.nominations + 1;
  const keys = Float64Array.from(rows, (row) => first[row]! * secondLimit + second[row]!);
  const { page, limit } = query;
  const start = (page - 1) * limit;
  const shown = Array.from(rowsByValue(rows, keys, true)(start, start + limit));
  const all = rows.map((row) => first[row]!);
  const highest = all.reduce((max, total) => Math.max(max, total), 0);
  const totals = shown.map((row) => first[row]!);
  // Rows before the page can share the first place on it.
  const before = all.filter((total) => total > totals[0]!).length;
  const ranked = shown.map((row, at) => ({
    place: totals[at] === totals[0] ? before + 1 : start + placeOf(totals[at]!, totals),
    id: texts.id(row),
    label: texts.text.values[row]!,
    nominations: entries[row]!,
    wins: wins[row]!,
  }));
  return {
    ranked,
    leaders: all.filter((total) => total === highest).length,
    pagination: paginationOf(rows.length, page, limit),
  };
}

/** Counts the nominations that the filters of a query select. */
async function countSelected(snapshot: Snapshot, resource: RankedResource, query: Query): Promise<Counts> {
  const selected = await selectNominations(snapshot, query);
  if (selected.length === snapshot.manifest.counts.nominations) return countsOf(snapshot, resource);
  const [table, entries] = await Promise.all([snapshot.table('nominations'), entryNumbers(snapshot)]);
  return countEntries(table, entries, resource, selected);
}

/**
 * The entries of a query by category and year of the ceremony.
 * @param query parsed; its page and limit have no effect
 * @throws SnapshotUnavailable
 */
export async function countByCategory(snapshot: Snapshot, query: Query): Promise<YearCount[]> {
  const [table, entries, selected] = await Promise.all([
    snapshot.table('nominations'),
    entryNumbers(snapshot),
    selectNominations(snapshot, query),
  ]);
  const { categories, category, winner } = table;
  const rows = Array.from(selected);
  return groupBy(rows, (row) => `${table.yearAt(row)} ${category.rows[row]}`).map(([, own]) => {
    const at = category.rows[own[0]!]!;
    const distinct = (some: readonly number[]) => new Set(some.map((row) => entries[row])).size;
    return {
      year: table.yearAt(own[0]!),
      category_id: categories.id(at),
      category: categories.name.values[at]!,
      group: categories.group.values[at] ?? 'Other',
      nominations: distinct(own),
      wins: distinct(own.filter((row) => winner[row] === 1)),
    };
  });
}
