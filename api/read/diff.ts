/** Which records differ between two snapshots. Equal hashes are skipped, so the cost follows the difference. */
import { type ResourceName, referencedResources } from '../contract/names.ts';
import {
  type BlockFamily,
  type HonorShard,
  idOfRecord,
  type NominationShard,
  recordFamily,
} from '../contract/snapshot.ts';
import { IdColumn } from './columns.ts';
import type { Snapshot } from './snapshot.ts';

export type RecordChange = 'added' | 'changed' | 'removed';
/** The ids that differ, per resource, in no particular order. */
export type SnapshotDiff = Readonly<Record<ResourceName, ReadonlyMap<number, RecordChange>>>;

/** The records of one shard: id → text. Two stored records are equal if their texts are equal. */
type ShardRecords = ReadonlyMap<number, string>;

/**
 * Compares stored records. A nomination differs when its ids or its winner flag differ: what it shows of other records is
 * not stored with it.
 * @throws SnapshotUnavailable
 */
export async function diffSnapshots(before: Snapshot, after: Snapshot): Promise<SnapshotDiff> {
  const nominations = diffFamily('nominations', before, after, async (snapshot, hash) =>
    nominationRecords(await snapshot.shard('nominations', hash)),
  );
  const honors = diffFamily('honors', before, after, async (snapshot, hash) =>
    honorRecords(await snapshot.shard('honors', hash)),
  );
  const others = referencedResources.map(
    async (resource) =>
      [
        resource,
        await diffFamily(recordFamily(resource), before, after, async (snapshot, hash) => {
          const records = await snapshot.recordShard(recordFamily(resource), hash);
          return new Map(records.map((record) => [idOfRecord(record), record]));
        }),
      ] as const,
  );
  const entries = [
    ['nominations', await nominations] as const,
    ['honors', await honors] as const,
    ...(await Promise.all(others)),
  ];
  return Object.fromEntries(entries) as unknown as SnapshotDiff;
}

async function diffFamily(
  family: BlockFamily,
  before: Snapshot,
  after: Snapshot,
  load: (snapshot: Snapshot, hash: string) => Promise<ShardRecords>,
): Promise<Map<number, RecordChange>> {
  const changes = new Map<number, RecordChange>();
  const none: ShardRecords = new Map();
  const [old, now] = await Promise.all([shardsByKey(before, family), shardsByKey(after, family)]);
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

async function shardsByKey(snapshot: Snapshot, family: BlockFamily): Promise<Map<number | string, string>> {
  const { keys, hashes } = await snapshot.directory(family);
  return new Map(keys.map((key, i) => [key, hashes[i]!]));
}

function nominationRecords(shard: NominationShard): ShardRecords {
  const [ceremony, category, song, winner] = [
    expand(shard.ceremony),
    expand(shard.category),
    expand(shard.song),
    expand(shard.winner),
  ];
  const records = new Map<number, string>();
  let row = 0;
  for (let run = 0; run < shard.id.length; run += 2)
    for (let i = 0; i < shard.id[run + 1]!; i += 1, row += 1)
      records.set(
        shard.id[run]! + i,
        `${ceremony[row]} ${category[row]} ${shard.movie[row]} ${shard.nominee[row]} ${song[row]} ${winner[row]}`,
      );
  return records;
}

function honorRecords({ id, ceremony, ...columns }: HonorShard): ShardRecords {
  const ceremonies = expand(ceremony);
  const values = Object.values(columns) as unknown[][];
  const { ids } = new IdColumn([{ id }]);
  return new Map(
    ids.map((own, row) => [own, JSON.stringify([ceremonies[row], ...values.map((it) => it[row])])]),
  );
}

/** The values of a run-length encoded column. */
function expand(repeats: readonly number[]): number[] {
  const values: number[] = [];
  for (let i = 0; i < repeats.length; i += 2)
    for (let n = repeats[i + 1]!; n > 0; n -= 1) values.push(repeats[i]!);
  return values;
}
