/** What a publish changes: the records that differ between two snapshots. */
import type { Change } from '../../api/contract/answers.ts';
import { clearFields, storedFields } from '../../api/contract/bodies.ts';
import { enrichedResources } from '../../api/contract/enrichment.ts';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { diffSnapshots } from '../snapshot/diff.ts';
import { recordsIn } from '../../api/read/records.ts';
import { restrictedFields } from '../../api/read/restricted.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';

type StoredRecord = Record<string, unknown>;

/**
 * The records that differ, by resource, then ascending by id, with their stored fields: titles and names of
 * other records are theirs. Values that may not be passed on stand as unknown, so a record that differs in
 * these alone is not in it.
 * @throws SnapshotUnavailable
 */
export async function changesBetween(before: Snapshot, after: Snapshot): Promise<Change['records']> {
  const diff = await diffSnapshots(before, after);
  const records: Change['records'] = [];
  for (const resource of resourceNames) {
    const ids = [...diff[resource].keys()].sort((a, b) => a - b);
    const [old, now] = [await recordsOf(before, resource, ids), await recordsOf(after, resource, ids)];
    for (const id of ids) {
      const [was, is] = [old.get(id), now.get(id)];
      const differs = (field: string) => JSON.stringify(was?.[field]) !== JSON.stringify(is?.[field]);
      const fields = Object.keys(was ?? is ?? {}).filter(differs);
      if (fields.length > 0)
        records.push({ resource, id, before: partOf(was, fields), after: partOf(is, fields) });
    }
  }
  return records;
}

const partOf = (record: StoredRecord | undefined, fields: readonly string[]): StoredRecord | null =>
  record ? Object.fromEntries(fields.map((field) => [field, record[field]])) : null;

/** The stored fields of those records that a snapshot has. */
async function recordsOf(
  snapshot: Snapshot,
  resource: ResourceName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  if (ids.length === 0) return new Map();
  const table = (await snapshot.table('ids'))[resource];
  const rows = ids.map((id) => table.row(id)).filter((row) => row >= 0);
  const enriched = enrichedResources.find((own) => own === resource);
  const restricted = enriched && (await restrictedFields(snapshot, enriched));
  const records = (await recordsIn(snapshot, resource, rows, {
    fields: storedFields(resource),
  })) as (StoredRecord & { id: number })[];
  for (const record of records) clearFields(record, restricted?.get(record.id) ?? []);
  return new Map(records.map((record) => [record.id, record]));
}
