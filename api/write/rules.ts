/** The rules of a write that need the database. */
import type { Connection } from '../../data/database/open.ts';
import { deriveFields, hadEntry, type NominationReferences, recordExists } from '../../data/record/edits.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { derivedFieldsOf, derivedFrom, references, referencesOf } from '../contract/bodies.ts';
import { type PointerFault, pointerTo } from '../contract/problems.ts';
import { nameOf } from './page-etags.ts';
import type { WriteRequest } from './requests.ts';

/**
 * Rules that need the database: references exist, and derived fields have their derived values.
 * @param record the fields that checkBody found valid
 * @param before the stored record, with `details` if `record` has some; undefined if there is none
 */
export function faultsOfRules(
  connection: Connection,
  { resource, id }: WriteRequest,
  record: RecordFields,
  before: RecordFields | undefined,
): PointerFault[] {
  const faults: PointerFault[] = [];
  const add = (field: string, message: string) => faults.push({ pointer: pointerTo([field]), message });
  if (id !== undefined && record.id !== undefined && record.id !== id) add('id', `must stay ${id}`);
  const after: RecordFields = { ...before, ...record };
  if (resource === 'nominations') {
    const entry = (record.details as RecordFields | undefined)?.entry;
    const stored = (before?.details as RecordFields | undefined)?.entry ?? null;
    const isUndo = () => hadEntry(connection, after.id as number, entry as number | null, after);
    if (entry !== undefined && entry !== stored && !isUndo())
      faults.push({
        pointer: '/details/entry',
        message: `comes from the source: its value is ${stored}; omit it or send this value`,
      });
  }
  for (const field of referencesOf[resource] ?? []) {
    const reference = record[field];
    if (typeof reference === 'number' && !recordExists(connection, references[field], reference))
      add(field, `there is no ${nameOf(field)} with id ${reference}`);
  }
  for (const [at, nominee] of ((record.nominee_ids ?? []) as number[]).entries())
    if (!recordExists(connection, 'nominees', nominee))
      faults.push({
        pointer: pointerTo(['nominee_ids', at]),
        message: `there is no nominee with id ${nominee}`,
      });
  const sent = (derivedFieldsOf[resource] ?? []).filter((field) => record[field] !== undefined);
  if (sent.length === 0) return faults;
  const derived = deriveFields(connection, { song_id: null, ...after } as unknown as NominationReferences);
  for (const field of sent) {
    const reference = after[derivedFrom[field]];
    // An honor for no film has no title of one.
    const value = reference === null && field === 'movie' ? null : derived[field];
    const due = reference === undefined ? undefined : value;
    if (due !== undefined && record[field] !== due)
      add(field, `is derived: its value is ${JSON.stringify(due)}; omit it or send this value`);
  }
  return faults;
}
