/** Promise: `serve` is a good host of static files, and answers with public files only. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesPerRead } from '../../api/contract/limits.ts';
import { contentSecurityPolicy } from '../../build/site/shared/hosting.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { expectProblem } from './raw-connection.ts';
import { builtFolder, type RunningService, startService } from './running-service.ts';
import { negotiations } from '../support/http.ts';
import { readTree, type Tree } from '../snapshot/tree.ts';
import { indexFiles } from '../support/index-files.ts';

let service: RunningService;
let out: string;
let tree: Tree;
let script: string;
let shard: string;
/** Larger than the memory cache takes. */
const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251));
beforeAll(async () => {
  const built = await builtFolder(fillWithNastyRecord, ['pages', 'site']);
  built.connection.close();
  out = built.out;
  tree = readTree(out);
  [script = ''] = [...tree.keys()].filter((path) => /^edit\/edit-.*\.js$/.test(path));
  shard = [...tree.keys()]
    .filter((path) => path.startsWith('shards/'))
    .sort((a, b) => tree.get(b)!.length - tree.get(a)!.length)[0]!;
  mkdirSync(join(out, 'downloads'));
  writeFileSync(join(out, 'downloads/large.zip'), large);
  writeFileSync(join(out, 'downloads/small.csv'), 'a,b\n1,2\n');
  await indexFiles(out, 'downloads', ['downloads/large.zip', 'downloads/small.csv']);
  service = await startService(out);
});
afterAll(async () => {
  await service.stop();
  expect(service.failures).toEqual([]);
});

const html = { accept: 'text/html,application/xhtml+xml' };

describe('a file', () => {
  it('has a type, an ETag, a length, cache headers and nosniff', async () => {
    for (const [target, type, cached] of [
      ['/', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
      [`/${script}`, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
      [`/${shard}`, 'application/json; charset=utf-8', 'public, max-age=31536000, immutable'],
      ['/manifest.json', 'application/json; charset=utf-8', 'public, max-age=0, must-revalidate'],
      ['/icon.svg', 'image/svg+xml', 'public, max-age=0, must-revalidate'],
      ['/downloads/small.csv', 'text/csv; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ] as const) {
      const { status, headers, body } = await service.ask(target);
      expect([target, status]).toEqual([target, 200]);
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': cached,
        'content-length': String(body.length),
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^"[^"]+"$/),
      });
    }
  });

  it('is answered with 304 if the client has it, in every encoding', async () => {
    for (const encoding of ['identity', 'gzip', 'br'])
      for (const target of ['/', `/${script}`, `/${shard}`, '/downloads/large.zip']) {
        const first = await service.ask(target, { headers: { 'accept-encoding': encoding } });
        const headers = { 'accept-encoding': encoding, 'if-none-match': first.headers.etag! };
        const again = await service.ask(target, { headers });
        expect([target, encoding, again.status, again.body.length]).toEqual([target, encoding, 304, 0]);
        expect(again.headers.etag).toBe(first.headers.etag);
      }
    const { headers } = await service.ask('/edit');
    const since = { 'if-modified-since': headers['last-modified']! };
    expect((await service.ask('/edit', { headers: since })).status).toBe(304);
    const other = { ...since, 'if-none-match': '"another"' };
    expect((await service.ask('/edit', { headers: other })).status).toBe(200);
    const long = { 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await service.ask('/edit', { headers: long })).status).toBe(200);
  });

  it('comes in an encoding that the client accepts', async () => {
    const expected = tree.get(shard)!;
    for (const [accepted, encoding] of negotiations) {
      const { headers, body } = await service.ask(`/${shard}`, { headers: { 'accept-encoding': accepted } });
      expect(headers['content-encoding'], accepted).toBe(encoding);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['content-length']).toBe(String(body.length));
      const decoded = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
      expect(decoded.equals(expected), accepted).toBe(true);
    }
    const zip = await service.ask('/downloads/large.zip', { headers: { 'accept-encoding': 'br' } });
    expect(zip.headers['content-encoding']).toBeUndefined();
    expect(zip.body.equals(large)).toBe(true);
  });

  it('answers HEAD like GET without a body, and other methods with the allowed ones', async () => {
    for (const target of ['/', `/${script}`, '/downloads/large.zip']) {
      const [get, head] = [await service.ask(target), await service.ask(target, { method: 'HEAD' })];
      const { date: _then, ...expected } = get.headers;
      const { date: _now, ...actual } = head.headers;
      expect(actual).toEqual(expected);
      expect(head.body.length).toBe(0);
      const post = await service.ask(target, { method: 'POST' });
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await service.ask(target, { method: 'OPTIONS' })).status).toBe(204);
    }
  });

  it('comes in ranges, if it has not changed', async () => {
    for (const target of ['/downloads/large.zip', '/downloads/small.csv']) {
      const { body: all, headers } = await service.ask(target);
      const partOf = (range: string, ifRange?: string) =>
        service.ask(target, { headers: { range, ...(ifRange && { 'if-range': ifRange }) } });
      for (const [range, first, last] of [
        ['bytes=0-0', 0, 0],
        ['bytes=2-', 2, all.length - 1],
        ['bytes=-3', all.length - 3, all.length - 1],
        ['bytes=1-99999999', 1, all.length - 1],
        ['bytes=-99999999', 0, all.length - 1],
      ] as const) {
        const part = await partOf(range, headers.etag);
        expect([range, part.status, part.headers['content-range']]).toEqual([
          range,
          206,
          `bytes ${first}-${last}/${all.length}`,
        ]);
        expect(part.body.equals(all.subarray(first, last + 1)), range).toBe(true);
      }
      expect((await partOf('bytes=0-1', '"another"')).status).toBe(200);
      for (const range of ['bytes=5-2', 'lines=0-1', 'bytes=0-1,3-4', 'bytes=-'])
        expect([range, (await partOf(range)).status]).toEqual([range, 200]);
      for (const range of ['bytes=99999999-', 'bytes=-0']) {
        const beyond = await partOf(range);
        expect([range, beyond.status, beyond.headers['content-range']]).toEqual([
          range,
          416,
          `bytes */${all.length}`,
        ]);
        expectProblem(beyond.body, 416);
        expect(beyond.headers['access-control-allow-origin']).toBe('*');
      }
    }
  });

  it('that is replaced is answered with the new content', async () => {
    const file = join(out, 'downloads/changing.txt');
    writeFileSync(file, 'before');
    await indexFiles(out, 'downloads', ['downloads/changing.txt']);
    expect((await service.ask('/downloads/changing.txt')).body.toString()).toBe('before');
    writeFileSync(file, 'afterwards');
    await indexFiles(out, 'downloads');
    expect((await service.ask('/downloads/changing.txt')).body.toString()).toBe('afterwards');
  });
});

