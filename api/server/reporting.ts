/**
 * How a running service reports about itself: its log, its health and its metrics, fed by the same events.
 * The log has a JSON line for each request and each error, on stderr. No key and no secret reaches it.
 */
import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { problems } from '../contract/problems.ts';
import type { BuildReport } from '../write/writer-thread.ts';
import { type Exchange, type ExchangeListener, requestIdOf } from './exchange.ts';
import { type Health, Incidents } from './health.ts';
import { Metrics } from './metrics.ts';

export type LogLevel = LevelWithSilent;

interface ReportingOptions {
  logLevel: LogLevel;
  /** Texts that the log must not contain. */
  secrets: readonly (string | undefined)[];
  /** Where the metrics are served; undefined for no metrics. */
  metrics: { host: string; port: number } | undefined;
}

export type Reporting = ReturnType<typeof startReporting>;

export function startReporting(options: ReportingOptions) {
  const output = standardError();
  const log = createLog(options.logLevel, options.secrets, output.stream);
  const incidents = new Incidents();
  const metrics = options.metrics && new Metrics();
  const onError = (error: unknown) => {
    logError(log, error);
    incidents.noteFailure(error);
    metrics?.countFailure();
  };
  const onRepair = (repair: string) => {
    log.warn(`repaired: ${repair}`);
    metrics?.countRepair();
  };
  return {
    log,
    incidents,
    onError,
    /** Called after damaged files were made again, with what they are. */
    onRepair,
    onBuild(report: BuildReport) {
      log.debug(report, 'build');
      if (report.repair !== undefined) onRepair(report.repair);
      incidents.noteBuild(report);
      metrics?.countBuild(report);
    },
    /** The log and the metrics, as far as they are wanted. */
    listeners: [exchangeLogger(log), metrics?.countExchange].filter((each) => each !== undefined),
    /**
     * Opens the port of the metrics. @returns such as http://127.0.0.1:9464/metrics; undefined for no metrics
     * @throws UserError if the port cannot be opened
     */
    serveMetrics: async (health: Health): Promise<string | undefined> =>
      options.metrics && metrics?.serve(health, options.metrics, onError),
    async close(): Promise<void> {
      metrics?.close();
      output.close();
    },
  };
}

/**
 * Logs requests: a failure of the service as an error, a request of a monitor for debugging, all others as
 * information.
 * @returns undefined for a log that has no line of any request
 */
export function exchangeLogger(log: Logger): ExchangeListener | undefined {
  if (!log.isLevelEnabled('error')) return undefined;
  return (exchange) => {
    const level = levelOf(exchange);
    if (!log.isLevelEnabled(level)) return;
    const { request, path, status, bytes, ms, client } = exchange;
    const { method } = request;
    const aborted = exchange.isAborted ? true : undefined;
    log[level]({ id: requestIdOf(request), method, path, status, bytes, ms, client, aborted }, 'request');
  };
}

function levelOf({ isOfMonitor, status }: Exchange) {
  if (isOfMonitor) return 'debug';
  return (status ?? 0) >= problems['internal-error'].status ? 'error' : 'info';
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
 * Stderr, without waiting for it. Lines that cannot be written, because a disk is full or the reader is gone,
 * are dropped: the service goes on.
 */
function standardError() {
  const stream = destination({ dest: 2, sync: false, maxLength: maxWaitingBytes });
  let isFailing = false;
  stream.on('error', () => (isFailing = true));
  stream.on('drain', () => (isFailing = false));
  // The end of a process writes what waits, and would try it for ever.
  return { stream, close: () => isFailing && stream.destroy() };
}

/**
 * A path as it was sent; decoded if it has a secret, of which any characters may be percent-encoded, also
 * repeatedly.
 */
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
