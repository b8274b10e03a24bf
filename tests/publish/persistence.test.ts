/** The promise: what may work is tried again, ever more slowly, when the host wants it, and not for ever. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../build/publish/clock.ts';
import { TransientError, RetryLaterError } from '../../build/publish/failure.ts';
import { defaultPace, RetryPolicy } from '../../build/publish/retry-policy.ts';
import { retryTime, temporaryStatus } from '../../build/publish/retry-time.ts';
import { runs } from '../settings.ts';

let time: number;
let pauses: number[];
const clock: Clock = {
  now: () => time,
  async sleep(milliseconds) {
    pauses.push(milliseconds);
    time += milliseconds;
  },
};
beforeEach(() => {
  time = 1_700_000_000_000;
  pauses = [];
});
const persistence = (pace = {}, random = Math.random) =>
  new RetryPolicy({ ...defaultPace, ...pace }, clock, new AbortController().signal, random);
const failing = (failures: number, trouble: () => Error) => {
  let left = failures;
  return async () => {
    if (left === 0) return 'done';
    left -= 1;
    throw trouble();
  };
};

test('pauses double up to the longest, and at least half of each is kept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(12), fc.double({ min: 0, max: 0.999, noNaN: true }), async (failures, share) => {
      pauses = [];
      const pace = { attempts: 20, minPauseMs: 100, maxPauseMs: 5000 };
      const work = failing(failures, () => new TransientError('not now'));
      expect(await persistence(pace, () => share).until('it', work)).toBe('done');
      expect(pauses).toHaveLength(failures);
      for (const [i, pause] of pauses.entries()) {
        const whole = Math.min(5000, 100 * 2 ** i);
        expect(pause).toBeGreaterThanOrEqual(whole / 2);
        expect(pause).toBeLessThanOrEqual(whole);
      }
    }),
    { numRuns: runs(50) },
  );
});

test('tries are limited, and the last failure is told', async () => {
  const failure = await persistence({ attempts: 3 })
    .until(
      'uploading x',
      failing(99, () => new TransientError('answer 500')),
    )
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetryLaterError);
  expect(failure).toMatchObject({ message: 'uploading x failed 3 times: answer 500' });
  expect(pauses).toHaveLength(2);
});

test('the time the host names is kept, by everybody, and does not count as a failure', async () => {
  const host = time + 3_600_000;
  const all = persistence({ attempts: 2 });
  const work = failing(1, () => new TransientError('answer 429', { notBefore: host }));
  expect(await all.until('one', work)).toBe('done');
  expect(time).toBeGreaterThanOrEqual(host);
  const later = time + 60_000;
  await all.until(
    'two',
    failing(1, () => new TransientError('answer 429', { notBefore: later })),
  );
  time = later - 1000;
  pauses = [];
  await all.until('three', async () => undefined);
  expect(pauses).toEqual([1000]);
});

test('no pause goes beyond the time limit: it ends at once instead', async () => {
  const work = failing(
    1,
    () => new TransientError('answer 429', { notBefore: time + 2 * defaultPace.timeLimit }),
  );
  await expect(persistence().until('uploading x', work)).rejects.toThrow(
    /^uploading x: the time limit of 180 minutes is used up \(last: answer 429\)$/,
  );
  expect(pauses).toEqual([]);
});

test('what is no trouble of the way is not tried again', async () => {
  const mistake = new TypeError('a mistake');
  await expect(
    persistence().until(
      'it',
      failing(1, () => mistake),
    ),
  ).rejects.toBe(mistake);
  expect(pauses).toEqual([]);
});

test('a try that takes too long is ended, and counts', async () => {
  let tries = 0;
  const endless = (signal: AbortSignal) => {
    tries += 1;
    return new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  };
  await expect(persistence({ attempts: 2, requestLimit: 10 }).until('it', endless)).rejects.toThrow(
    'it failed 2 times: no answer within 0.01 seconds',
  );
  expect(tries).toBe(2);
});

describe('when to ask again', () => {
  const now = 1_700_000_000_000;
  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '3' }, now + 3000],
    [{ 'retry-after': new Date(now + 60_000).toUTCString() }, now + 60_000],
    [{ 'retry-after': '3', 'x-ratelimit-reset': '1800000000' }, now + 3000],
    [{ 'x-ratelimit-reset': '1800000000' }, 1_800_000_000_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'x-ratelimit-reset': '-1' }, undefined],
    [{}, undefined],
  ])('%j', (headers, time) => {
    expect(retryTime(headers, now)).toBe(time);
  });

  test('is for no answer that stays the same', () => {
    const temporary = Array.from({ length: 600 }, (_, status) => status).filter(temporaryStatus);
    expect(temporary.filter((status) => status < 500)).toEqual([408, 425, 429]);
  });
});
