/** Hooks and attributes that the explorer and the editor share. */
import { useEffect, useState } from 'preact/hooks';

export interface Result<T> {
  key: string;
  attempt: number;
  value?: T;
  error?: unknown;
}

/**
 * The result of `load`, which runs again when the key or the attempt changes. The result for an earlier key stays until the
 * new one is there; a late result for an earlier key is dropped.
 */
export function useLatest<T>(key: string, load: () => Promise<T>, attempt = 0): Result<T> | undefined {
  const [result, setResult] = useState<Result<T>>();
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setResult({ key, attempt, value }),
      (error: unknown) => isCurrent && setResult({ key, attempt, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return result;
}

/** Id of an option, for `aria-activedescendant`. */
export const optionId = (listId: string, position: number): string => `${listId}-${position}`;

/** Attributes of a text field with a list of options. @param active position of the active option, -1 for none */
export const comboboxAttributes = (listId: string, isOpen: boolean, active: number) =>
  ({
    role: 'combobox',
    autocomplete: 'off',
    // A datalist would be the browser's own list.
    list: undefined,
    spellcheck: false,
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-expanded': isOpen,
    'aria-activedescendant': isOpen && active >= 0 ? optionId(listId, active) : undefined,
  }) as const;
