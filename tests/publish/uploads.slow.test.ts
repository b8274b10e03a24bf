/** Only content that Netlify lacks is sent, each content once. A dry run sends nothing and lists the files to send. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { planPublish, sha1 } from '../../build/publish/publish.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/database/open.ts';
import type { Tree } from '../snapshot/tree.ts';
import { build, publicFiles, useStage } from './stage.ts';

const stage = useStage();

/** SHA-1 of the contents that one tree has and another has not, under any name. */
function newContent(before: Tree, after: Tree): string[] {
  const old = new Set([...before.values()].map(sha1));
  return [...new Set([...after.values()].map(sha1))].filter((digest) => !old.has(digest)).sort();
}
const uploaded = () => stage.api.uploads.map(({ digest }) => digest).sort();

const writeProject = (path: string, content: string) => {
  const file = join(stage.at('project'), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

const plan = () => planPublish({ ...stage.options, connection: stage.connection }, stage.api.account);

test('first all files, then the changed ones, then none', async () => {
  expect(await stage.publish()).toMatchObject({
    scope: 'deploy',
    files: stage.tree().size,
    uploaded: newContent(new Map(), stage.tree()).length,
    resumed: false,
  });
  stage.expectLive(stage.tree());

  const before = stage.tree();
  await stage.edit();
  stage.api.uploads.length = 0;
  const second = await stage.publish();
  expect(uploaded()).toEqual(newContent(before, stage.tree()));
  expect(second).toMatchObject({ scope: 'deploy', uploaded: stage.api.uploads.length });
  stage.expectLive(stage.tree());

  stage.api.uploads.length = 0;
  expect(await stage.publish()).toMatchObject({ scope: 'nothing', uploaded: 0, deploy: second.deploy });
  expect([stage.api.uploads.length, stage.api.deploys.size]).toEqual([0, 2]);
});

test('a return to earlier content is a deploy without uploads', async () => {
  await stage.edit('One');
  await stage.publish();
  await stage.edit('Two');
  await stage.publish();
  await stage.edit('One');
  expect(await stage.publish()).toMatchObject({ scope: 'deploy', uploaded: 0, bytes: 0 });
  stage.expectLive(stage.tree());
});

test('for more than a hundred files Netlify compares in the background, and publish polls the result', async () => {
  const connection = openDatabase(stage.at('larger.db'));
  generateRecord(connection, { scale: 0.01, seed: 3 });
  const out = stage.at('larger');
  await build(connection, out);
  stage.api.delays = { preparing: 120, processing: 120 };
  const report = await stage.publish({ out, connection });
  connection.close();
  expect(report.files).toBeGreaterThan(100);
  stage.expectLive(publicFiles(out));
  const polls = stage.api.requests.filter(
    ({ method, path }) => method === 'GET' && path.includes('/deploys/'),
  );
  expect(polls.length).toBeGreaterThan(3);
});

test('unchanged files are not read', async () => {
  await stage.publish();
  const before = stage.tree();
  await stage.edit();
  const after = stage.tree();
  const pages = [...after.keys()].filter((path) => path.startsWith('api/'));
  const unchanged = pages.filter((path) => before.get(path)?.equals(after.get(path)!));
  expect(unchanged.length).toBeGreaterThan(10);
  for (const path of unchanged) writeFileSync(join(stage.out, path), 'damaged');
  await stage.publish();
  stage.expectLive(after);
});

test('without its state, or with a damaged one, publish still sends the right files', async () => {
  const file = (name: string) => join(stage.at('.dist.publish'), name);
  await stage.publish();
  for (const damage of [
    () => writeFileSync(file('digests.json'), 'x'.repeat(500)),
    () => writeFileSync(file('last-deploy'), 'x'),
    () => rmSync(stage.at('.dist.publish'), { recursive: true }),
  ]) {
    damage();
    await stage.edit();
    await stage.publish();
    stage.expectLive(stage.tree());
  }
});

test('content that Netlify had and asks for again is sent', async () => {
  await stage.publish();
  const before = stage.tree();
  await stage.edit();
  // Netlify has lost what an unchanged page holds.
  const page = [...before].find(
    ([path, bytes]) => stage.tree().get(path)?.equals(bytes) && path !== '404.html',
  )!;
  stage.api.blobs.delete(sha1(page[1]));
  await stage.publish();
  stage.expectLive(stage.tree());
});

test('the configuration and the edge functions are published too, and alone if nothing else changed', async () => {
  writeProject('netlify.toml', '[build]\n');
  writeProject('.netlify/edge-functions-dist/manifest.json', '{}');
  writeProject('.netlify/edge-functions-dist/abc.eszip', 'bundle');
  writeProject('.netlify/edge-functions-dist/notes.txt', 'not for the host');
  await stage.publish();
  expect([...stage.api.live()!.keys()].filter((path) => /netlify/.test(path)).sort()).toEqual([
    '.netlify/internal/edge-functions/abc.eszip',
    '.netlify/internal/edge-functions/manifest.json',
    'netlify.toml',
  ]);
  stage.expectLive(stage.tree());
  stage.api.uploads.length = 0;
  writeProject('netlify.toml', '[build]\npublish = "dist"\n');
  expect(await stage.publish()).toMatchObject({ scope: 'deploy', uploaded: 1 });
  expect(stage.api.uploads.map(({ path }) => path)).toEqual(['netlify.toml']);
  expect(await stage.publish()).toMatchObject({ scope: 'nothing' });
});

test('files that no manifest names are not published', async () => {
  writeFileSync(join(stage.out, 'secret.txt'), 'mine');
  writeFileSync(join(stage.out, '.env'), 'mine');
  await stage.publish();
  expect([...stage.api.live()!.keys()].filter((path) => /secret|env/.test(path))).toEqual([]);
});

test('a dry run changes nothing here or there, and lists the files that the next publish sends', async () => {
  const neighbours = readdirSync(stage.at('.')).sort();
  expect(await plan()).toMatchObject({
    live: undefined,
    total: stage.tree().size,
    removed: [],
  });
  expect(neighbours).not.toContain('.dist.publish');
  await stage.build(['downloads']);
  await stage.publish();
  expect(await plan()).toMatchObject({ files: [], removed: [] });

  const before = stage.tree();
  await stage.edit('Edited', ['downloads']);
  writeProject('netlify.toml', '[build]\n');
  const requests = stage.api.requests.length;
  const planned = await plan();
  expect(stage.api.requests.slice(requests).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(planned.removed).toEqual([...before.keys()].filter((path) => !stage.tree().has(path)).sort());
  stage.expectLive(before);

  stage.api.uploads.length = 0;
  const { bytes } = await stage.publish();
  expect(planned.files.map(({ path }) => path)).toEqual(stage.api.uploads.map(({ path }) => path).sort());
  expect(planned.files.reduce((sum, file) => sum + file.bytes, 0)).toBe(bytes);
  expect(existsSync(stage.at('project/.netlify'))).toBe(false);
});

test('downloads are published with the snapshot, and only the changed ones', async () => {
  await stage.publish();
  await stage.build(['downloads']);
  expect(await stage.publish()).toMatchObject({ scope: 'deploy' });
  stage.expectLive(stage.tree());
  expect(await stage.publish()).toMatchObject({ scope: 'nothing' });
  const before = stage.tree();
  await stage.edit('Edited', ['downloads']);
  stage.api.uploads.length = 0;
  await stage.publish();
  stage.expectLive(stage.tree());
  expect(uploaded()).toEqual(newContent(before, stage.tree()));
});
