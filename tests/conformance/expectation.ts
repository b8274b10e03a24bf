/** The snapshot that every host serves, the answers that it must give, and their differences from those that it gives. */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import type { Answer } from '../../api/read/answer.ts';
import { mcpService } from '../../api/mcp/mcp.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { SitePages } from '../../build/site/explorer/site-pages.ts';
import { isCompletedByServer } from '../../build/site/shared/hosting.ts';
import { builtFolder } from '../support/running-service.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { readTree, writeInto } from '../records/tree.ts';
import { send } from '../support/http.ts';
import {
  type ConformanceRequest,
  conformanceRequests,
  headersOf,
  historySnapshots,
  mcpRequests,
  pageTargets,
  seed,
  shownPages,
} from '../support/requests.ts';

export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** Sends a request to a host. */
export type Runtime = (request: ConformanceRequest) => Promise<Reply>;

export interface Expectation {
  /** With the final If-None-Match. */
  request: ConformanceRequest;
  answer: Answer;
  /** Whether the host may send other headers than these, as hosts of files do. Default false. */
  mayAdd?: boolean;
}

/** A folder with the nasty record, the site and the pages, from before the first test to after the last. */
export function useSnapshot(): { out: string } {
  const snapshot = { out: '' };
  beforeAll(async () => {
    const { connection, out } = await builtFolder(fillWithNastyRecord, ['site', 'pages', 'by-imdb']);
    connection.close();
    writeHistory(out);
    snapshot.out = out;
  });
  return snapshot;
}

/** Two publishes, as `awards publish` notes them. */
function writeHistory(out: string): void {
  const [oldest, middle, newest] = historySnapshots;
  const publish = (year: number, snapshot: string, previous: string) => {
    const own = { published_at: `${year}-01-01T00:00:00Z`, snapshot, previous };
    const records = [{ resource: 'movies', id: 1, before: { title: `${year}` }, after: { title: 'É' } }];
    writeInto(out, `changes/${year}.json`, JSON.stringify({ data: [{ ...own, records }] }));
    return { ...own, path: `/changes/${year}.json`, added: 0, changed: 1, removed: 0 };
  };
  const data = [publish(2026, newest!, middle!), publish(2024, middle!, oldest!)];
  const begin = { snapshot: oldest, published_at: '2023-01-01T00:00:00Z' };
  writeInto(out, 'changes/index.json', JSON.stringify({ snapshot: newest, oldest: begin, data }));
}

/** A host behind an address. Targets are sent unchanged. @returns the host, and what closes its connections */
export function overHttp(origin: string): { runtime: Runtime; close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  const runtime = async (request: ConformanceRequest): Promise<Reply> => {
    const { method, target, message } = request;
    const options = { agent, hostname, port, path: target, method, headers: headersOf(request) };
    const { status, rawHeaders, body } = await send(options, message);
    const headers = new Headers();
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
    return { status, headers, body };
  };
  return { runtime, close: () => agent.destroy() };
}

/** A request as hosts with web standards get it. */
export const webRequest = (origin: string, request: ConformanceRequest): Request =>
  new Request(origin + request.target, {
    method: request.method,
    headers: headersOf(request),
    body: request.message ?? null,
  });

const split = ({ target, ...others }: ConformanceRequest) => {
  const { pathname: path, search } = new URL(target, 'http://a');
  return { ...others, path, queryString: search.slice(1) };
};

/** Every request of the table with its answer. @param writable whether the host takes writes, which OPTIONS shows */
export async function expectations(out: string, writable: boolean): Promise<Expectation[]> {
  const onError = (error: unknown) => {
    throw error;
  };
  const resolver = new Resolver(fileSource(out), { writable, onError });
  return Promise.all(
    conformanceRequests.map(async (request) => {
      if (request.ifNoneMatch === undefined)
        return { request, answer: await resolver.answer(split(request)) };
      const { headers } = await resolver.answer({ ...split(request), method: 'GET', ifNoneMatch: undefined });
      const sent = { ...request, ifNoneMatch: request.ifNoneMatch.replace('ETAG', headers.ETag ?? '"none"') };
      return { request: sent, answer: await resolver.answer(split(sent)) };
    }),
  );
}

/**
 * The pages of the explorer, their redirects and unchanged answers, and what crawlers read, with the bytes of SitePages.
 * @param origin scheme and host of the site, in its pages
 */
export async function pageExpectations(out: string, origin: string): Promise<Expectation[]> {
  const source = fileSource(out);
  const file = (path: string) => source.file(path);
  const pages = new SitePages({ resolver: new Resolver(source), file, digest: nodeDigest, cacheBytes: 0 });
  const found: Expectation[] = [];
  const expect = async (request: ConformanceRequest): Promise<Answer> => {
    const answer = (await pages.answer(split(request), origin))!;
    found.push({ request, answer, mayAdd: true });
    return answer;
  };
  const targets = new Set(pageTargets);
  for (const target of targets) {
    const { headers } = await expect({ method: 'GET', target });
    // A place on a page is left to the browser.
    if (headers.Location) targets.add(headers.Location.split('#')[0]!);
    if (headers.ETag) await expect({ method: 'GET', target, ifNoneMatch: headers.ETag });
  }
  for (const method of ['OPTIONS', 'DELETE']) await expect({ method, target: '/movies/27' });
  return found;
}

