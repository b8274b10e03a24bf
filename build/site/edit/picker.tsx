/** A combobox that picks a record by its words or its number. */
import { useId, useState } from 'preact/hooks';
import type { ResourceName } from '../../../api/contract/names.ts';
import { comboboxAttributes, optionId, useLatest } from '../shared/hooks.ts';
import { type Candidate, candidates } from './candidates.ts';

interface PickerProps {
  id: string;
  resource: ResourceName;
  /** Text of the field while nothing is typed. */
  shown: string;
  describedBy?: string;
  isInvalid?: boolean;
  onPick: (candidate: Candidate) => void;
  /** Called when the field is emptied. */
  onClear?: () => void;
}

/** The typed text, its candidates and the active one. */
function usePicker(resource: ResourceName, onPick: (candidate: Candidate) => void) {
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const words = typed ?? '';
  const found = useLatest(`${resource} ${words}`, () => candidates(resource, words))?.value ?? [];
  const isOpen = words.trim() !== '';
  const close = () => setTyped(undefined);
  const pick = (candidate: Candidate | undefined) => {
    if (candidate === undefined) return;
    close();
    onPick(candidate);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const last = found.length - 1;
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? last : active - 1);
    else if (event.key === 'Enter') pick(found[active]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return { typed, setTyped, active, setActive, found, isOpen, close, pick, onKeyDown };
}

export function Picker({ id, resource, shown, describedBy, isInvalid, onPick, onClear }: PickerProps) {
  const list = useId();
  const { typed, setTyped, active, setActive, found, isOpen, close, pick, onKeyDown } = usePicker(
    resource,
    onPick,
  );
  return (
    <div class="picker">
      <input
        {...comboboxAttributes(list, isOpen, found.length > 0 ? active : -1)}
        id={id}
        type="text"
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        placeholder="Type to search"
        value={typed ?? shown}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          setActive(0);
          if (value === '') onClear?.();
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        id={list}
        class="options"
        role="listbox"
        aria-label="Records found"
        hidden={!isOpen || found.length === 0}
      >
        {found.map((candidate, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={candidate.id}
            id={optionId(list, i)}
            role="option"
            aria-selected={i === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(candidate)}
          >
            <span>{candidate.label}</span>{' '}
            <small>{[candidate.note, `no. ${candidate.id}`].filter(Boolean).join(' · ')}</small>
          </div>
        ))}
      </div>
      <p class="visually-hidden" role="status">
        {isOpen ? `${found.length} found` : ''}
      </p>
    </div>
  );
}
