/** Record pages: api/<resource>/<id>.json. */
import { type ResourceName, resourceNames } from '../../../api/contract/names.ts';
import { recordPageName } from '../../../api/contract/pages.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { idTable, type Touched } from './affected.ts';
import { type Page, type TouchedPage, wholeBuild } from './page.ts';

function recordPage(resource: ResourceName, id: number, cause: string): Page {
  return {
    ...recordPageName(`/api/${resource}`, resource, id),
    question: { kind: 'record', resource, id },
    cause,
  };
}

export async function* allRecordPages(snapshot: Snapshot): AsyncGenerator<Page> {
  const table = await snapshot.nominations();
  for (const resource of resourceNames) {
    const records = resource === 'nominations' ? table : await snapshot.idsOf(resource);
    for (let row = 0; row < records.count; row += 1) yield recordPage(resource, records.id(row), wholeBuild);
  }
}

export async function* touchedRecordPages(touched: Touched, after: Snapshot): AsyncGenerator<TouchedPage> {
  const table = await after.nominations();
  for (const resource of resourceNames)
    for (const [id, cause] of touched.reached[resource])
      yield { ...recordPage(resource, id, cause), exists: idTable(table, resource).row(id) >= 0 };
}
