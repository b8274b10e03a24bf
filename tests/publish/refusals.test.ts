/** What cannot be done is not tried twice, changes nothing, and is told in one line that says what to do. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RetryLaterError } from '../../build/publish/failure.ts';
import { useStage } from './stage.ts';

const stage = useStage();

describe('an answer that stays the same however often one asks is not asked for again:', () => {
  test.each<[number, RegExp]>([
    [400, /^Netlify refuses \(400\): as the test has it/],
    [401, /^Netlify does not accept the token in NETLIFY_AUTH_TOKEN \(401\); make a new one/],
    [403, /^the token in NETLIFY_AUTH_TOKEN may not publish to site .* \(403\); use/],
    [404, /^Netlify knows no site .*\(404\); NETLIFY_SITE_ID is/],
    [422, /^Netlify refuses \(422\): as the test has it/],
  ])('%d about the site', async (status, message) => {
    stage.api.refuseWith = status;
    await expect(stage.publish()).rejects.toThrow(message);
    expect(stage.api.asked).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 422])('%d at an upload: and what is live stays', async (status) => {
    await stage.publish();
    const before = stage.tree();
    await stage.edit();
    stage.api.uploads.length = 0;
    stage.api.onUpload = () => {
      stage.api.refuseWith = status;
    };
    const failure = await stage.publish().catch((error: unknown) => error as Error);
    expect(failure).not.toBeInstanceOf(RetryLaterError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^[^\n]+; film-awards still shows snapshot [0-9a-f]{20}$/),
    });
    const refused = stage.api.asked.filter((it) => it.status === status && it.path.includes('/files/'));
    // At most as many as were under way together, and no path twice.
    expect(refused.length).toBeLessThanOrEqual(5);
    expect(new Set(refused.map(({ path }) => path)).size).toBe(refused.length);
    stage.expectLive(before);
    stage.api.refuseWith = undefined;
    stage.api.onUpload = () => {};
    await stage.publish();
    stage.expectLive(stage.tree());
  });

  test('another token', async () => {
    await expect(stage.publish({ token: 'stolen' })).rejects.toThrow(/\(401\)/);
    expect(stage.api.asked).toHaveLength(1);
  });
});

describe('what is no whole snapshot is not published:', () => {
  const never = async (message: RegExp) => {
    await expect(stage.publish()).rejects.toThrow(message);
    expect(stage.api.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  };

  test('no folder', async () => {
    rmSync(stage.out, { recursive: true });
    await never(/^there is no folder .*"awards build" makes it$/);
  });

  test('an empty folder', async () => {
    rmSync(stage.out, { recursive: true });
    mkdirSync(stage.out);
    await never(/holds no snapshot/);
  });

  test('a build that was cut short', async () => {
    writeFileSync(join(stage.out, '.building'), '');
    await never(/was cut short; "awards build" makes it whole$/);
  });

  test('a manifest that is not whole', async () => {
    writeFileSync(join(stage.out, 'manifest.json'), stage.tree().get('manifest.json')!.subarray(0, 100));
    await never(/holds no snapshot/);
  });

  test.each(['missing', 'damaged'])('a list of pages that is %s', async (what) => {
    const path = [...stage.tree().keys()].find((name) => name.startsWith('shards/pages/'))!;
    if (what === 'missing') rmSync(join(stage.out, path));
    else writeFileSync(join(stage.out, path), '[]\n');
    await never(new RegExp(`${path} is ${what}; "awards build --full" repairs it$`));
  });

  test.each(['missing', 'damaged'])('a page that is %s', async (what) => {
    if (what === 'missing') rmSync(join(stage.out, 'api/movies/1.json'));
    else writeFileSync(join(stage.out, 'api/movies/1.json'), '{}');
    await never(new RegExp(`api/movies/1\\.json in .* is ${what}; "awards build --full" repairs it$`));
  });
});

test('a page that was published from here and then damaged is live as it was built', async () => {
  await stage.publish();
  const tree = stage.tree();
  stage.api.publishElsewhere('', new Map());
  writeFileSync(join(stage.out, 'api/movies/1.json'), '{}');
  await stage.publish({ force: true });
  stage.expectLive(tree);
});
