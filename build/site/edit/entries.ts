/** What an editor has entered in the form of a record, and how it differs from the stored record. */
import { useState } from 'preact/hooks';
import type { WritableResource } from '../../../api/contract/names.ts';
import {
  type Entry,
  entryOf,
  type Field,
  fieldsOfCreated,
  isSame,
  type Values,
  valueFrom,
} from './fields.ts';
import type { Companion, Loaded } from './service.ts';

/** Field → what is entered. */
export type Entries = Readonly<Record<string, Entry>>;

export const entriesOf = (fields: readonly Field[], values: Values): Entries =>
  Object.fromEntries(fields.map((field) => [field.name, entryOf(field, values[field.name] ?? null)]));

/** What an editor has entered in the form of a record. */
export function useEntries(fields: readonly Field[], base: Loaded) {
  const [entries, setEntries] = useState<Entries>(() => entriesOf(fields, base.values));
  const [names, setNames] = useState(base.names);
  /** The reference fields whose record is created with this one. */
  const [creating, setCreating] = useState<readonly string[]>([]);
  // A browser may fill in several fields before the next render: updates are functions of the state.
  const enter = (field: string, entry: Entry, name?: string): void => {
    setEntries((before) => ({ ...before, [field]: entry }));
    if (name !== undefined) setNames((before) => ({ ...before, [field]: name }));
  };
  const startCreating = (reference: Field, name: string): void => {
    const [first, ...others] = fieldsOfCreated(reference);
    setCreating((before) => [...before.filter((own) => own !== reference.name), reference.name]);
    enter(reference.name, '');
    enter(first!.name, name);
    for (const { name: other } of others) enter(other, '');
  };
  const stopCreating = (reference: Field): void =>
    setCreating((before) => before.filter((own) => own !== reference.name));
  const companions = fields
    .filter(({ name }) => creating.includes(name))
    .map((reference): Companion & { fields: Field[] } => {
      const own = fieldsOfCreated(reference);
      const values = own.map((field) => [
        field.name.slice(reference.name.length + 1),
        valueFrom(field, entries[field.name] ?? ''),
      ]);
      return {
        reference: reference.name,
        resource: reference.collection as WritableResource,
        values: Object.fromEntries(values) as Values,
        fields: own,
      };
    });
  const changes = changesOf(fields, base.values, entries);
  return { entries, setEntries, names, enter, changes, companions, startCreating, stopCreating };
}

function changesOf(fields: readonly Field[], base: Values, entries: Entries): Values {
  return Object.fromEntries(
    fields
      .map((field) => [field.name, valueFrom(field, entries[field.name] ?? '')] as const)
      // The required text of a new record is null until something is entered.
      .filter(([name, value]) => !isSame(value === '' ? null : value, base[name] ?? null)),
  );
}
