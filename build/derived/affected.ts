/** What the pages show, in topics, and the topics that a difference between two snapshots affects. */
import { type ResourceName, referencedResources, resourceNames } from '../../api/contract/names.ts';
import { defaultLimit } from '../../api/contract/parameters.ts';
import { listPath, routeAt } from '../../api/contract/routes.ts';
import { diffSnapshots } from '../snapshot/diff.ts';
import { referenceTo } from '../../api/read/tables.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { forEachResource } from '../../data/record/records.ts';

/** The topic of pages that are few enough to be made again with every change. */
export const anyChange = 'any';

export const topicOf = {
  record: (resource: ResourceName, id: number) => `${resource}/${id}`,
  listPage: (resource: ResourceName, page: number) => `${resource}?page=${page}`,
  /** The nominations of a ceremony. */
  ceremony: (id: number) => `ceremony ${id}`,
  /** The honors of a year. */
  year: (year: number) => `year ${year}`,
};

const isPaginated = (resource: ResourceName): boolean => routeAt(listPath(resource)).paginated;

/** Pages of an unfiltered list; an empty one has one. */
export const listPageCount = (resource: ResourceName, records: number): number =>
  isPaginated(resource) ? Math.max(1, Math.ceil(records / defaultLimit)) : 1;

/** The topics of the pages that may differ between two snapshots. */
export async function affectedTopics(before: Snapshot, after: Snapshot): Promise<ReadonlySet<string>> {
  const diff = await diffSnapshots(before, after);
  const changed = forEachResource((resource) => new Set(diff[resource].keys()));
  /** The records whose pages show a record that differs. */
  const shown = forEachResource((resource) => new Set(changed[resource]));
  for (const snapshot of [before, after]) await addShowing(snapshot, changed, shown);
  const topics = new Set([anyChange]);
  for (const resource of resourceNames)
    for (const id of shown[resource]) topics.add(topicOf.record(resource, id));
  for (const snapshot of [before, after]) {
    const [nominations, honors, ceremonies] = await Promise.all([
      snapshot.table('nominations'),
      snapshot.table('honors'),
      snapshot.table('ceremonies'),
    ]);
    const addCeremony = (id: number) => {
      const row = ceremonies.row(id);
      topics.add(topicOf.ceremony(id));
      if (row >= 0) topics.add(topicOf.year(ceremonies.year[row]!));
    };
    for (const id of changed.ceremonies) addCeremony(id);
    for (const row of rowsOf(nominations, shown.nominations)) addCeremony(nominations.ceremony.idAt(row));
    for (const row of rowsOf(honors, shown.honors)) addCeremony(honors.ceremony[row]!);
  }
  const ids = await after.table('ids');
  for (const resource of resourceNames) {
    // The total is on every page.
    const isResized = [...diff[resource].values()].some((change) => change !== 'changed');
    // Nominations and honors show names of other records. The other lists show their own records only.
    const listed = (resource === 'nominations' || resource === 'honors' ? shown : changed)[resource];
    const last = listPageCount(resource, ids[resource].count);
    const pages = isResized
      ? Array.from({ length: last }, (_, i) => i + 1)
      : [...listed].map((id) => (last === 1 ? 1 : Math.floor(ids[resource].row(id) / defaultLimit) + 1));
    for (const page of pages) topics.add(topicOf.listPage(resource, page));
  }
  return topics;
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
