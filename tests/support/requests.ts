/** The conformance table: requests made from the routes and parameters, drawn at random, and picked by hand; and pages. */
import fc from 'fast-check';
import { resourceNames } from '../../api/contract/names.ts';
import { type ParameterName, parameters } from '../../api/contract/parameters.ts';
import { routes } from '../../api/contract/routes.ts';
import { isCompletedByServer, pageAddresses } from '../../build/site/shared/hosting.ts';
import { knownClients } from './mcp-clients.ts';
import { anyRequest } from '../records/oracle/queries.ts';
import { nasty } from '../records/oracle/questions.ts';

export interface ConformanceRequest {
  method: string;
  /** Path and query string that no URL parser changes. */
  target: string;
  /** If-None-Match, with ETAG for the tag of the answer to a plain GET. */
  ifNoneMatch?: string;
  /** The body of a POST, with the headers that a client of /mcp sends. */
  message?: string;
  /** Other headers than those of the official clients. */
  headers?: Readonly<Record<string, string>>;
}

/** The seed of the random part is fixed: hosts are compared on the same table. */
export const seed = 20_260_401;
const randomRequests = 60;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** Together they read every family of shards and pages. */
export const addresses: readonly string[] = wordsOf(`
  /api/nominations /api/nominations?page=2 /api/nominations?winner=true&yearStart=1930
  /api/nominations?movie=the&nominee=a /api/nominations?include=details /api/nominations/12
  /api/movies/27 /api/movies/45 /api/movies?title=m /api/movies?year=2025 /api/movies?genre=war
  /api/nominees /api/nominees?known_for_department=acting /api/nominees/1
  /api/ceremonies /api/ceremonies?yearEnd=1930
  /api/categories /api/categories/1 /api/categories?category_group=acting
  /api/honors /api/songs /api/songs?title=the /api/search?q=ann+actor /api/search?q=th&winner=true
  /api/stats/top-movies /api/stats/top-movies?yearStart=1930
  /api/stats/top-nominees?category=actor /api/stats/top-nominees?category=actor&limit=3`);

const known = wordsOf(`
  /api /api/ /api/movies /api/movies/27 /api/movies/none /api/nominations/1 /api/categories /api/categories/1
  /api/search?q=ann /api/stats/top-movies /api/stats/top-nominees?category=actor&sort=wins`);
const unknown = wordsOf(`
  /api/films /api/movies/ /api/Movies /api/movies/1/2 /api/movies/1.json /api/movies.json
  /api/movies/pages/2.json /api/stats/top-movies/nominations.json /api/%6Dovies /api/movies%3Flimit=1
  /api/__proto__/1 /api/movies/9007199254740992 /api/movies/%EF%BC%91`);
const withTags = wordsOf(
  '/api/movies?limit=2 /api/movies/27 /api/search?q=ann /api/movies/999 /api/songs?format=csv',
);

/** The snapshots of the history that hosts serve, oldest first. */
export const historySnapshots = ['0', '1', '2'].map((digit) => digit.repeat(20));

const neverWritten = wordsOf(
  '/api/categories /api/categories/1 /api/search /api/stats/top-movies /api/films',
);

