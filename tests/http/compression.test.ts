/** Answers come compressed to clients that accept it: the same documents, under ETags of their own. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Encoding,
  encodedETag,
  encodings,
  knownETag,
  matchesStrongly,
  plainETag,
} from '../../api/contract/etag.ts';
import { EncodedForms } from '../../api/server/sending.ts';
import { anyRequest } from '../records/oracle/queries.ts';
import { loadPlainRecord } from '../records/record.ts';
import type { Reply } from '../support/http.ts';
import { runs } from '../support/settings.ts';
import { useInProcess } from '../support/running-service.ts';

const running = useInProcess({}, undefined, ['pages', 'site']);

const ask = (target: string, accepted: string, method = 'GET', ifNoneMatch?: string) => {
  const known = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
  return running.service.ask(target, { method, headers: { 'accept-encoding': accepted, ...known } });
};
const encodingOf = ({ headers }: Reply) => headers['content-encoding'] as Encoding | undefined;
const decode: Record<Encoding, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
const large = '/api/nominations?limit=100 /api/openapi.json /api/movies?format=csv /manifest.json /'.split(
  ' ',
);

/** Headers without those that an encoded form has of its own. */
function otherHeaders({ headers }: Reply): Record<string, unknown> {
  const own = ['content-encoding', 'content-length', 'etag', 'date'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
}

it('any answer of a kilobyte or more is the plain one once decoded, with the same other headers', async () => {
  const record = loadPlainRecord(running.built.connection);
  const compressed = { br: 0, gzip: 0 };
  await fc.assert(
    fc.asyncProperty(anyRequest(record), fc.constantFrom(...encodings), async (request, encoding) => {
      const target = request.path + (request.queryString === '' ? '' : `?${request.queryString}`);
      const [plain, reply] = [await ask(target, 'identity'), await ask(target, encoding)];
      expect([reply.status, otherHeaders(reply)]).toEqual([plain.status, otherHeaders(plain)]);
      const isLarge = plain.status === 200 && plain.body.length >= 1024;
      expect(encodingOf(reply)).toBe(isLarge ? encoding : undefined);
      if (!isLarge) {
        expect([reply.headers.etag, reply.body]).toEqual([plain.headers.etag, plain.body]);
        return;
      }
      compressed[encoding] += 1;
      expect(reply.headers.etag).toBe(encodedETag(plain.headers.etag!, encoding));
      expect(reply.headers['content-length']).toBe(String(reply.body.length));
      expect(decode[encoding](reply.body).equals(plain.body)).toBe(true);
    }),
    { numRuns: runs(80) },
  );
  expect(Math.min(...Object.values(compressed))).toBeGreaterThan(0);
  expect(running.service.failures).toEqual([]);
});

/** Accept-Encoding, and the encoding of the answer. */
const negotiations = [
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['*', 'br'],
  ['br;q=0', undefined],
  ['', undefined],
  ['deflate', undefined],
] as const;
it('the encoding is the first of br and gzip that the client accepts, for HEAD as for GET', async () => {
  for (const [accepted, encoding] of negotiations)
    for (const target of large) {
      const [reply, head] = [await ask(target, accepted), await ask(target, accepted, 'HEAD')];
      expect([target, accepted, encodingOf(reply)]).toEqual([target, accepted, encoding]);
      expect(reply.headers.vary).toBe('Accept-Encoding');
      expect([head.body.length, { ...head.headers, date: '' }]).toEqual([0, { ...reply.headers, date: '' }]);
    }
});

it('304 answers every ETag of the document, also in an encoding that the client does not accept now', async () => {
  for (const target of large) {
    const { etag = '', link } = (await ask(target, 'identity')).headers;
    for (const tag of [etag, ...encodings.map((encoding) => encodedETag(etag, encoding))])
      for (const accepted of ['identity', ...encodings]) {
        const reply = await ask(target, accepted, 'GET', `"x", W/${tag}`);
        expect([reply.status, reply.body.length, reply.headers.etag]).toEqual([304, 0, tag]);
        expect([reply.headers.link, reply.headers.vary]).toEqual([link, 'Accept-Encoding']);
      }
    expect((await ask(target, 'br', 'GET', etag.replace(/"$/, '-zstd"'))).status).toBe(200);
  }
});

it('the forms in memory stay within their limit, are made once for parallel requests, and then answered at once', async () => {
  const body = (seed: number) => Buffer.from(`${seed}`.padEnd(2000, `${seed} text `));
  const forms = new EncodedForms(16_000);
  for (let seed = 0; seed < 200; seed += 1) {
    await forms.of(`"${seed}"`, body(seed), 'gzip');
    expect(forms.bytes).toBeLessThanOrEqual(16_000);
  }
  expect(forms.bytes).toBeGreaterThan(8000);
  const [first, second] = await Promise.all([1, 2].map(() => forms.of('"a"', body(1), 'br')));
  expect(first).toBeInstanceOf(Buffer);
  expect([second, forms.of('"a"', body(1), 'br')]).toEqual([first, first]);
});

describe('a list of ETags', () => {
  const own = '"0123abcd"';
  const met = '%|*| * | %\t|"a", %|%,"b"|, ,"a",,\t% ,|"a,b",%|W/"a", %|"\u00e9!", %'.split('|');
  const unmet = [
    ...['', ',', '"x"', '""', '**', '"*"', '0123abcd', '"0123abcd', '0123abcd"', '"0123ABCD"', '"0123abcde"'],
    ...['" 0123abcd"', 'w/"0123abcd"', '"a%"', '"a,%,b"', '"a" %', '*, %', '%, *', '%; q=1', '%, a', '%, "a'],
  ];

  describe.each([
    ['If-None-Match', (header: string, etag: string) => knownETag(header, etag) !== undefined],
    ['If-Match', matchesStrongly],
  ])('%s', (_header, matches) => {
    it('is met by a list with the tag, or by *, and by nothing else', () => {
      for (const header of met) expect(matches(header.replace('%', own), own), header).toBe(true);
      for (const header of unmet) expect(matches(header.replace('%', own), own), header).toBe(false);
    });

    // Quadratic time takes minutes, which is longer than a test may take.
    it('takes linear time', () => {
      for (const part of [' ', ',', '"a" ', '"'])
        expect(matches(`${part.repeat(400_000)}x`, own)).toBe(false);
    });
  });

  it('a weak tag meets If-None-Match, and never If-Match', () => {
    for (const [header, etag] of [
      [`W/${own}`, own],
      [`W/${own}, "a"`, own],
      [own, `W/${own}`],
      [`W/${own}`, `W/${own}`],
    ] as const)
      expect([knownETag(header, etag), matchesStrongly(header, etag)]).toEqual([etag, false]);
    expect(matchesStrongly(`W/${own}, ${own}`, own)).toBe(true);
  });

  it('an encoded form has a strong tag of its own, which both headers take', () => {
    const forms = encodings.map((encoding) => encodedETag(own, encoding));
    expect(new Set([own, ...forms]).size).toBe(1 + encodings.length);
    for (const form of forms) {
      expect([plainETag(form), plainETag(`W/${form}`), plainETag(own)]).toEqual([own, own, own]);
      expect([knownETag(`"a", W/${form}`, own), knownETag('*', own)]).toEqual([form, own]);
      expect(knownETag(`${form}, ${own}`, own)).toBe(own);
      expect([matchesStrongly(`"a", ${form}`, own), matchesStrongly(`W/${form}`, own)]).toEqual([
        true,
        false,
      ]);
      expect([knownETag(form, '"another"'), matchesStrongly(form, '"another"')]).toEqual([undefined, false]);
    }
  });
});
