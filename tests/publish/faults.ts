/** Network faults of the fake Netlify, in a sequence that a seed determines. */
import type { IncomingMessage } from 'node:http';
import { Choices } from '../support/random.ts';

export const faultNames = [
  '429 with Retry-After',
  '429 with X-RateLimit-Reset',
  '500',
  '502 with HTML',
  'drop before the request is handled',
  'drop within the request',
  'drop after the request is handled',
  'drop within the answer',
  'no answer',
] as const;
export type Fault = (typeof faultNames)[number];

export interface Faults {
  /** Whether there are any. */
  readonly any: boolean;
  /** The fault of the next request. */
  next(path: string): Fault | undefined;
}

export const noFaults: Faults = { any: false, next: () => undefined };

/** @param share of the requests that fail @param count failing requests in total */
export function randomFaults(seed: number, share: number, count: number): Faults {
  const choices = new Choices(seed);
  return limited(count, () => (choices.chance(share) ? choices.pick(faultNames) : undefined));
}

/** The same fault for all requests to some paths. */
export const fixedFault = (fault: Fault, paths: RegExp): Faults =>
  limited(Number.POSITIVE_INFINITY, (path) => (paths.test(path) ? fault : undefined));

function limited(count: number, choose: (path: string) => Fault | undefined): Faults {
  let left = count;
  return {
    any: true,
    next(path) {
      const fault = left > 0 ? choose(path) : undefined;
      if (fault) left -= 1;
      return fault;
    },
  };
}

export interface Reply {
  status: number;
  json?: unknown;
  bytes?: Buffer;
  headers?: Record<string, string>;
}

export const refused = (status: number, message: string): Reply => ({
  status,
  json: { code: status, message },
});

/** The answer that a fault replaces the right one with. */
export function replyOf(fault: Fault | undefined): Reply | undefined {
  if (fault === '429 with Retry-After')
    return { ...refused(429, 'Too Many Requests'), headers: { 'retry-after': '0' } };
  if (fault === '429 with X-RateLimit-Reset') {
    const headers = { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000)) };
    return { ...refused(429, 'Too Many Requests'), headers };
  }
  if (fault === '500') return refused(500, 'Internal Server Error');
  if (fault === '502 with HTML') return { status: 502, bytes: Buffer.from('<h1>Bad Gateway</h1>') };
  return undefined;
}

/** The body of a request; undefined if the connection ends within it. @param drop ends it after the first chunk */
export function bodyOf(request: IncomingMessage, drop: boolean): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (drop) request.socket.destroy();
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
