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

/** The header of a key. Browsers send no request with other characters; with a replaced one the service refuses the key. */
export const keyHeader = (key: string): { 'x-api-key': string } => ({
  'x-api-key': key.replaceAll(/[^\x20-\x7e]/g, '?'),
});
