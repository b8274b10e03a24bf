/**
 * Whatever fails, the site shows the new snapshot or the previous one, byte for byte, and never a mixture. When the failures
 * end, it shows the new one.
 */
import { expect, test } from 'vitest';
import { RetryLaterError } from '../../build/system/requests.ts';
import { runs } from '../support/settings.ts';
import { seeded } from '../support/seed.ts';
import { faultNames, fixedFault, noFaults, randomFaults } from './faults.ts';
import { quick, useStage } from './stage.ts';

const stage = useStage();

async function publishUntilDone(check: () => void): Promise<void> {
  for (;;)
    try {
      await stage.publish({ retry: { ...quick.retry, requestTimeoutMs: 200 } });
      return;
    } catch (error) {
      // All faults are temporary, so every error must say so.
      if (!(error instanceof RetryLaterError)) throw error;
      expect(error.message).toMatch(/^[^\n]+(publish again|run it again to resume)$/);
      check();
    }
}

test('random failures, one edit after another', { timeout: 300_000 }, async () => {
  const choices = seeded('random failures');
  for (let run = 0; run < runs(4); run += 1) {
    const seed = choices.between(0, 2 ** 32 - 1);
    try {
      const before = stage.liveTree();
      await stage.edit();
      const after = stage.tree();
      stage.api.faults = randomFaults(seed, [0.1, 0.3, 0.6][run % 3]!, 150);
      await publishUntilDone(() => stage.expectLive(before, after));
      stage.expectLive(after);
      stage.api.faults = noFaults;
      expect(await stage.publish()).toMatchObject({ scope: 'nothing', uploaded: 0 });
      stage.expectLive(after);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
});

test.each(faultNames)(
  'uploads that always fail with "%s": an error, and the live deploy stays',
  async (fault) => {
    await stage.publish();
    const before = stage.tree();
    await stage.edit();
    stage.api.faults = fixedFault(fault, /\/files\//);
    const retry = { attempts: 3, minPauseMs: 1, maxPauseMs: 2, requestTimeoutMs: 500, timeLimitMs: 10_000 };
    await expect(stage.publish({ retry })).rejects.toThrow(/^uploading [^\n]*; run it again to resume$/);
    if (fault !== 'drop after the request is handled') stage.expectLive(before);
    stage.api.faults = noFaults;
    await stage.publish();
    stage.expectLive(stage.tree());
  },
);

test('a deploy that Netlify ends with an error is reported, and the next publish makes another one', async () => {
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
    /^Netlify could not complete the deploy .*: Canceled by a person; publish again$/,
  );
  stage.expectLive(before);
  stage.api.onUpload = () => {};
  expect(await stage.publish()).toMatchObject({ resumed: false, uploaded: 0 });
  stage.expectLive(stage.tree());
});
