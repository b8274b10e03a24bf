/**
 * Checks a record against the schema of its resource. The rules that need the database are in
 * api/write/writer.ts.
 */
import Type, { type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import {
  defaultOf,
  derivedFieldsOf,
  derivedFrom,
  detailSchemas,
  fieldSchemas,
  type JsonValue,
  requiredFields,
  storedFields,
  writableDetails,
} from '../../api/contract/bodies.ts';
import { requestedFields } from '../../api/contract/fields.ts';
import { type WritableResource, writableResources } from '../../api/contract/names.ts';
import { unknownName } from '../../api/contract/nearest.ts';
import { maxFaults, type PointerFault, pointerTo } from '../../api/contract/problems.ts';

/** Fields of a record by name, some or all of them. */
export type RecordFields = Record<string, JsonValue>;

interface CheckedBody {
  /**
   * The valid fields of the body; for a new record also the defaults of all other stored fields. A derived
   * field is in it as sent, unless its reference has a fault. `details` has the members that were sent, those
   * of a new record all.
   */
  record: RecordFields;
  /** In the order of the body, then the missing fields. */
  faults: PointerFault[];
}

/** A compiled schema. */
interface FieldCheck {
  validator: Validator;
  /** What the schema demands; follows "must be". */
  demand: string;
  items?: FieldCheck;
}

type FieldChecks = ReadonlyMap<string, FieldCheck>;

const checksOf = (schemas: Record<string, TSchema>): FieldChecks =>
  new Map(Object.entries(schemas).map(([field, schema]) => [field, fieldCheck(schema)]));
const fieldChecks = new Map(
  writableResources.map((resource) => [resource, checksOf(fieldSchemas(resource))]),
);
const detailChecks = checksOf(detailSchemas);

function fieldCheck(schema: TSchema): FieldCheck {
  const check: FieldCheck = { validator: Compile(schema), demand: demandOf(schema) };
  return Type.IsArray(schema) ? { ...check, items: fieldCheck(schema.items) } : check;
}

/** Keywords of texts and lists. */
interface Limits {
  says?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

function demandOf(schema: TSchema): string {
  if (Type.IsUnion(schema)) return schema.anyOf.map(demandOf).join(' or ');
  if (Type.IsNull(schema)) return 'null';
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsInteger(schema))
    return 'minimum' in schema && 'maximum' in schema
      ? `a whole number from ${schema.minimum} to ${schema.maximum}`
      : 'a whole number';
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(', ')}`;
  const { says, minLength, maxLength, maxItems, uniqueItems } = schema as Limits;
  if (Type.IsArray(schema))
    return `a list of at most ${maxItems} ${uniqueItems ? 'different ' : ''}${Type.IsInteger(schema.items) ? 'ids' : 'texts'}`;
  if (says === undefined) return `a text of ${minLength ?? 0} to ${maxLength} characters`;
  return maxLength === undefined ? String(says) : `${says} (at most ${maxLength} characters)`;
}

/**
 * Checks a body that was read by readStrictJson. An update is a JSON merge patch (RFC 7396): null stands for
 * the default.
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
  const names = [...fieldChecks.get(resource)!.keys(), ...(resource === 'nominations' ? ['details'] : [])];
  for (const [field, sent] of Object.entries(body)) {
    if (faults.length >= maxFaults) break;
    if (resource === 'nominations' && field === 'details')
      record.details = checkDetails(sent, action, faults);
    else checkField(resource, fieldChecks.get(resource)!, names, [field], sent, action, record, faults);
  }
  if (action === 'create') addDefaults(resource, body, record, faults);
  removeIncomparable(resource, body, record, action);
  return { record, faults: faults.slice(0, maxFaults) };
}

/**
 * Checks one field, and adds it to the record or its faults to the others.
 * @param names of all fields, for a message @param path of the field in the body
 */
function checkField(
  resource: WritableResource,
  checks: FieldChecks,
  names: readonly string[],
  path: readonly string[],
  sent: JsonValue,
  action: 'create' | 'update',
  record: RecordFields,
  faults: PointerFault[],
): void {
  const field = path.at(-1)!;
  const value = sent === null && action === 'update' ? defaultOf(field, resource) : sent;
  const check = checks.get(field);
  const found = check
    ? faultsOfValue(check, value, path)
    : [{ pointer: pointerTo(path), message: unknownName('field', field, names, 'the fields are') }];
  faults.push(...found);
  // The record has no negative zero.
  if (found.length === 0) record[field] = value === 0 ? 0 : value;
}

/** The valid members of `details`; null stands for all defaults. */
function checkDetails(sent: JsonValue, action: 'create' | 'update', faults: PointerFault[]): RecordFields {
  const defaults = Object.fromEntries(writableDetails.map((name) => [name, defaultOf(name)]));
  if (sent === null) return defaults;
  if (typeof sent !== 'object' || Array.isArray(sent)) {
    faults.push({ pointer: '/details', message: 'must be a JSON object or null' });
    return {};
  }
  const details: RecordFields = action === 'create' ? defaults : {};
  const names = [...detailChecks.keys()];
  for (const [name, value] of Object.entries(sent))
    checkField('nominations', detailChecks, names, ['details', name], value, action, details, faults);
  return details;
}

/** @param path of the value in the body */
function faultsOfValue(
  { validator, demand, items }: FieldCheck,
  value: JsonValue,
  path: readonly (string | number)[],
): PointerFault[] {
  const isValid: boolean = validator.Check(value);
  if (isValid) return [];
  const ofItems =
    items && Array.isArray(value)
      ? value.flatMap((item, at) => faultsOfValue(items, item, [...path, at]))
      : [];
  // A list without such a fault is too long, or has an item twice.
  if (ofItems.length > 0) return ofItems;
  return [{ pointer: pointerTo(path), message: value === null ? 'must not be null' : `must be ${demand}` }];
}

function addDefaults(
  resource: WritableResource,
  body: RecordFields,
  record: RecordFields,
  faults: PointerFault[],
): void {
  for (const field of storedFields(resource)) {
    // The table has the defaults of what lists show on request only.
    if (Object.hasOwn(body, field) || requestedFields[resource]?.some((own) => own === field)) continue;
    if (requiredFields[resource].includes(field))
      faults.push({ pointer: pointerTo([field]), message: 'is required' });
    else if (field !== 'id') record[field] = defaultOf(field, resource);
  }
}

/**
 * Removes derived fields whose reference is missing or has a fault: there is nothing to compare them with.
 */
function removeIncomparable(
  resource: WritableResource,
  body: RecordFields,
  record: RecordFields,
  action: 'create' | 'update',
): void {
  for (const derived of derivedFieldsOf[resource] ?? []) {
    const reference = derivedFrom[derived];
    const isNeeded = action === 'create' || Object.hasOwn(body, reference);
    if (isNeeded && !Object.hasOwn(record, reference)) delete record[derived];
  }
}
