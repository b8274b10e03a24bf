/** The fields whose values may not be passed on. Downloads leave them out. */
import type { EnrichedResource } from '../contract/enrichment.ts';
import { restrictedFamily } from '../contract/snapshot.ts';
import { IdColumn } from './columns.ts';
import type { Snapshot } from './snapshot.ts';

export interface RestrictedField {
  source: string;
  field: string;
}

/**
 * Record id → its restricted fields. Records without one are not in it.
 * @throws SnapshotUnavailable
 */
export async function restrictedFields(
  snapshot: Snapshot,
  resource: EnrichedResource,
): Promise<ReadonlyMap<number, readonly RestrictedField[]>> {
  const family = restrictedFamily(resource);
  const byId = new Map<number, RestrictedField[]>();
  for (const hash of snapshot.hashesOf(family))
    for (const [source, field, runs] of await snapshot.shard(family, hash)) {
      const restricted = { source, field };
      for (const id of new IdColumn([{ id: runs }]).ids) {
        const own = byId.get(id);
        if (own) own.push(restricted);
        else byId.set(id, [restricted]);
      }
    }
  return byId;
}
