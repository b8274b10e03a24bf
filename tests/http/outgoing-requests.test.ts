/** Requests to other services are retried with growing pauses, at the time that the server names, and not for ever. */
import { afterEach, expect, it, vi } from 'vitest';
import {
  type RequestOptions,
  Requests,
  requestText,
  RetryLaterError,
  retryTime,
  TransientError,
} from '../../data/system/requests.ts';

const requests = (options: RequestOptions = {}) => new Requests({ minPauseMs: 1, maxPauseMs: 4, ...options });
/** Work that succeeds after some failures. */
const failing = (failures: number, error: () => Error = () => new TransientError('answer 500')) => {
  let left = failures;
  return vi.fn(async () => {
    if (left === 0) return 'done';
    left -= 1;
    throw error();
  });
};
afterEach(() => void vi.unstubAllGlobals());

it('the number of attempts is limited, and the error tells the last failure', async () => {
  expect(await requests({ attempts: 3 }).run('it', failing(2))).toBe('done');
  const work = failing(99);
  const failure: unknown = await requests({ attempts: 3 })
    .run('uploading x', work)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetryLaterError);
  expect(failure).toHaveProperty('message', 'uploading x failed 3 times: answer 500; run it again to resume');
  expect(work).toHaveBeenCalledTimes(3);
});

it('each request says which program asks, and keeps the headers of the caller', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    sent.push(headers);
    return new Response('done');
  });
  await requestText('https://service.example', { headers: { accept: 'text/csv' } });
  expect(sent).toEqual([{ 'user-agent': 'film-awards', accept: 'text/csv' }]);
});

it('all requests wait until the time that the server names, and such an answer is not counted', async () => {
  const named = Date.now() + 200;
  const refusal = () =>
    Object.assign(new TransientError('answer 429'), { notBefore: Math.max(named, Date.now() + 100) });
  const service = requests({ attempts: 2 });
  const first = service.run('one', failing(3, refusal));
  await new Promise(setImmediate);
  await service.run('two', async () => expect(Date.now()).toBeGreaterThanOrEqual(named - 1));
  expect(await first).toBe('done');
});

it('a pause beyond the time limit fails at once, and so do other errors', async () => {
  const late = failing(1, () =>
    Object.assign(new TransientError('answer 429'), { notBefore: Date.now() + 7_200_000 }),
  );
  await expect(requests({ timeLimitMs: 3_600_000 }).run('uploading x', late)).rejects.toThrow(
    /^uploading x: the time limit of 60 minutes is used up; run it again to resume$/,
  );
  const work = failing(1, () => new TypeError('a mistake'));
  await expect(requests().run('it', work)).rejects.toThrow('a mistake');
  expect(work).toHaveBeenCalledTimes(1);
});

it('an attempt that takes too long is aborted and counted', async () => {
  const endless = vi.fn(
    (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  );
  await expect(requests({ attempts: 2, requestTimeoutMs: 10 }).run('it', endless)).rejects.toThrow(
    'it failed 2 times: no answer within 0.01 seconds; run it again to resume',
  );
  expect(endless).toHaveBeenCalledTimes(2);
});

const now = 1_700_000_000_000;
const dateAfter = (seconds: number) => new Date(now + seconds * 1000).toUTCString();
it.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '3', 'x-ratelimit-reset': '1800000000' }, now + 3000],
  [{ 'retry-after': dateAfter(60) }, now + 60_000],
  [{ 'x-ratelimit-reset': '1800000000' }, 1_800_000_000_000],
  // The clock of the server differs.
  [{ date: dateAfter(7200), 'x-ratelimit-reset': '1700007230' }, now + 30_000],
  [{ 'x-ratelimit-reset': '-1' }, undefined],
  [{}, undefined],
])('the time that the headers %j name', (headers, expected) => {
  expect(retryTime(new Headers(headers), now)).toBe(expected);
});

it('answers 408, 425, 429 and 5xx are temporary', async () => {
  for (const status of [400, 404, 408, 422, 425, 429, 500, 503]) {
    vi.stubGlobal('fetch', async () => new Response('', { status }));
    const answer = await requestText('http://a.invalid/', {}).catch((error: unknown) => error);
    expect(answer instanceof TransientError, `${status}`).toBe([408, 425, 429, 500, 503].includes(status));
  }
});
