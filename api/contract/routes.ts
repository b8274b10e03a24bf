/** The route table: every address of the service, its kind and its methods. */
import {
  acceptedByChanges,
  acceptedByCounts,
  acceptedByList,
  acceptedByRanking,
  acceptedByRecord,
  acceptedBySearch,
} from './accepted.ts';
import { isWritable, type ResourceName, resourceNames } from './names.ts';
import { type Accepted, type RankingName, rankingNames } from './parameters.ts';
import { parseId } from './query-string.ts';

/** Kind of a route → what is known of it. */
interface Kinds {
  list: Accepted & {
    resource: ResourceName;
    /** False for ceremonies and categories: their lists are one document with a count. */
    paginated: boolean;
  };
  /** Only its own parameters count; others are ignored. */
  record: Accepted & { resource: ResourceName };
  search: Accepted;
  ranking: Accepted & { ranking: RankingName };
  /** Totals of the nominations that pass the filters, in groups. */
  counts: Accepted;
  /** What publishes changed: of the history, not of a snapshot. */
  changes: Accepted;
  /** What the record is, and the addresses of everything else. */
  root: unknown;
  /** A fixed file of the snapshot. */
  document: unknown;
  /** Takes several writes at once, and has nothing to read. */
  batch: unknown;
}
type RouteOf<K extends keyof Kinds> = { kind: K } & Kinds[K];
export type Route = { [K in keyof Kinds]: RouteOf<K> }[keyof Kinds];
export type ListRoute = RouteOf<'list'>;
export type SearchRoute = RouteOf<'search'>;
export type RankingRoute = RouteOf<'ranking'>;
export type CountsRoute = RouteOf<'counts'>;

export const rootPath = '/api';
/** Path of the OpenAPI 3.1 document. */
export const openapiPath = '/api/openapi.json';
export const searchPath = '/api/search';
export const countsPath = '/api/stats/counts';
export const changesPath = '/api/changes';
/** Path of a POST of several writes. */
export const batchPath = '/api/batch';
export type ListPath<R extends ResourceName> = `/api/${R}`;
export const listPath = <R extends ResourceName>(resource: R): ListPath<R> => `/api/${resource}`;
export type RecordPath<R extends ResourceName> = `/api/${R}/${number}`;
export const recordPath = <R extends ResourceName>(resource: R, id: number): RecordPath<R> =>
  `/api/${resource}/${id}`;
export type RankingPath<K extends RankingName> = `/api/stats/${K}`;
export const rankingPath = <K extends RankingName>(ranking: K): RankingPath<K> => `/api/stats/${ranking}`;

/** Address pattern → route. `{id}` stands for a record id. */
export const routes: ReadonlyMap<string, Route> = /* @__PURE__ */ routeTable();

function routeTable(): Map<string, Route> {
  return new Map<string, Route>([
    [rootPath, { kind: 'root' }],
    ...resourceNames.flatMap((resource): [string, Route][] => [
      [
        listPath(resource),
        {
          kind: 'list',
          resource,
          paginated: resource !== 'ceremonies' && resource !== 'categories',
          ...acceptedByList(resource),
        },
      ],
      [`${listPath(resource)}/{id}`, { kind: 'record', resource, ...acceptedByRecord(resource) }],
    ]),
    [searchPath, { kind: 'search', ...acceptedBySearch() }],
    ...rankingNames.map((ranking): [string, Route] => [
      rankingPath(ranking),
      { kind: 'ranking', ranking, ...acceptedByRanking(ranking) },
    ]),
    [countsPath, { kind: 'counts', ...acceptedByCounts }],
    [changesPath, { kind: 'changes', ...acceptedByChanges }],
    [batchPath, { kind: 'batch' }],
    [openapiPath, { kind: 'document' }],
  ]);
}

/** The methods of every address with something to read. */
export const readMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

export type WriteMethod = 'POST' | 'PATCH' | 'DELETE';

/** The write methods of a route: POST for a list and for a batch, PATCH and DELETE for a record, none for a read-only route. */
export function writeMethods(route: Route): readonly WriteMethod[] {
  if (route.kind === 'batch') return ['POST'];
  if (!('resource' in route && isWritable(route.resource))) return [];
  return route.kind === 'list' ? ['POST'] : ['PATCH', 'DELETE'];
}

/** The methods of a route, on a service with or without writes. */
export function methodsOf(route: Route, isWritable = true): readonly string[] {
  const reading = route.kind === 'batch' ? ['OPTIONS'] : readMethods;
  return isWritable ? [...reading, ...writeMethods(route)] : reading;
}

/** The route of a path. For a record, `id` is undefined if the last segment is not a valid id. */
export interface RouteMatch {
  route: Route;
  id?: number | undefined;
}

/** Finds the route of a path. Case-sensitive; a trailing slash is not ignored, but at the root. */
export function matchRoute(path: string): RouteMatch | undefined {
  if (path === `${rootPath}/`) return matchRoute(rootPath);
  const exact = routes.get(path);
  if (exact !== undefined && !path.includes('{')) return { route: exact };
  const slash = path.lastIndexOf('/');
  const segment = path.slice(slash + 1);
  const route = routes.get(`${path.slice(0, slash)}/{id}`);
  if (route === undefined || segment === '') return undefined;
  return { route, id: parseId(segment) };
}

/** Path of the list of receipts. Only a service with writes answers it; receipts are not part of the snapshot. */
export const receiptsPath = '/receipts';

export const receiptPath = (id: number): string => `${receiptsPath}/${id}`;

/** The id in the path of a receipt, no id for the path of the list, undefined for any other path. */
export function matchReceipt(path: string): { id?: number } | undefined {
  if (path === receiptsPath) return {};
  if (!path.startsWith(`${receiptsPath}/`)) return undefined;
  const id = parseId(path.slice(receiptsPath.length + 1));
  return id === undefined ? undefined : { id };
}

/** The address pattern of a path, including receipts, as the OpenAPI document names it. Undefined for an unknown path. */
export function addressPattern(path: string): string | undefined {
  const receipt = matchReceipt(path);
  if (receipt) return receipt.id === undefined ? receiptsPath : `${receiptsPath}/{id}`;
  const route = matchRoute(path)?.route;
  return [...routes].find(([, own]) => own === route)?.[0];
}
