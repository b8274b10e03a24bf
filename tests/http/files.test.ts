/** `serve` is a good host of static files, and answers with public files only. */
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentHash } from '../../api/contract/snapshot.ts';
import { contentSecurityPolicy } from '../../build/site/shared/hosting.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { indexFiles } from '../records/index-files.ts';
import { expectProblem, useInProcess } from '../support/running-service.ts';

const running = useInProcess({}, undefined, ['pages', 'site']);
const ask = (target: string, headers = {}) => running.service.ask(target, { headers });
/** Larger than the memory cache takes. */
const zip = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251));
let script: string;
let shard: string;
beforeAll(() => {
  const { out } = running.built;
  const find = (pattern: string) => `/${fastGlob.sync(pattern, { cwd: out })[0]!}`;
  [script, shard] = [find('edit/edit-*.js'), find('shards/core/*')];
  const folder = new OutputFolder(out);
  folder.put('downloads/large.zip', zip);
  folder.put('downloads/small.csv', Buffer.from('a,b\n1,2\n'));
  indexFiles(out, 'downloads', ['downloads/large.zip', 'downloads/small.csv']);
});
afterAll(() => expect(running.service.failures).toEqual([]));

describe('a file', () => {
  it('that programs of other sites read allows them to, also a precomputed answer', async () => {
    for (const target of ['/manifest.json', '/downloads/small.csv', '/pages/api/movies/1.json', shard])
      expect((await ask(target)).headers, target).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Content-Range, ETag, Snapshot',
      });
    expect((await ask('/')).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('has a type, an ETag, a length, cache headers and nosniff', async () => {
    const always = 'public, max-age=0, must-revalidate';
    const forever = 'public, max-age=31536000, immutable';
    for (const [target, type, cached] of [
      ['/', 'text/html; charset=utf-8', always],
      [script, 'text/javascript; charset=utf-8', forever],
      [shard, 'application/json; charset=utf-8', forever],
      ['/manifest.json', 'application/json; charset=utf-8', always],
      ['/icon.svg', 'image/svg+xml', always],
      ['/downloads/small.csv', 'text/csv; charset=utf-8', always],
    ] as const) {
      const { headers, body } = await ask(target);
      expect(headers, target).toMatchObject({
        'content-type': type,
        'cache-control': cached,
        'content-length': String(body.length),
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^"[^"]+"$/),
      });
    }
    expect((await ask('/downloads/large.zip')).headers.etag).toBe(`"${contentHash(zip)}"`);
  });

  it('is answered with 304 if it has not changed since a time', async () => {
    const since = (await ask('/edit')).headers['last-modified'];
    const status = async (headers: object) => (await ask('/edit', headers)).status;
    expect(await status({ 'if-modified-since': since })).toBe(304);
    expect(await status({ 'if-modified-since': since, 'if-none-match': '"another"' })).toBe(200);
    expect(await status({ 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' })).toBe(200);
  });

  it.each(['/downloads/large.zip', '/downloads/small.csv'])('%s comes in ranges', async (target) => {
    const { body: all, headers } = await ask(target);
    const size = all.length;
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=2-', 2, size - 1],
      ['bytes=-3', size - 3, size - 1],
      ['bytes=1-99999999', 1, size - 1],
      ['bytes=-99999999', 0, size - 1],
    ] as const) {
      const part = await ask(target, { range, 'if-range': headers.etag });
      expect(part, range).toMatchObject({
        status: 206,
        headers: { 'content-range': `bytes ${first}-${last}/${size}` },
      });
      expect(part.body.equals(all.subarray(first, last + 1)), range).toBe(true);
    }
    for (const range of ['bytes=5-2', 'lines=0-1', 'bytes=0-1,3-4', 'bytes=-'])
      expect([range, (await ask(target, { range })).status]).toEqual([range, 200]);
    expect((await ask(target, { range: 'bytes=0-1', 'if-range': '"another"' })).status).toBe(200);
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const { body, headers } = await ask(target, { range });
      expectProblem(body, 416);
      expect(headers['content-range']).toBe(`bytes */${size}`);
    }
  });

  it('that is replaced is answered with the new content, and one that is removed with 404', async () => {
    const folder = new OutputFolder(running.built.out);
    for (const size of [10, 3_000_000])
      for (const text of ['a', 'b']) {
        folder.put('downloads/changing.txt', Buffer.alloc(size, text));
        const reply = await ask('/downloads/changing.txt');
        expect(reply.body.equals(Buffer.alloc(size, text))).toBe(true);
      }
    folder.remove('downloads/changing.txt');
    expect((await ask('/downloads/changing.txt')).status).toBe(404);
    // The page of the editor names the scripts of one version of the program, which are kept for good.
    const page = (await ask('/edit')).body;
    folder.put('edit/index.html', Buffer.concat([page, Buffer.from('<!-- another version -->')]));
    expect((await ask('/edit')).body.toString()).toContain('another version');
    folder.put('edit/index.html', page);
    expect((await ask('/edit')).body.equals(page)).toBe(true);
  });
});

it('a file that cannot be opened at the moment is a failure, and not missing', async () => {
  const { open } = fs.promises;
  fs.promises.open = async () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  };
  syncBuiltinESMExports();
  const { headers, body } = await ask('/downloads/large.zip');
  fs.promises.open = open;
  syncBuiltinESMExports();
  expectProblem(body, 500);
  expect(headers['x-request-id']).toBeDefined();
  expect(running.service.failures.splice(0)).toHaveLength(1);
  expect((await ask('/downloads/large.zip')).status).toBe(200);
});

const html = { accept: 'text/html,application/xhtml+xml' };

describe('a page', () => {
  it('has a policy against other hosts, inline code and frames', async () => {
    for (const target of ['/', '/edit', '/movies', '/movies?genre=drama', '/film']) {
      const { headers } = await ask(target, html);
      const policy = headers['content-security-policy'];
      expect([target, policy]).toEqual([target, contentSecurityPolicy([])]);
      expect(policy).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
      expect(headers['referrer-policy']).toBe('same-origin');
    }
  });

  it('that is missing is an HTML page for browsers and a problem document for programs', async () => {
    for (const target of ['/film', '/movies/1/2', '/assets/none.js', '/edit/a/b/c']) {
      const page = await ask(target, html);
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.body.toString()).toContain('There is no page at this address');
      expectProblem((await ask(target)).body, 404);
    }
  });
});

it('no file of the build or of other folders is answered, under any spelling', async () => {
  writeFileSync(join(running.built.out, '.secret'), 'secret');
  const files =
    '/.awards.lock /.secret /downloads/..%2f.secret /%2esecret /..%5c..%5cetc%5cpasswd /api/..%2f..%2fawards.db';
  const others =
    '/%00 /assets /assets/ /shards/ /_headers /_redirects /index.html/ /api/movies.json /api/movies/1.json';
  for (const target of `${files} ${others}`.split(' ')) {
    const { status, body } = await ask(target);
    expect([target, status]).toEqual([target, 404]);
    expect(body.toString()).not.toContain('secret:');
  }
});