/** The answers to the messages of /mcp. @param origin scheme and host of the site, in its answers */
export function mcpExpectations(out: string, origin: string): Promise<Expectation[]> {
  const resolver = new Resolver(fileSource(out));
  const mcp = mcpService(resolver);
  return Promise.all(
    mcpRequests.map(async (request) => ({ request, answer: await mcp(webRequest(origin, request), origin) })),
  );
}

const nosniff = { 'X-Content-Type-Options': 'nosniff' };
const revalidated = { 'Cache-Control': 'public, max-age=0, must-revalidate' };
const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const anyOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Range, ETag, Snapshot',
};
const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The promised headers of files, written down once more: the table of the program is what the test judges. */
const headersOfFiles: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [
    /\.html$/,
    {
      ...{ ...nosniff, ...revalidated, 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' },
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  ],
  [/^assets\//, { ...nosniff, ...immutable }],
  [/^shards\//, { ...nosniff, ...immutable, ...anyOrigin }],
  [/^(by-imdb|layers)\/|^(manifest\.json|llms\.txt)$/, { ...nosniff, ...revalidated, ...anyOrigin }],
  [
    /^\.well-known\/api-catalog$/,
    { ...nosniff, ...revalidated, ...anyOrigin, Link: '</.well-known/api-catalog>; rel="api-catalog"' },
  ],
];
const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  woff2: 'font/woff2',
  // The catalog of APIs, which has no extension.
  'well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
};

/**
 * The pages and files that are sent as they are.
 * @param completes whether the host completes the pages of the explorer: pageExpectations() has them
 * @param hasRules whether the host has the headers of plain files
 */
export function fileExpectations(out: string, completes: boolean, hasRules = true): Expectation[] {
  // Neither the rules of hosts nor hidden files; of the shards, one.
  const paths = [...readTree(out).keys()].filter(
    (path) => path === '.well-known/api-catalog' || !/^[._]|\/\.|^(api|edit|shards)\//.test(path),
  );
  const [shard] = readTree(join(out, 'shards')).keys();
  const files = new Map(shownPages);
  for (const path of [...paths, `shards/${shard}`]) files.set(`/${path}`, path);
  return [...files]
    .filter(([target]) => !(completes && isCompletedByServer(target.split('?')[0]!)))
    .map(([target, file]) => {
      const headers = {
        ...headersOfFiles.find(([pattern]) => pattern.test(file))?.[1],
        'Content-Type': mediaTypes[file.slice(file.lastIndexOf('.') + 1)]!,
      };
      const body = readFileSync(join(out, file));
      const answer = { status: 200, headers: hasRules ? headers : {}, body };
      return { request: { method: 'GET', target }, answer, mayAdd: true };
    });
}

/** Headers that must be equal, or absent in both. */
const comparedHeaders = [
  ...['content-type', 'content-disposition', 'etag', 'link', 'cache-control', 'allow', 'retry-after'],
  ...['x-content-type-options', 'access-control-allow-origin', 'access-control-allow-methods'],
  ...['access-control-allow-headers', 'access-control-expose-headers', 'access-control-max-age'],
];
/** A host may compress, and write a media type with or without its encoding. */
const comparable = (name: string, value: string | null) =>
  name === 'Vary' || name === 'Content-Length' ? '' : name === 'Content-Type' ? value?.split(';')[0] : value;

/** Requests sent at once, also to a host that has nothing loaded yet. */
const concurrency = 8;

/** Sends every request to a host. @returns the differences, a line each */
export async function differences(runtime: Runtime, expected: readonly Expectation[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = expected.values();
  const worker = async () => {
    for (const expectation of waiting) {
      const { method, target, ifNoneMatch = '', message = '' } = expectation.request;
      const label = `${method} ${target} ${ifNoneMatch} ${message.slice(0, 200)} (seed ${seed})`;
      try {
        for (const difference of differencesOf(await runtime(expectation.request), expectation))
          found.push(`${label}: ${difference}`);
      } catch (error) {
        found.push(`${label}: ${(error as Error).stack ?? String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return found;
}

function* differencesOf(reply: Reply, { answer, mayAdd }: Expectation): Generator<string> {
  if (reply.status !== answer.status) yield `status ${reply.status}, not ${answer.status}`;
  const body = answer.body ?? new Uint8Array();
  if (!Buffer.from(reply.body).equals(body))
    yield `body ${shown(reply.body)}, not ${shown(body)} (${reply.body.length} and ${body.length} bytes)`;
  const headers = new Headers(answer.headers);
  for (const name of mayAdd ? Object.keys(answer.headers) : comparedHeaders) {
    const [got, wanted] = [reply.headers.get(name), headers.get(name)].map((value) =>
      mayAdd ? comparable(name, value) : value,
    );
    if (got !== wanted) yield `${name}: ${got}, not ${wanted}`;
  }
  // Optional, but never wrong.
  const length = reply.headers.get('content-length');
  if (length !== null && answer.body && Number(length) !== body.length) yield `content-length: ${length}`;
}

const shown = (body: Uint8Array): string => JSON.stringify(new TextDecoder().decode(body.subarray(0, 200)));
