/** The deploys of the stand-in for Netlify, and how it words its answers. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TransientError } from './faults.ts';

export const site = '8c5ad5e2-0000-4000-8000-film00awards';

export interface Deploy {
  id: string;
  title: string;
  state: 'new' | 'preparing' | 'prepared' | 'uploading' | 'processing' | 'ready' | 'error';
  /** Path → SHA-1. */
  files: Map<string, string>;
  /** SHA-1 of what it lacks. */
  required: Set<string>;
  begunAt: number;
  message: string;
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

export const shown = ({ id, title, state, required, message }: Deploy) => ({
  id,
  site_id: site,
  title,
  state,
  required: [...required],
  error_message: message || null,
});

export function failureOf(trouble: TransientError): Reply | undefined {
  if (trouble === 'too many')
    return { ...refused(429, 'Too Many Requests'), headers: { 'retry-after': '0' } };
  if (trouble === 'too many, reset')
    return {
      ...refused(429, 'Too Many Requests'),
      headers: { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000)) },
    };
  if (trouble === 'broken') return refused(500, 'Internal Server Error');
  if (trouble === 'gateway') return { status: 502, bytes: Buffer.from('<h1>Bad Gateway</h1>') };
  return undefined;
}

/** The body of a request; undefined if the connection was cut after its first part. */
export function bodyOf(request: IncomingMessage, cut: boolean): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (cut) request.socket.destroy();
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}

export const sha1 = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');
