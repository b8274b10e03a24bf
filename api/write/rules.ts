/** Rules that need the database: references exist, and derived fields have their derived values. */
import { deriveFields, hadEntry, type NominationReferences, recordExists } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';
import type { RecordFields } from '../../data/validation.ts';
import { derivedFields, derivedFrom, type ReferenceField, references } from '../contract/bodies.ts';
import type { WritableResource } from '../contract/names.ts';
import { type PointerFault, pointerTo } from '../contract/problems.ts';

/**
 * Checks a record that has the right shape.
 * @param id the id in the address of a PATCH, undefined for a POST
 * @param record the fields that checkBody found valid
 * @param before the stored record, with `details` if `record` has some; undefined if there is none
 */
export function checkRules(
  connection: Connection,
  resource: WritableResource,
  id: number | undefined,
  record: RecordFields,
  before: RecordFields | undefined,
): PointerFault[] {
  const faults: PointerFault[] = [];
  const add = (field: string, message: string) => faults.push({ pointer: pointerTo([field]), message });
  if (id !== undefined && record.id !== undefined && record.id !== id) add('id', `must stay ${id}`);
  if (resource !== 'nominations') return faults;
  const entry = (record.details as RecordFields | undefined)?.entry;
  const due = (before?.details as RecordFields | undefined)?.entry ?? null;
  const after = { ...before, ...record };
  const isUndo = () => hadEntry(connection, after.id as number, entry as number | null, after);
  if (entry !== undefined && entry !== due && !isUndo())
    faults.push({
      pointer: '/details/entry',
      message: `comes from the source: its value is ${due}; omit it or send this value`,
    });
  for (const [field, target] of Object.entries(references)) {
    const reference = record[field];
    if (typeof reference === 'number' && !recordExists(connection, target, reference))
      add(field, `there is no ${field.slice(0, -'_id'.length)} with id ${reference}`);
  }
  const sent = derivedFields.filter((field) => record[field] !== undefined);
  if (sent.length === 0) return faults;
  const derived = deriveFields(connection, referencesOf(after));
  for (const field of sent) {
    const due = after[derivedFrom[field]] === undefined ? undefined : derived[field];
    if (due !== undefined && record[field] !== due)
      add(field, `is derived: its value is ${JSON.stringify(due)}; omit it or send this value`);
  }
  return faults;
}

function referencesOf(record: RecordFields): NominationReferences {
  const idIn = (field: ReferenceField) => (typeof record[field] === 'number' ? record[field] : undefined);
  return {
    ceremony_id: idIn('ceremony_id'),
    category_id: idIn('category_id'),
    movie_id: idIn('movie_id'),
    nominee_id: idIn('nominee_id'),
    song_id: idIn('song_id') ?? null,
  };
}
