/** Ceremonies and categories as most pages show them, from the small shard that nearly every page reads. */
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { CategorySummary, CeremonySummary } from './record.ts';

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
export async function summariesOfCategories(snapshot: Snapshot): Promise<CategorySummary[]> {
  const categories = await snapshot.categories();
  return categories.name.values.map((name, row) => ({
    id: categories.id(row),
    category_name: name!,
    category_group: categories.group.values[row]!,
  }));
}
