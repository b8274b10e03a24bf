/** Downloads go along with the snapshot wherever it is published: what changed is sent, and what is no more is taken away. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDownloads } from '../../build/layers/downloads/downloads.ts';
import { publishToFolder } from '../../build/publish/copy.ts';
import { planPublish } from '../../build/publish/publish.ts';
import { expectSameTree, readTree, type Tree } from '../snapshot/tree.ts';
import { quick, useStage } from './stage.ts';

const stage = useStage();

/** What is to be seen, without what lies in the folder for the work alone. */
const seen = (tree: Tree) => new Map([...tree].filter(([path]) => !/(^|\/)\./.test(path)));

test('to Netlify: all of them, then those of another record alone', async () => {
  await makeDownloads(stage.out);
  await stage.publish();
  stage.expectLive(seen(stage.tree()));
  await stage.edit();
  await makeDownloads(stage.out);
  const before = stage.liveTree();
  const contents = new Set([...before.values()].map((bytes) => bytes.toString('latin1')));
  const fresh = new Set(
    [...seen(stage.tree()).values()]
      .map((bytes) => bytes.toString('latin1'))
      .filter((text) => !contents.has(text)),
  );
  const report = await stage.publish();
  stage.expectLive(seen(stage.tree()));
  expect(report.uploaded).toBe(fresh.size);
});

test('to Netlify: downloads made later of the same snapshot are published too, and then nothing more', async () => {
  await stage.publish();
  await makeDownloads(stage.out);
  expect(await stage.publish()).toMatchObject({ scope: 'deploy' });
  stage.expectLive(seen(stage.tree()));
  expect(await stage.publish()).toMatchObject({ scope: 'nothing' });
});

test('a dry run lists those that would be sent, and those that would be gone', async () => {
  await makeDownloads(stage.out);
  await stage.publish();
  await stage.edit();
  await makeDownloads(stage.out);
  const { api, out, connection } = stage;
  const plan = await planPublish({ ...api.account, ...quick, out, connection, project: stage.at('project') });
  const downloads = (paths: string[]) => paths.filter((path) => path.startsWith('downloads/'));
  const gone = [...stage.liveTree().keys()].filter((path) => !seen(stage.tree()).has(path));
  expect(downloads(plan.removed)).toEqual(downloads(gone).sort());
  expect(downloads(plan.files.map(({ path }) => path))).toContain('downloads/index.json');
  expect(plan.files.some(({ path }) => path.startsWith('downloads/songs'))).toBe(false);
});

test('to another folder: the same files, and no other', async () => {
  const to = stage.at('elsewhere');
  const copy = () => publishToFolder({ out: stage.out, to, connection: stage.connection });
  await makeDownloads(stage.out);
  await copy();
  expectSameTree(seen(readTree(to)), seen(stage.tree()));
  await stage.edit();
  await makeDownloads(stage.out);
  writeFileSync(join(to, 'downloads/stray.csv'), 'stray');
  await copy();
  expectSameTree(seen(readTree(to)), seen(stage.tree()));
  rmSync(join(stage.out, 'downloads'), { recursive: true });
  await copy();
  expectSameTree(seen(readTree(to)), seen(stage.tree()));
});

test('damaged downloads are refused, and what is live stays', async () => {
  await stage.publish();
  const live = stage.liveTree();
  await stage.edit();
  await makeDownloads(stage.out);
  for (const path of stage.tree().keys())
    if (/^downloads\/movies.*csv$/.test(path)) writeFileSync(join(stage.out, path), 'damaged');
  await expect(stage.publish()).rejects.toThrow(
    /downloads\/movies.*csv .* is damaged; "awards build --full" repairs it/,
  );
  expectSameTree(stage.liveTree(), live);
});