const byHand: Readonly<Record<string, readonly string[]>> = {
  HEAD: [...known, ...unknown, '/api/movies?format=csv', '/api/movies?page=x', '/api/movies/999'],
  OPTIONS: [...known, '/api/films', '/api/search'],
  PUT: [...known, '/api/films'],
  POST: neverWritten,
  PATCH: neverWritten,
  DELETE: neverWritten,
  GET: [
    ...[...addresses, ...known, ...unknown, '/api?page=x'],
    ...[...historySnapshots, '2022-12-31', '2023-01-01', '2026-01-01T00:00:00Z'].map(
      (since) => `/api/changes?since=${since}`,
    ),
    ...wordsOf(`
      /api/nominations?page=1&limit=3&winner=false /api/nominations?limit=1000&page=1
      /api/nominations?page=1000000 /api/movies?page=2 /api/nominees?page=1 /api/ceremonies?page=3&limit=1
      /api/nominations?format=ndjson&winner=true&sort=-movie&category=music+(original
      /api/movies?format=csv&include=counts,nominations,details&sort=release_date
      /api/nominees?format=csv&fields=name,counts&include=counts&limit=3
      /api/search?q=the&format=csv&sort=-year&fields=nominee,details /api/search?q=zzzz&format=ndjson
      /api/ceremonies?yearStart=1930&yearEnd=1929 /api/movies/9007199254740991?page=0 /api/movies?title=%00
      /api/movies?title=am%C3%A9lie&title=x&catagory=1 /api/search?q=%F0%9F%8E%AC /api/search?q=+a+
      /api/stats/counts?by=decade&winner=true&category=a /api/stats/counts?by=country&nominee=ann
      /api/stats/top-movies?genre=COM%C3%89DIE /api/stats/top-movies?genre=%CC%81
      /api/stats/top-nominees?known_for_department=acting&sort=wins
      /api/stats/top-nominees?category_group=acting&category=actor`),
  ],
};

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
const recordEnds = wordsOf(
  '1 26 4096 999 01 1?include=details 2?include=counts 1?include=all 1?fields=id 26?fields=ids',
);

/** Each address without parameters, and with a good and a bad value of each parameter. */
function fromTheTables(): string[] {
  return [...routes].flatMap(([address, route]) => {
    if (route.kind === 'record') return recordEnds.map((end) => address.replace('{id}', end));
    if (!('parameters' in route)) return [address];
    const names: readonly ParameterName[] = route.parameters;
    const needed = ['q=ann', 'by=category'].find((part) => names.some((name) => part.startsWith(`${name}=`)));
    const each = names.flatMap((name) =>
      values[parameters[name].kind].map((value) => {
        const others = needed === undefined || needed.startsWith(`${name}=`) ? '' : `&${needed}`;
        return `${address}?${name}=${value}${others}`;
      }),
    );
    return [needed ? `${address}?${needed}` : address, `${address}?none=1`, ...each];
  });
}

const drawn = (): string[] =>
  fc
    .sample(anyRequest(nasty), { seed, numRuns: randomRequests })
    .map(({ path, queryString }) => (queryString === '' ? path : `${path}?${queryString}`));

function all(): ConformanceRequest[] {
  const conditional = ['ETAG', 'W/ETAG', '"x", ETAG', '*', '"x"', 'ETAG-not', ''];
  return [
    ...[...fromTheTables(), ...drawn()].map((target) => ({ method: 'GET', target })),
    ...Object.entries(byHand).flatMap(([method, targets]) => targets.map((target) => ({ method, target }))),
    ...withTags.flatMap((target) => [
      ...conditional.map((ifNoneMatch) => ({ method: 'GET', target, ifNoneMatch })),
      { method: 'HEAD', target, ifNoneMatch: 'ETAG' },
    ]),
  ];
}

/** Whether a URL parser leaves a target unchanged: some hosts parse it before they answer. */
const isPlain = (target: string): boolean => {
  const { pathname, search } = new URL(target, 'http://a');
  return pathname + search === target;
};

/** Every request once. */
export const conformanceRequests: readonly ConformanceRequest[] = [
  ...new Map(
    all()
      .filter(({ target }) => isPlain(target))
      .map((request) => [JSON.stringify(request), request]),
  ).values(),
];

