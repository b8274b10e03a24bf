/** Batches: reads the body of one, and names the place of a refusal in it. */
import { BatchSchema, type JsonValue } from '../contract/bodies.ts';
import { maxBatchWrites } from '../contract/limits.ts';
import { isWritable } from '../contract/names.ts';
import { unknownName } from '../contract/nearest.ts';
import { type PointerFault, type ProblemCode, pointerTo } from '../contract/problems.ts';
import { listPath, matchRoute, recordPath, type WriteMethod, writeMethods } from '../contract/routes.ts';
import { type BatchRequest, invalidRecord, type WriteError, type WriteRequest } from './outcomes.ts';

/** A write of a batch, or why it cannot be read. The pointers of its faults begin at the write. */
type BatchMember = WriteRequest | WriteError;

const memberNames = Object.keys(BatchSchema.items.properties);

/** @returns the writes in their order, each or its faults; or the refusal of a body that is no list of writes */
export function readBatch({ body, key }: BatchRequest): BatchMember[] | WriteError {
  if (Array.isArray(body) && body.length > 0 && body.length <= maxBatchWrites)
    return body.map((member) => readMember(member, key));
  return invalidRecord([{ pointer: '', message: `must be a list of 1 to ${maxBatchWrites} writes` }]);
}

function readMember(member: JsonValue, key: string): BatchMember {
  if (member === null || typeof member !== 'object' || Array.isArray(member))
    return invalidRecord([{ pointer: '', message: 'must be a JSON object' }]);
  const { method, path, body, if_match: ifMatch } = member;
  const faults: PointerFault[] = [];
  const add = (name: string, message: string) => faults.push({ pointer: pointerTo([name]), message });
  for (const name of Object.keys(member))
    if (!memberNames.includes(name)) add(name, unknownName('member', name, memberNames, 'a write has'));
  const isDelete = method === 'DELETE';
  for (const name of [...BatchSchema.items.required, ...(isDelete ? [] : ['body'])])
    if (member[name] === undefined) add(name, 'is required');
  if (method !== undefined && !isMethod(method)) add('method', 'must be POST, PATCH or DELETE');
  if (isDelete && body !== undefined) add('body', 'must be left out of a DELETE');
  if (ifMatch !== undefined && typeof ifMatch !== 'string') add('if_match', 'must be a text');
  const target = typeof path === 'string' ? targetOf(path) : undefined;
  if (path !== undefined && target === undefined) add('path', pathDemand);
  else if (target && isMethod(method) && !target.methods.includes(method))
    add('path', `takes ${target.methods.join(' and ')}, not ${method}`);
  if (faults.length > 0) return invalidRecord(faults);
  const { resource, id } = target!;
  return { resource, id, body, ifMatch: ifMatch as string | undefined, key };
}

const methods: readonly unknown[] = BatchSchema.items.properties.method.enum;
const isMethod = (method: unknown): method is WriteMethod => methods.includes(method);

const pathDemand = `must be the address of a list, such as ${listPath('movies')}, or of a record, such as ${recordPath('movies', 1)}`;

/** What a path leads to; undefined for an address that takes no single write. */
function targetOf(path: string) {
  const match = matchRoute(path);
  if (match === undefined || !('resource' in match.route) || !isWritable(match.route.resource))
    return undefined;
  if (match.route.kind === 'record' && match.id === undefined) return undefined;
  return { resource: match.route.resource, id: match.id, methods: writeMethods(match.route) };
}

/** Problem of a single write without faults → the member of a batch that it is about. */
const memberAtFault: Partial<Record<ProblemCode, readonly string[]>> = {
  'no-such-record': ['path'],
  'record-exists': ['body', 'id'],
  'still-referenced': ['path'],
  'precondition-failed': ['if_match'],
};

/** The refusal of a batch whose write at a position is refused: the same problem, with the pointers of its faults in the batch. */
export function refusalAt(
  position: number,
  member: BatchMember,
  { problem, detail, faults: own }: WriteError,
): WriteError {
  // The faults of a write that was read are those of its body.
  const place = [position, ...('problem' in member ? [] : ['body'])];
  const faults = own
    ? own.map(({ pointer, message }) => ({ pointer: pointerTo(place) + pointer, message }))
    : [{ pointer: pointerTo([position, ...(memberAtFault[problem] ?? [])]), message: detail }];
  return { ...invalidRecord(faults), problem };
}
