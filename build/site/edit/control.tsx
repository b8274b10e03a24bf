/** One field of a form. */
import type { ComponentChildren } from 'preact';
import { joined, nouns } from '../shared/format.ts';
import type { Entry, Field, Reference } from './fields.ts';
import { useLatest } from './latest.ts';
import { isNamed } from './naming.ts';
import { personMeant, referenceMeant } from './references.ts';

interface ControlProps {
  id: string;
  field: Field;
  entry: Entry;
  fault: string;
  onEnter: (entry: Entry) => void;
  /** The year of the ceremony that a name is for. */
  year?: number | undefined;
  children?: ComponentChildren;
}

/**
 * One field of a form: its label, hint, control and faults; of a typed name also the record that it stands
 * for.
 */
export function Control({ id, field, entry, fault, onEnter, year, children }: ControlProps) {
  const { label, hint, kind, isRequired } = field;
  const reference = typeof entry === 'object' ? entry : undefined;
  const onInput = ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
    onEnter(reference ? { name: value } : value);
  const invalid = { 'aria-invalid': fault !== '', 'aria-describedby': `${id}-hint` };
  const type = kind === 'date' ? 'date' : 'text';
  const common = { id, type, onInput, rows: 4, autocomplete: 'off' };
  const text = { ...common, ...invalid, value: reference?.name ?? String(entry) };
  const flag = { id, type: 'checkbox', checked: entry === true, onChange: () => onEnter(entry !== true) };
  const attributes: object = kind === 'flag' ? flag : text;
  const Element = kind === 'paragraph' || kind === 'lines' || kind === 'people' ? 'textarea' : 'input';
  return (
    <div class={`field ${kind}`}>
      <label for={id}>
        {label} {isRequired && <small>(required)</small>}
      </label>
      <Element {...attributes} />
      {reference && <ReferenceChoice field={field} reference={reference} year={year} onEnter={onEnter} />}
      {kind === 'people' && <People text={String(entry)} year={year} />}
      <small id={`${id}-hint`}>
        {hint} <span class="fault">{fault}</span>
      </small>
      {children}
    </div>
  );
}

/** The people that numbers and names mean, a line each. */
function People({ text, year }: { text: string; year: number | undefined }) {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const people = useLatest(text, () => Promise.all(lines.map((line) => personMeant(line, year))));
  return <small class="people">{(people ?? []).join('\n')}</small>;
}

interface ReferenceChoiceProps {
  field: Field;
  reference: Reference;
  year: number | undefined;
  onEnter: (entry: Entry) => void;
}

/** The record that a typed name stands for, to choose another. */
function ReferenceChoice({ field, reference: { name, id }, year, onEnter }: ReferenceChoiceProps) {
  const collection = field.collection!;
  const typed = name.trim();
  const meaning = useLatest(`${collection} ${typed} ${year}`, async () =>
    typed ? referenceMeant(collection, typed, year) : undefined,
  );
  if (!meaning) return null;
  const chosen = id ?? meaning.id;
  return (
    <select
      aria-label={`Record named ${name}`}
      class={chosen === undefined ? 'doubt' : ''}
      value={chosen ?? ''}
      onChange={(event) => onEnter({ name, id: Number(event.currentTarget.value) })}
    >
      {chosen === undefined && <option value="">{`Which one? ${meaning.reason}`}</option>}
      {isNamed(collection) && <option value={0}>New {nouns[collection].one}</option>}
      {meaning.options.map((one) => (
        <option key={one.id} value={one.id}>
          {joined(one.label, one.note, `no. ${one.id}`)}
        </option>
      ))}
    </select>
  );
}
