/** Asks before something that was not saved is left: by closing the page, or for another record within it. */
import { useEffect } from 'preact/hooks';

let isUnsaved = false;

/** @param isChanged whether something would be lost now */
export function useLeavingGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const guard = (event: Event) => event.preventDefault();
    isUnsaved = true;
    addEventListener('beforeunload', guard);
    return () => {
      allowLeaving();
      removeEventListener('beforeunload', guard);
    };
  }, [isChanged]);
}

/** What was entered is saved, or given up. */
export function allowLeaving(): void {
  isUnsaved = false;
}

/** Whether nothing would be lost, or the editor does not mind. */
export const mayLeave = (): boolean => !isUnsaved || confirm('Leave without saving what you changed here?');
