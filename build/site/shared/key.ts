/** The key for writing, kept in the storage of a tab. */

const storageName = 'film-awards-key';

export function storedKey(): string | null {
  try {
    return sessionStorage.getItem(storageName);
  } catch {
    return null;
  }
}

/** An empty key is removed. Where the browser has no storage, the key stays in memory. */
export function storeKey(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, key);
  } catch {}
}
