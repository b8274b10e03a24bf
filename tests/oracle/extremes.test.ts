/** Requests at the limits get complete and bounded answers. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { byCodePoint } from '../../api/contract/text.ts';
import { ordered } from '../../api/read/orders.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import type { PlainRecord } from './record.ts';
import { runs } from '../support/settings.ts';
import { compiledRecord, type MemoryFolder } from '../support/build.ts';
import { expectSameAnswer } from './oracle-comparison.ts';

let record: PlainRecord;
let files: MemoryFolder;
let resolver: Resolver;

beforeAll(async () => {
  ({ record, files } = await compiledRecord((connection) =>
    generateRecord(connection, { scale: 0.2, seed: 5 }),
  ));
  resolver = new Resolver(files);
});

const get = (path: string, queryString: string) => resolver.answer({ method: 'GET', path, queryString });
const errorsOf = (body: Uint8Array | null) =>
  (JSON.parse(new TextDecoder().decode(body ?? undefined)) as { errors: { parameter: string }[] }).errors;

describe('ordering', () => {
  const numbers = fc.oneof(fc.nat(20), fc.nat(), fc.maxSafeInteger());
  const texts = fc.string({ maxLength: 3, unit: 'binary' });
  const columns = fc.oneof(
    ...[numbers, texts].map((values) =>
      fc.array(fc.option<number | string>(values, { freq: 10 }), { maxLength: 400 }),
    ),
  );

  it('is by value, null last, and then by position', () => {
    fc.assert(
      fc.property(columns, fc.boolean(), (values, isDescending) => {
        const byValue = (a: number, b: number) => {
          const [one, other] = [values[a]!, values[b]!];
          if (one === null || other === null) return Number(one === null) - Number(other === null);
          const order = typeof one === 'string' ? byCodePoint(one, other as string) : one - (other as number);
          return isDescending ? -order : order;
        };
        const expected = values.map((_, position) => position).sort((a, b) => byValue(a, b) || a - b);
        expect([...ordered(values, isDescending)]).toEqual(expected);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('extreme requests', () => {
  it('with repeated words find the right matches on every page', async () => {
    const q = encodeURIComponent('ac in le ro actor a leading role '.repeat(15).trim());
    for (const page of [1, 2, 3, 4, 5])
      await expectSameAnswer(resolver, record, {
        path: '/api/search',
        queryString: `limit=67&page=${page}&q=${q}`,
      });
  });

  it('with many words read each shard of the index at most once, and no other files than with one', async () => {
    const filesReadFor = async (q: string) => {
      const paths: string[] = [];
      const shard = (path: string) => {
        paths.push(path);
        return files.shard(path);
      };
      const counting = new Resolver({ file: (path) => files.file(path), shard });
      await counting.answer({ method: 'GET', path: '/api/search', queryString: `q=${q}` });
      return paths.sort();
    };
    const words = Array.from({ length: 160 }, (_, i) =>
      String.fromCharCode(97 + (i % 26), 97 + ((i * 7) % 26)),
    );
    const isOfIndex = (path: string) => /^shards\/search\/(titles|names)\//.test(path);
    const [many, one] = [await filesReadFor(`zzzz+${words.join('+')}`), await filesReadFor('zzzz')];
    expect(many.filter((path) => !isOfIndex(path))).toEqual(one.filter((path) => !isOfIndex(path)));
    expect(new Set(many).size).toBe(many.length);
  });

  it('have no Link header if it would be too long', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => 10_000 + i).join(',');
    const long = await get('/api/nominations', `ids=${ids}`);
    expect(long.status).toBe(200);
    expect(long.headers.Link).toBeUndefined();
    expect((await get('/api/nominations', 'ids=1,2,3')).headers.Link).toContain('rel="first"');
  });

  it('with thousands of faults get an answer with the first fifty', async () => {
    const unknown = Array.from({ length: 4000 }, (_, i) => `x${i}=1`).join('&');
    const { status, body } = await get('/api/movies', unknown);
    expect(status).toBe(400);
    expect(errorsOf(body)).toHaveLength(50);
    expect(body!.length).toBeLessThan(32_000);
  });
});
