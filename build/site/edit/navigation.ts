/** Addresses of the editor, and navigation between them; it asks before unsaved changes are lost. */
import { useEffect, useState } from 'preact/hooks';
import { type WritableResource, writableResources } from '../../../api/contract/names.ts';
import { parseId } from '../../../api/contract/query-string.ts';

export type Place =
  | { kind: 'start' | 'unknown' | 'receipts' }
  /** The winners of a ceremony. */
  | { kind: 'winners'; id: number }
  /** A new record has no id. */
  | { kind: 'record'; resource: WritableResource; id: number | undefined };

export function placeAt(path: string): Place {
  const [, , name, last, ...rest] = path.replace(/\/$/, '').split('/');
  if (name === undefined) return { kind: 'start' };
  if (name === 'receipts' && last === undefined) return { kind: 'receipts' };
  const resource = writableResources.find((known) => known === name);
  const id = parseId(last ?? '');
  if (resource === 'ceremonies' && id !== undefined && rest.join('/') === 'winners')
    return { kind: 'winners', id };
  if (resource === undefined || last === undefined || rest.length > 0) return { kind: 'unknown' };
  return id === undefined && last !== 'new' ? { kind: 'unknown' } : { kind: 'record', resource, id };
}

export const editAddress = (resource: WritableResource, id: number | 'new'): string =>
  `/edit/${resource}/${id}`;

/** The history of a record. */
export const historyAddress = (resource: WritableResource, id: number): string =>
  `/edit/receipts?resource=${resource}&record_id=${id}`;

export const winnersAddress = (ceremony: number): string => `${editAddress('ceremonies', ceremony)}/winners`;

let isUnsaved = false;

/** Asks before the page is closed or left while it has changes. */
export function useLeavingGuard(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined;
    const guard = (event: Event) => event.preventDefault();
    isUnsaved = true;
    addEventListener('beforeunload', guard);
    return () => {
      allowLeaving();
      removeEventListener('beforeunload', guard);
    };
  }, [hasChanges]);
}

export function allowLeaving(): void {
  isUnsaved = false;
}

const mayLeave = (): boolean => !isUnsaved || confirm('Leave without saving what you changed here?');

/** The path of the page, and a function that goes to another one. Also follows back and forward. */
export function usePath(): { path: string; go: (address: string) => void } {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => {
      if (mayLeave()) setPath(location.pathname);
      else history.pushState(null, '', path);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [path]);
  const go = (address: string) => {
    if (!mayLeave()) return;
    history.pushState(null, '', address);
    setPath(location.pathname);
  };
  return { path, go };
}
