/** What the forms of the editor share: the bar with the button that saves, Ctrl+S, and the mark of unsaved changes. */
import { useEffect } from 'preact/hooks';
import { count } from '../shared/format.ts';
import { useLeavingGuard } from './navigation.ts';

interface SaveBarProps {
  /** Text of the button. */
  action: string;
  /** How much is not saved yet. */
  status: string;
  isBusy: boolean;
  isEnabled: boolean;
}

export function SaveBar({ action, status, isBusy, isEnabled }: SaveBarProps) {
  return (
    <div class="save-bar">
      <button type="submit" class="primary" disabled={isBusy || !isEnabled}>
        {isBusy ? 'Saving …' : action}
      </button>
      <span>{status}</span>
    </div>
  );
}

/** Asks before changes are lost, and marks the title of the tab while there are some. */
export function useUnsavedMark(hasChanges: boolean): void {
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
export function useSaveKey(form: { current: HTMLFormElement | null }): void {
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
