/** Writes as bytes, and a check that the service still works after them. */
import { expect } from 'vitest';
import { exchange, type RawReply, readReplies } from './raw-connection.ts';
import type { WritingService } from './writing-service.ts';

export interface RawWrite {
  /** Method and target. */
  start?: string;
  /** Replace or extend Host, the key and the type; '' removes a line. */
  lines?: Record<string, string | readonly string[]>;
  body?: string | Uint8Array;
}

/** The bytes of a write, with a Content-Length unless there is a Transfer-Encoding. */
export function rawWrite(
  key: string,
  { start = 'PATCH /api/movies/27', lines = {}, body = '{}' }: RawWrite = {},
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const all: RawWrite['lines'] = {
    Host: 'a',
    'x-api-key': key,
    'Content-Type': 'application/json',
    ...(!('Transfer-Encoding' in lines) && { 'Content-Length': String(bytes.length) }),
    ...lines,
  };
  const head = Object.entries(all).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === '' ? [] : `${name}: ${value}\r\n`)),
  );
  return Buffer.concat([Buffer.from(`${start} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'), bytes]);
}

export function chunked(body: string, size: number, end = '0\r\n\r\n'): string {
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return chunks.join('') + end;
}

/** A read that closes the connection. */
export const lastRead = Buffer.from('GET /api/ceremonies/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');

export async function repliesTo(
  service: WritingService,
  ...sent: (string | Uint8Array)[]
): Promise<RawReply[]> {
  const bytes = Buffer.concat(
    sent.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return readReplies(await exchange(service.port, bytes));
}

let changes = 0;

/**
 * Fails unless the service reads and writes, and has nothing to report.
 * @param mayBeLimited whether requests before had wrong keys, so that one more with a key may be over their limit
 */
export async function expectAlive(service: WritingService, mayBeLimited = false): Promise<void> {
  changes += 1;
  const runtime = changes;
  const [read, write] = await Promise.all([
    service.ask('/api/ceremonies/1'),
    service.write('PATCH', '/api/movies/44', { runtime }),
  ]);
  expect(read.status).toBe(200);
  if (!(mayBeLimited && write.status === 429)) {
    expect(write.status).toBe(200);
    expect(await service.read('/api/movies/44')).toMatchObject({ runtime });
  }
  expect(service.failures).toEqual([]);
}
