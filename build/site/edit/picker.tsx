/** A field in which words are typed and a record is picked from those that have them. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ResourceName } from '../../../api/contract/names.ts';
import { type Candidate, candidates } from './candidates.ts';

interface PickerProps {
  id?: string;
  resource: ResourceName;
  /** What stands in the field when nothing is being typed. */
  shown: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  placeholder?: string;
  onPick: (candidate: Candidate) => void;
  /** Told when the field is emptied, where it may be. */
  onClear?: () => void;
}

export function Picker(props: PickerProps) {
  const { id, resource, shown, describedBy, isInvalid, placeholder, onPick, onClear } = props;
  const list = useId();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [active, setActive] = useState(0);
  const found = useCandidates(resource, typed ?? '');
  const isOpen = typed !== undefined && typed.trim() !== '';
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
  return (
    <div class="picker">
      <input
        {...(id !== undefined && { id })}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && found.length > 0 ? `${list}-${active}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        placeholder={placeholder}
        value={typed ?? shown}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          if (event.currentTarget.value === '') onClear?.();
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
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={candidate.id}
            id={`${list}-${i}`}
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

/** What was found for the words typed last; what comes late for earlier ones is dropped. */
function useCandidates(resource: ResourceName, words: string): readonly Candidate[] {
  const [found, setFound] = useState<readonly Candidate[]>([]);
  const asked = useRef(0);
  useEffect(() => {
    asked.current += 1;
    const own = asked.current;
    candidates(resource, words)
      .catch(() => [])
      .then((next) => {
        if (own === asked.current) setFound(next);
      });
  }, [resource, words]);
  return found;
}
