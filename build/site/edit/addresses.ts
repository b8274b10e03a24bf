/** What the address of the editor's page stands for, and the way to another one without loading the page again. */
import { isWritable, type WritableResource, writableResources } from '../../../api/contract/names.ts';
import { parseId } from '../../../api/contract/routes.ts';

export type Place =
  | { kind: 'start' }
  | { kind: 'new'; resource: WritableResource }
  | { kind: 'record'; resource: WritableResource; id: number }
  | { kind: 'nowhere' };

const root = '/edit';
/** Stands in the place of an id. */
const newRecord = 'new';

export function placeAt(path: string): Place {
  const [, , name, last, ...rest] = path.replace(/\/$/, '').split('/');
  if (name === undefined) return { kind: 'start' };
  const resource = writableResources.find((known) => known === name && isWritable(known));
  if (resource === undefined || last === undefined || rest.length > 0) return { kind: 'nowhere' };
  if (last === newRecord) return { kind: 'new', resource };
  const id = parseId(last);
  return id === undefined ? { kind: 'nowhere' } : { kind: 'record', resource, id };
}

export const addressOfRecord = (resource: WritableResource, id: number): string =>
  `${root}/${resource}/${id}`;
export const addressOfNew = (resource: WritableResource): string => `${root}/${resource}/${newRecord}`;

/** What the records of a collection are called, one of them and all. */
export const nouns: Readonly<Record<WritableResource, { one: string; many: string }>> = {
  nominations: { one: 'nomination', many: 'Nominations' },
  ceremonies: { one: 'ceremony', many: 'Ceremonies' },
  movies: { one: 'film', many: 'Films' },
  nominees: { one: 'person or company', many: 'People and companies' },
  songs: { one: 'song', many: 'Songs' },
};
