/**
 * The core of a snapshot, which readers need for every answer: all ids, the ceremonies and the categories.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import { type CoreShard, type Manifest, toRuns } from '../../api/contract/snapshot.ts';
import { IdColumn } from '../../api/read/columns.ts';
import type { Snapshot } from '../../api/read/snapshot.ts';
import type { Connection } from '../../data/database/open.ts';
import { recordExists } from '../../data/record/edits.ts';
import { forEachResource, recordIds } from '../../data/record/records.ts';
import { type ChangedRecords, coreColumns } from './blocks.ts';

/** @param before the previous snapshot, with the records that changed since; undefined to read everything */
export async function makeCore(
  connection: Connection,
  before: Snapshot | undefined,
  changed: ReadonlyMap<ResourceName, ChangedRecords> | undefined,
): Promise<CoreShard> {
  const idsBefore = await before?.table('ids');
  // Ids are read only if records were added or removed: the time of reading grows with all records.
  const idsOf = (resource: ResourceName) => {
    const known = idsBefore?.[resource];
    const isSame = (id: number) => recordExists(connection, resource, id) === known!.row(id) >= 0;
    return known && [...changed!.get(resource)!.keys()].every(isSame)
      ? known.runs
      : toRuns(recordIds(connection, resource));
  };
  return {
    ids: forEachResource(idsOf),
    ceremonies: coreColumns(connection, 'ceremonies'),
    categories: coreColumns(connection, 'categories'),
  };
}

/** The number of records of each resource. */
export const countsOf = ({ ids }: CoreShard): Manifest['counts'] =>
  forEachResource((resource) => new IdColumn([{ id: ids[resource] }]).count);
