/** Requests are retried with growing pauses, at the time that the server names, and not for ever. */
import { expect, test, vi } from 'vitest';
import {
  RetryLaterError,
  type RequestOptions,
  Requests,
  requestText,
  retryTime,
  TransientError,
} from '../../build/system/requests.ts';
import { listen } from '../support/loopback.ts';
import { createServer } from 'node:http';

const requests = (options: RequestOptions = {}) => new Requests({ minPauseMs: 1, maxPauseMs: 4, ...options });
const refusal = (notBefore = 0) => Object.assign(new TransientError('answer 429'), { notBefore });
/** Work that succeeds after some failures. */
const failing = (failures: number, error: () => Error = () => new TransientError('answer 500')) => {
  let left = failures;
  return vi.fn(async () => {
    if (left === 0) return 'done';
    left -= 1;
    throw error();
  });
};

test('the number of attempts is limited, and the error tells the last failure', async () => {
  expect(await requests({ attempts: 3 }).run('it', failing(2))).toBe('done');
  const work = failing(99);
  const failure = await requests({ attempts: 3 })
    .run('uploading x', work)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetryLaterError);
  expect(failure).toMatchObject({
    message: 'uploading x failed 3 times: answer 500; run it again to resume',
  });
  expect(work).toHaveBeenCalledTimes(3);
});

test('all requests wait until the time that the server names, and such an answer is not counted', async () => {
  const named = Date.now() + 200;
  const service = requests({ attempts: 2 });
  const first = service.run(
    'one',
    failing(3, () => refusal(Math.max(named, Date.now() + 10))),
  );
  await new Promise(setImmediate);
  await service.run('two', async () => expect(Date.now()).toBeGreaterThanOrEqual(named - 1));
  expect(await first).toBe('done');
});

test('a pause beyond the time limit fails at once', async () => {
  const work = failing(1, () => refusal(Date.now() + 7_200_000));
  await expect(requests({ timeLimitMs: 3_600_000 }).run('uploading x', work)).rejects.toThrow(
    /^uploading x: the time limit of 60 minutes is used up; run it again to resume$/,
  );
});

test('other errors are not retried', async () => {
  for (const mistake of [new TypeError('a mistake'), new Error('another')]) {
    const work = failing(1, () => mistake);
    await expect(requests().run('it', work)).rejects.toBe(mistake);
    expect(work).toHaveBeenCalledTimes(1);
  }
});

test('an attempt that takes too long is aborted and counted', async () => {
  let attempts = 0;
  const endless = (signal: AbortSignal) => {
    attempts += 1;
    return new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  };
  await expect(requests({ attempts: 2, requestTimeoutMs: 10 }).run('it', endless)).rejects.toThrow(
    'it failed 2 times: no answer within 0.01 seconds; run it again to resume',
  );
  expect(attempts).toBe(2);
});

test('the signal ends pauses and requests', async () => {
  const stop = new AbortController();
  const service = requests({ minPauseMs: 60_000, maxPauseMs: 60_000, signal: stop.signal });
  const pausing = service.run('it', failing(1));
  const waiting = service.poll('it', () => undefined);
  setTimeout(() => stop.abort(new Error('stopped')), 20);
  await expect(pausing).rejects.toThrow('stopped');
  await expect(waiting).rejects.toThrow(/abort|stopped/);
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

test('answers 408, 425, 429 and 5xx are temporary', async () => {
  const server = await listen(
    createServer(({ url }, response) => response.writeHead(Number(url!.slice(1))).end()),
  );
  const outcomes = [200, 400, 404, 408, 422, 425, 429, 500, 503].map(async (status) => {
    const answer = await requestText(`${server.origin}/${status}`, {}).catch((error: unknown) => error);
    return answer instanceof TransientError ? [status] : [];
  });
  expect((await Promise.all(outcomes)).flat()).toEqual([408, 425, 429, 500, 503]);
  await server.stop();
});
