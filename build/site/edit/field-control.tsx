/** One field of a form: its label, what it takes, and what the service finds wrong with it. */
import type { Entry, Field } from './fields.ts';
import { Picker } from './picker.tsx';

interface FieldControlProps {
  field: Field;
  entry: Entry;
  /** What a reference leads to. */
  name: string | undefined;
  faults: readonly string[];
  onEnter: (entry: Entry, name?: string) => void;
}

export const controlId = (field: string): string => `field-${field}`;

export function FieldControl({ field, entry, name, faults, onEnter }: FieldControlProps) {
  const id = controlId(field.name);
  const described = [`${id}-hint`, ...(faults.length > 0 ? [`${id}-fault`] : [])].join(' ');
  const common = { id, 'aria-describedby': described, 'aria-invalid': faults.length > 0 };
  return (
    <div class={faults.length > 0 ? 'field faulty' : 'field'}>
      <label for={id}>
        {field.label}
        {field.isRequired && <span class="required"> (required)</span>}
      </label>
      <p class="hint" id={`${id}-hint`}>
        {field.hint}
        {field.kind === 'lines' && ' One on each line.'}
      </p>
      {controlOf(field, entry, name, common, onEnter)}
      {faults.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {faults.join('; ')}
        </p>
      )}
    </div>
  );
}

interface Common {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

function controlOf(
  field: Field,
  entry: Entry,
  name: string | undefined,
  common: Common,
  onEnter: FieldControlProps['onEnter'],
) {
  if (field.collection !== undefined) {
    const shown = entry === '' ? '' : name === undefined ? `no. ${entry}` : `${name} (no. ${entry})`;
    return (
      <Picker
        id={common.id}
        resource={field.collection}
        shown={shown}
        describedBy={common['aria-describedby']}
        isInvalid={common['aria-invalid']}
        placeholder="Type to search"
        onPick={(candidate) => onEnter(String(candidate.id), candidate.label)}
        onClear={() => onEnter('')}
      />
    );
  }
  if (typeof entry === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={entry}
        onChange={(event) => onEnter(event.currentTarget.checked)}
      />
    );
  if (field.kind === 'paragraph' || field.kind === 'lines')
    return (
      <textarea
        {...common}
        rows={field.kind === 'lines' ? 3 : 5}
        value={entry}
        onInput={(event) => onEnter(event.currentTarget.value)}
      />
    );
  const onInput = (event: { currentTarget: HTMLInputElement }) => onEnter(event.currentTarget.value);
  if (field.kind === 'date') return <input {...common} type="date" value={entry} onInput={onInput} />;
  const inputMode = field.kind === 'number' ? 'numeric' : 'text';
  return <input {...common} type="text" inputMode={inputMode} value={entry} onInput={onInput} />;
}
