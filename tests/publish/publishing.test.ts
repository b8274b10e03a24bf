/** The promise of "serve --publish": what is built becomes live by itself, soon, but never in a hurry. */
import { setTimeout as after } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../build/publish/clock.ts';
import { RetryLaterError } from '../../build/publish/failure.ts';
import { Publishing, publishAfterBuilds } from '../../build/publish/publishing.ts';
import { UserError } from '../../data/user-error.ts';
import { quick, useStage } from './stage.ts';

const stage = useStage();

/** A clock that stands still until it is told. */
class HandClock implements Clock {
  #time = 1_700_000_000_000;
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();

  now(): number {
    return this.#time;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#sleepers.add({ until: this.#time + milliseconds, wake: resolve });
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }

  async pass(milliseconds: number): Promise<void> {
    this.#time += milliseconds;
    for (const sleeper of this.#sleepers)
      if (sleeper.until <= this.#time && this.#sleepers.delete(sleeper)) sleeper.wake();
    await settled();
  }
}

/** Lets everything run that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

let clock: HandClock;
let begun: number[];
let errors: unknown[];
/** What the next publishes come to; once used up, they succeed. */
let outcomes: Error[];
let publishing: Publishing<string>;
beforeEach(() => {
  clock = new HandClock();
  begun = [];
  errors = [];
  outcomes = [];
  publishing = new Publishing({
    async publish() {
      begun.push(clock.now());
      const failure = outcomes.shift();
      if (failure) throw failure;
      return 'published';
    },
    onError: (error) => errors.push(error),
    clock,
  });
});

test('the first build is published at once, and those of the next 20 seconds together', async () => {
  publishing.changed();
  await settled();
  expect(begun).toHaveLength(1);
  for (let build = 0; build < 50; build += 1) {
    publishing.changed();
    await clock.pass(300);
  }
  expect(begun).toHaveLength(1);
  await clock.pass(5000);
  expect(begun).toHaveLength(2);
  expect(begun[1]! - begun[0]!).toBeGreaterThanOrEqual(20_000);
  await clock.pass(3_600_000);
  expect(begun).toHaveLength(2);
});

test('a build that comes while another one is being published is published after it', async () => {
  let end = () => {};
  const slow = new Publishing({
    publish: () => {
      begun.push(clock.now());
      return new Promise<void>((resolve) => (end = resolve));
    },
    onError: (error) => errors.push(error),
    clock,
  });
  slow.changed();
  await settled();
  slow.changed();
  await clock.pass(60_000);
  expect(begun).toHaveLength(1);
  end();
  await settled();
  expect(begun).toHaveLength(2);
  end();
  await slow.close();
});

test('what may work later is tried again, ever more rarely; what will not, with the next build', async () => {
  outcomes = Array.from({ length: 8 }, () => new RetryLaterError('not now'));
  publishing.changed();
  await settled();
  for (let minute = 0; minute < 240; minute += 1) await clock.pass(60_000);
  expect(errors).toHaveLength(8);
  const pauses = begun.slice(1).map((time, i) => time - begun[i]!);
  expect(pauses).toHaveLength(8);
  for (const [i, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(pauses[i - 1] ?? 0);
    expect(pause).toBeLessThanOrEqual(16 * 60_000);
  }
  outcomes = [new UserError('no such site')];
  publishing.changed();
  await clock.pass(60_000);
  await clock.pass(3_600_000);
  expect(begun).toHaveLength(10);
  publishing.changed();
  await clock.pass(60_000);
  expect(begun).toHaveLength(11);
});

test('closed while it waits, it ends at once and never publishes again', async () => {
  publishing.changed();
  await settled();
  publishing.changed();
  await publishing.close();
  publishing.changed();
  await clock.pass(3_600_000);
  expect(begun).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('for real: edits and builds become live; closed half-way, the next one goes on', async () => {
  const { api, out, database: db } = stage;
  const project = stage.at('project');
  const start = () =>
    publishAfterBuilds(
      { ...api.account, ...quick, interval: 50, out, db, project },
      { onError: (error) => errors.push(error) },
    );
  const running = start();
  for (let edit = 0; edit < 10; edit += 1) {
    await stage.edit();
    // Some are told of; the others are seen.
    if (edit % 2 === 0) running.changed();
    await after(30);
  }
  await untilLive();
  expect(api.published.length).toBeLessThanOrEqual(10);

  await stage.edit();
  const before = stage.liveTree();
  const begun = new Promise<void>((resolve) => (api.onUpload = () => resolve()));
  await begun;
  await running.close();
  stage.expectLive(before, stage.tree());
  const next = start();
  await untilLive();
  await next.close();
  expect(errors).toEqual([]);
});

async function untilLive(): Promise<void> {
  await expect
    .poll(
      () => {
        stage.expectLive(stage.tree());
        return true;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
}
