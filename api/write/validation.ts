/** Whether a body has the shape of a record, by the schema of the resource alone; what needs the database is in rules.ts. */
import {
  defaultOf,
  derivedFrom,
  fieldSchemas,
  requiredFields,
  storedFields,
  type WritableResource,
  writableResources,
} from '../contract/bodies.ts';
import { unknownName } from '../contract/nearest.ts';
import { maxFaults, type PointerFault, pointerTo } from '../contract/problems.ts';
import { type FieldCheck, faultsOf, fieldCheck } from './field-check.ts';
import type { JsonValue } from './strict-json.ts';

/** Fields of a record by name, some or all of them. */
export type RecordFields = Record<string, JsonValue>;

export interface CheckedBody {
  /**
   * What was sent and is valid, for a new record with the defaults of all stored fields besides. Derived fields are in it as
   * sent, to be compared, unless the reference they follow from is faulty itself.
   */
  record: RecordFields;
  /** In the order of the body, then what it lacks. */
  faults: PointerFault[];
}

const checksOf = (resource: WritableResource): ReadonlyMap<string, FieldCheck> =>
  new Map(Object.entries(fieldSchemas(resource)).map(([field, schema]) => [field, fieldCheck(schema)]));
const fieldChecks = Object.fromEntries(
  writableResources.map((resource) => [resource, checksOf(resource)]),
) as Record<WritableResource, ReadonlyMap<string, FieldCheck>>;

/**
 * Checks a body that was read by readStrictJson. An update is a JSON merge patch (RFC 7396): null stands for the default.
 * @returns the record as far as it is valid, and every fault (at most maxFaults)
 */
export function checkBody(
  resource: WritableResource,
  action: 'create' | 'update',
  body: JsonValue,
): CheckedBody {
  const record: RecordFields = {};
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    return { record, faults: [{ pointer: '', message: 'must be a JSON object' }] };
  const faults: PointerFault[] = [];
  for (const [field, sent] of Object.entries(body)) {
    if (faults.length >= maxFaults) break;
    const found = checkField(resource, field, meant(field, sent, action));
    if (Array.isArray(found)) faults.push(...found);
    else record[field] = found.value;
  }
  if (action === 'create') complete(resource, body, record, faults);
  forgetIncomparable(resource, body, record, action);
  return { record, faults: faults.slice(0, maxFaults) };
}

/** In a merge patch null removes a value, and what is removed has its default. */
function meant(field: string, sent: JsonValue, action: 'create' | 'update'): JsonValue {
  return sent === null && action === 'update' ? defaultOf(field) : sent;
}

function checkField(
  resource: WritableResource,
  field: string,
  value: JsonValue,
): PointerFault[] | { value: JsonValue } {
  const checks = fieldChecks[resource];
  const check = checks.get(field);
  if (check === undefined) {
    const message = unknownName('field', field, [...checks.keys()], 'the fields are');
    return [{ pointer: pointerTo([field]), message }];
  }
  const faults = faultsOf(check, value, [field]);
  // There is but one zero in the record.
  return faults.length > 0 ? faults : { value: value === 0 ? 0 : value };
}

/** Gives a new record the defaults of what was not sent. */
function complete(
  resource: WritableResource,
  body: RecordFields,
  record: RecordFields,
  faults: PointerFault[],
): void {
  for (const field of storedFields(resource)) {
    if (Object.hasOwn(body, field)) continue;
    if (requiredFields[resource].includes(field))
      faults.push({ pointer: pointerTo([field]), message: 'is required' });
    else if (field !== 'id') record[field] = defaultOf(field);
  }
}

/** Takes out the derived fields that cannot be compared, because what they follow from is faulty or missing. */
function forgetIncomparable(
  resource: WritableResource,
  body: RecordFields,
  record: RecordFields,
  action: 'create' | 'update',
): void {
  if (resource !== 'nominations') return;
  for (const [derived, reference] of Object.entries(derivedFrom)) {
    const due = action === 'create' || Object.hasOwn(body, reference);
    if (due && !Object.hasOwn(record, reference)) delete record[derived];
  }
}
