/**
 * The promise: whatever goes wrong on the way, the site shows the snapshot of the folder byte for byte, or the one before, and
 * never a mixture; and when things stop going wrong, it shows the one of the folder.
 */
import { expect, test } from 'vitest';
import { RetryLaterError } from '../../build/publish/failure.ts';
import { runs } from '../settings.ts';
import { fixedFaults, noFaults, randomFaults } from './faults.ts';
import { quick, useStage } from './stage.ts';

const stage = useStage();

/** Publishes until it succeeds. @returns how often it failed */
async function publishStubbornly(check: () => void): Promise<number> {
  for (let failures = 0; ; failures += 1) {
    try {
      await stage.publish({ pace: { ...quick.pace, requestLimit: 200 } });
      return failures;
    } catch (error) {
      // Nothing that goes wrong here is there to stay, so nothing may be taken for it.
      if (!(error instanceof RetryLaterError)) throw error;
      expect(error.message).toMatch(/^[^\n]+(still shows|may still go live|look again|publish again)[^\n]+$/);
      check();
    }
  }
}

test('random failures, one edit after another', { timeout: 300_000 }, async () => {
  for (let run = 0; run < runs(9); run += 1) {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const said = `seed ${seed}`;
    try {
      const before = stage.liveTree();
      await stage.edit();
      const after = stage.tree();
      const check = () => stage.expectLive(before, after);
      stage.api.faults = randomFaults(seed, [0.1, 0.3, 0.6][run % 3]!, 150);
      await publishStubbornly(check);
      stage.expectLive(after);
      // What was live is not sent again, and nothing else comes of it.
      stage.api.faults = noFaults;
      expect(await stage.publish(), said).toMatchObject({ scope: 'nothing', uploaded: 0 });
      stage.expectLive(after);
    } catch (error) {
      throw new Error(`${said}: ${(error as Error).message}`, { cause: error });
    }
  }
});

test.each([
  'too many',
  'too many, reset',
  'broken',
  'gateway',
  'drop',
  'half',
  'lost',
  'cut',
  'silence',
] as const)(
  'a host that answers nothing but "%s": it ends, says so, and what is live stays',
  async (trouble) => {
    await stage.publish();
    const before = stage.tree();
    const live = (await stage.build()).snapshot;
    await stage.edit();
    stage.api.faults = fixedFaults(trouble, /\/files\//, Number.POSITIVE_INFINITY);
    const pace = { attempts: 3, minPauseMs: 1, maxPauseMs: 2, requestLimit: 100, timeLimit: 2000 };
    await expect(stage.publish({ pace })).rejects.toThrow(
      new RegExp(
        `^(uploading|beginning)[^\\n]*; (film-awards still shows snapshot ${live}|the deploy may still go live)`,
      ),
    );
    if (trouble !== 'lost') stage.expectLive(before);
    stage.api.faults = noFaults;
    await stage.publish();
    stage.expectLive(stage.tree());
  },
);

test('a site that takes its time to show what is ready is waited for; one that never does is reported', async () => {
  stage.api.delays.showing = 300;
  await stage.publish();
  stage.expectLive(stage.tree());
  await stage.edit();
  stage.api.delays.showing = 5000;
  await expect(stage.publish({ liveTimeoutMs: 200 })).rejects.toThrow(
    /is ready, but http[^ ]+\/manifest\.json shows [0-9a-f]{20}; look again/,
  );
});

test('a deploy that the host gives up on is told of, and the next one is another', async () => {
  await stage.publish();
  const before = stage.tree();
  await stage.edit();
  stage.api.delays.processing = 300;
  stage.api.onUpload = () => {
    const deploy = [...stage.api.deploys.values()].at(-1)!;
    if (deploy.required.size > 0) return;
    setTimeout(() => Object.assign(deploy, { state: 'error', message: 'Canceled by a person' }), 50);
  };
  await expect(stage.publish()).rejects.toThrow(
    /^Netlify could not make the deploy .*: Canceled by a person; film-awards still shows snapshot [0-9a-f]{20}; publish again to go on$/,
  );
  stage.expectLive(before);
  stage.api.onUpload = () => {};
  expect(await stage.publish()).toMatchObject({ resumed: false, uploaded: 0 });
  stage.expectLive(stage.tree());
});
