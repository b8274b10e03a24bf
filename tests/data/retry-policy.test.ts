/** Requests are retried with growing pauses, at the time that the server names, and not for ever. */
import { beforeEach, expect, test } from 'vitest';
import { isTemporary, retryTime } from '../../build/system/requests.ts';
import {
  type Clock,
  RetryLaterError,
  type RetryOptions,
  RetryPolicy,
  TransientError,
} from '../../build/system/retry-policy.ts';

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
const policy = (options: Partial<RetryOptions> = {}) => new RetryPolicy({ clock, ...options });
/** Work that succeeds after some failures. */
const failing = (failures: number, error: Error = new TransientError('answer 500')) => {
  let left = failures;
  return async () => {
    if (left === 0) return 'done';
    left -= 1;
    throw error;
  };
};

test.each([0, 0.5, 1])('pauses double up to the maximum; with a random number of %d', async (random) => {
  const retry = policy({ attempts: 20, minPauseMs: 100, maxPauseMs: 5000, random: () => random });
  expect(await retry.run('it', failing(8))).toBe('done');
  const full = [100, 200, 400, 800, 1600, 3200, 5000, 5000];
  expect(pauses).toEqual(full.map((pause) => (pause / 2) * (1 + random)));
});

test('the number of attempts is limited, and the error tells the last failure', async () => {
  const failure = await policy({ attempts: 3 })
    .run('uploading x', failing(99))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetryLaterError);
  expect(failure).toMatchObject({
    message: 'uploading x failed 3 times: answer 500; run it again to resume',
  });
  expect(pauses).toHaveLength(2);
});

test('all requests wait until the time that the server names, and such an answer is not counted', async () => {
  const named = time + 3_600_000;
  const retry = policy({ attempts: 1 });
  expect(await retry.run('one', failing(1, new TransientError('answer 429', named)))).toBe('done');
  expect(time).toBeGreaterThanOrEqual(named);
  const later = time + 60_000;
  await retry.run('two', failing(1, new TransientError('answer 429', later)));
  time = later - 1000;
  pauses = [];
  await retry.run('three', async () => undefined);
  expect(pauses).toEqual([1000]);
});

test('a pause beyond the time limit fails at once', async () => {
  const work = failing(1, new TransientError('answer 429', time + 7_200_000));
  await expect(policy({ timeLimitMs: 3_600_000 }).run('uploading x', work)).rejects.toThrow(
    /^uploading x: the time limit of 60 minutes is used up \(last: answer 429\); run it again to resume$/,
  );
  expect(pauses).toEqual([]);
});

test('other errors are not retried', async () => {
  const mistake = new TypeError('a mistake');
  await expect(policy().run('it', failing(1, mistake))).rejects.toBe(mistake);
  expect(pauses).toEqual([]);
});

test('an attempt that takes too long is aborted and counted', async () => {
  let attempts = 0;
  const endless = (signal: AbortSignal) => {
    attempts += 1;
    return new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  };
  await expect(policy({ attempts: 2, requestTimeoutMs: 10 }).run('it', endless)).rejects.toThrow(
    'it failed 2 times: no answer within 0.01 seconds; run it again to resume',
  );
  expect(attempts).toBe(2);
});

const now = 1_700_000_000_000;
test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '3' }, now + 3000],
  [{ 'retry-after': new Date(now + 60_000).toUTCString() }, now + 60_000],
  [{ 'retry-after': '3', 'x-ratelimit-reset': '1800000000' }, now + 3000],
  [{ 'x-ratelimit-reset': '1800000000' }, 1_800_000_000_000],
  [{ date: new Date(now + 7200_000).toUTCString(), 'x-ratelimit-reset': '1700007230' }, now + 30_000],
  [
    {
      date: new Date(now - 7200_000).toUTCString(),
      'retry-after': new Date(now - 7190_000).toUTCString(),
    },
    now + 10_000,
  ],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'x-ratelimit-reset': '-1' }, undefined],
  [{}, undefined],
])('the time that the headers %j name', (headers, expected) => {
  expect(retryTime(new Headers(headers), now)).toBe(expected);
});

test('answers 408, 425, 429 and 5xx are temporary', () => {
  const temporary = Array.from({ length: 600 }, (_, status) => status).filter(isTemporary);
  expect(temporary.filter((status) => status < 500)).toEqual([408, 425, 429]);
  expect(temporary).toHaveLength(103);
});
