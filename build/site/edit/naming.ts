/** What records are called. */
import type { ResourceName } from '../../../api/contract/names.ts';
import { joined } from '../shared/format.ts';
import type { Values } from './reading.ts';

/** Members with the name of a record, and with what tells it from others of its name. */
const nameOrder = ['title', 'name', 'original_title', 'show_title', 'category_name', 'recipients'];
const noteOrder = ['known_for_department', 'artist_names', 'category_group', 'category', 'ceremony_year'];

/** The name of a record, and what tells it from others of its name. */
export function describe(record: Values): [label: string, note: string] {
  const text = (member: string) => (record[member] ? String(record[member]) : undefined);
  const other = record.nominee ? `${record.nominee}, ${record.movie}` : `Ceremony of ${record.ceremony_year}`;
  const label = nameOrder.map(text).find((name) => name !== undefined) ?? other;
  return [label, joined(text('release_date')?.slice(0, 4), ...noteOrder.map(text))];
}

/** What a record is called; a nomination with its category and year. */
export const titleOf = (values: Values): string =>
  describe(values)
    .slice(0, values.nominee ? 2 : 1)
    .join(', ');

/** The collections whose records need only a name → its member. */
export const nameMembers = { movies: 'title', nominees: 'name', songs: 'original_title' } as const;
export type NamedResource = keyof typeof nameMembers;
export const isNamed = (resource: ResourceName): resource is NamedResource =>
  Object.hasOwn(nameMembers, resource);

/** Address of the form of a record. */
export const editHref = (resource: ResourceName, id: number | string): string => `/edit/${resource}/${id}`;
