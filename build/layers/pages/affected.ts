/** The records whose pages a difference between two snapshots affects, with the cause in words. */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import type { Postings } from '../../../api/read/columns.ts';
import { diffSnapshots } from '../../../api/read/diff.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { NominationTable } from '../../../api/read/tables.ts';

/** Ids per resource, each with the cause. */
export type RecordCauses = Readonly<Record<ResourceName, ReadonlyMap<number, string>>>;

export interface Affected {
  /** The records that differ. */
  changed: RecordCauses;
  /** The records whose pages show a record that differs: the changed ones, and those that embed one of them. */
  shown: RecordCauses;
  /** Resources whose number of records differs, or whose records moved to other list pages. */
  resized: ReadonlySet<ResourceName>;
}

type MutableCauses = Record<ResourceName, Map<number, string>>;

/** Compares two snapshots and follows the references of the records that differ. */
export async function findAffected(before: Snapshot, after: Snapshot): Promise<Affected> {
  const diff = await diffSnapshots(before, after);
  const [changed, shown] = [noCauses(), noCauses()];
  const resized = new Set<ResourceName>();
  for (const resource of resourceNames)
    for (const [id, change] of diff[resource]) {
      changed[resource].set(id, `${resource} ${id} ${change}`);
      if (change !== 'changed') resized.add(resource);
    }
  for (const snapshot of [before, after]) {
    const table = await snapshot.nominations();
    addNominations(changed, shown, table);
    addEmbedding(shown, table);
  }
  for (const resource of resourceNames)
    for (const [id, cause] of changed[resource]) shown[resource].set(id, cause);
  return { changed, shown, resized };
}

const noCauses = (): MutableCauses =>
  Object.fromEntries(resourceNames.map((resource) => [resource, new Map()])) as unknown as MutableCauses;

/** Adds the nominations that changed or show a changed record. */
function addNominations(changed: RecordCauses, shown: MutableCauses, table: NominationTable): void {
  const references: Partial<Record<ResourceName, Postings>> = {
    movies: table.movie.postings,
    nominees: table.nominee.postings,
    songs: table.song.postings,
    categories: table.category.postings,
    ceremonies: table.ceremony.postings,
  };
  for (const resource of resourceNames) {
    const postings = references[resource];
    for (const [id, cause] of changed[resource]) {
      const row = table.ids(resource).row(id);
      if (row < 0 || postings === undefined) continue;
      for (const nomination of postings.of(row)) shown.nominations.set(table.id(nomination), cause);
    }
  }
  for (const [id, cause] of changed.nominations) shown.nominations.set(id, cause);
}

/** Adds the records whose pages embed a nomination that is shown anew. */
function addEmbedding(shown: MutableCauses, table: NominationTable): void {
  const { titles, names, songs, categories } = table;
  for (const [id, cause] of shown.nominations) {
    const row = table.row(id);
    if (row < 0) continue;
    shown.movies.set(titles.id(table.movie.rows[row]!), cause);
    shown.nominees.set(names.id(table.nominee.rows[row]!), cause);
    shown.categories.set(categories.id(table.category.rows[row]!), cause);
    if (table.song.rows[row]! >= 0) shown.songs.set(songs.id(table.song.rows[row]!), cause);
  }
}
