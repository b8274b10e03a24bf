/** Promise: answers come compressed to clients that accept it, as the same documents under ETags of their own. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Encoding, encodedETag, encodings, plainETag } from '../../api/contract/etag.ts';
import { EncodedForms } from '../../api/server/sending.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { anyRequest } from '../oracle/queries.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../support/settings.ts';
import { useService } from './running-service.ts';
import { negotiations, type Reply } from '../support/http.ts';

const running = useService({}, fillWithNastyRecord, ['pages', 'site']);

const ask = (target: string, accepted: string, method = 'GET', ifNoneMatch?: string) =>
  running.service.ask(target, {
    method,
    headers: {
      'accept-encoding': accepted,
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    },
  });

const encodingOf = ({ headers }: Reply) => headers['content-encoding'] as Encoding | undefined;
const decode: Record<Encoding, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
const decoded = (reply: Reply): Buffer => decode[encodingOf(reply)!](reply.body);
const large = ['/api/nominations?limit=100', '/api/search?q=ann&limit=100', '/api/openapi.json'];

/** Headers without those that an encoded form has of its own. */
function otherHeaders({ headers }: Reply): Record<string, unknown> {
  const {
    'content-encoding': _encoding,
    'content-length': _length,
    etag: _etag,
    date: _date,
    ...others
  } = headers;
  return others;
}

it('random answers are the plain ones once decoded, with the same other headers', async () => {
  const record = loadPlainRecord(running.built.connection);
  const compressed = { br: 0, gzip: 0 };
  await fc.assert(
    fc.asyncProperty(anyRequest(record), fc.constantFrom(...encodings), async (request, encoding) => {
      const target = request.path + (request.queryString === '' ? '' : `?${request.queryString}`);
      const [plain, reply] = [await ask(target, 'identity'), await ask(target, encoding)];
      expect(reply.status).toBe(plain.status);
      expect(otherHeaders(reply)).toEqual(otherHeaders(plain));
      if (encodingOf(reply) === undefined) {
        expect(reply.body.equals(plain.body)).toBe(true);
        expect(reply.headers.etag).toBe(plain.headers.etag);
        // An export is sent while it is made.
        const isExport = plain.headers['content-disposition'] !== undefined;
        expect(plain.status !== 200 || isExport || plain.body.length < 1024).toBe(true);
        return;
      }
      compressed[encoding] += 1;
      expect(encodingOf(reply)).toBe(encoding);
      expect(plain.body.length).toBeGreaterThanOrEqual(1024);
      expect(reply.headers.etag).toBe(encodedETag(plain.headers.etag!, encoding));
      expect(reply.headers['content-length']).toBe(String(reply.body.length));
      expect(reply.body.length).toBeLessThan(plain.body.length);
      expect(decoded(reply).equals(plain.body)).toBe(true);
    }),
    { numRuns: Math.max(100, runs(120)) },
  );
  expect(Math.min(...Object.values(compressed))).toBeGreaterThan(0);
  expect(running.service.failures).toEqual([]);
});

it('the encoding is the first of br and gzip that the client accepts', async () => {
  for (const [accepted, encoding] of negotiations)
    for (const target of large) {
      const reply = await ask(target, accepted);
      expect([target, accepted, encodingOf(reply)]).toEqual([target, accepted, encoding]);
      expect(reply.headers.vary).toBe('Accept-Encoding');
    }
});

it('HEAD has the headers of GET in every encoding', async () => {
  for (const target of [...large, '/api/movies/27', '/api/movies?page=0'])
    for (const accepted of ['identity', ...encodings]) {
      const [get, head] = [await ask(target, accepted), await ask(target, accepted, 'HEAD')];
      expect([head.status, head.body.length]).toEqual([get.status, 0]);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    }
});

