/**
 * The write service: POST and PATCH of records, and the receipts. Everything before the body is checked before it is read,
 * in the order 401, 429, 415, 413, 400; what the record itself is refused for comes from the writer.
 */
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { maxBodyBytes } from '../contract/limits.ts';
import { isWritable, type WritableResource } from '../contract/names.ts';
import {
  matchRoute,
  readMethods,
  receiptPath,
  receiptsPath,
  recordPath,
  routes,
  writeMethod,
} from '../contract/routes.ts';
import { type Answer, commonHeaders, problemAnswer } from '../read/answer.ts';
import { preflight } from '../read/methods.ts';
import { hasKey, type KeyCheck } from './keys.ts';
import { acceptHeader, mediaTypeFault, type WriteMethod } from './media-type.ts';
import { type ReceiptSource, receiptsAnswer } from './receipts.ts';
import { writeErrorOf } from './storage-errors.ts';
import { readStrictJson } from './strict-json.ts';
import type { WriteDone, WriteError, WriteRequest, WriteOutcome } from './writer.ts';

/** Whether one more request of somebody is allowed, and the headers that tell how many are. */
type Limit = (who: string) => Promise<{ allowed: boolean; headers: Readonly<Record<string, string>> }>;

export interface WriteServiceOptions {
  keyOf: KeyCheck;
  write: (order: WriteRequest) => Promise<WriteOutcome>;
  receipts: ReceiptSource;
  /** What failed keys are counted under. */
  clientOf: (request: FastifyRequest['raw']) => string;
  /** Writes per key; undefined for no limit. */
  writes: Limit | undefined;
  /** Failed keys per client. */
  failures: Limit;
  /** Awaited before a write is answered, so that GET answers from the snapshot that holds it. */
  refresh: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Makes the service, ready to be handed requests by its `routing`. It listens nowhere by itself. */
export async function createWriteService(options: WriteServiceOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    logger: false,
    routerOptions: { ignoreTrailingSlash: false },
  });
  // Whatever comes is bytes until strict-json has read it; the types were checked before.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = knownErrors[error.code];
    // The framework would close the connection while the body still comes, and whoever sends it would not get to the answer.
    reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
    request.raw.resume();
    if (known === undefined) options.onError(error);
    const refusal = known ??
      writeErrorOf(error) ?? {
        problem: 'internal-error',
        detail: 'the write could not be carried out; it has been logged',
      };
    // Whoever went away in the middle of a body hears nothing any more.
    if (!request.raw.destroyed || request.raw.complete) send(reply, refusalAnswer(refusal));
  });
  // What has no route here is another method on receipts: every other address is matched before. Its body is not waited for.
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? send(reply, otherMethodOnReceipts(request.method)) : undefined,
  );
  for (const [pattern, route] of routes) {
    const method = writeMethod(route);
    if (method === undefined) continue;
    app.route({
      method,
      url: pattern.replace('{id}', ':id'),
      onRequest: [authenticate(options), limitWrites(options), checkMediaType(method)],
      handler: (request, reply) => carryOut(options, request, reply),
    });
  }
  for (const url of [receiptsPath, `${receiptsPath}/:id`])
    app.get(url, { onRequest: authenticate(options) }, async (request, reply) => {
      await send(reply, receiptsAnswer(options.receipts, request.raw.url ?? ''));
    });
  await app.ready();
  return app;
}

function otherMethodOnReceipts(method: string): Answer {
  const allow = readMethods.join(', ');
  if (method === 'OPTIONS') return preflight(allow);
  return problemAnswer('method-not-allowed', `${method} is not allowed here`, { Allow: allow });
}

/** Errors of the framework that are the sender's. */
const knownErrors: Readonly<Record<string, WriteError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    problem: 'body-too-large',
    detail: `a body may have ${maxBodyBytes} bytes`,
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    problem: 'malformed-body',
    detail: 'the body is not as long as Content-Length says',
  },
  ECONNRESET: { problem: 'malformed-body', detail: 'the body broke off' },
};

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The name of the key, once it is checked. */
const keyNames = new WeakMap<FastifyRequest['raw'], string>();

