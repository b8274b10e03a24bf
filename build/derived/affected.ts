/** What differs between two snapshots, and the pages that show it. */
import { type ResourceName, referencedResources } from '../../api/contract/names.ts';
import { defaultLimit } from '../../api/contract/parameters.ts';
import { listPath, routeAt } from '../../api/contract/routes.ts';
import { familyNames, tables } from '../../api/contract/snapshot.ts';
import { diffSnapshots } from '../snapshot/diff.ts';
import { referenceTo } from '../../api/read/tables.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { forEachResource } from '../../data/record/records.ts';

/** Two snapshots, and the pages that may differ between them. */
export interface Difference {
  before: Snapshot;
  after: Snapshot;
  /** The records whose pages may differ, also added and removed ones. */
  records: Readonly<Record<ResourceName, ReadonlySet<number>>>;
  /** The numbers of the pages of unfiltered lists that may differ, also of pages that one of both lacks. */
  listPages: Readonly<Record<ResourceName, ReadonlySet<number>>>;
  /** Whether a table differs. Counts and rankings are computed from tables alone, without whole records. */
  hasOtherTables: boolean;
}

const isPaginated = (resource: ResourceName): boolean => routeAt(listPath(resource)).paginated;

/** Pages of an unfiltered list; an empty one has one. */
export const listPageCount = (resource: ResourceName, records: number): number =>
  isPaginated(resource) ? Math.max(1, Math.ceil(records / defaultLimit)) : 1;

/** @throws SnapshotUnavailable */
export async function differenceOf(before: Snapshot, after: Snapshot): Promise<Difference> {
  const diff = await diffSnapshots(before, after);
  const changed = forEachResource((resource) => new Set(diff[resource].keys()));
  /** The records whose pages show a record that differs. */
  const records = forEachResource((resource) => new Set(changed[resource]));
  for (const snapshot of [before, after]) await addShowing(snapshot, changed, records);
  const [idsBefore, ids] = [await before.table('ids'), await after.table('ids')];
  const listPages = forEachResource((resource) => {
    const last = listPageCount(resource, ids[resource].count);
    // The total is on every page.
    if ([...diff[resource].values()].some((change) => change !== 'changed')) {
      const length = Math.max(last, listPageCount(resource, idsBefore[resource].count));
      return new Set(Array.from({ length }, (_, i) => i + 1));
    }
    // Nominations and honors show names of other records. The other lists show their own records only.
    const listed = (resource === 'nominations' || resource === 'honors' ? records : changed)[resource];
    const pageOf = (id: number) => (last === 1 ? 1 : Math.floor(ids[resource].row(id) / defaultLimit) + 1);
    return new Set([...listed].map(pageOf));
  });
  return { before, after, records, listPages, hasOtherTables: hasOtherTables(before, after) };
}

function hasOtherTables({ manifest: before }: Snapshot, { manifest: after }: Snapshot): boolean {
  const ofTables = familyNames.filter((family) => family === 'core' || Object.hasOwn(tables, family));
  return ofTables.some(
    (family) => JSON.stringify(before.families[family]) !== JSON.stringify(after.families[family]),
  );
}

/** The rows of the ids that a table has. */
const rowsOf = (table: { row(id: number): number }, ids: Iterable<number>): number[] =>
  [...ids].map((id) => table.row(id)).filter((row) => row >= 0);

type Ids = Readonly<Record<ResourceName, Set<number>>>;

/** Adds the records of a snapshot whose pages show a changed record. */
async function addShowing(snapshot: Snapshot, changed: Ids, shown: Ids): Promise<void> {
  const nominations = await snapshot.table('nominations');
  for (const resource of referencedResources)
    for (const id of changed[resource])
      for (const row of nominations[referenceTo[resource]].nominationsOf(id))
        shown.nominations.add(nominations.id(row));
  for (const row of rowsOf(nominations, shown.nominations)) {
    // The pages of films, people, categories and songs embed their nominations.
    shown.movies.add(nominations.movie.idAt(row));
    shown.nominees.add(nominations.nominee.idAt(row));
    shown.categories.add(nominations.category.idAt(row));
    if (nominations.song.has(row)) shown.songs.add(nominations.song.idAt(row));
  }
  const honors = await snapshot.table('honors');
  for (let row = 0; row < honors.count; row += 1) {
    const movie = honors.movie[row];
    if (changed.ceremonies.has(honors.ceremony[row]!) || (movie && changed.movies.has(movie)))
      shown.honors.add(honors.id(row));
  }
}
