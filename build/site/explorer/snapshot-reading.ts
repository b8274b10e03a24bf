/** The record as the pages read it, from the snapshots of a resolver. */
import { detailsOf } from '../../../api/read/nominations.ts';
import { noticesOf } from '../../../api/read/restricted.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { CategorySummary, CeremonySummary, Reading } from './record.ts';
import { countByCategory, honorsOf, rankByEntries, sizesOf, tallies } from './table-counts.ts';

export const readingOf = ({ ask, file, snapshot }: Pick<Reading, 'ask' | 'file' | 'snapshot'>): Reading => ({
  ask,
  file,
  snapshot,
  details: async (ids) => detailsOf(await snapshot(), ids),
  ceremonies: async () => summariesOfCeremonies(await snapshot()),
  categories: async () => summariesOfCategories(await snapshot()),
  sizesOf: async (ceremonies) => sizesOf(await snapshot(), ceremonies),
  notices: async () => noticesOf(await snapshot()),
  counts: async () => (await snapshot()).manifest.counts,
  tallies: async (resource) => tallies(await snapshot(), resource),
  honorsOf: async (person) => honorsOf(await snapshot(), person),
  ranked: async (resource, query, order) => rankByEntries(await snapshot(), resource, query, order),
  countedByCategory: async (query) => countByCategory(await snapshot(), query),
});

/** Newest first. @throws SnapshotUnavailable */
export async function summariesOfCeremonies(snapshot: Snapshot): Promise<CeremonySummary[]> {
  const ceremonies = await snapshot.ceremonies();
  const { year, show_title, date, movies_eligible } = ceremonies.columns;
  return ceremonies.newestFirst().map((row) => ({
    id: ceremonies.id(row),
    ceremony_year: year[row]!,
    show_title: show_title[row]!,
    date: date[row]!,
    movies_eligible: movies_eligible[row]!,
  }));
}

/** Ascending by id. @throws SnapshotUnavailable */
async function summariesOfCategories(snapshot: Snapshot): Promise<CategorySummary[]> {
  const categories = await snapshot.categories();
  return categories.name.values.map((name, row) => ({
    id: categories.id(row),
    category_name: name!,
    category_group: categories.group.values[row]!,
  }));
}
