/** The records that changed since a snapshot, with the fields that differ. */
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Change } from '../../data/database/changes.ts';
import type { Connection } from '../../data/database/open.ts';
import { recordsBetween } from '../../data/record/records.ts';
import type { ChangedRecords } from './blocks.ts';

/** The input of an incremental build. */
export interface Incremental {
  changes: readonly Change[];
  /** The snapshot that the changes are applied to. */
  before: Snapshot;
}

type AnyRecord = Readonly<Record<string, unknown>>;

/**
 * The changed records with the fields that differ from the previous snapshot: a new title makes `titles`
 * again and not `films`. Any field may differ of records that were added or removed, and of nominations and
 * honors, which have no shards of whole records to compare with.
 */
export async function changedRecords(
  connection: Connection,
  { changes, before }: Incremental,
): Promise<ReadonlyMap<ResourceName, ChangedRecords>> {
  const changed = new Map(
    resourceNames.map((resource) => [resource, new Map<number, ReadonlySet<string> | undefined>()]),
  );
  for (const { resource, id } of changes) {
    const records = changed.get(resource);
    // The change log may have been edited by hand.
    if (records === undefined) continue;
    const isWhole = resource !== 'nominations' && resource !== 'honors';
    const old = isWhole ? ((await before.record(resource, id)) as AnyRecord | undefined) : undefined;
    const now = old && recordsBetween(connection, resource as 'movies', id, id + 1)[0];
    const isDifferent = ([field, value]: [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(old![field]);
    const fields =
      now &&
      new Set(
        Object.entries(now)
          .filter(isDifferent)
          .map(([field]) => field),
      );
    records.set(id, fields);
  }
  return changed;
}
