/** A form with the bar that saves it. Ctrl+S saves it too, and unsaved changes are marked. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { count } from '../shared/format.ts';
import { useLeavingGuard } from './navigation.ts';

interface SaveFormProps {
  /** Text of the button. */
  action: string;
  /** How much is not saved yet. */
  status: string;
  hasChanges: boolean;
  isBusy: boolean;
  isEnabled: boolean;
  onSave: () => void;
  children: ComponentChildren;
}

export function SaveForm(props: SaveFormProps) {
  const { action, status, hasChanges, isBusy, isEnabled, onSave, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useUnsavedMark(hasChanges);
  useSaveKey(form);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isBusy && isEnabled) onSave();
  };
  return (
    <form ref={form} noValidate onSubmit={submit}>
      {children}
      <div class="save-bar">
        <button type="submit" class="primary" disabled={isBusy || !isEnabled}>
          {isBusy ? 'Saving …' : action}
        </button>
        <span>{status}</span>
      </div>
    </form>
  );
}

/** Asks before changes are lost, and marks the title of the tab while there are some. */
function useUnsavedMark(hasChanges: boolean): void {
  useLeavingGuard(hasChanges);
  useEffect(() => {
    const { title } = document;
    if (hasChanges) document.title = `• ${title}`;
    return () => {
      document.title = document.title.replace(/^• /, '');
    };
  }, [hasChanges]);
}

/** Saves with Ctrl+S, or Command+S. */
function useSaveKey(form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

export const unsavedText = (changes: number, noun: string): string =>
  changes === 0 ? 'Nothing changed yet' : `${count(changes, noun)} changed, not saved yet`;
