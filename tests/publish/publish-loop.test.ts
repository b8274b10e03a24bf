/** "serve --publish": builds share publishes, publishes keep an interval, and failed ones are repeated with growing pauses. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PublishLoop, startPublishLoop } from '../../build/publish/publish-loop.ts';
import { UserError } from '../../data/system/messages.ts';
import { RetryLaterError } from '../../data/system/requests.ts';

/** Lets the time pass, and all code run that waits for it. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const hour = 3_600_000;

/** Start times of the publishes. */
let starts: number[];
let errors: unknown[];
/** Outcomes of the next publishes; then they succeed. */
let outcomes: (Error | Promise<void>)[];
let loop: PublishLoop;
beforeEach(() => {
  vi.useFakeTimers();
  [starts, errors, outcomes] = [[], [], []];
  loop = startPublishLoop({
    async publish() {
      starts.push(Date.now());
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      await outcome;
    },
    onError: (error) => errors.push(error),
  });
});
afterEach(() => void vi.useRealTimers());

test('the first build is published at once, and the builds of the next 20 seconds together', async () => {
  for (let build = 0; build < 50; build += 1) {
    loop.changed();
    await pass(300);
  }
  expect(starts).toHaveLength(1);
  await pass(5000);
  expect(starts).toHaveLength(2);
  expect(starts[1]! - starts[0]!).toBeGreaterThanOrEqual(20_000);
  await pass(hour);
  expect(starts).toHaveLength(2);
});

test('a build during a publish is published after it', async () => {
  let end = () => {};
  outcomes = [new Promise<void>((resolve) => (end = resolve))];
  loop.changed();
  await pass(0);
  loop.changed();
  await pass(60_000);
  expect(starts).toHaveLength(1);
  end();
  await pass(0);
  expect(starts).toHaveLength(2);
});

test('temporary failures are repeated with growing pauses; after others the loop waits for a build', async () => {
  outcomes = Array.from({ length: 8 }, () => new RetryLaterError('not now'));
  loop.changed();
  await pass(4 * hour);
  expect(errors).toHaveLength(8);
  const pauses = starts.slice(1).map((time, i) => time - starts[i]!);
  expect(pauses).toHaveLength(8);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses[1]).toBeGreaterThan(pauses[0]!);
  expect(pauses.at(-1)).toBeLessThanOrEqual(16 * 60_000);
  outcomes = [new UserError('no such site')];
  loop.changed();
  await pass(hour);
  expect(starts).toHaveLength(10);
  loop.changed();
  await pass(60_000);
  expect(starts).toHaveLength(11);
});

test('close() ends a pause at once, and the loop never publishes again', async () => {
  loop.changed();
  await pass(0);
  loop.changed();
  await loop.close();
  loop.changed();
  await pass(hour);
  expect([starts.length, errors]).toEqual([1, []]);
});
