/**
 * The promise: only content that Netlify lacks is sent, once; after any failure the site shows the new snapshot or the one before,
 * byte for byte; and when the failures end, it shows the new one. Random edits, options and faults are compared with a model.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sha1 } from '../../build/publish/netlify-target.ts';
import { RetryLaterError } from '../../data/system/requests.ts';
import { faultsOf } from '../records/named-files.ts';
import { differencesOf, type Tree } from '../records/tree.ts';
import { seeded } from '../records/seed.ts';
import { runs } from '../support/settings.ts';
import { faultNames, randomFaults } from '../support/deploy-api.ts';
import { build, type StageOptions, useStage } from './stage.ts';

const stage = useStage();
const isPage = (path: string) => /^api\/(?!openapi)|^layers\/pages/.test(path);
const isSinglePage = (path: string) =>
  /^api\/(movies|nominations|nominees|songs|honors)\/\d+\.json$/.test(path);
const without = (tree: Tree, isOut: (path: string) => boolean): Tree =>
  new Map([...tree].filter(([path]) => !isOut(path)));

/** Fails unless the site shows what a publish with these options sends. */
function expectPublished(pages: 'all' | 'lists' | 'none'): void {
  if (pages !== 'lists') {
    stage.expectLive(pages === 'all' ? stage.tree() : without(stage.tree(), isPage));
    return;
  }
  // The index of the pages names fewer files.
  const [live, tree] = [stage.liveTree(), stage.tree()].map((own) =>
    without(own, (path) => path.startsWith('layers/pages')),
  );
  expect(differencesOf(live!, without(tree!, isSinglePage))).toEqual([]);
  expect(faultsOf(stage.liveTree())).toEqual([]);
  expect(stage.api.offences).toEqual([]);
}

const put = (path: string, content: string) => {
  mkdirSync(dirname(stage.at(path)), { recursive: true });
  writeFileSync(stage.at(path), content);
};

/** What happens before a publish. */
const events: Readonly<Record<string, (step: number) => unknown>> = {
  nothing: () => {},
  'an edit': () => stage.edit(),
  'an edit with downloads': () => stage.edit(undefined, true),
  'the removal of the downloads': () => {
    stage.removeDownloads();
    return stage.edit();
  },
  'a return to earlier content': () => stage.edit('Title 1'),
  'a change of the configuration': (step) => put('project/netlify.toml', `# ${step}`),
  'the state of publishes is damaged': () => {
    put('.dist.publish/digests.json', 'x'.repeat(500));
    put('.dist.publish/last-deploy', 'x');
    return stage.edit();
  },
  'the state of publishes is lost': () => {
    rmSync(stage.at('.dist.publish'), { recursive: true, force: true });
    return stage.edit();
  },
  'Netlify forgets what is not live': () => {
    const live = new Set([...(stage.api.live()?.values() ?? [])].map(sha1));
    for (const digest of stage.api.blobs.keys()) if (!live.has(digest)) stage.api.blobs.delete(digest);
    return stage.edit('Title 1');
  },
};

/** Faults after which a publish ends → what it says. */
const ends: Readonly<Record<string, RegExp>> = {
  lasting: /^uploading [^\n]*; run it again to resume$/,
  stopped: /abort/,
  refused: /may not publish/,
};

