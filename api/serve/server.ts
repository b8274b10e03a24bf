/** The service on one port: the resolver, the write service and the files of the site, wired together. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Encoding } from '../contract/etag.ts';
import { type LayerName, layerNames, layerOf } from '../contract/layers.ts';
import { defaultOrigin } from '../contract/lists.ts';
import { matchReceipt, matchRoute, readMethods, writeMethod } from '../contract/routes.ts';
import { manifestPath } from '../contract/snapshot.ts';
import { fileSource, manifestChanges } from '../hosts/file-source.ts';
import { nodeDigest } from '../hosts/node-digest.ts';
import {
  type Answer,
  isWhole,
  type Pieces,
  preflight,
  problemAnswer,
  unavailableAnswer,
  withoutBody,
} from '../read/answer.ts';
import { Resolver } from '../read/resolve.ts';
import { SnapshotUnavailable } from '../read/source.ts';
import { SnapshotWatch } from '../read/watch.ts';
import { createWriteService } from '../write/service.ts';
import { type ClientKey, clientKey, connectionKey } from './client-address.ts';
import { acceptedEncoding, EncodedForms, encodedHeaders } from './compression.ts';
import { RequestPipeline, rejectMalformedRequests } from './connections.ts';
import { Exchange } from './exchange.ts';
import { fileResponder } from './file-answers.ts';
import { FolderStatus } from './folder-status.ts';
import { Health, isProbe, type ServiceState } from './health.ts';
import { PublicFiles } from './public-files.ts';
import { rateLimit } from './rate-limit.ts';
import { requestFault } from './request-faults.ts';
import { ServiceResponse } from './service-response.ts';
import { isForPages, ServedPages } from './served-pages.ts';
import type { Writing } from './writing.ts';

export interface ServeOptions {
  /** Folder of the snapshot. */
  out: string;
  /** GETs per minute and client; 0 for no limit. */
  readLimit: number;
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts. */
  proxies: readonly string[];
  /** Secret of a CDN that forwards writes and names their clients. */
  proxySecret?: string | undefined;
  /** undefined for a read-only service. */
  writing?: Writing | undefined;
  /** Receives every failure of the service itself. */
  onError: (error: unknown) => void;
  /** Layers that the folder must have. Default none. */
  layers?: readonly LayerName[] | undefined;
  /** Scheme and host of the site, for absolute addresses in its pages. Default: where the service listens. */
  origin?: (() => string) | undefined;
  /** Other hosts that pages may show posters of. Default none. */
  imageOrigins?: readonly string[] | undefined;
  /** Called when a file is missing or damaged, or may be. @param layer of the file; undefined for the snapshot */
  onDamage?: ((layer: LayerName | undefined) => void) | undefined;
  /** Limit of the answer cache, 0 for no cache; encoded forms have a quarter of it more. Default 96 MiB: some 28,000 record pages. */
  answerBytes?: number;
  /** Answers monitors. Default: one that knows the folder and this service only. */
  health?: Health;
  /** Called with every request when its response is sent, or its connection is lost. */
  onAnswered?: (exchange: Exchange) => void;
  /** Milliseconds for the headers of a request, and for all of it. Default 10 s and 15 s. */
  timeouts?: { headers: number; request: number };
}

/** What the resolver reads: the snapshot, and documents of the site. */
const damageable: readonly (LayerName | undefined)[] = [undefined, 'site'];
/** Milliseconds for which a look at the manifest is valid. */
const watchIntervalMs = 100;

type Respond = (request: IncomingMessage, response: ServiceResponse, target: Target) => Promise<void>;

/** Makes the server; it does not listen yet. */
export function createService(options: ServeOptions): Server {
  const { headers, request } = options.timeouts ?? { headers: 10_000, request: 15_000 };
  const server: Server = createServer({
    ServerResponse: ServiceResponse,
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(1000, headers),
    // Node's own refusal is not a problem document.
    requireHostHeader: false,
  });
  const { readLimit, proxies } = options;
  const pipeline = new RequestPipeline(server, readLimit === 0 ? () => undefined : connectionKey(proxies));
  // Node's own version, part of close(), also cuts connections whose last response is still being sent.
  server.closeIdleConnections = () => pipeline.close();
  // A server that stops has no address any more, and still answers.
  let listening = defaultOrigin;
  server.on('listening', () => {
    listening = originOf(server);
  });
  const { origin = () => listening } = options;
  server.on('request', requestListener({ ...options, origin }, pipeline));
  // Keep half-closed sockets open until the responses are sent.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Idle socket timeout.
  server.timeout = 120_000;
  // Node's own refusal of unknown expectations is not a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  rejectMalformedRequests(server, pipeline);
  return server;
}

