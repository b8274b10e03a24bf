/** What is typed and not saved, kept in the tab: a reload loses nothing. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The storage of the tab. A browser can refuse it: then nothing is kept. */
const storage = {
  read(name: string): string | null {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name: string, text: string | undefined): void {
    try {
      if (text === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, text);
    } catch {
      // The draft stays in memory.
    }
  },
};

const keyName = 'film-awards-key';
export const storedKey = (): string => storage.read(keyName) ?? '';
export const storeKey = (key: string): void => storage.write(keyName, key || undefined);

const draftName = (path: string, name: string) => `draft ${path} ${name}`;

/** Leaves a draft for another page of this tab. */
export const storeDraft = (path: string, name: string, value: unknown): void =>
  storage.write(draftName(path, name), JSON.stringify(value));

/**
 * A state that outlives a reload of its page. @param name of the state within the page @param initial also
 * what stands for no draft
 */
export function useDraft<T>(name: string, initial: T) {
  const key = draftName(location.pathname, name);
  const empty = useRef(JSON.stringify(initial));
  const [value, setValue] = useState<T>(() => {
    const stored = storage.read(key);
    return stored === null ? initial : (JSON.parse(stored) as T);
  });
  useLayoutEffect(() => {
    const text = JSON.stringify(value);
    storage.write(key, text === empty.current ? undefined : text);
  }, [value]);
  const change = useCallback((next: T | ((now: T) => T)) => setValue(next), []);
  return [value, change] as const;
}
