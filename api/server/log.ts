/** The log: a JSON line for each request and each error, on stderr. No key and no secret reaches it. */
import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { problems } from '../contract/problems.ts';
import type { Exchange } from './exchange.ts';

export type LogLevel = LevelWithSilent;

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
 * @param stream where the lines go. Default: stderr, without waiting for it
 */
export function createLog(
  level: LogLevel,
  secrets: readonly (string | undefined)[],
  stream: DestinationStream = destination({ dest: 2, sync: false, maxLength: maxWaitingBytes }),
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

/** Logs an error with its causes. A text is an error of another thread, with its stack. */
export function logError(log: Logger, error: unknown): void {
  const [line = ''] = String((error as Error | undefined)?.message ?? error).split('\n');
  log.error({ err: error }, line);
}

/** Logs a request: a failure of the service as an error, a request of a monitor for debugging, all others as information. */
export function logExchange(log: Logger, exchange: Exchange): void {
  const { status, kind } = exchange;
  const isFailure = (status ?? 0) >= problems['internal-error'].status;
  const level = kind === 'probe' ? 'debug' : isFailure ? 'error' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      id: exchange.id,
      method: exchange.method,
      path: exchange.path,
      status: status ?? null,
      bytes: exchange.bytes,
      ms: Math.round(exchange.seconds * 1e6) / 1000,
      client: exchange.client,
      ...(exchange.isAborted && { aborted: true }),
    },
    'request',
  );
}
