/** What each address takes: its parameters, and the values of `include`, `sort` and `fields`. */
import { fieldNames } from './fields.ts';
import { receiptsPerPage } from './limits.ts';
import type { ResourceName } from './names.ts';
import {
  type Accepted,
  type Address,
  addresses,
  type IncludeName,
  type ParameterName,
  type RankingName,
  type Sort,
  type ValueAt,
} from './parameters.ts';

const paging = ['page', 'limit'] as const;
/** Parameters that select a page. */
export const pagingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>(paging);
/** Parameters that select no records: all others are filters. */
export const shapingParameters: ReadonlySet<ParameterName> = new Set<ParameterName>([
  ...paging,
  'include',
  'sort',
  'fields',
  'format',
]);

/** What the page of a record always has besides its fields. */
const pageMembers = {
  nominations: ['ceremony', 'song'],
  ceremonies: [],
  movies: ['nominations'],
  nominees: ['nominations'],
  categories: ['nominations'],
  songs: ['nominations'],
  honors: [],
} as const satisfies Record<ResourceName, readonly string[]>;

/** Details of another resource than nominations are members of its nominations. */
type MemberOf<R extends ResourceName, I> = R extends 'nominations' ? I : Exclude<I, 'details'>;
/** The names that `fields` takes in the list of a resource. */
export type ListField<R extends ResourceName> =
  | (typeof fieldNames)[R][number]
  | MemberOf<R, ValueAt<'include', R>>;
/** The names that `fields` takes at the page of a record. */
export type RecordField<R extends ResourceName> =
  | (typeof fieldNames)[R][number]
  | (typeof pageMembers)[R][number]
  | MemberOf<R, ValueAt<'include', `${R}/{id}`>>;

function accepted(address: Address): Accepted {
  const taken = addresses[address] as { include?: readonly IncludeName[]; sort?: readonly Sort[] };
  const { include = [], sort = [] } = taken;
  return { parameters: Object.keys(taken) as ParameterName[], includes: include, sorts: sort };
}

/** Of an address with records. @param members that they have besides their fields */
function acceptedWithFields(
  address: Address,
  resource: ResourceName,
  members: readonly string[] = [],
): Accepted {
  const own = accepted(address);
  const added = own.includes.filter((name) => resource === 'nominations' || name !== 'details');
  return { ...own, fields: [...fieldNames[resource], ...members, ...added] };
}

export const acceptedByList = (resource: ResourceName): Accepted => acceptedWithFields(resource, resource);
export const acceptedByRecord = (resource: ResourceName): Accepted =>
  acceptedWithFields(`${resource}/{id}`, resource, pageMembers[resource]);
export const acceptedBySearch = (): Accepted => acceptedWithFields('search', 'nominations');
export const acceptedByRanking = (ranking: RankingName): Accepted => accepted(ranking);
export const acceptedByCounts: Accepted = /* @__PURE__ */ accepted('counts');
export const acceptedByChanges: Accepted = /* @__PURE__ */ { ...accepted('changes'), snapshots: true };
export const acceptedByReceipts: Accepted = /* @__PURE__ */ {
  ...accepted('receipts'),
  limit: receiptsPerPage,
};
