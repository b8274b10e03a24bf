/** No request takes much time, and many different requests take no more memory than the limit. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Resolver } from '../../api/read/resolve.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { answerAt, compileInMemory, type MemoryFolder } from '../support/build.ts';
import { runs } from '../settings.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let connection: Connection;
let snapshot: MemoryFolder;
beforeAll(async () => {
  connection = openDatabase(':memory:');
  generateRecord(connection, { scale: 0.5, seed: 5 });
  snapshot = await compileInMemory(connection);
});
afterAll(() => connection.close());

const ids = Array.from({ length: 1000 }, (_, at) => at * 7 + 1).join(',');
const words = Array.from({ length: 166 }, (_, at) => (at + 370).toString(36)).join('+');
const letters = Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0x61 + (at % 26))).join('+');
const faults = Array.from({ length: 4000 }, (_, at) => at.toString(36)).join('&');
const e = 'movie=e&nominee=e&category=e';
const costly: [string, string][] = [
  ['a thousand ids', `/api/nominations?ids=${ids}`],
  ['thousands of ids of everything', `/api/nominations?ids=${ids}&movie_ids=${ids}&nominee_ids=${ids}`],
  ['the last possible page', '/api/nominations?page=1000000&limit=100'],
  ['a text of 500 characters', `/api/nominations?movie=${'a'.repeat(500)}&nominee=${'e'.repeat(500)}`],
  ['a letter that every text has', `/api/nominations?${e}&limit=100&page=2`],
  ['every filter', `/api/nominations?${e}&winner=false&is_song=false&yearStart=1&yearEnd=9999`],
  ['films by everything', '/api/movies?title=e&genre=Drama&yearStart=1&yearEnd=9999&limit=100'],
  ['a search for 166 words', `/api/search?q=${words}`],
  ['a search for 250 letters', `/api/search?q=${letters}`],
  ['a search for the same word again and again', `/api/search?q=${'an+'.repeat(166)}`],
  ['a search for frequent prefixes', '/api/search?q=th+a+be&limit=100'],
  ['a ranking', '/api/stats/top-nominees?yearStart=1&category=e&known_for_department=a&limit=100'],
];

describe('a costly request costs little more than a plain one:', () => {
  let resolver: Resolver;
  let plain: number;
  const minMs = async (target: string) => {
    let min = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 8; round += 1) {
      const began = performance.now();
      await answerAt(resolver, target);
      min = Math.min(min, performance.now() - began);
    }
    return min;
  };
  beforeAll(async () => {
    // Without an answer cache.
    resolver = new Resolver(snapshot, { answerBytes: 0 });
    plain = Math.max(0.1, await minMs('/api/nominations?movie=er&nominee=an&limit=100'));
  });

  it.each(costly)('%s', async (_name, target) => {
    expect((await answerAt(resolver, target)).status).toBe(200);
    // Generous for a busy machine; quadratic time is far above it.
    expect(await minMs(target), `a plain filter takes ${plain} ms`).toBeLessThan(Math.max(30, plain * 60));
  });

  it('thousands of faults', async () => {
    const answer = await answerAt(resolver, `/api/nominations?${faults}`);
    expect(answer.status).toBe(400);
    expect(await minMs(`/api/nominations?${faults}`)).toBeLessThan(100);
    expect(answer.body!.length).toBeLessThan(20 * faults.length * 10);
  });
});

describe('thousands of different requests', () => {
  const different = (at: number): string => {
    const text = `${at.toString(36)}${'x'.repeat(at % 400)}`;
    const list = Array.from({ length: 50 }, (_, step) => ((at * 31 + step * 17) % 8000) + 1).join(',');
    const targets = [
      `/api/nominations?movie=${text}&page=${at}`,
      `/api/nominations?ids=${list}`,
      `/api/search?q=${text}`,
      `/api/movies?ids=${list}&limit=100`,
      `/api/nominees/${at % 4000}`,
      `/api/movies/${at % 2500}`,
      `/api/stats/top-movies?yearStart=${(at % 90) + 1930}&limit=${(at % 100) + 1}`,
      `/api/unknown/${text}`,
      `/api/movies?${text}=1`,
    ];
    return targets[at % targets.length]!;
  };

  /** Bytes in use after several garbage collections. */
  const used = async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let look = 0; look < 5; look += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      least = Math.min(least, heapUsed + arrayBuffers);
    }
    return least;
  };

  it('with small answers use no more memory than the limit of the answer cache', async () => {
    const answerBytes = 3 * 1024 * 1024;
    const resolver = new Resolver(snapshot, { answerBytes });
    const ask = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1) await answerAt(resolver, `/api/songs?title=zz${at.toString(36)}`);
    };
    await ask(0, 100);
    const before = await used();
    await ask(100, 12_000);
    expect((await used()) - before).toBeLessThan(answerBytes);
  });

  it('use no more memory than the cache limits', async () => {
    const limits = { cacheBytes: 1024 * 1024, answerBytes: 1024 * 1024 };
    const resolver = new Resolver(snapshot, limits);
    const ask = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1)
        expect((await answerAt(resolver, different(at))).status).toBeLessThan(500);
    };
    await ask(0, 3000);
    const before = await used();
    await ask(3000, 3000 + runs(9000));
    expect(((await used()) - before) / 1024 / 1024).toBeLessThan(6);
  });

  it('have the right answers with tiny caches', async () => {
    const forgetful = new Resolver(snapshot, { cacheBytes: 1, answerBytes: 1 });
    const resolver = new Resolver(snapshot);
    for (let at = 0; at < 600; at += 1) {
      const [one, other] = await Promise.all([
        answerAt(forgetful, different(at)),
        answerAt(resolver, different(at)),
      ]);
      expect(one.status).toBe(other.status);
      expect(Buffer.from(one.body!).equals(Buffer.from(other.body!))).toBe(true);
    }
  });
});
