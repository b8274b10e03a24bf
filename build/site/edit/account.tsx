/** The sign-in: the field for the key, the name of the key, and a message if the key is wrong. */
import { useEffect, useState } from 'preact/hooks';
import type { Refusal } from './refusal.ts';
import { nameOfKey } from './requests.ts';

/** Milliseconds without a letter after which a key is checked: wrong ones are counted. */
const typingPauseMs = 400;

/** What the service says of a key. */
type State = { key: string; name?: string; fault?: string };

const faultOf = ({ status }: Refusal): string => {
  if (status === 401) return 'This key is not accepted. Check that it is whole, and that it was not revoked.';
  if (status === 429) return 'Too many wrong keys were tried. Wait a minute.';
  return 'The service does not answer, so the key could not be checked.';
};

interface AccountProps {
  /** Named by the shortcut and by what needs a key. */
  id: string;
  value: string;
  onChange: (key: string) => void;
}

export function Account({ id, value, onChange }: AccountProps) {
  const [state, setState] = useState<State>({ key: '' });
  const isChecked = state.key === value && value !== '';
  useEffect(() => {
    if (value === '') return;
    const timer = setTimeout(async () => {
      const checked = await nameOfKey(value).then(
        (name): State => ({ key: value, name }),
        (error: Refusal): State => ({ key: value, fault: faultOf(error) }),
      );
      setState(checked);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  const name = isChecked ? state.name : undefined;
  const fault = isChecked ? state.fault : undefined;
  const [isOpen, setOpen] = useState(value === '');
  // A key that is accepted needs no more room.
  useEffect(() => {
    if (name !== undefined) setOpen(false);
    if (fault !== undefined) setOpen(true);
  }, [name, fault]);
  return (
    <details
      id={id}
      class="account"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary class={fault ? 'fault' : ''}>{summaryOf(value, name, fault)}</summary>
      <div class="panel">
        <label for="key">Key for writing</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          aria-describedby="key-hint"
          aria-invalid={fault !== undefined}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value.trim())}
        />
        <p id="key-hint" class="soft" role="status">
          {fault ? (
            <span class="fault">{fault}</span>
          ) : (
            '“awards keys create” makes a key. It is kept until this tab is closed.'
          )}
        </p>
        {value !== '' && (
          <button type="button" onClick={() => onChange('')}>
            Forget the key
          </button>
        )}
      </div>
    </details>
  );
}

function summaryOf(key: string, name: string | undefined, fault: string | undefined): string {
  if (key === '') return 'Sign in';
  if (fault) return 'Key not accepted';
  return name ? `Signed in as ${name}` : 'Signing in …';
}
