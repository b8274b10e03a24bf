/** "serve --publish": every build becomes live soon, with an interval between publishes and backoff after failures. */
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PublishLoop, publishAfterBuilds, startPublishLoop } from '../../build/publish/publish-loop.ts';
import { RetryLaterError } from '../../build/system/requests.ts';
import { UserError } from '../../build/system/messages.ts';
import { useStage } from './stage.ts';

const stage = useStage();

/** Lets the time pass, and all code run that waits for it. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Start times of the publishes. */
let starts: number[];
let errors: unknown[];
/** Outcomes of the next publishes; then they succeed. */
let outcomes: (Error | Promise<void>)[];
let loop: PublishLoop;
beforeEach(() => {
  vi.useFakeTimers();
  starts = [];
  errors = [];
  outcomes = [];
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
  loop.changed();
  await pass(0);
  expect(starts).toHaveLength(1);
  for (let build = 0; build < 50; build += 1) {
    loop.changed();
    await pass(300);
  }
  expect(starts).toHaveLength(1);
  await pass(5000);
  expect(starts).toHaveLength(2);
  expect(starts[1]! - starts[0]!).toBeGreaterThanOrEqual(20_000);
  await pass(3_600_000);
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

test('temporary failures are retried with growing pauses; after other failures the loop waits for a build', async () => {
  outcomes = Array.from({ length: 8 }, () => new RetryLaterError('not now'));
  loop.changed();
  await pass(0);
  for (let minute = 0; minute < 240; minute += 1) await pass(60_000);
  expect(errors).toHaveLength(8);
  const pauses = starts.slice(1).map((time, i) => time - starts[i]!);
  expect(pauses).toHaveLength(8);
  for (const [i, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(pauses[i - 1] ?? 0);
    expect(pause).toBeLessThanOrEqual(16 * 60_000);
  }
  outcomes = [new UserError('no such site')];
  loop.changed();
  await pass(60_000);
  await pass(3_600_000);
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
  await pass(3_600_000);
  expect(starts).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('with real builds: edits become live; a publish that close() stops is resumed by the next loop', async () => {
  vi.useRealTimers();
  const { api } = stage;
  const options = { ...stage.options, interval: 50, db: stage.database };
  const start = () => publishAfterBuilds({ ...options, onError: (error) => errors.push(error) });
  const first = start();
  for (let edit = 0; edit < 10; edit += 1) {
    await stage.edit();
    await after(30);
  }
  await waitUntilLive();
  expect(api.published.length).toBeLessThanOrEqual(10);

  const before = stage.liveTree();
  const uploading = new Promise<void>((resolve) => (api.onUpload = () => resolve()));
  await stage.edit();
  await uploading;
  await first.close();
  stage.expectLive(before, stage.tree());
  const next = start();
  await waitUntilLive();
  await next.close();
  expect(errors).toEqual([]);
});

const waitUntilLive = () =>
  vi.waitFor(() => stage.expectLive(stage.tree()), { timeout: 10_000, interval: 50 });
