/** Random bytes from a client: responses in HTTP, problem documents for refusals, then the end of the connection. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../settings.ts';
import { exchange, expectSoundReplies } from './raw-connection.ts';
import { useService } from './running-service.ts';

const running = useService({ timeouts: { headers: 250, request: 400 } });

const good = 'GET /api/ceremonies/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const oneOf = (lines: string) => fc.constantFrom(...lines.split('\n').map((line) => line.trim()));
const textOf = (min: number, max: number, maxLength: number) =>
  fc.string({ unit: fc.integer({ min, max }).map((code) => String.fromCharCode(code)), maxLength });

const bytes = textOf(0, 255, 40);
const visible = textOf(33, 126, 60);
const methods = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'get', 'G', '');
const paths = oneOf(`/api/movies
  /api/nominations
  /api/search
  /api/movies/1
  /api/stats/top-movies
  /
  `);
const headers = oneOf(`Host: a
  Host: b
  Host: a b
  Connection: close
  Connection: keep-alive
  If-None-Match: *
  If-None-Match: "a
  Expect: x
  Content-Length: 5
  Content-Length: 99999
  Transfer-Encoding: chunked
  Transfer-Encoding: gzip
  Upgrade: h2c
  : 
  Range: bytes=0-1
  Accept: text/html
  X-Forwarded-For: %%
  X-HTTP-Method-Override: DELETE
  x-api-key: \xff`);
const versions = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', '');
const lines = fc.array(fc.oneof({ weight: 4, arbitrary: headers }, bytes), { maxLength: 4 });
const almostRequest = fc
  .tuple(methods, paths, fc.oneof(visible, bytes), versions, lines, fc.oneof(fc.constant(''), bytes))
  .map(([method, path, query, version, head, body]) =>
    [`${method} ${path}?${query} ${version}`, 'Host: a', ...head, '', body].join('\r\n'),
  );
const names = fc.oneof(visible, fc.constantFrom('page', 'limit', 'ids', 'q', 'sort', 'year', 'title'));
const query = fc
  .tuple(paths, fc.array(fc.tuple(names, visible), { maxLength: 5 }))
  .map(([path, pairs]) => `${path}?${pairs.map((pair) => pair.join('=')).join('&')}`)
  .map((target) => `GET ${target.replaceAll(' ', '+')} HTTP/1.1\r\nHost: a\r\n\r\n`);

it('no bytes of a client cause a 5xx of the service, a hang, or a refusal without a problem document', async () => {
  const sent = fc.array(fc.oneof(almostRequest, query, bytes), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(sent, async (parts) => {
      expectSoundReplies(await exchange(running.service.port, `${parts.join('')}\r\n\r\n${good}`, 4000));
    }),
    { numRuns: runs(400) },
  );
  expect((await running.service.ask('/api/ceremonies/1')).status).toBe(200);
  expect(running.service.failures).toEqual([]);
});
