/** What follows from what is typed, or from the newest snapshot. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { currentSnapshot, refresh } from './reading.ts';

/** Milliseconds without a letter after which a name is looked up. */
const typingPauseMs = 100;
/** Milliseconds between two looks for the changes of other editors. */
const lookMs = 1000;

/** The result of `load` for this key; undefined until it is there. */
export function useLatest<T>(key: string, load: () => Promise<T>): T | undefined {
  const [result, setResult] = useState<{ key: string; value: T }>();
  useEffect(() => {
    const current = new AbortController();
    const timer = setTimeout(async () => {
      const value = await load().catch(() => undefined);
      if (value !== undefined && !current.signal.aborted) setResult({ key, value });
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
      current.abort();
    };
  }, [key]);
  return result?.key === key ? result.value : undefined;
}

/** As useLatest(), but the last result stays until the next one is there. */
export function useLatestOrLast<T>(key: string, load: () => Promise<T>): T | undefined {
  const last = useRef<T | undefined>(undefined);
  last.current = useLatest(key, load) ?? last.current;
  return last.current;
}

/** What is called when the record has changed. */
const listeners = new Set<() => unknown>();
let isWatching = false;
let seen: string | undefined;
let isLooking = false;

/** One look for all views of the page. */
async function look(): Promise<void> {
  if (isLooking || document.hidden) return;
  isLooking = true;
  try {
    await refresh();
    const { id } = await currentSnapshot();
    const isNew = seen !== undefined && seen !== id;
    seen = id;
    if (isNew) await Promise.all([...listeners].map((listener) => listener()));
  } catch {
    // The next look tries again.
  }
  isLooking = false;
}

/** Calls a function soon after the record has changed, while the page is visible. */
export function useChanges(onChange: () => unknown): void {
  const newest = useRef(onChange);
  newest.current = onChange;
  useEffect(() => {
    const listener = () => newest.current();
    listeners.add(listener);
    // What the page shows at first.
    void currentSnapshot().then(({ id }) => {
      seen ??= id;
    });
    if (!isWatching) setInterval(() => void look(), lookMs);
    isWatching = true;
    return () => void listeners.delete(listener);
  }, []);
}
