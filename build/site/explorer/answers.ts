/** Questions to the record as hooks: what is loading, what is there, and what went wrong with a way to try again. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { settle } from './navigation.ts';
import { onChange } from './record.ts';

export type Answered<T> =
  | { state: 'loading'; value: undefined }
  /** `stale` while the answer to a changed question is on its way. */
  | { state: 'ready'; value: T; stale: boolean }
  | { state: 'failed'; value: undefined; error: unknown; retry: () => void };

interface Kept<T> {
  key: string;
  value?: T;
  error?: unknown;
}

/**
 * What `load` brings, loaded again whenever the key or the record changes.
 * @param key names the question; where it begins like the one before, up to a "?", that answer is shown until the new one is there
 */
export function useAnswer<T>(key: string, load: () => Promise<T>): Answered<T> {
  const [kept, setKept] = useState<Kept<T>>();
  const [attempt, setAttempt] = useState(0);
  const loading = useRef(load);
  loading.current = load;
  useEffect(() => onChange(() => setAttempt((before) => before + 1)), []);
  useEffect(() => {
    let wanted = true;
    loading.current().then(
      (value) => wanted && setKept({ key, value }),
      (error: unknown) => wanted && setKept({ key, error }),
    );
    return () => {
      wanted = false;
    };
  }, [key, attempt]);
  useLayoutEffect(() => {
    if (kept?.key === key) settle();
  });
  if (kept === undefined || pageOf(kept.key) !== pageOf(key)) return { state: 'loading', value: undefined };
  if (kept.error !== undefined) {
    if (kept.key !== key) return { state: 'loading', value: undefined };
    const retry = () => {
      setKept(undefined);
      setAttempt(attempt + 1);
    };
    return { state: 'failed', value: undefined, error: kept.error, retry };
  }
  return { state: 'ready', value: kept.value as T, stale: kept.key !== key };
}

const pageOf = (key: string): string => key.split('?', 1)[0]!;
