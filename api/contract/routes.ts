/** Finds the address of a path, and makes paths. */
import {
  type Accepted,
  defaultQuery,
  type Query,
  type Address,
  acceptedAt,
  type Addresses,
  addresses,
  type AddressOf,
  type RankingName,
  readMethods,
  type WriteMethod,
} from './addresses.ts';
import type { ResourceName } from './names.ts';
import type { ParameterFault } from './problems.ts';
import { parseId, parseQuery } from './query-string.ts';

export type { WriteMethod };

/** What is known of an address: its block in the table, and what it takes. */
type RouteAt<A extends Address> = {
  [K in A]: Omit<Addresses[K], 'takes'> & { address: K } & (Addresses[K] extends { takes: unknown }
      ? Accepted
      : unknown);
}[A];
export type Route = RouteAt<Exclude<Address, AddressOf<'receipts' | 'receipt'>>>;
export type ListRoute = RouteAt<AddressOf<'list'>>;
export type SearchRoute = RouteAt<AddressOf<'search'>>;
export type RankingRoute = RouteAt<AddressOf<'ranking'>>;
export type CountsRoute = RouteAt<AddressOf<'counts'>>;

export const rootPath = '/api' satisfies Address;
/** Path of the OpenAPI 3.1 document. */
export const openapiPath = '/api/openapi.json' satisfies Address;
/** Path of the reference for people. */
export const documentationPath = '/docs';
export const searchPath = '/api/search' satisfies Address;
export const countsPath = '/api/stats/counts' satisfies Address;
export const changesPath = '/api/changes' satisfies Address;
/** Path of a POST of several writes. */
export const batchPath = '/api/batch' satisfies Address;
/** Path of the list of receipts. */
export const receiptsPath = '/receipts' satisfies Address;
export type ListPath<R extends ResourceName> = `/api/${R}`;
export const listPath = <R extends ResourceName>(resource: R): ListPath<R> => `/api/${resource}`;
export type RecordPath<R extends ResourceName> = `/api/${R}/${number}`;
export const recordPath = <R extends ResourceName>(resource: R, id: number): RecordPath<R> =>
  `/api/${resource}/${id}`;
export type RankingPath<K extends RankingName> = `/api/stats/${K}`;
export const rankingPath = <K extends RankingName>(ranking: K): RankingPath<K> => `/api/stats/${ranking}`;
export const receiptPath = (id: number): string => `${receiptsPath}/${id}`;

const all = /* @__PURE__ */ makeRoutes();

function makeRoutes(): ReadonlyMap<string, RouteAt<Address>> {
  const names = Object.keys(addresses) as Address[];
  return new Map(
    names.map((address) => {
      const { takes: _takes, ...block } = { takes: undefined, ...addresses[address] };
      return [address, { ...block, address, ...acceptedAt(address) } as RouteAt<Address>];
    }),
  );
}

const isOfLog = ({ kind }: RouteAt<Address>): boolean => kind === 'receipts' || kind === 'receipt';

/** Address → route, of all addresses but those of the log of writes. */
export const routes: ReadonlyMap<string, Route> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ [...all].filter((entry): entry is [string, Route] => !isOfLog(entry[1])),
);

/** The route of an address. */
export const routeAt = <A extends Address>(address: A): RouteAt<A> => all.get(address) as RouteAt<A>;

/** The kinds whose addresses `/api` does not list: they are found from the others. */
const unlisted = ['root', 'record', 'batch', 'document'] as const;
/** The name in `/api` of an address that belongs to no group. */
export type ListedName = Exclude<Route['kind'], (typeof unlisted)[number] | 'list' | 'ranking'>;
export type ListedAddresses = Record<ListedName, string> & {
  resources: Record<ResourceName, string>;
  rankings: Record<RankingName, string>;
};

/** The addresses that `/api` lists, in its order. */
export function listedAddresses(): ListedAddresses {
  const listed: Record<string, string | Record<string, string>> = {};
  const addTo = (group: string, name: string, address: string) => {
    listed[group] = { ...(listed[group] as Record<string, string> | undefined), [name]: address };
  };
  for (const route of routes.values()) {
    const { kind, address } = route;
    if (kind === 'list') addTo('resources', route.resource, address);
    else if (kind === 'ranking') addTo('rankings', route.ranking, address);
    else if (!(unlisted as readonly string[]).includes(kind)) listed[kind] = address;
  }
  return listed as ListedAddresses;
}

const isWriting = (method: string): method is WriteMethod =>
  !(readMethods as readonly string[]).includes(method);

/** The write methods of a route. */
export const writeMethods = ({ methods }: Route): readonly WriteMethod[] =>
  (methods as readonly string[]).filter(isWriting);

/** The methods of a route, on a service with or without writes. */
export const methodsOf = ({ methods }: Route, isWritable = true): readonly string[] =>
  isWritable ? methods : methods.filter((method) => !isWriting(method));

/** The route of a path. For a record, `id` is undefined if the last segment is not a valid id. */
export interface RouteMatch {
  route: Route;
  id?: number | undefined;
}

/** Finds the route of a path. Case-sensitive; a trailing slash is not ignored, but at the root. */
export const matchRoute = (path: string): RouteMatch | undefined =>
  path === `${rootPath}/` ? { route: routeAt(rootPath) } : matchIn(routes, path);

function matchIn<R>(
  among: ReadonlyMap<string, R>,
  path: string,
): { route: R; id?: number | undefined } | undefined {
  const exact = among.get(path);
  if (exact !== undefined && !path.includes('{')) return { route: exact };
  const slash = path.lastIndexOf('/');
  const segment = path.slice(slash + 1);
  const route = among.get(`${path.slice(0, slash)}/{id}`);
  if (route === undefined || segment === '') return undefined;
  return { route, id: parseId(segment) };
}

/** What a request asks for, independent of host, method and headers: an address and its parsed query. */
export interface Asked<R extends Route = Route> {
  route: R;
  /** Of a record. */
  id?: number | undefined;
  query: Query;
}

/**
 * Parses the query string of a path. @returns what is asked for, the faults of the query string, or undefined
 * if there is nothing to read
 */
export function readAsked(
  { route, id }: RouteMatch,
  queryString: string,
): Asked | ParameterFault[] | undefined {
  if (route.kind === 'batch' || (route.kind === 'record' && id === undefined)) return undefined;
  if (!('parameters' in route)) return { route, query: defaultQuery };
  const parsed = parseQuery(queryString, route);
  return parsed.ok ? { route, id, query: parsed.query } : parsed.faults;
}

/** The id in the path of a receipt, no id for the path of the list, undefined for any other path. */
export function matchReceipt(path: string): { id?: number } | undefined {
  const match = matchIn(all, path);
  if (match?.route.kind === 'receipts') return {};
  return match?.route.kind === 'receipt' && match.id !== undefined ? { id: match.id } : undefined;
}

/**
 * The address of a path, including receipts, as the OpenAPI document names it. Undefined for an unknown path.
 */
export const addressPattern = (path: string): Address | undefined =>
  matchReceipt(path) ? matchIn(all, path)!.route.address : matchRoute(path)?.route.address;