test('random edits, options and faults', async () => {
  const choices = seeded('publishes');
  const { api } = stage;
  for (let step = 0; step < runs(14); step += 1) {
    // The first ones are every kind of event.
    const event = Object.keys(events)[step] ?? choices.pick(Object.keys(events));
    const pages = step < 6 ? 'all' : choices.pick(['all', 'lists', 'none'] as const);
    const maxMissingPages = choices.pick([3, 2000]);
    const fault = choices.pick(['none', 'none', 'random', 'lasting', 'stopped', 'refused']);
    const before = stage.liveTree();
    await events[event]!(step);
    const known = new Set(api.blobs.keys());
    const plan = await stage.plan({ pages });
    stage.expectLive(before);
    api.uploads.length = 0;
    const options: Partial<StageOptions> = {
      pages,
      maxMissingPages,
      onFirstDeploy: () => stage.expectLive(without(stage.tree(), isPage)),
    };
    const place = `step ${step}: ${event}, ${pages}, ${fault}`;
    const shown = () => stage.expectLive(before, stage.tree(), without(stage.tree(), isPage));
    if (fault === 'random')
      api.faults = randomFaults(choices.between(0, 2 ** 32 - 1), choices.pick([0.1, 0.5]), 100);
    const message = ends[fault];
    if (message) {
      const stop = new AbortController();
      const lasting = faultNames[step % faultNames.length];
      if (fault === 'lasting') api.faults = (path) => (path.includes('/files/') ? lasting : undefined);
      let left = choices.between(1, 8);
      api.onUpload = () => {
        left -= 1;
        if (fault === 'stopped' && left === 0) stop.abort();
        if (fault === 'refused' && left === 0) api.refuseWith = 403;
      };
      const retry = { ...stage.options.retry, attempts: 3, requestTimeoutMs: 200, signal: stop.signal };
      const failure = await stage.publish({ ...options, retry }).catch((error: Error) => error.message);
      if (typeof failure === 'string') expect(failure, place).toMatch(message);
      // Netlify had all content from earlier deploys.
      else if (fault === 'lasting') expect(api.uploads, place).toEqual([]);
      if (pages !== 'lists') shown();
      api.onUpload = () => {};
      api.refuseWith = undefined;
      api.faults = undefined;
    }
    for (let isDone = false; !isDone; )
      try {
        const requestTimeoutMs = fault === 'random' ? 200 : 2000;
        const report = await stage.publish({
          ...options,
          retry: { ...stage.options.retry, requestTimeoutMs },
        });
        isDone = true;
        if (fault === 'none') expect(report.uploaded, place).toBe(api.uploads.length);
      } catch (error) {
        // All faults are temporary, and the error says so in one line.
        if (!(error instanceof RetryLaterError)) throw new Error(place, { cause: error });
        expect(error.message).toMatch(/^[^\n]+(publish again|run it again to resume)$/);
        if (pages !== 'lists') shown();
      }
    api.faults = undefined;
    expectPublished(pages);
    const sent = api.uploads.map(({ digest }) => digest);
    const live = new Set([...api.live()!.values()].map(sha1));
    if (fault === 'none' || fault === 'stopped') {
      expect(
        sent.filter((digest) => known.has(digest)),
        place,
      ).toEqual([]);
      expect(new Set(sent).size, place).toBe(sent.length);
    }
    if (fault === 'none')
      expect([...sent].sort(), place).toEqual([...live].filter((own) => !known.has(own)).sort());
    // The plan lists what the site did not show; Netlify may have it all the same.
    const planned = new Set(plan.files.map(({ path }) => sha1(api.live()!.get(path)!)));
    expect(
      sent.filter((digest) => !planned.has(digest)),
      place,
    ).toEqual([]);
    const gone = [...before.keys()].filter((path) => !stage.liveTree().has(path)).sort();
    expect(plan.removed, place).toEqual(gone);
    const deploys = api.deploys.size;
    expect(await stage.publish(options), place).toMatchObject({ scope: 'nothing', uploaded: 0, bytes: 0 });
    expect(api.deploys.size).toBe(deploys);
  }
});

test('a frozen copy is published: builds meanwhile change nothing, and damage to what is live is not read', async () => {
  await stage.publish();
  await stage.edit();
  const frozen = stage.tree();
  let building: Promise<unknown> | undefined;
  stage.api.onUpload = () => {
    building ??= (async () => {
      stage.connection.exec("UPDATE movies SET title = 'Meanwhile'; UPDATE nominees SET name = name || '!'");
      // Replaces every file that can be replaced, and removes those of the snapshot before.
      await build(stage.connection, stage.out);
    })();
  };
  await stage.publish();
  await building;
  stage.expectLive(frozen);
  await stage.publish();
  const live = stage.tree();
  stage.expectLive(live);
  // Pages that did not change are not read again.
  writeFileSync(join(stage.out, 'api/ceremonies/1.json'), 'damaged');
  writeFileSync(join(stage.out, 'secret.txt'), 'named by nothing');
  put('project/netlify.toml', '# the only change');
  put('project/.netlify/edge-functions-dist/manifest.json', '{}');
  put('project/.netlify/edge-functions-dist/abc.eszip', 'bundle');
  put('project/.netlify/edge-functions-dist/notes.txt', 'not for the host');
  stage.api.uploads.length = 0;
  await stage.publish();
  stage.expectLive(live);
  const folder = '.netlify/internal/edge-functions';
  const own = [`${folder}/abc.eszip`, `${folder}/manifest.json`, 'netlify.toml'];
  expect(stage.api.uploads.map(({ path }) => path).sort()).toEqual(own);
  expect([...stage.api.live()!.keys()].filter((path) => /netlify/.test(path)).sort()).toEqual(own);
});
