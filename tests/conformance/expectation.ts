/** What the resolver in Node answers from the files, and how another runtime's answers differ from it. */
import { fileSource } from '../../api/hosts/file-source.ts';
import type { Answer } from '../../api/read/answer.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { type ConformanceRequest, conformanceRequests, seed } from './requests.ts';

/** A request as it is sent: If-None-Match in its final wording. */
export interface AskedRequest {
  method: string;
  target: string;
  ifNoneMatch?: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** A place that answers requests. */
export type Runtime = (request: AskedRequest) => Promise<Reply>;

export interface Expectation {
  request: AskedRequest;
  answer: Answer;
}

/** Every request of the table with its answer. @param writable whether the runtime takes writes, and says so */
export async function expectations(out: string, writable: boolean): Promise<Expectation[]> {
  const resolver = new Resolver(fileSource(out), { writable, onError: fail });
  return Promise.all(
    conformanceRequests.map(async (request) => {
      const asked = await wording(resolver, request);
      return { request: asked, answer: await answerTo(resolver, asked) };
    }),
  );
}

const fail = (error: unknown) => {
  throw error;
};

function answerTo(resolver: Resolver, { method, target, ifNoneMatch }: AskedRequest): Promise<Answer> {
  const { pathname: path, search } = new URL(target, 'http://a');
  return resolver.answer({ method, path, queryString: search.slice(1), ifNoneMatch });
}

async function wording(resolver: Resolver, request: ConformanceRequest): Promise<AskedRequest> {
  const { ifNoneMatch, ...plain } = request;
  if (ifNoneMatch === undefined) return plain;
  const { headers } = await answerTo(resolver, { method: 'GET', target: request.target });
  return { ...plain, ifNoneMatch: ifNoneMatch.replace('ETAG', headers.ETag ?? '"none"') };
}

/** Headers that must be the same, and absent where they are. */
const headersThatMatter = [
  'content-type',
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

/** Requests under way at once: a runtime that has nothing loaded yet must cope with them, too. */
const atOnce = 8;

/** Asks a runtime everything and tells what it got wrong, in one line each. */
export async function differences(
  runtime: Runtime,
  expected: readonly Expectation[],
  ignoredHeaders: readonly string[] = [],
): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...expected];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { request, answer } = next;
      const told = `${request.method} ${request.target} ${request.ifNoneMatch ?? ''} (seed ${seed})`;
      try {
        for (const difference of differencesOf(await runtime(request), answer, ignoredHeaders))
          found.push(`${told}: ${difference}`);
      } catch (error) {
        found.push(`${told}: ${(error as Error).stack ?? String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

function* differencesOf(
  reply: Reply,
  expected: Answer,
  ignoredHeaders: readonly string[],
): Generator<string> {
  if (reply.status !== expected.status) yield `status ${reply.status}, not ${expected.status}`;
  const body = expected.body ?? new Uint8Array();
  if (!Buffer.from(reply.body).equals(body))
    yield `body ${shown(reply.body)}, not ${shown(body)} (${reply.body.length} and ${body.length} bytes)`;
  const headers = new Headers(expected.headers);
  for (const name of headersThatMatter) {
    if (ignoredHeaders.includes(name)) continue;
    const [got, wanted] = [reply.headers.get(name), headers.get(name)];
    if (got !== wanted) yield `${name}: ${got}, not ${wanted}`;
  }
  // Which may be left out, but must not be wrong.
  const length = reply.headers.get('content-length');
  if (length !== null && expected.body && Number(length) !== body.length) yield `content-length: ${length}`;
}

const shown = (body: Uint8Array): string => JSON.stringify(new TextDecoder().decode(body.subarray(0, 200)));
