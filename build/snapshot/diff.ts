/**
 * Which records differ between two snapshots. Equal hashes are skipped, so the cost follows the difference.
 */
import { type BlockFamily, directoryOf, recordFamily, type Runs } from '../../api/contract/snapshot.ts';
import { type ResourceName, referencedResources } from '../../api/contract/names.ts';
import { IdColumn } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';

export type ChangeKind = 'added' | 'changed' | 'removed';
/** The ids that differ, per resource, in no particular order. */
type SnapshotDiff = Readonly<Record<ResourceName, ReadonlyMap<number, ChangeKind>>>;

/** The records of one shard: id → text. Two stored records are equal if their texts are equal. */
type ShardRecords = ReadonlyMap<number, string>;

/**
 * Compares stored records, nominations with their details. What a record shows of others is not stored with
 * it.
 * @throws SnapshotUnavailable
 */
export async function diffSnapshots(before: Snapshot, after: Snapshot): Promise<SnapshotDiff> {
  const diffColumns = (family: 'nominations' | 'details' | 'honors') =>
    diffFamily(family, before, after, async (snapshot, hash) => {
      const { id, ...columns } = await snapshot.shard(family, hash);
      return columnRecords(id, Object.values(columns));
    });
  const nominations = Promise.all([diffColumns('details'), diffColumns('nominations')]).then(
    // The results agree: both families report a nomination that was added or removed.
    (diffs) => new Map(diffs.flatMap((own) => [...own])),
  );
  const honors = diffColumns('honors');
  const others = referencedResources.map(
    async (resource) =>
      [
        resource,
        await diffFamily(recordFamily(resource), before, after, async (snapshot, hash) => {
          const records = await snapshot.shard(recordFamily(resource), hash);
          return new Map(records.map((record) => [record.id, JSON.stringify(record)]));
        }),
      ] as const,
  );
  // All at once: a failure that nothing waits for yet would end the process.
  const [ofNominations, ofHonors, ...ofOthers] = await Promise.all([nominations, honors, ...others] as const);
  const entries = [['nominations', ofNominations], ['honors', ofHonors], ...ofOthers] as const;
  return Object.fromEntries(entries) as unknown as SnapshotDiff;
}

async function diffFamily(
  family: BlockFamily,
  before: Snapshot,
  after: Snapshot,
  load: (snapshot: Snapshot, hash: string) => Promise<ShardRecords>,
): Promise<Map<number, ChangeKind>> {
  const changes = new Map<number, ChangeKind>();
  const none: ShardRecords = new Map();
  const [old, now] = [shardsByKey(before, family), shardsByKey(after, family)];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [oldHash, nowHash] = [old.get(key), now.get(key)];
    if (oldHash === nowHash) continue;
    const oldRecords = oldHash === undefined ? none : await load(before, oldHash);
    const nowRecords = nowHash === undefined ? none : await load(after, nowHash);
    for (const [id, text] of nowRecords) {
      const known = oldRecords.get(id);
      if (known === undefined) changes.set(id, 'added');
      else if (known !== text) changes.set(id, 'changed');
    }
    for (const id of oldRecords.keys()) if (!nowRecords.has(id)) changes.set(id, 'removed');
  }
  return changes;
}

function shardsByKey({ manifest }: Snapshot, family: BlockFamily): Map<number, string> {
  const { keys, hashes } = directoryOf(manifest, family);
  return new Map(keys.map((key, i) => [key, hashes[i]!]));
}

/** @param columns with one value per id */
function columnRecords(id: Runs, columns: readonly (readonly unknown[])[]): ShardRecords {
  const { ids } = new IdColumn([{ id }]);
  return new Map(ids.map((own, row) => [own, JSON.stringify(columns.map((column) => column[row]))]));
}
