/** The records that a difference between two snapshots affects, and those that show them, with the cause in words. */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { diffSnapshots } from '../../api/read/diff.ts';
import type { NominationTable, References } from '../../api/read/nomination-table.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { HonorTable } from '../../api/read/tables.ts';
import { forEachResource } from '../../data/records.ts';

/** Ids per resource, each with the cause. */
type RecordCauses = Readonly<Record<ResourceName, ReadonlyMap<number, string>>>;

export interface Affected {
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
    const table = await snapshot.table('nominations');
    addNominations(changed, shown, table);
    addEmbedding(shown, table);
    addHonors(changed, shown, await snapshot.table('honors'));
  }
  for (const resource of resourceNames)
    for (const [id, cause] of changed[resource]) shown[resource].set(id, cause);
  return { changed, shown, resized };
}

const noCauses = (): MutableCauses => forEachResource(() => new Map<number, string>());

/** Adds the nominations that changed or show a changed record. */
function addNominations(changed: RecordCauses, shown: MutableCauses, table: NominationTable): void {
  const references: Partial<Record<ResourceName, References>> = {
    movies: table.movie,
    nominees: table.nominee,
    songs: table.song,
    categories: table.category,
    ceremonies: table.ceremony,
  };
  for (const resource of resourceNames) {
    const reference = references[resource];
    if (reference === undefined) continue;
    for (const [id, cause] of changed[resource])
      for (const nomination of reference.nominationsOf(id))
        shown.nominations.set(table.id(nomination), cause);
  }
  for (const [id, cause] of changed.nominations) shown.nominations.set(id, cause);
}

/** Adds the honors that show a changed ceremony or film. */
function addHonors(changed: RecordCauses, shown: MutableCauses, table: HonorTable): void {
  if (changed.ceremonies.size === 0 && changed.movies.size === 0) return;
  for (let row = 0; row < table.count; row += 1) {
    const movie = table.movie[row];
    const cause =
      changed.ceremonies.get(table.ceremony[row]!) ?? (movie ? changed.movies.get(movie) : undefined);
    if (cause !== undefined) shown.honors.set(table.id(row), cause);
  }
}

/** Adds the records whose pages embed a nomination that is shown anew. */
function addEmbedding(shown: MutableCauses, table: NominationTable): void {
  for (const [id, cause] of shown.nominations) {
    const row = table.row(id);
    if (row < 0) continue;
    shown.movies.set(table.movie.idAt(row), cause);
    shown.nominees.set(table.nominee.idAt(row), cause);
    shown.categories.set(table.category.idAt(row), cause);
    if (table.song.has(row)) shown.songs.set(table.song.idAt(row), cause);
  }
}
