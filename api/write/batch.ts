/** Batches: reads the body of one, and puts the refusals of its writes together. */
import type { RecordFields } from '../../data/validation.ts';
import {
  BatchSchema,
  type DerivedField,
  derivedFrom,
  type JsonValue,
  type ReferenceField,
  references,
} from '../contract/bodies.ts';
import { maxBatchWrites } from '../contract/limits.ts';
import { isWritable, type ResourceName } from '../contract/names.ts';
import { unknownName } from '../contract/nearest.ts';
import {
  maxFaults,
  type PointerFault,
  type ProblemCode,
  pointerTo,
  summaryOf,
} from '../contract/problems.ts';
import { listPath, matchRoute, recordPath, writeMethod } from '../contract/routes.ts';
import type { RecordLookup } from './rules.ts';
import type { WriteError, WriteRequest } from './outcomes.ts';

/** A write of a batch, or why it cannot be read. The pointers of its faults begin at the write. */
export type BatchMember = WriteRequest | WriteError;

type Step = string | number;

const memberNames = Object.keys(BatchSchema.items.properties);

/**
 * Reads the body of a batch.
 * @param key name of the API key
 * @returns the writes in their order, each or its faults; or the refusal of a body that is no list of writes
 */
export function readBatch(body: JsonValue, key: string): BatchMember[] | WriteError {
  if (Array.isArray(body) && body.length > 0 && body.length <= maxBatchWrites)
    return body.map((member) => readMember(member, key));
  return invalid([{ pointer: '', message: `must be a list of 1 to ${maxBatchWrites} writes` }]);
}

function readMember(member: JsonValue, key: string): BatchMember {
  if (member === null || typeof member !== 'object' || Array.isArray(member))
    return invalid([{ pointer: '', message: 'must be a JSON object' }]);
  const { method, path, body, if_match: ifMatch } = member;
  const faults: PointerFault[] = [];
  const add = (name: string, message: string) => faults.push({ pointer: pointerTo([name]), message });
  for (const name of Object.keys(member))
    if (!memberNames.includes(name)) add(name, unknownName('member', name, memberNames, 'a write has'));
  for (const name of BatchSchema.items.required) if (member[name] === undefined) add(name, 'is required');
  if (method !== undefined && method !== 'POST' && method !== 'PATCH') add('method', 'must be POST or PATCH');
  if (ifMatch !== undefined && typeof ifMatch !== 'string') add('if_match', 'must be a text');
  const target = typeof path === 'string' ? targetOf(path) : undefined;
  if (path !== undefined && target === undefined)
    add('path', isReadOnly(path) ? 'takes GET only' : pathDemand);
  else if (target && (method === 'POST' || method === 'PATCH') && target.method !== method)
    add('path', `takes ${target.method}, not ${method}`);
  if (faults.length > 0) return invalid(faults);
  const { resource, id } = target!;
  return { resource, id, body: body!, ifMatch: ifMatch as string | undefined, key };
}

const pathDemand = `must be the address of a list, such as ${listPath('movies')}, or of a record, such as ${recordPath('movies', 1)}`;

/** Whether a path is an address without writes, such as that of a category. */
function isReadOnly(path: JsonValue): boolean {
  const match = typeof path === 'string' ? matchRoute(path) : undefined;
  return match !== undefined && writeMethod(match.route) === undefined;
}

/** What a path leads to; undefined for an address that takes no single write. */
function targetOf(path: string) {
  const match = matchRoute(path);
  if (match === undefined || !('resource' in match.route) || !isWritable(match.route.resource))
    return undefined;
  if (match.route.kind === 'record' && match.id === undefined) return undefined;
  return { resource: match.route.resource, id: match.id, method: writeMethod(match.route)! };
}

/** The problems of single writes in the order of their checks, with the member of a batch that each is about. */
const memberAtFault: Partial<Record<ProblemCode, readonly Step[]>> = {
  'no-such-record': ['path'],
  'record-exists': ['body', 'id'],
  'precondition-failed': ['if_match'],
};
const problemsInOrder: readonly ProblemCode[] = [
  'invalid-record',
  ...(Object.keys(memberAtFault) as ProblemCode[]),
];

/** @param pointers of the faults begin at the write */
const invalid = (faults: PointerFault[]): WriteError => ({
  problem: 'invalid-record',
  detail: summaryOf(faults),
  faults,
});

/**
 * The records that refused writes of a batch would have added or changed. What refers to them is not at fault: only the
 * refused writes are reported.
 */
export class Unsettled {
  readonly #records = new Set<string>();

  /** Notes the record of a refused write. A new one without an id cannot be referred to. */
  add({ resource, id, body }: WriteRequest): void {
    const known = id ?? (body as { id?: JsonValue } | null)?.id;
    if (known !== undefined) this.#records.add(`${resource}/${String(known)}`);
  }

  /** Whether a write is for such a record, or refers to one. @param record what the write sets */
  concerns({ resource, id }: WriteRequest, record: RecordFields): boolean {
    if (this.#records.size === 0) return false;
    return this.#has(resource, id ?? record.id) || this.#referredTo(record).length > 0;
  }

  /** The lookup with such records, whose fields are not known. */
  lookup(known: RecordLookup): RecordLookup {
    if (this.#records.size === 0) return known;
    return {
      ...known,
      exists: (resource, id) => this.#has(resource, id) || known.exists(resource, id),
      derive: (refersTo) => {
        const unknown = this.#referredTo(refersTo);
        const isKnown = (field: string) => !unknown.includes(derivedFrom[field as DerivedField]);
        return Object.fromEntries(Object.entries(known.derive(refersTo)).filter(([field]) => isKnown(field)));
      },
    };
  }

  #has(resource: ResourceName, id: unknown): boolean {
    return this.#records.has(`${resource}/${String(id)}`);
  }

  #referredTo(record: Readonly<Record<string, unknown>>): ReferenceField[] {
    return (Object.keys(references) as ReferenceField[]).filter((field) =>
      this.#has(references[field], record[field]),
    );
  }
}

/**
 * The refusal of a batch.
 * @param refusals of its writes by position; at least one
 * @returns the problem whose check comes first, with a fault for each write that has it
 */
export function refusalOfBatch(
  members: readonly BatchMember[],
  refusals: ReadonlyMap<number, WriteError>,
): WriteError {
  const found = [...refusals];
  const problem = problemsInOrder.find((code) => found.some(([, refusal]) => refusal.problem === code))!;
  const faults = found
    .filter(([, refusal]) => refusal.problem === problem)
    .flatMap(([position, { detail, faults: own }]) => {
      // The faults of a write that was read are those of its body.
      const place = [position, ...('problem' in members[position]! ? [] : ['body'])];
      return own
        ? own.map(({ pointer, message }) => ({ pointer: pointerTo(place) + pointer, message }))
        : [{ pointer: pointerTo([position, ...(memberAtFault[problem] ?? [])]), message: detail }];
    })
    .slice(0, maxFaults);
  return { problem, detail: summaryOf(faults), faults };
}
