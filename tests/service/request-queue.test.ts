/** Requests start in order, a few in each turn of the event loop. */
import { afterEach, expect, it, vi } from 'vitest';
import { RequestQueue } from '../../api/serve/request-queue.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('all requests start once, in order, pipelined ones last, and the event loop turns meanwhile', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const queue = new RequestQueue();
  const started: number[] = [];
  const requests = Array.from({ length: 100 }, (_, at) => at);
  for (const at of requests)
    queue.add(
      async () => {
        started.push(at);
        now += 0.5;
        // The rest of the answer is computed after the call.
        await null;
        await null;
        now += 0.5;
      },
      at % 2 === 1,
    );
  const immediate = started.length;
  expect(immediate).toBeLessThan(20);
  let turns = 0;
  for (; started.length < requests.length; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  const waiting = requests.slice(immediate);
  expect(started).toEqual([
    ...requests.slice(0, immediate),
    ...waiting.filter((at) => at % 2 === 0),
    ...waiting.filter((at) => at % 2 === 1),
  ]);
  // A request takes a millisecond.
  expect(turns).toBeGreaterThan(waiting.length / 10);
});