describe('304', () => {
  it('answers every ETag of the document, also in an encoding that the client does not accept now', async () => {
    for (const target of large)
      for (const method of ['GET', 'HEAD']) {
        const { etag, link } = (await ask(target, 'identity')).headers;
        const plain = etag!;
        const tags = [plain, ...encodings.map((encoding) => encodedETag(plain, encoding))];
        const lists = tags.flatMap((tag) => [tag, `W/${tag}`, `"x", ${tag}`].map((list) => [list, tag]));
        for (const [list, known] of [...lists, ['*', plain]])
          for (const accepted of ['identity', ...encodings]) {
            const reply = await ask(target, accepted, method, list);
            expect([reply.status, reply.body.length, reply.headers.etag]).toEqual([304, 0, known]);
            expect(reply.headers.link).toBe(link);
            expect(reply.headers.vary).toBe('Accept-Encoding');
            expect(encodingOf(reply)).toBeUndefined();
          }
      }
  });

  it('does not answer an encoded ETag of another document, or of no encoding', async () => {
    const [first = '', second = ''] = large;
    const etag = (await ask(first, 'br')).headers.etag!;
    expect((await ask(second, 'br', 'GET', etag)).status).toBe(200);
    expect((await ask(first, 'br', 'GET', `${plainETag(etag).slice(0, -1)}-zstd"`)).status).toBe(200);
  });
});

it('errors and answers below a kilobyte stay plain', async () => {
  for (const target of ['/api/movies/27', '/api/movies?page=0', '/api/films', '/api/movies/999']) {
    const reply = await ask(target, 'br, gzip');
    expect(encodingOf(reply), target).toBeUndefined();
    expect(() => JSON.parse(reply.body.toString()) as unknown).not.toThrow();
  }
});

/** The bits of the window of a brotli stream, from its first byte (RFC 7932 section 9.1). */
function windowBits(stream: Buffer): number {
  const first = stream[0]!;
  if ((first & 1) === 0) return 16;
  const [low, high] = [(first >> 1) & 7, (first >> 4) & 7];
  if (low > 0) return 17 + low;
  return high === 0 ? 17 : 8 + high;
}

it('a small window keeps brotli cheap: answers, pages and files do not take the threads that others need', async () => {
  for (const target of [...large, '/movies', '/llms.txt', '/manifest.json', '/pages/api/ceremonies.json']) {
    const reply = await ask(target, 'br');
    expect([target, encodingOf(reply)]).toEqual([target, 'br']);
    expect(windowBits(reply.body), target).toBeLessThanOrEqual(16);
  }
});

it('the OpenAPI document takes a quarter of its bytes, or less', async () => {
  const plain = await ask('/api/openapi.json', 'identity');
  for (const encoding of encodings)
    expect((await ask('/api/openapi.json', encoding)).body.length).toBeLessThan(plain.body.length / 4);
});

describe('the forms in memory', () => {
  const body = (seed: number) => Buffer.from(`${seed}`.padEnd(2000, `${seed} text `));

  it('stay within their limit', async () => {
    const forms = new EncodedForms(16_000);
    for (let seed = 0; seed < 200; seed += 1) {
      await forms.of(`"${seed}"`, body(seed), 'gzip');
      expect(forms.bytes).toBeLessThanOrEqual(16_000);
    }
    expect(forms.bytes).toBeGreaterThan(8000);
  });

  it('are made once for parallel requests, and then answered at once', async () => {
    const forms = new EncodedForms(16_000);
    const [first, second] = await Promise.all([1, 2].map(() => forms.of('"a"', body(1), 'br')));
    expect(first).toBeInstanceOf(Buffer);
    expect(second).toBe(first);
    expect(forms.of('"a"', body(1), 'br')).toBe(first);
  });

  it('are none for bytes that do not get smaller', async () => {
    const forms = new EncodedForms(16_000);
    const dense = Buffer.concat(
      Array.from({ length: 50 }, (_, at) => createHash('sha256').update(String(at)).digest()),
    );
    expect(await forms.of('"dense"', dense, 'gzip')).toBeUndefined();
    expect(forms.of('"dense"', dense, 'gzip')).toBeUndefined();
    expect(forms.of('"small"', Buffer.alloc(1023), 'gzip')).toBeUndefined();
  });
});
