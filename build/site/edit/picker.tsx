/** A combobox that picks a record by its words or its number. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { ResourceName } from '../../../api/contract/names.ts';
import { joined, nouns } from '../shared/format.ts';
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
  /** Adds an option that creates a record with the typed name. */
  onCreate?: ((name: string) => void) | undefined;
}

/** The typed text, its candidates and the active option. The option to create follows the candidates. */
function usePicker({ resource, onPick, onCreate }: PickerProps) {
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const words = typed ?? '';
  const key = `${resource} ${words}`;
  const latest = useLatest(key, () => candidates(resource, words));
  const found = latest?.value ?? [];
  const isOpen = words.trim() !== '';
  const close = () => setTyped(undefined);
  const pick = (candidate: Candidate | undefined) => {
    if (candidate === undefined) return;
    close();
    onPick(candidate);
  };
  // A number is the id of a record. Before the candidates are there, Enter would create what exists already.
  const canCreate = onCreate !== undefined && isOpen && latest?.key === key && !/^[0-9]+$/.test(words.trim());
  const create = () => {
    close();
    onCreate?.(words.trim());
  };
  const optionCount = found.length + (canCreate ? 1 : 0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const last = optionCount - 1;
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? last : active - 1);
    else if (event.key === 'Enter') {
      if (canCreate && active === found.length) create();
      else pick(found[active]);
    } else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return {
    typed,
    setTyped,
    active,
    setActive,
    found,
    isOpen,
    close,
    pick,
    canCreate,
    create,
    optionCount,
    onKeyDown,
  };
}

export function Picker(props: PickerProps) {
  const { id, resource, shown, describedBy, isInvalid, onClear } = props;
  const list = useId();
  const { typed, setTyped, active, setActive, found, isOpen, close, pick, ...more } = usePicker(props);
  const { canCreate, create, optionCount, onKeyDown } = more;
  useEffect(() => {
    if (isOpen) document.getElementById(optionId(list, active))?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);
  return (
    <div class="picker">
      <input
        {...comboboxAttributes(list, isOpen, optionCount > 0 ? active : -1)}
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
        hidden={!isOpen || optionCount === 0}
      >
        {found.map((candidate, i) => (
          <Option
            key={candidate.id}
            id={optionId(list, i)}
            isActive={i === active}
            onChoose={() => pick(candidate)}
          >
            <span>{candidate.label}</span> <small>{joined(candidate.note, `no. ${candidate.id}`)}</small>
          </Option>
        ))}
        {canCreate && (
          <Option
            id={optionId(list, found.length)}
            className="creates"
            isActive={active === found.length}
            onChoose={create}
          >
            Create {nouns[resource].one} “{typed?.trim()}”
          </Option>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {isOpen ? `${found.length} found` : ''}
      </p>
    </div>
  );
}

/** An option that keeps the focus in the field. */
function Option(props: {
  id: string;
  className?: string;
  isActive: boolean;
  onChoose: () => void;
  children: ComponentChildren;
}) {
  const { id, className, isActive, onChoose, children } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      id={id}
      class={className}
      role="option"
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
