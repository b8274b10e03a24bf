/** The answers of the resolver in Node, and their differences from those of another runtime. */
import { fileSource } from '../../api/read/node-source.ts';
import type { Answer } from '../../api/read/answer.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { type ConformanceRequest, conformanceRequests, seed } from './requests.ts';

export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

export type Runtime = (request: ConformanceRequest) => Promise<Reply>;

export interface Expectation {
  /** With the final If-None-Match. */
  request: ConformanceRequest;
  answer: Answer;
}

/** Every request of the table with its answer. @param writable whether the runtime takes writes, which OPTIONS shows */
export async function expectations(out: string, writable: boolean): Promise<Expectation[]> {
  const resolver = new Resolver(fileSource(out), { writable, onError: fail });
  return Promise.all(
    conformanceRequests.map(async (request) => {
      const sent = await withTag(resolver, request);
      return { request: sent, answer: await answerTo(resolver, sent) };
    }),
  );
}

const fail = (error: unknown) => {
  throw error;
};

function answerTo(resolver: Resolver, { method, target, ifNoneMatch }: ConformanceRequest): Promise<Answer> {
  const { pathname: path, search } = new URL(target, 'http://a');
  return resolver.answer({ method, path, queryString: search.slice(1), ifNoneMatch });
}

/** Replaces ETAG by the tag of the answer. */
async function withTag(resolver: Resolver, request: ConformanceRequest): Promise<ConformanceRequest> {
  const { ifNoneMatch, ...plain } = request;
  if (ifNoneMatch === undefined) return plain;
  const { headers } = await answerTo(resolver, { method: 'GET', target: request.target });
  return { ...plain, ifNoneMatch: ifNoneMatch.replace('ETAG', headers.ETag ?? '"none"') };
}

/** Headers that must be equal, or absent in both. */
const comparedHeaders = [
  'content-type',
  'content-disposition',
  'etag',
  'link',
  'cache-control',
  'allow',
  'retry-after',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
];

/** Requests sent at once, also to a runtime that has nothing loaded yet. */
const concurrency = 8;

/** Sends every request to a runtime. @returns the differences, a line each */
export async function differences(runtime: Runtime, expected: readonly Expectation[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...expected];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { request, answer } = next;
      const label = `${request.method} ${request.target} ${request.ifNoneMatch ?? ''} (seed ${seed})`;
      try {
        for (const difference of differencesOf(await runtime(request), answer))
          found.push(`${label}: ${difference}`);
      } catch (error) {
        found.push(`${label}: ${(error as Error).stack ?? String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return found;
}

function* differencesOf(reply: Reply, expected: Answer): Generator<string> {
  if (reply.status !== expected.status) yield `status ${reply.status}, not ${expected.status}`;
  const body = expected.body ?? new Uint8Array();
  if (!Buffer.from(reply.body).equals(body))
    yield `body ${shown(reply.body)}, not ${shown(body)} (${reply.body.length} and ${body.length} bytes)`;
  const headers = new Headers(expected.headers);
  for (const name of comparedHeaders) {
    const [got, wanted] = [reply.headers.get(name), headers.get(name)];
    if (got !== wanted) yield `${name}: ${got}, not ${wanted}`;
  }
  // Optional, but never wrong.
  const length = reply.headers.get('content-length');
  if (length !== null && expected.body && Number(length) !== body.length) yield `content-length: ${length}`;
}

const shown = (body: Uint8Array): string => JSON.stringify(new TextDecoder().decode(body.subarray(0, 200)));
