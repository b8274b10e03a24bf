/**
 * What a set of changed records reaches: the records whose pages show something of them, before (in the last snapshot) or
 * after (in the new one).
 */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import type { Postings } from '../../../api/read/columns.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { NominationTable } from '../../../api/read/tables.ts';
import type { Change } from '../../../data/changes.ts';

/** Ids per resource, each with the change that brought it in, in words. */
export type Reached = Readonly<Record<ResourceName, ReadonlyMap<number, string>>>;

export interface Touched {
  /** The changed records themselves. */
  changed: Reached;
  /** Those, and the records whose pages embed one of them. */
  reached: Reached;
  /** Resources of which records came or went. */
  resized: ReadonlySet<ResourceName>;
}

type Reaching = Record<ResourceName, Map<number, string>>;

const nothing = (): Reaching =>
  Object.fromEntries(resourceNames.map((resource) => [resource, new Map()])) as unknown as Reaching;

/** Follows the changes through both snapshots. */
export async function findTouched(
  changes: readonly Change[],
  before: Snapshot,
  after: Snapshot,
): Promise<Touched> {
  const changed = nothing();
  for (const { resource, id } of changes) changed[resource].set(id, `${resource} ${id} changed`);
  const reached = nothing();
  const resized = new Set<ResourceName>();
  const tables = [await before.nominations(), await after.nominations()] as const;
  for (const table of tables) {
    reachNominations(changed, reached, table);
    reachRecords(reached, table);
  }
  for (const resource of resourceNames) {
    for (const [id, cause] of changed[resource]) {
      const [was, is] = tables.map((table) => idTable(table, resource).row(id) >= 0);
      if (was !== is) resized.add(resource);
      reached[resource].set(id, cause);
    }
  }
  return { changed, reached, resized };
}

/** Nominations that are changed, or show a changed record. */
function reachNominations(changed: Reached, reached: Reaching, table: NominationTable): void {
  const add = (row: number, cause: string) => reached.nominations.set(table.id(row), cause);
  const through = (resource: ResourceName, postings: (row: number) => Iterable<number>) => {
    for (const [id, cause] of changed[resource]) {
      const row = idTable(table, resource).row(id);
      if (row >= 0) for (const nomination of postings(row)) add(nomination, cause);
    }
  };
  const posted = (postings: Postings) => (row: number) => postings.of(row);
  through('movies', posted(table.movie.postings));
  through('nominees', posted(table.nominee.postings));
  through('songs', posted(table.song.postings));
  through('categories', posted(table.category.postings));
  through('ceremonies', posted(table.ceremony.postings));
  for (const [id, cause] of changed.nominations) reached.nominations.set(id, cause);
}

/** Records whose pages embed a nomination that was reached. */
function reachRecords(reached: Reaching, table: NominationTable): void {
  const { titles, names, songs, categories } = table;
  for (const [id, cause] of reached.nominations) {
    const row = table.row(id);
    if (row < 0) continue;
    reached.movies.set(titles.id(table.movie.rows[row]!), cause);
    reached.nominees.set(names.id(table.nominee.rows[row]!), cause);
    reached.categories.set(categories.id(table.category.rows[row]!), cause);
    if (table.song.rows[row]! >= 0) reached.songs.set(songs.id(table.song.rows[row]!), cause);
  }
}

/** The ids of a resource as the nomination table's snapshot has them. */
export function idTable(
  table: NominationTable,
  resource: ResourceName,
): { row(id: number): number; count: number } {
  const { titles, names, songs, categories, ceremonies } = table;
  return { nominations: table, movies: titles, nominees: names, songs, categories, ceremonies }[resource];
}