/** Scheme and host at which a server listens. */
function originOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function requestListener(
  options: ServeOptions,
  pipeline: RequestPipeline,
): RequestListener<typeof IncomingMessage, typeof ServiceResponse> {
  const clientOf = clientKey(options.proxies, options.proxySecret);
  const { layers = [], imageOrigins = [], onDamage = () => {} } = options;
  const files = new PublicFiles(options.out, { layers, onDamage: (path) => onDamage(ownerOf(path)) });
  const { answer, answerPage, refresh, state } = answering(options, clientOf, files);
  const { health = new Health(new FolderStatus(options.out, layerNames)), writing, onAnswered } = options;
  health.state = {
    ...state,
    pendingChanges: () => writing?.pendingChanges(),
    connections: () => pipeline.connections,
    openRequests: () => pipeline.openRequests,
  };
  const answerFile = fileResponder(files, imageOrigins);
  const answerWrite = answeringWrites(options, clientOf, refresh);
  // RFC 9110 section 9.3.7: the methods of the server in general.
  const serverMethods = preflight([...readMethods, ...(answerWrite ? ['POST', 'PATCH'] : [])].join(', '));
  return (request, response) => {
    const fault = requestFault(request);
    // Close after this answer: to a malformed request, or with Upgrade (Node discards what follows).
    if (fault || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const target = targetOf(request.url ?? '/');
    const write = !fault && isForWriting(request.method, target.path) ? answerWrite : undefined;
    // Discard a body that is not expected, so that the connection can serve the next request.
    if (write === undefined) request.resume();
    const exchange = onAnswered && new Exchange(request, response, target.path, clientOf);
    pipeline.add(
      request,
      response,
      // Inline functions: tsx makes a named one slower.
      async () => {
        try {
          if (fault) send(response, fault);
          else if (target.path === '*' && request.method === 'OPTIONS') send(response, serverMethods);
          else if (write) await write(request, response, target);
          else if (isApi(target.path)) await answer(request, response, target);
          else if (isProbe(target.path)) send(response, await health.answer(request.method, target.path));
          else if (isForPages(request.method, target.path) && (await answerPage(request, response, target)))
            return;
          // Files have no rate limit: the site reads dozens of them.
          else if (!(await answerFile(request, response, target.path)))
            await answer(request, response, target);
        } catch (error) {
          options.onError(error);
          if (response.headersSent) response.destroy();
          else send(response, error instanceof SnapshotUnavailable ? unavailableAnswer(error) : failed);
        }
      },
      exchange && (() => onAnswered(exchange)),
    );
  };
}

/** The layer that makes a file; undefined for a file of the snapshot. */
const ownerOf = (path: string): LayerName | undefined =>
  path === manifestPath || path.startsWith('shards/') ? undefined : layerOf(path);

const failed = problemAnswer('internal-error', 'the request could not be answered; it has been logged');

/** Answers reads from the snapshot. `refresh` loads a new snapshot at once. */
function answering(
  options: ServeOptions,
  clientOf: ClientKey,
  files: PublicFiles,
): {
  answer: Respond;
  /** Answers GET and HEAD of a page of the explorer. @returns false if there is no site */
  answerPage: (...asked: Parameters<Respond>) => Promise<boolean>;
  refresh: () => Promise<void>;
  state: Pick<ServiceState, 'snapshot' | 'answerCache'>;
} {
  const { onError, onDamage, readLimit, answerBytes = 96 * 1024 * 1024, writing } = options;
  const resolver = new Resolver(fileSource(options.out), {
    digest: nodeDigest,
    onError(error) {
      onError(error);
      if (error instanceof SnapshotUnavailable) for (const layer of damageable) onDamage?.(layer);
    },
    answerBytes,
    writable: writing !== undefined,
  });
  const forms = new EncodedForms(answerBytes / 4, 'fast');
  const limit = rateLimit(readLimit);
  const refresh = () => resolver.refresh();
  const hasChanged = manifestChanges(options.out);
  const refreshIfChanged = () => (hasChanged() ? refresh() : undefined);
  const watch = new SnapshotWatch(refreshIfChanged, watchIntervalMs);
  const sendInEncoding = (
    request: IncomingMessage,
    response: ServiceResponse,
    found: Answer,
    headers?: Readonly<Record<string, string>>,
  ): void | Promise<void> => {
    const encoding = found.headers.ETag === undefined ? undefined : acceptedEncoding(request);
    const encoded = encoding && encodedForm(found, encoding, forms);
    if (encoded instanceof Promise) return encoded.then((form) => send(response, form ?? found, headers));
    send(response, encoded ?? found, headers);
  };
  const pages = new ServedPages(resolver, files, options);
  const answerPage: (...asked: Parameters<Respond>) => Promise<boolean> = async (
    request,
    response,
    target,
  ) => {
    await watch.check();
    const verdict = limit?.count(clientOf(request));
    const found = await pages.answer(request, target, verdict?.allowed ?? true);
    if (found === undefined) return false;
    await sendInEncoding(request, response, found, verdict?.headers);
    return true;
  };
  const answer: Respond = async (request, response, { path, queryString }) => {
    // To await a settled value would cost as much as an answer from memory.
    const changing = watch.check();
    if (changing) await changing;
    const { method = 'GET' } = request;
    const counted = method === 'GET' || method === 'HEAD';
    const verdict = counted ? limit?.count(clientOf(request)) : undefined;
    if (verdict?.allowed === false) {
      const detail = `no more than ${readLimit} requests a minute; try again later`;
      send(response, problemAnswer('too-many-requests', detail), verdict.headers);
      return;
    }
    const ifNoneMatch = request.headers['if-none-match'];
    // The headers of HEAD are those of GET, also of an encoded form.
    const asked = { method: method === 'HEAD' ? 'GET' : method, path, queryString, ifNoneMatch };
    const found = resolver.cached(asked) ?? (await resolver.answerInPieces(asked));
    if (!isWhole(found)) {
      // Of an export that is only asked about, the first piece alone is made.
      if (method === 'HEAD') send(response, withoutBody(found), verdict?.headers);
      else await sendPieces(response, found, verdict?.headers);
      return;
    }
    const sending = sendInEncoding(request, response, found, verdict?.headers);
    if (sending) await sending;
  };
  const snapshot = async () => {
    // A look under way first, then one of now.
    await watch.check();
    await refreshIfChanged();
    return (await resolver.snapshot()).manifest.snapshot;
  };
  const answerCache = () => {
    const { bytes, ...rest } = resolver.answerCache;
    return { ...rest, bytes: bytes + forms.bytes };
  };
  return { answer, answerPage, refresh, state: { snapshot, answerCache } };
}

/** An answer with an ETag in an encoding; undefined if it stays plain. Synchronous if the form is in memory. */
function encodedForm(
  { status, headers, body }: Answer,
  encoding: Encoding,
  forms: EncodedForms,
): Answer | undefined | Promise<Answer | undefined> {
  const etag = headers.ETag;
  if (body === null || etag === undefined) return undefined;
  const answerOf = (bytes: Buffer | undefined): Answer | undefined =>
    bytes && { status, headers: { ...headers, ...encodedHeaders(etag, encoding, bytes) }, body: bytes };
  const bytes = forms.of(etag, body, encoding);
  return bytes instanceof Promise ? bytes.then(answerOf) : answerOf(bytes);
}

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Hands requests to the write service; undefined for a read-only service. */
function answeringWrites(
  { writing, onError }: ServeOptions,
  clientOf: ClientKey,
  refresh: () => Promise<void>,
): Respond | undefined {
  if (writing === undefined) return undefined;
  const service = createWriteService({ ...writing, clientOf, refresh, onError });
  return async (request, response, { path, queryString }) => {
    // The router takes no absolute URL.
    request.url = queryString === '' ? path : `${path}?${queryString}`;
    (await service).routing(request, response);
  };
}

/** Whether the write service answers: all methods of receipts, and the writing methods of the route table. */
function isForWriting(method: string | undefined, path: string): boolean {
  if (matchReceipt(path) !== undefined) return true;
  if (method !== 'POST' && method !== 'PATCH') return false;
  const match = matchRoute(path);
  // Without a valid id the address is unknown: 404 from the resolver, with or without a key.
  if (match === undefined || (match.route.kind === 'record' && match.id === undefined)) return false;
  return writeMethod(match.route) === method;
}

interface Target {
  path: string;
  queryString: string;
}

/**
 * Splits a request target, which may be an absolute URL (RFC 9112 section 3.2.2). Encodes characters that HTTP lets through
 * but a URL must not have, as browsers do.
 */
function targetOf(sent: string): Target {
  const target = sent.replace(/^https?:\/\/[^/?#]*/i, '').replace(/["<>]/g, encodeURIComponent);
  const question = target.indexOf('?');
  if (question < 0) return { path: target || '/', queryString: '' };
  return { path: target.slice(0, question) || '/', queryString: target.slice(question + 1) };
}

/** Sends a piece when the client has taken the one before. @throws what making a piece throws */
async function sendPieces(
  response: ServerResponse,
  { status, headers, body }: Answer<Pieces>,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  response.writeHead(status, { ...headers, ...extra });
  for await (const piece of body ?? []) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

/** Waits until a client has taken what was written, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    if (response.destroyed) resolve();
    else response.on('drain', end).on('close', end);
  });

/** Node leaves out the body of an answer to HEAD. */
function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  extra?: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, extra ? { ...headers, ...extra } : headers);
  response.end(body ?? undefined);
}