describe('a page', () => {
  it('has a policy against other hosts, inline code and frames', async () => {
    for (const target of ['/', '/edit', '/movies', '/movies?genre=drama']) {
      const { status, headers } = await service.ask(target, { headers: html });
      expect([target, status]).toEqual([target, 200]);
      const policy = headers['content-security-policy'];
      expect(policy).toBe(contentSecurityPolicy([]));
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
      expect(headers['referrer-policy']).toBe('same-origin');
    }
  });

  it('that is missing is an HTML page for browsers and a problem document for programs', async () => {
    for (const target of ['/film', '/movies/1/2', '/assets/none.js', '/edit/a/b/c']) {
      const page = await service.ask(target, { headers: html });
      expect([target, page.status, page.headers['content-type']]).toEqual([
        target,
        404,
        'text/html; charset=utf-8',
      ]);
      expect(page.body.toString()).toContain('There is no page at this address');
      expect(page.headers['content-security-policy']).toBe(contentSecurityPolicy([]));
      const document = await service.ask(target);
      expect(document.headers['content-type']).toMatch(/json/);
      expect([404, 429]).toContain(document.status);
    }
  });
});

describe('the service answers with no file', () => {
  it('of the build, of other folders, or under another spelling', async () => {
    writeFileSync(join(out, '.secret'), 'secret');
    for (const target of [
      '/.awards.lock',
      '/.secret',
      '/downloads/../.secret',
      '/downloads/..%2f.secret',
      '/%2esecret',
      '/..%5c..%5cetc%5cpasswd',
      '/../../../../etc/passwd',
      '/%00',
      '/downloads',
      '/assets',
      '/assets/',
      '/shards/',
      '/_headers',
      '/_redirects',
      '//etc/passwd',
      '/index.html/',
      '/api/movies.json',
      '/api/movies/1.json',
    ]) {
      const { status, body } = await service.ask(target);
      // "/downloads" is a page of the explorer.
      if (target === '/downloads') expect(body.toString()).toMatch(/<h1 [^>]*>Downloads<\/h1>/);
      else expect([404, 429], `${target}: ${status}`).toContain(status);
      expect(body.toString()).not.toContain('secret:');
    }
  });
});

it('a page over the rate limit says so', async () => {
  const limited = await startService(out, { readLimit: 1 });
  for (let i = 0; i < filesPerRead; i += 1) expect((await limited.ask(`/${shard}`)).status).toBe(200);
  const { status, headers, body } = await limited.ask('/movies');
  expect([status, headers['cache-control']]).toEqual([429, 'no-store']);
  expect(body.toString()).toMatch(/<h1[^>]*>Too many requests<\/h1>/);
  await limited.stop();
});
