/** Marks the current values of some fields as given by a source of enrichment. */
import type { EnrichedResource, EnrichmentSource } from '../../api/contract/enrichment.ts';
import { readGiven, writeGiven } from '../../data/record/given.ts';
import type { Connection } from '../../data/database/open.ts';
import { storedRecord } from '../../data/record/records.ts';

export function markGiven(
  connection: Connection,
  resource: EnrichedResource,
  id: number,
  fields: readonly string[],
  source: EnrichmentSource,
): void {
  const record = storedRecord(connection, resource, id);
  const own = Object.fromEntries(fields.map((field) => [field, record[field]!]));
  const before = readGiven(connection, resource, id, source)?.fields;
  writeGiven(connection, resource, id, source, {
    ...{
      fields: { ...before, ...own },
      sourceId: '1',
      // Values of an earlier day may not be kept for ever: a build removes them.
      retrievedAt: new Date().toISOString(),
      isAdded: false,
    },
  });
}
