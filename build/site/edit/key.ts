/** The key for writing: in memory, and if the editor wants it, in the storage of this one tab until it is closed. */

const name = 'film-awards-key';

export interface KeptKey {
  key: string;
  isKept: boolean;
}

export function keptKey(): KeptKey {
  const key = stored();
  return { key: key ?? '', isKept: key !== null };
}

/** Keeps the key, or forgets what was kept of it. */
export function keepKey({ key, isKept }: KeptKey): void {
  try {
    if (isKept && key !== '') sessionStorage.setItem(name, key);
    else sessionStorage.removeItem(name);
  } catch {
    // Where nothing may be stored, it stays in memory.
  }
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
