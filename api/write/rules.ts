/** What a record must fulfil that only the database can tell: its references exist, and what is derived is what was sent. */
import {
  derivedFields,
  derivedFrom,
  type ReferenceField,
  references,
  type WritableResource,
} from '../contract/bodies.ts';
import type { ReferencedResource } from '../contract/names.ts';
import { type PointerFault, pointerTo } from '../contract/problems.ts';
import type { RecordFields } from './validation.ts';

/** The references of a nomination; undefined, and for the song null, where one is not known. */
export type References = Record<Exclude<ReferenceField, 'song_id'>, number | undefined> & {
  song_id: number | null;
};

/** The derived fields of a nomination; undefined where they belong to a record that does not exist. */
export interface Derived {
  ceremony_year?: number | undefined;
  category?: string | undefined;
  movie?: string | undefined;
  nominee?: string | undefined;
  song_title?: string | null | undefined;
  is_song: boolean;
}

/** What the rules ask of the database. */
export interface RecordLookup {
  exists(resource: ReferencedResource, id: number): boolean;
  derive(references: References): Derived;
}

/**
 * Checks a record that has the right shape.
 * @param id the id in the address of a PATCH, undefined for a POST
 * @param record the fields that checkBody found valid
 * @param before the record as it is, undefined where there is none
 */
export function checkRules(
  resource: WritableResource,
  id: number | undefined,
  record: RecordFields,
  before: RecordFields | undefined,
  lookup: RecordLookup,
): PointerFault[] {
  const faults: PointerFault[] = [];
  if (id !== undefined && record.id !== undefined && record.id !== id)
    faults.push({ pointer: pointerTo(['id']), message: `must stay ${id}` });
  if (resource === 'nominations')
    faults.push(
      ...missingReferences(record, lookup),
      ...wrongDerived(record, { ...before, ...record }, lookup),
    );
  return faults;
}

const referenceFields = Object.keys(references) as ReferenceField[];

function missingReferences(record: RecordFields, lookup: RecordLookup): PointerFault[] {
  return referenceFields.flatMap((field) => {
    const id = record[field];
    if (typeof id !== 'number' || lookup.exists(references[field], id)) return [];
    return [
      { pointer: pointerTo([field]), message: `there is no ${field.slice(0, -'_id'.length)} with id ${id}` },
    ];
  });
}

/** @param after the record as it will be; references that are not in it are not known */
function wrongDerived(record: RecordFields, after: RecordFields, lookup: RecordLookup): PointerFault[] {
  const sent = derivedFields.filter((field) => record[field] !== undefined);
  if (sent.length === 0) return [];
  const derived = lookup.derive(referencesOf(after));
  return sent.flatMap((field) => {
    const due = after[derivedFrom[field]] === undefined ? undefined : derived[field];
    if (due === undefined || record[field] === due) return [];
    return [
      {
        pointer: pointerTo([field]),
        message: `is derived: it is ${JSON.stringify(due)}; leave it out or send that`,
      },
    ];
  });
}

function referencesOf(after: RecordFields): References {
  const idIn = (field: ReferenceField) => (typeof after[field] === 'number' ? after[field] : undefined);
  return {
    ceremony_id: idIn('ceremony_id'),
    category_id: idIn('category_id'),
    movie_id: idIn('movie_id'),
    nominee_id: idIn('nominee_id'),
    song_id: idIn('song_id') ?? null,
  };
}
