/**
 * How a running service reports about itself: its log, its health and its metrics, fed by the same events. The log has a JSON
 * line for each request and each error, on stderr. No key and no secret reaches it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import type { LayerName } from '../contract/layers.ts';
import { problems } from '../contract/problems.ts';
import { matchRoute, type Route } from '../contract/routes.ts';
import { splitTarget } from '../contract/target.ts';
import type { BuildReport } from '../write/writing.ts';
import type { ClientKey } from './clients.ts';
import { Health } from './health.ts';
import { type Metrics, startMetrics } from './metrics.ts';

export type LogLevel = LevelWithSilent;

interface ReportingOptions {
  /** Folder of the snapshot. */
  out: string;
  layers: readonly LayerName[];
  logLevel: LogLevel;
  /** Texts that the log must not contain. */
  secrets: readonly (string | undefined)[];
  /** Where the metrics are served; undefined for no metrics. */
  metrics: { host: string; port: number } | undefined;
}

export type Reporting = Awaited<ReturnType<typeof startReporting>>;

/** @throws UserError if the port of the metrics cannot be opened */
export async function startReporting(options: ReportingOptions) {
  const output = standardError();
  const log = createLog(options.logLevel, options.secrets, output.stream);
  const health = new Health(options.out, options.layers);
  let metrics: Metrics | undefined;
  const onError = (error: unknown) => {
    logError(log, error);
    health.failed(error);
    metrics?.failed();
  };
  metrics = options.metrics && (await startMetrics(health, options.metrics, onError));
  const onRepair = (repair: string) => {
    log.warn(`repaired: ${repair}`);
    metrics?.repaired();
  };
  return {
    log,
    health,
    onError,
    /** Called after damaged files were made again, with what they are. */
    onRepair,
    onBuild(report: BuildReport) {
      log.debug(report, 'build');
      if (report.repair !== undefined) onRepair(report.repair);
      health.built(report);
      metrics?.built(report);
    },
    onAnswered(exchange: Exchange) {
      logExchange(log, exchange);
      metrics?.answered(exchange);
    },
    /** Such as http://127.0.0.1:9464/metrics. */
    metricsAddress: metrics?.address,
    async close(): Promise<void> {
      await metrics?.close();
      output.close();
    },
  };
}

/** What a request is for. "unknown": there is nothing at its address. */
type ExchangeKind = Route['kind'] | 'receipt' | 'mcp' | 'probe' | 'file' | 'unknown';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route's requests, for metrics. */
    kind?: ExchangeKind;
  }
}

/** One request that is over: its kind, and the members of its line in the log. */
export type Exchange = ReturnType<typeof exchangeOf>;

/** Call it when the response is sent, or the connection is lost. @param start performance.now() at the headers of the request */
export function exchangeOf(request: FastifyRequest, reply: FastifyReply, clientOf: ClientKey, start: number) {
  const { id, method } = request;
  /** As sent, without the query string. */
  const { path } = splitTarget(request.originalUrl);
  /** null if the connection was lost before the headers were sent. */
  const status = reply.raw.headersSent ? reply.statusCode : null;
  const isEmpty = method === 'HEAD' || status === 304 || status === null;
  const bytes = isEmpty ? 0 : Number(reply.getHeader('content-length') ?? 0);
  const ms = Math.round((performance.now() - start) * 1000) / 1000;
  /** The client that the request counts for; '' if the connection was lost. */
  const client = clientOf(request);
  /** Whether the connection was lost before the whole response was sent. */
  const aborted = reply.raw.writableFinished ? undefined : true;
  const isNothing = path.startsWith('/api/') || status === problems['unknown-address'].status;
  const own = request.routeOptions.config?.kind ?? matchRoute(path)?.route.kind;
  const kind: ExchangeKind = own ?? (isNothing ? 'unknown' : 'file');
  return { kind, line: { id, method, path, status, bytes, ms, client, aborted } };
}

/** Logs a request: a failure of the service as an error, a request of a monitor for debugging, all others as information. */
export function logExchange(log: Logger, { kind, line }: Exchange): void {
  const isFailure = (line.status ?? 0) >= problems['internal-error'].status;
  log[kind === 'probe' ? 'debug' : isFailure ? 'error' : 'info'](line, 'request');
}

/** Logs an error with its causes. A text is an error of another thread, with its stack. */
export function logError(log: Logger, error: unknown): void {
  const [line = ''] = String((error as Error | undefined)?.message ?? error).split('\n');
  log.error({ err: error }, line);
}

/** Bytes that wait for a slow reader of stderr. More lines are dropped. */
const maxWaitingBytes = 8 * 1024 * 1024;
/** A shorter text may be part of other words. */
const minSecretLength = 6;
const maxPathLength = 500;
/** A path of 16 KB can be encoded thousands of times. */
const maxDecodings = 4;
const redacted = '[redacted]';

/**
 * @param secrets texts that the log must not contain, besides keys of the service
 * @param stream where the lines go
 */
export function createLog(
  level: LogLevel,
  secrets: readonly (string | undefined)[],
  stream: DestinationStream,
): Logger {
  const escaped = secrets
    .filter((secret) => secret !== undefined && secret.length >= minSecretLength)
    .map((secret) => JSON.stringify(secret).slice(1, -1).replace(/[^\w]/g, '\\$&'));
  const pattern = new RegExp(['fa_[0-9A-Za-z]{20,}', ...escaped].join('|'), 'g');
  const redact = (json: string): string => json.replace(pattern, redacted);
  return pino(
    {
      level,
      base: null,
      // A secret that is cut is not found any more.
      serializers: { path: (path: string) => redactedPath(path, redact).slice(0, maxPathLength) },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redact },
    },
    stream,
  );
}

/**
 * Stderr, without waiting for it. Lines that cannot be written, because a disk is full or the reader is gone, are dropped: the
 * service goes on.
 */
function standardError() {
  const stream = destination({ dest: 2, sync: false, maxLength: maxWaitingBytes });
  let isFailing = false;
  stream.on('error', () => (isFailing = true));
  stream.on('drain', () => (isFailing = false));
  // The end of a process writes what waits, and would try it for ever.
  return { stream, close: () => isFailing && stream.destroy() };
}

/** A path as it was sent; decoded if it has a secret, of which any characters may be percent-encoded, also repeatedly. */
function redactedPath(path: string, redact: (json: string) => string): string {
  let isRedacted = false;
  let text = path;
  for (let decodings = 0; ; decodings += 1) {
    const rest = JSON.parse(redact(JSON.stringify(text))) as string;
    isRedacted ||= rest !== text;
    text = percentDecoded(rest);
    if (text === rest || decodings === maxDecodings) return isRedacted ? rest : path;
  }
}

/** Decodes each percent-encoded byte; what is malformed stays. */
const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
