/** The conformance table: requests made from the routes and parameters, drawn at random, and picked by hand. */
import fc from 'fast-check';
import { type ParameterName, parameters } from '../../api/contract/parameters.ts';
import { routes } from '../../api/contract/routes.ts';
import { anyRequest } from '../oracle/queries.ts';
import { nasty } from '../oracle/questions.ts';

export interface ConformanceRequest {
  method: string;
  /** Path and query string that no URL parser changes. */
  target: string;
  /** If-None-Match, with ETAG for the tag of the answer to a plain GET. */
  ifNoneMatch?: string;
}

/** The seed of the random part is fixed: runtimes are compared on the same table. */
export const seed = 20_260_401;
const randomRequests = 60;

const get = (target: string): ConformanceRequest => ({ method: 'GET', target });

/** A good and a bad value for each kind of parameter. */
const values: Record<(typeof parameters)[ParameterName]['kind'], readonly [good: string, bad: string]> = {
  integer: ['2', 'two'],
  ids: ['26,1,%2097,1,4096', '1,,2'],
  id: ['2', '02'],
  time: ['2025-03-02', 'yesterday'],
  boolean: ['true', 'yes'],
  text: ['%C3%89CRI', ''],
  search: ['o%27brien+the', '%FF'],
  choice: ['wins', 'losses'],
  texts: ['tt7,%20nm0000001', 'tt7,'],
  sort: ['-id', 'none'],
  name: ['csv', 'genre'],
  fields: ['winner,id,title,name', 'titel,id'],
  keys: ['counts,details', 'detials'],
};

/** Each address without parameters, and with a good and a bad value of each parameter. */
function fromTheTables(): ConformanceRequest[] {
  return [...routes].flatMap(([address, route]) => {
    if (route.kind === 'root' || route.kind === 'document' || route.kind === 'batch') return [get(address)];
    if (route.kind === 'record')
      return [
        '1',
        '26',
        '4096',
        '999',
        '01',
        '1?include=details',
        '2?include=counts',
        '1?include=all',
        '1?fields=id',
        '26?fields=ids',
      ].map((id) => get(address.replace('{id}', id)));
    const needed = ['q=ann', 'by=category'].find((part) =>
      (route.parameters as readonly string[]).includes(part.split('=')[0]!),
    );
    const each = route.parameters.flatMap((name) =>
      values[parameters[name].kind].map((value) => {
        const others = needed === undefined || needed.startsWith(`${name}=`) ? '' : `&${needed}`;
        return get(`${address}?${name}=${value}${others}`);
      }),
    );
    return [get(needed ? `${address}?${needed}` : address), get(`${address}?none=1`), ...each];
  });
}

function drawn(): ConformanceRequest[] {
  return fc
    .sample(anyRequest(nasty), { seed, numRuns: randomRequests })
    .map(({ path, queryString }) => get(queryString === '' ? path : `${path}?${queryString}`));
}

const known = [
  '/api',
  '/api/',
  '/api/movies',
  '/api/movies/27',
  '/api/movies/none',
  '/api/nominations/1',
  '/api/categories',
  '/api/categories/1',
  '/api/search?q=ann',
  '/api/stats/top-movies',
  '/api/stats/top-nominees?category=actor&sort=wins',
];
const unknown = [
  '/api/films',
  '/api/movies/',
  '/api/Movies',
  '/api/movies/1/2',
  '/api/movies/1.json',
  '/api/movies.json',
  '/api/movies/pages/2.json',
  '/api/stats/top-movies/nominations.json',
  '/api/%6Dovies',
  '/api/movies%3Flimit=1',
  '/api/__proto__/1',
  '/api/movies/9007199254740992',
  '/api/movies/%EF%BC%91',
];

const withMethod = (method: string, targets: readonly string[]) =>
  targets.map((target) => ({ method, target }));

function byHand(): ConformanceRequest[] {
  return [
    ...withMethod('HEAD', [
      '/api/movies?format=csv',
      ...known,
      ...unknown.slice(0, 6),
      '/api/movies?page=x',
      '/api/movies/999',
    ]),
    ...withMethod('OPTIONS', [...known, '/api/films', '/api/search']),
    ...['PUT', 'DELETE', 'POST', 'PATCH'].flatMap((method) =>
      withMethod(method, [
        '/api/categories',
        '/api/categories/1',
        '/api/search',
        '/api/stats/top-movies',
        '/api/films',
      ]),
    ),
    ...withMethod('PUT', known),
    ...withMethod('GET', ['/api/', '/api?page=x', ...unknown]),
    ...['ETAG', 'W/ETAG', '"x", ETAG', '*', '"x"', 'ETAG-not', ''].flatMap((ifNoneMatch) =>
      [
        '/api/movies?limit=2',
        '/api/movies/27',
        '/api/search?q=ann',
        '/api/movies/999',
        '/api/songs?format=csv',
      ].map((target) => ({
        method: 'GET',
        target,
        ifNoneMatch,
      })),
    ),
    ...['/api/movies', '/api/ceremonies/97', '/api/songs?format=csv'].map((target) => ({
      method: 'HEAD',
      target,
      ifNoneMatch: 'ETAG',
    })),
    ...[
      '/api/nominations?page=1&limit=3&winner=false',
      '/api/nominations?limit=1000&page=1',
      '/api/nominations?page=1000000',
      '/api/nominations?page=2',
      '/api/nominations?format=ndjson&winner=true&sort=-movie&category=music+(original',
      '/api/movies?format=csv&include=counts,nominations,details&sort=release_date',
      '/api/nominees?format=csv&fields=name,counts&include=counts&limit=3',
      '/api/search?q=the&format=csv&sort=-year&fields=nominee,details',
      '/api/search?q=zzzz&format=ndjson',
      '/api/movies?page=2',
      '/api/nominees?page=1',
      '/api/ceremonies?page=3&limit=1',
      '/api/ceremonies?yearStart=1930&yearEnd=1929',
      '/api/movies/9007199254740991?page=0',
      '/api/movies?title=%00',
      '/api/movies?title=am%C3%A9lie&title=x&catagory=1',
      '/api/search?q=%F0%9F%8E%AC',
      '/api/search?q=+a+',
      '/api/stats/counts?by=decade&winner=true&category=a',
      '/api/stats/counts?by=country&nominee=ann',
      '/api/stats/top-movies?genre=COM%C3%89DIE',
      '/api/stats/top-movies?genre=%CC%81',
      '/api/stats/top-nominees?known_for_department=acting&sort=wins',
      '/api/stats/top-nominees?category_group=acting',
      '/api/stats/top-nominees?category_group=acting&category=actor',
      '/api/stats/top-nominees?category=actor&limit=25',
      '/api/stats/top-nominees?category=actor&limit=24',
    ].map(get),
  ];
}

/** Whether a URL parser leaves a target unchanged: some runtimes parse it before they answer. */
const isPlain = (target: string): boolean => {
  const { pathname, search } = new URL(target, 'http://a');
  return pathname + search === target;
};

/** Every request once. */
export const conformanceRequests: readonly ConformanceRequest[] = [
  ...new Map(
    [...fromTheTables(), ...byHand(), ...drawn()]
      .filter(({ target }) => isPlain(target))
      .map((request) => [JSON.stringify(request), request]),
  ).values(),
];