const authenticate =
  ({ keyOf, clientOf, failures }: WriteServiceOptions): Hook =>
  async (request, reply) => {
    const name = keyOf(request.raw);
    if (name !== undefined) {
      keyNames.set(request.raw, name);
      return undefined;
    }
    // Nothing is guessed by who sends no key.
    const verdict = hasKey(request.raw) ? await failures(clientOf(request.raw)) : undefined;
    if (verdict?.allowed === false)
      return send(
        reply,
        problemAnswer('too-many-requests', 'too many wrong keys; try again later', verdict.headers),
      );
    return send(
      reply,
      problemAnswer('unauthorized', 'writing needs a valid key, once, in the header x-api-key', {
        'WWW-Authenticate': 'ApiKey realm="film awards", header="x-api-key"',
      }),
    );
  };

const limitWrites =
  ({ writes }: WriteServiceOptions): Hook =>
  async (request, reply) => {
    const verdict = await writes?.(keyNames.get(request.raw)!);
    if (verdict === undefined) return undefined;
    reply.headers(verdict.headers);
    if (verdict.allowed) return undefined;
    return send(reply, problemAnswer('too-many-requests', 'too many writes with this key; try again later'));
  };

const checkMediaType =
  (method: WriteMethod): Hook =>
  async (request, reply) => {
    const fault = mediaTypeFault(request.raw, method);
    if (fault !== undefined)
      return send(reply, problemAnswer('unsupported-media-type', fault, acceptHeader(method)));
    return undefined;
  };

async function carryOut(
  options: WriteServiceOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const body = readStrictJson((request.body as Buffer | undefined | null) ?? new Uint8Array());
  if (!body.ok) return send(reply, problemAnswer('malformed-body', body.detail));
  const { resource, id } = targetOf(request);
  const outcome = await options.write({
    resource,
    id,
    body: body.value,
    ifMatch: request.headers['if-match'],
    key: keyNames.get(request.raw)!,
  });
  if ('problem' in outcome) return send(reply, refusalAnswer(outcome));
  await options.refresh();
  return send(reply, writtenAnswer(outcome));
}

/** The route table has it matched already, or the request would not be here. A query string means nothing. */
function targetOf(request: FastifyRequest): { resource: WritableResource; id: number | undefined } {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const match = matchRoute(path);
  if (match === undefined || !('resource' in match.route) || !isWritable(match.route.resource))
    throw new Error(`${request.raw.url} is no address to write to`);
  return { resource: match.route.resource, id: match.id };
}

function refusalAnswer({ problem, detail, faults }: WriteError): Answer {
  const retry: Record<string, string> = problem === 'writing-unavailable' ? { 'Retry-After': '1' } : {};
  return problemAnswer(problem, detail, retry, faults);
}

function writtenAnswer({ created, resource, id, record, receipt, published }: WriteDone): Answer {
  const body = new TextEncoder().encode(`${JSON.stringify(record)}\n`);
  const headers: Record<string, string> = {
    ...commonHeaders,
    'Access-Control-Expose-Headers': `${commonHeaders['Access-Control-Expose-Headers']}, Location, Receipt, Snapshot, Snapshot-Pending`,
    'Cache-Control': 'no-store',
    'Content-Length': String(body.length),
  };
  if (created) headers.Location = recordPath(resource, id);
  if (receipt !== undefined) headers.Receipt = receiptPath(receipt);
  if (published === undefined) headers['Snapshot-Pending'] = '?1';
  else {
    headers.Snapshot = published.snapshot;
    if (published.etag !== undefined) headers.ETag = published.etag;
  }
  return { status: created ? 201 : 200, headers, body };
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .send(body === null ? undefined : Buffer.from(body));
}
