/** One field of a form: its label, hint, control and faults. */
import type { Entry, Field } from './fields.ts';
import { Picker } from './picker.tsx';

interface FieldControlProps {
  field: Field;
  entry: Entry;
  /** Name of the referenced record. */
  name: string | undefined;
  faults: readonly string[];
  /** Whether the entry differs from the stored value. */
  isChanged?: boolean;
  onEnter: (entry: Entry, name?: string) => void;
  /** Starts a new record for a reference. */
  onCreate?: ((name: string) => void) | undefined;
}

export const controlId = (field: string): string => `field-${field}`;

export function FieldControl(props: FieldControlProps) {
  const { field, faults, isChanged } = props;
  const id = controlId(field.name);
  const isInvalid = faults.length > 0;
  return (
    <div class={`field${isInvalid ? ' faulty' : ''}${isChanged ? ' changed' : ''}`}>
      <label for={id}>
        {field.label}
        {field.isRequired && <span class="required"> (required)</span>}
      </label>
      {field.hint !== '' && (
        <p class="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
      <Control {...props} id={id} describedBy={isInvalid ? `${id}-hint ${id}-fault` : `${id}-hint`} />
      {isInvalid && (
        <p class="fault" id={`${id}-fault`}>
          {faults.join('; ')}
        </p>
      )}
    </div>
  );
}

function Control(props: FieldControlProps & { id: string; describedBy: string }) {
  const { field, entry, name, faults, onEnter, onCreate, id, describedBy } = props;
  const isInvalid = faults.length > 0;
  if (field.collection !== undefined) {
    const shown = entry === '' ? '' : name === undefined ? `no. ${entry}` : `${name} (no. ${entry})`;
    return (
      <Picker
        id={id}
        resource={field.collection}
        shown={shown}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onPick={(candidate) => onEnter(String(candidate.id), candidate.label)}
        onClear={() => onEnter('')}
        onCreate={onCreate}
      />
    );
  }
  const common = { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid };
  if (typeof entry === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={entry}
        onChange={(event) => onEnter(event.currentTarget.checked)}
      />
    );
  const text = {
    ...common,
    value: entry,
    onInput: (event: { currentTarget: { value: string } }) => onEnter(event.currentTarget.value),
  };
  if (field.kind === 'paragraph') return <textarea {...text} rows={5} />;
  if (field.kind === 'lines') return <textarea {...text} rows={3} />;
  if (field.kind === 'date') return <input {...text} type="date" />;
  return <input {...text} type="text" inputMode={field.kind === 'number' ? 'numeric' : 'text'} />;
}
