/** What a publish changes: the records that differ between two snapshots. */
import type { Change } from '../../api/contract/answers.ts';
import { clearFields, publishedFields } from '../../api/contract/bodies.ts';
import { enrichedResources } from '../../api/contract/enrichment.ts';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { recordsIn } from '../../api/read/records.ts';
import { type RestrictedField, restrictedFields } from '../../api/read/restricted.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import { differing } from '../../data/record/edits.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { diffSnapshots } from '../snapshot/diff.ts';

/**
 * The records that differ, by resource, then ascending by id, with their stored fields, nominations with the
 * details that differ: titles and names of other records are theirs. Values that may not be passed on stand
 * as unknown, so a record that differs in these alone is not in it.
 * @throws SnapshotUnavailable
 */
export async function changesBetween(before: Snapshot, after: Snapshot): Promise<Change['records']> {
  const diff = await diffSnapshots(before, after);
  const records: Change['records'] = [];
  for (const resource of resourceNames) {
    const [hidden, hides] = [await restrictedIn(before, resource), await restrictedIn(after, resource)];
    const differ = new Set([...diff[resource].keys(), ...differingKeys(hidden, hides)]);
    const ids = [...differ].sort((a, b) => a - b);
    const were = await recordsOf(before, resource, ids, hidden);
    const are = await recordsOf(after, resource, ids, hides);
    for (const id of ids) {
      const [was, is] = [were.get(id), are.get(id)];
      const [old, now] = [was && differing(was, is), is && differing(is, was)];
      if (Object.keys(old ?? now ?? {}).length > 0)
        records.push({ resource, id, before: old ?? null, after: now ?? null });
    }
  }
  return records;
}

type RestrictedById = ReadonlyMap<number, readonly RestrictedField[]>;

/** The fields of a resource whose values may not be passed on, by the id of the record. */
async function restrictedIn(snapshot: Snapshot, resource: ResourceName): Promise<RestrictedById> {
  const enriched = enrichedResources.find((own) => own === resource);
  return enriched ? restrictedFields(snapshot, enriched) : new Map();
}

/** The records with other restricted fields in another snapshot: equal values can be passed on or not. */
const differingKeys = (old: RestrictedById, now: RestrictedById): number[] =>
  [...new Set([...old.keys(), ...now.keys()])].filter(
    (id) => JSON.stringify(old.get(id)) !== JSON.stringify(now.get(id)),
  );

/** The stored fields of those records that a snapshot has, with what lists show on demand only. */
async function recordsOf(
  snapshot: Snapshot,
  resource: ResourceName,
  ids: readonly number[],
  restricted: RestrictedById,
): Promise<ReadonlyMap<number, RecordFields>> {
  if (ids.length === 0) return new Map();
  const table = (await snapshot.table('ids'))[resource];
  const rows = ids.map((id) => table.row(id)).filter((row) => row >= 0);
  const records = (await recordsIn(snapshot, resource, rows, {
    include: ['details', 'film_years'],
    fields: [...publishedFields(resource), 'details'],
  })) as (RecordFields & { id: number })[];
  for (const record of records) clearFields(record, restricted.get(record.id) ?? []);
  return new Map(records.map((record) => [record.id, record]));
}
