/** GET over HTTP: the resolver's bytes and headers. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { fileSource } from '../../api/hosts/file-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { anyRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../settings.ts';
import { useService } from './running-service.ts';

const running = useService();
let resolver: Resolver;
beforeAll(() => {
  resolver = new Resolver(fileSource(running.built.out));
});

it('random requests are answered with the very bytes and headers of the resolver', async () => {
  const record = loadPlainRecord(running.built.connection);
  await fc.assert(
    fc.asyncProperty(anyRequest(record), async (request) => {
      const { path, queryString } = request;
      const reply = await running.service.ask(path + (queryString === '' ? '' : `?${queryString}`));
      const expected = await resolver.answer({ method: 'GET', ...request });
      expect(reply.status).toBe(expected.status);
      expect(reply.body.equals(expected.body!)).toBe(true);
      for (const [name, value] of Object.entries(expected.headers))
        expect(reply.headers[name.toLowerCase()], name).toBe(value);
      // The tag of an export is known before its bytes.
      if (reply.status === 200 && reply.headers['content-disposition'] === undefined)
        expect(reply.headers.etag).toBe(`"${contentHash(reply.body)}"`);
    }),
    { numRuns: runs(600) },
  );
  expect(running.service.failures).toEqual([]);
});

it.each([
  ['/api/movies?page=0', 400],
  ['/api/films', 404],
])('a refusal has no ETag, and is never 304: %s', async (target, status) => {
  const reply = await running.service.ask(target, { headers: { 'If-None-Match': '*' } });
  expect([reply.status, reply.headers.etag]).toEqual([status, undefined]);
});

it('a page of another origin may read the ETag, the links and the limits', async () => {
  const { headers } = await running.service.ask('/api/movies');
  const exposed = ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];
  expect(headers['access-control-expose-headers']!.split(', ')).toEqual(expect.arrayContaining(exposed));
});
