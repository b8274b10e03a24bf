/** Pages of the unfiltered lists: api/<resource>.json is the first, api/<resource>/pages/<n>.json each further one. */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { listPageName } from '../../../api/contract/pages.ts';
import { defaultLimit, defaultQuery } from '../../../api/contract/parameters.ts';
import { type ListRoute, routes } from '../../../api/contract/routes.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { idTable, type Touched } from './affected.ts';
import { type Page, type TouchedPage, wholeBuild } from './page.ts';

const addressOf = (resource: ResourceName) => `/api/${resource}`;
const routeOf = (resource: ResourceName) => routes.get(addressOf(resource)) as ListRoute;

function listPage(resource: ResourceName, page: number, cause: string): Page {
  return {
    ...listPageName(addressOf(resource), resource, page),
    question: { kind: 'query', route: routeOf(resource), query: { ...defaultQuery, page } },
    cause,
  };
}

/** Number of pages of an unfiltered list; an empty one has one, too. */
function pageCount(resource: ResourceName, records: number): number {
  return routeOf(resource).paginated ? Math.max(1, Math.ceil(records / defaultLimit)) : 1;
}

export async function* allListPages(snapshot: Snapshot): AsyncGenerator<Page> {
  const table = await snapshot.nominations();
  for (const resource of resourceNames) {
    const last = pageCount(resource, idTable(table, resource).count);
    for (let page = 1; page <= last; page += 1) yield listPage(resource, page, wholeBuild);
  }
}

export async function* touchedListPages(
  touched: Touched,
  before: Snapshot,
  after: Snapshot,
): AsyncGenerator<TouchedPage> {
  const tables = [await before.nominations(), await after.nominations()] as const;
  for (const resource of resourceNames) {
    // A list of nominations shows names of other records; the other lists show their own records only.
    const shown = resource === 'nominations' ? touched.reached.nominations : touched.changed[resource];
    if (shown.size === 0) continue;
    const [was, is] = tables.map((table) => pageCount(resource, idTable(table, resource).count)) as [
      number,
      number,
    ];
    const pages = new Map<number, string>();
    if (touched.resized.has(resource)) {
      // The total stands on every page.
      for (let page = 1; page <= Math.max(was, is); page += 1)
        pages.set(page, `the number of ${resource} changed`);
    } else {
      const table = idTable(tables[1], resource);
      for (const [id, cause] of shown) {
        const row = table.row(id);
        // Came and went between two builds: no page ever showed it.
        if (row >= 0) pages.set(is === 1 ? 1 : Math.floor(row / defaultLimit) + 1, cause);
      }
    }
    for (const [page, cause] of pages) yield { ...listPage(resource, page, cause), exists: page <= is };
  }
}
