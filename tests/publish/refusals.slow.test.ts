/** A publish that cannot succeed sends no second request, changes nothing, and says in one line what to do. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layerIndexText } from '../../api/contract/layers.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { RetryLaterError } from '../../build/system/requests.ts';
import { useStage } from './stage.ts';

const stage = useStage();

describe('a final answer is not retried:', () => {
  test.each<[number, RegExp]>([
    [400, /^Netlify refuses \(400\): as the test has it/],
    [401, /^Netlify does not accept the token in NETLIFY_AUTH_TOKEN \(401\); make a new one/],
    [403, /^the token in NETLIFY_AUTH_TOKEN may not publish to site .* \(403\); use/],
    [404, /^Netlify knows no site .*\(404\); NETLIFY_SITE_ID is/],
    [422, /^Netlify refuses \(422\): as the test has it/],
  ])('%d about the site', async (status, message) => {
    stage.api.refuseWith = status;
    await expect(stage.publish()).rejects.toThrow(message);
    expect(stage.api.requests).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 422])('%d at an upload, and the live deploy stays', async (status) => {
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
      message: expect.stringMatching(/^[^\n]+$/),
    });
    // At most the five concurrent uploads are refused, and no path twice.
    const refused = stage.api.requests.filter((it) => it.status === status && it.path.includes('/files/'));
    expect(refused.length).toBeLessThanOrEqual(5);
    expect(new Set(refused.map(({ path }) => path)).size).toBe(refused.length);
    stage.expectLive(before);
    stage.api.refuseWith = undefined;
    stage.api.onUpload = () => {};
    await stage.publish();
    stage.expectLive(stage.tree());
  });
});

describe('an incomplete snapshot is not published:', () => {
  const write = (path: string, content: string | Buffer) => writeFileSync(join(stage.out, path), content);
  const remove = (path: string) => rmSync(join(stage.out, path), { recursive: true });
  const index = 'layers/pages.json';
  const page = 'api/movies/1.json';
  const behind = /the pages layer of .* is not at the snapshot; "awards build" brings it up to date$/;

  test.each<[string, () => unknown, RegExp]>([
    ['no folder', () => remove('.'), /^there is no folder .*"awards build" makes it$/],
    [
      'an empty folder',
      () => {
        remove('.');
        mkdirSync(stage.out);
      },
      /holds no snapshot/,
    ],
    ['no pages', () => remove(index), behind],
    [
      'an interrupted update of the pages',
      () => {
        const folder = new OutputFolder(stage.out);
        const before = folder.layerIndex('pages')!;
        write(index, layerIndexText({ ...before, isFinished: false }));
      },
      behind,
    ],
    [
      'pages of an earlier snapshot',
      async () => {
        const before = stage.tree().get(index)!;
        await stage.edit();
        write(index, before);
      },
      behind,
    ],
    [
      'half a manifest',
      () => write('manifest.json', stage.tree().get('manifest.json')!.subarray(0, 100)),
      /holds no snapshot/,
    ],
    [
      'a page is missing',
      () => remove(page),
      /api\/movies\/1\.json in .* is missing; "awards build --full" repairs it$/,
    ],
    [
      'a page is damaged',
      () => write(page, '{}'),
      /api\/movies\/1\.json in .* is damaged; "awards build --full" repairs it$/,
    ],
    [
      'a damaged index of the downloads, which would take them off the site',
      async () => {
        await stage.build(['downloads']);
        write('layers/downloads.json', '{}');
      },
      /the downloads layer of .* is not at the snapshot; "awards build" brings it up to date$/,
    ],
    [
      'a download is damaged under both names',
      async () => {
        await stage.build(['downloads']);
        for (const path of stage.tree().keys())
          if (/^downloads\/movies.*csv$/.test(path)) write(path, 'damaged');
      },
      /downloads\/movies.*csv in .* is damaged; "awards build --full" repairs it$/,
    ],
  ])('%s', async (_name, damage, message) => {
    await damage();
    await expect(stage.publish()).rejects.toThrow(message);
    expect(stage.api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('with updateLayers() a layer that is behind is brought up to date first', async () => {
  rmSync(join(stage.out, 'layers/pages.json'));
  await stage.publish({ updateLayers: async () => void (await stage.build()) });
  stage.expectLive(stage.tree());
});

test('a page that was damaged after Netlify got it is live as it was built', async () => {
  await stage.publish();
  const tree = stage.tree();
  stage.api.publishElsewhere('', new Map());
  writeFileSync(join(stage.out, 'api/movies/1.json'), '{}');
  await stage.publish({ force: true });
  stage.expectLive(tree);
});