/** Headers of a request. */
export const headersOf = ({ ifNoneMatch, message, headers }: ConformanceRequest): Record<string, string> => ({
  ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
  ...(message !== undefined &&
    (headers ?? { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' })),
});

const called = (name: string, given: object) => ({
  method: 'tools/call',
  params: { name, arguments: given },
});
const client = { clientInfo: { name: 'test', version: '1' } };
const greeting = { protocolVersion: '2025-06-18', capabilities: {}, ...client };

/** Messages of every kind: greetings, the tools, their faults, and what is no message. */
const messages: readonly string[] = [
  ...[
    { method: 'initialize', params: greeting },
    { method: 'initialize', params: { ...greeting, protocolVersion: '1999-01-01' } },
    ...['ping', 'tools/list', 'resources/list', 'tools/call'].map((method) => ({ method })),
    ...[{ query: 'the' }, { q: 'zzzz' }, { query: '\ud800 ann' }, { query: '' }, { q: [{}] }, {}].map(
      (given) => called('search', given),
    ),
    ...['movies/27', 'nominees/1', '/ceremonies/1-1929', 'honors/1', 'movies/4095', 'x'].map((id) =>
      called('fetch', { id }),
    ),
    ...[{ title: 'the' }, { id: 27, limit: 1 }, { imdb_id: 'tt1' }, {}, { title: 7 }].map((given) =>
      called('film_awards', given),
    ),
    ...[{ name: 'ann' }, { id: 1 }, { name: 'a', id: 1 }, { name: 'a', character: 'a' }].map((given) =>
      called('person_awards', given),
    ),
    ...[{ number: 1 }, { year: 1930, winner: true }, { year: 'x' }, { number: 4096 }].map((given) =>
      called('ceremony', given),
    ),
    ...[{ nominee: 'ann', page: 2 }, { character: 'a' }, { yeer: 1 }].map((given) =>
      called('nominations', given),
    ),
    ...[{ ranking: 'top-movies' }, { ranking: 'top-nominees', genre: 'war' }, { ranking: 'x' }].map((given) =>
      called('ranking', given),
    ),
    ...[{ by: 'decade', winner: true }, { by: 'none' }, { by: 'year', format: 'csv', catagory: 'a' }].map(
      (given) => called('count', given),
    ),
    ...['serch', '__proto__', 'constructor'].map((name) => called(name, { q: 'ann' })),
  ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message })),
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]),
  ...['', 'null', '{}', '{"jsonrpc":"2.0"', '['.repeat(30_000), '"'.padEnd(64 * 1024 + 1, 'a')],
];

/** Requests to /mcp. */
export const mcpRequests: readonly ConformanceRequest[] = [
  ...knownClients.map(({ path = '/mcp', headers, message }) => ({
    method: 'POST',
    target: path,
    headers,
    message: JSON.stringify(message),
  })),
  ...['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].map((method) => ({ method, target: '/mcp' })),
  ...messages.map((message) => ({ method: 'POST', target: '/mcp', message })),
];

const numbered = (address: string) => address.replaceAll(/\{\w+\}/g, '1');

/** Every page at an address of each kind → its file. */
export const shownPages: ReadonlyMap<string, string> = new Map([
  ...[...pageAddresses].map(([address, file]) => [numbered(address), file] as const),
  ...['/movies?genre=drama&page=2', '/movies/27/'].map((target) => [target, 'index.html'] as const),
  ['/docs/', 'docs/index.html'],
]);

/** Every kind of page of the explorer, redirects, unknown records, and what crawlers read. */
export const pageTargets: readonly string[] = [
  ...[...pageAddresses.keys()].map(numbered).filter(isCompletedByServer),
  ...resourceNames.flatMap((resource) => [2, 3, 999_999].map((id) => `/${resource}/${id}`)),
  ...wordsOf(`
    /search?q=the /search?q=the&part=options /search?q=zzzz /movies?sort=-entries&limit=10
    /movies?genre=&title= /movies/ /nominations?year=x /movies/foo /movies/1-wrong?a=b
    /rankings/without-win /rankings/none /songs/by-year /compare/movies?ids=1,2
    /compare/nominees?ids=2,999999 /categories/1?decade=1990
    /robots.txt /sitemap.xml /sitemap-1.xml /sitemap-2.xml`),
];
