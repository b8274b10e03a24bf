/**
 * The fields whose values may not be passed on. Downloads leave them out; a page that shows them shows the
 * notice of the source.
 */
import { type EnrichedResource, enrichedResources, termsOf } from '../contract/enrichment.ts';
import { restrictedFamily } from '../contract/snapshot.ts';
import { byCodeUnit } from '../contract/text.ts';
import { IdColumn } from './columns.ts';
import type { Snapshot } from './snapshot.ts';

export interface RestrictedField {
  source: string;
  field: string;
}

/**
 * What a page that shows values of the snapshot must say: the notices of the sources, ascending.
 * @throws SnapshotUnavailable
 */
export async function noticesOf(snapshot: Snapshot): Promise<string[]> {
  const notices = new Set<string>();
  for (const resource of enrichedResources) {
    const family = restrictedFamily(resource);
    for (const hash of snapshot.hashesOf(family))
      for (const [source] of await snapshot.shard(family, hash)) {
        const notice = termsOf(source)?.notice;
        if (notice !== undefined) notices.add(notice);
      }
  }
  return [...notices].sort(byCodeUnit);
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
