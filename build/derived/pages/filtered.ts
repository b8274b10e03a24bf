/**
 * Pages of lists with a filter or an order: the nominations of each ceremony, the honors of each year, and the films and
 * people with the most nominations. api/<list>/<filter>/<value>.json, then …/pages/<n>.json; api/<list>/sort/<order>.json.
 */
import { type FilteredList, filteredLists, listOrder, type Page, queryPage, sortedLists } from './page.ts';
import { maxLimit } from '../../../api/contract/parameters.ts';
import { listPath } from '../../../api/contract/routes.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Affected } from '../affected.ts';

const lists = Object.keys(filteredLists) as FilteredList[];

/** Value of the filter → number of records that pass it. */
type Totals = Record<FilteredList, ReadonlyMap<number, number>>;

async function totalsOf(snapshot: Snapshot): Promise<Totals> {
  const [{ ceremony }, ceremonies, honors] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('ceremonies'),
    snapshot.table('honors'),
  ]);
  const [nominations, ofYears] = [new Map<number, number>(), new Map<number, number>()];
  for (let row = 0; row < ceremonies.count; row += 1) {
    const id = ceremonies.id(row);
    nominations.set(id, ceremony.nominationsOf(id).length);
    ofYears.set(ceremonies.year[row]!, 0);
  }
  for (const id of honors.ceremony) {
    const year = ceremonies.year[ceremonies.row(id)]!;
    ofYears.set(year, ofYears.get(year)! + 1);
  }
  return { nominations, honors: ofYears };
}

/** Pages of a list; an empty one has one. */
export const pageCount = (records: number, limit: number): number => Math.max(1, Math.ceil(records / limit));

/** The pages of a value of the filter. @param last page of the list @param listed pages with those that are gone */
function* pagesOf(
  resource: FilteredList,
  value: number,
  cause: string,
  last: number,
  listed = last,
): Generator<Page> {
  const filter = filteredLists[resource];
  for (let page = 1; page <= listed; page += 1) {
    const query = { page, limit: maxLimit, [filter]: filter === 'ceremony_ids' ? [value] : value };
    yield* queryPage(listPath(resource), query, cause, page <= last);
  }
}

/** The first page of each list that has an order of its own. */
export function* sortedPages(cause: string): Generator<Page> {
  for (const resource of sortedLists)
    yield* queryPage(listPath(resource), { sort: listOrder, include: ['counts'] }, cause);
}

export async function* allFilteredPages(snapshot: Snapshot, cause: string): AsyncGenerator<Page> {
  const totals = await totalsOf(snapshot);
  for (const resource of lists)
    for (const [value, total] of totals[resource])
      yield* pagesOf(resource, value, cause, pageCount(total, maxLimit));
}

export async function* affectedFilteredPages(
  affected: Affected,
  before: Snapshot,
  after: Snapshot,
): AsyncGenerator<Page> {
  const [was, is] = [await totalsOf(before), await totalsOf(after)];
  const causes = await causesOf(affected, before, after);
  for (const resource of lists)
    for (const [value, cause] of causes[resource]) {
      const [old, now] = [was[resource].get(value), is[resource].get(value)];
      const last = now === undefined ? 0 : pageCount(now, maxLimit);
      yield* pagesOf(resource, value, cause, last, Math.max(last, pageCount(old ?? 0, maxLimit)));
    }
}

/** The values whose pages show a record that differs, with the cause. */
async function causesOf(
  { changed, shown }: Affected,
  before: Snapshot,
  after: Snapshot,
): Promise<Record<FilteredList, Map<number, string>>> {
  const causes = { nominations: new Map<number, string>(), honors: new Map<number, string>() };
  for (const snapshot of [before, after]) {
    const [table, ceremonies, honors] = await Promise.all([
      snapshot.table('nominations'),
      snapshot.table('ceremonies'),
      snapshot.table('honors'),
    ]);
    for (const [id, cause] of shown.nominations) {
      const row = table.row(id);
      if (row >= 0) causes.nominations.set(table.ceremony.idAt(row), cause);
    }
    for (const [id, cause] of shown.honors) {
      const row = honors.row(id);
      if (row >= 0) causes.honors.set(ceremonies.year[ceremonies.row(honors.ceremony[row]!)]!, cause);
    }
    for (const [id, cause] of changed.ceremonies) {
      const row = ceremonies.row(id);
      if (row < 0) continue;
      causes.nominations.set(id, cause);
      causes.honors.set(ceremonies.year[row]!, cause);
    }
  }
  return causes;
}
