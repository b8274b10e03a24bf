/**
 * Carries out a plan: adds, then changes, then removes, so that every reference is to a record that is there.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import { changeColumns, deleteRecord } from '../record/edits.ts';
import { forgetGiven, readGiven, writeDeleted, writeGiven } from '../record/given.ts';
import { importKeyName } from '../record/keys.ts';
import { type Connection, prepared } from '../database/open.ts';
import { prepareInsert } from '../record/records.ts';
import { inOrderOfRemoval, type Plan } from './plan.ts';
import { identityOf } from './source-record.ts';

/**
 * Carries out a plan in the caller's transaction, which read what the plan is made from. Each changed and
 * removed record gets a receipt with the key "import".
 */
export function applyPlan(connection: Connection, { resources }: Plan): void {
  const receipt = { key: importKeyName, at: new Date() };
  for (const resource of inOrderOfRemoval.toReversed()) {
    // The things of a resource have the same columns.
    let insert: ReturnType<typeof prepareInsert> | undefined;
    for (const [id, columns] of resources[resource].add) {
      insert ??= prepareInsert(connection, resource, ['id', ...Object.keys(columns)]);
      insert({ id, ...columns });
    }
  }
  for (const resource of inOrderOfRemoval)
    for (const [id, columns] of resources[resource].change)
      changeColumns(connection, { resource, id, ...receipt }, columns);
  for (const resource of inOrderOfRemoval)
    for (const [id, given] of resources[resource].deleted) writeDeleted(connection, resource, id, given);
  for (const resource of inOrderOfRemoval)
    for (const id of resources[resource].remove) {
      keepIdentity(connection, resource, id);
      forgetGiven(connection, resource, id);
      deleteRecord(connection, { resource, id, ...receipt });
    }
  for (const resource of inOrderOfRemoval)
    for (const [id, given] of resources[resource].given)
      writeGiven(connection, resource, id, 'import', given);
}

const fieldOf: Partial<Record<ResourceName, string>> = {
  movies: 'movie_id',
  nominees: 'nominee_id',
  songs: 'song_id',
};

/**
 * Called before a record is removed. Deleted nominations that refer to it keep its identity instead of its
 * id, which is no longer valid.
 */
function keepIdentity(connection: Connection, resource: ResourceName, id: number): void {
  const field = fieldOf[resource];
  if (field === undefined) return;
  const { fields } = readGiven(connection, resource, id, 'import')!;
  prepared<unknown[]>(
    connection,
    `UPDATE deleted SET fields = json_set(fields, '$.${field}', ?)
     WHERE resource = 'nominations' AND fields ->> '${field}' = ?`,
  ).run(identityOf(resource as 'movies' | 'nominees' | 'songs', fields), id);
}
