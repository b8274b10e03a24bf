/**
 * Taking changes back: what is written, in words and as a batch, and what stays because it was changed since.
 */
import { defaultOf, detailSchemas, storedFields } from '../../../api/contract/bodies.ts';
import { isWritable, type WritableResource } from '../../../api/contract/names.ts';
import { listPath, recordPath } from '../../../api/contract/routes.ts';
import { count, together } from '../shared/format.ts';
import { changeInWords } from './fields.ts';
import { isSame, type Stored } from './reading.ts';
import { bodyOf, type Receipt, type Write } from './requests.ts';

/** The records as they are now. */
interface Records {
  /** Undefined if there is no such record. */
  load(resource: WritableResource, id: number): Promise<Stored | undefined>;
  /** The ids of the nominations that refer to a record. */
  nominationsOf(resource: WritableResource, id: number): Promise<number[]>;
}

/** `changes` has a line for each write, `left` one for each record that stays as it is. */
export type Undo = { writes: Write[]; changes: string[]; left: string[] };

/**
 * Plans to take changes back, as one batch. Each write is refused if its record changes meanwhile. A record
 * that was changed since is left, and so are those that it needs. Of read-only collections nothing is taken
 * back.
 * @param receipts newest first: a batch can change a record twice
 */
export async function planUndo(receipts: readonly Receipt[], records: Records): Promise<Undo> {
  const plan: Undo = { writes: [], changes: [], left: [] };
  /** Path → the record as the writes so far leave it. */
  const known = new Map<string, Stored | undefined>();
  const leftPaths = new Set<string>();
  const deletedNominations = new Set<number>();
  for (const receipt of receipts) {
    const { action, resource, record_id: id, before, after, title } = receipt;
    const path = recordPath(resource, id);
    if (!isWritable(resource) || leftPaths.has(path)) continue;
    const now = known.has(path) ? known.get(path) : await records.load(resource, id);
    const obstacle = obstacleTo(receipt, now) ?? (action === 'create' && (await neededBy(resource, id)));
    if (obstacle) {
      leftPaths.add(path);
      plan.left.push(`${title}: ${obstacle}`);
      continue;
    }
    const own = writable(resource, before);
    const body = bodyOf(resource, own);
    const condition = { path, if_match: now?.etag };
    if (action === 'create') plan.writes.push({ method: 'DELETE', ...condition });
    else if (action === 'delete') plan.writes.push({ method: 'POST', path: listPath(resource), body });
    else plan.writes.push({ method: 'PATCH', ...condition, body });
    if (action === 'create' && resource === 'nominations') deletedNominations.add(id);
    known.set(
      path,
      action === 'create' ? undefined : { values: { ...now?.values, ...own }, etag: now?.etag },
    );
    const undone = { ...receipt, before: after, after: before };
    plan.changes.push(`${title}: ${undoneInWords[action] ?? changeInWords(undone)}`);
  }
  return plan;

  async function neededBy(resource: WritableResource, id: number): Promise<string | undefined> {
    const users = (await records.nominationsOf(resource, id)).filter((user) => !deletedNominations.has(user));
    return users.length > 0 ? `still has ${count(users.length, 'nomination')}` : undefined;
  }
}

const undoneInWords: Partial<Record<Receipt['action'], string>> = {
  create: 'is deleted',
  delete: 'is added again',
};

/** Why a change cannot be taken back, in words. @param now the record; undefined if there is none */
function obstacleTo(
  { action, resource, before, after }: Receipt,
  now: Stored | undefined,
): string | undefined {
  if (action === 'delete') return now && 'was added again since';
  if (now === undefined) return 'was deleted since';
  // The receipt of a change has the changed fields alone; that of a new record may lack details, which have
  // their defaults then.
  const names = Object.keys(
    writable(resource as WritableResource, action === 'update' ? before : now.values),
  );
  const isNewer = (name: string) =>
    !isSame(now.values[name], name in after ? after[name] : defaultOf(name, resource));
  const newer = names.filter(isNewer).map((name) => name.replace(/_id$/, '').replaceAll('_', ' '));
  return newer.length > 0 ? `${together(newer)} changed since` : undefined;
}

/** The members that a write may have. */
function writable(resource: WritableResource, values: Receipt['before']): Receipt['before'] {
  const names = [...storedFields(resource), ...Object.keys(detailSchemas)];
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
