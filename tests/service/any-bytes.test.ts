/** Whatever bytes a client sends: an answer that is HTTP, a problem document if it is a refusal, and then the end of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../settings.ts';
import { exchange, expectProblem, readReplies } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService({ timeouts: { headers: 250, request: 400 } });

const good = 'GET /api/ceremonies/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const methods = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'get', 'G', '');
const paths = fc.constantFrom(
  '/api/movies',
  '/api/nominations',
  '/api/search',
  '/api/movies/1',
  '/api/stats/top-movies',
  '/',
  '',
);
const bytes = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
  maxLength: 40,
});
const visible = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const headers = fc.constantFrom(
  ...[
    'Host: a',
    'Host: b',
    'Connection: close',
    'Connection: keep-alive',
    'If-None-Match: *',
    'If-None-Match: "a',
    'Expect: x',
  ],
  ...[
    'Content-Length: 5',
    'Content-Length: 99999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip',
    'Upgrade: h2c',
    ': ',
  ],
  ...[
    'Range: bytes=0-1',
    'Accept: text/html',
    'X-Forwarded-For: %%',
    'X-HTTP-Method-Override: DELETE',
    'x-api-key: \xff',
  ],
);
const versions = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', '');
const almostRequest = fc
  .tuple(
    methods,
    paths,
    fc.oneof(visible, bytes),
    versions,
    fc.array(fc.oneof({ weight: 4, arbitrary: headers }, bytes), { maxLength: 4 }),
    fc.oneof(fc.constant(''), bytes),
  )
  .map(([method, path, query, version, lines, body]) =>
    [`${method} ${path}?${query} ${version}`, 'Host: a', ...lines, '', body].join('\r\n'),
  );
const query = fc
  .tuple(
    paths,
    fc.array(
      fc.tuple(
        fc.oneof(visible, fc.constantFrom('page', 'limit', 'ids', 'q', 'sort', 'year', 'title')),
        visible,
      ),
      { maxLength: 5 },
    ),
  )
  .map(
    ([path, pairs]) =>
      `GET ${path}?${pairs
        .map((pair) => pair.join('='))
        .join('&')
        .replaceAll(' ', '+')} HTTP/1.1\r\nHost: a\r\n\r\n`,
  );

it('no bytes a client can send bring a 5xx, a hang, or a refusal without a problem document', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(almostRequest, query, bytes), { minLength: 1, maxLength: 3 }),
      async (parts) => {
        const sent = parts.join('');
        const received = await exchange(running.service.port, `${sent}\r\n\r\n${good}`, 4000);
        for (const reply of readReplies(received, true)) {
          expect(reply.status).toBeLessThan(500);
          if (reply.status >= 400 && reply.body !== '') expectProblem(reply.body, reply.status);
          expect(reply.headers.get('access-control-allow-origin')).toBe('*');
        }
      },
    ),
    { numRuns: runs(400) },
  );
  expect((await running.service.ask('/api/ceremonies/1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
});
