/** Bytes that Node cannot read as a request: one problem document, then the end of the connection. The service goes on. */
import { expect, it } from 'vitest';
import { exchange, expectLastRefusal, readReplies } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService({ timeouts: { headers: 250, request: 400 } });

const withHead = (lines: string) => `GET /api/movies HTTP/1.1\r\nHost: a\r\n${lines}`;

it.each([
  ['no HTTP at all', 400, 'hello there\r\n\r\n'],
  ['a TLS handshake', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', 400, 'FETCH /api/movies?page=2 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a space in the target', 400, 'GET /api/movies?title=a b HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no header Host', 400, 'GET /api/movies HTTP/1.1\r\n\r\n'],
  ['a header without a colon', 400, withHead('broken\r\n\r\n')],
  ['a NUL in a header', 400, withHead('X: \0\r\n\r\n')],
  ['one header that is too long', 431, withHead(`X: ${'x'.repeat(20_000)}\r\n\r\n`)],
  ['a megabyte that never ends', 431, withHead(`X: ${'x'.repeat(1_000_000)}`)],
  ['half a request line in time', 408, 'GET /api/mov'],
  ['headers without their end in time', 408, withHead('')],
])('%s is refused with %i', async (_name, status, sent) => {
  const replies = readReplies(await exchange(running.service.port, sent));
  expect(replies).toHaveLength(1);
  expectLastRefusal(replies[0], status);
  expect((await running.service.ask('/api/ceremonies/1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
});
