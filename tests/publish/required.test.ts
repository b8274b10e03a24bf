/** The promise: only what the host lacks is sent, each content once; a dry run sends nothing, and tells what would go. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { planPublish } from '../../build/publish/publish.ts';
import { sha1 } from '../../build/publish/rules.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { openDatabase } from '../../data/open.ts';
import { readTree, type Tree } from '../snapshot/tree.ts';
import { useStage } from './stage.ts';

const stage = useStage();

/** Digests of what one tree has and another has not, under any name. */
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

const plan = () =>
  planPublish({
    ...stage.api.account,
    out: stage.out,
    connection: stage.connection,
    project: stage.at('project'),
  });

test('first everything, then what changed, then nothing', async () => {
  const first = await stage.publish();
  expect(first).toMatchObject({
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

test('back to what was live before: a deploy without a single upload', async () => {
  stage.connection.exec("UPDATE movies SET title = 'One' WHERE id = 1");
  await stage.build();
  await stage.publish();
  stage.connection.exec("UPDATE movies SET title = 'Two' WHERE id = 1");
  await stage.build();
  await stage.publish();
  stage.connection.exec("UPDATE movies SET title = 'One' WHERE id = 1");
  await stage.build();
  expect(await stage.publish()).toMatchObject({ scope: 'deploy', uploaded: 0, bytes: 0 });
  stage.expectLive(stage.tree());
});

test('with more than a hundred files the host compares in the background and is asked until it has', async () => {
  const connection = openDatabase(stage.at('larger.db'));
  generateRecord(connection, { scale: 0.01, seed: 3 });
  const out = stage.at('larger');
  await build(connection, out);
  stage.api.delays = { preparing: 120, processing: 120, showing: 60 };
  const report = await stage.publish({ out, connection });
  connection.close();
  expect(report.files).toBeGreaterThan(100);
  stage.expectLive(readTree(out));
  const [deploy] = stage.api.deploys.keys();
  expect(stage.api.count('GET', new RegExp(`/deploys/${deploy}$`))).toBeGreaterThan(3);
});

test('files that did not change are not even read', async () => {
  await stage.publish();
  const before = stage.tree();
  await stage.edit();
  const after = stage.tree();
  const pages = [...after.keys()].filter((path) => path.startsWith('api/'));
  const unchanged = pages.filter((path) => before.get(path)?.equals(after.get(path)!));
  expect(unchanged.length).toBeGreaterThan(10);
  for (const path of unchanged) rmSync(join(stage.out, path));
  await stage.publish();
  stage.expectLive(after);
});

test('a memory that is garbled or gone costs time and nothing else', async () => {
  const file = (name: string) => join(stage.at('.dist.publish'), name);
  await stage.publish();
  for (const garble of [
    () => writeFileSync(file('digests'), 'x'.repeat(500)),
    // Right in form, and wrong in every digest.
    () =>
      writeFileSync(
        file('digests'),
        readFileSync(file('digests'), 'latin1').replace(/ [0-9a-f]{3}/g, ' 000'),
      ),
    () => writeFileSync(file('notes.json'), '{"unfinished":'),
    () => rmSync(stage.at('.dist.publish'), { recursive: true }),
  ]) {
    garble();
    await stage.edit();
    await stage.publish();
    stage.expectLive(stage.tree());
  }
});

test('rules and edge code go along, under the paths the host knows, and alone where they alone changed', async () => {
  writeProject('netlify.toml', '[build]\n');
  writeProject('.netlify/edge-functions-dist/manifest.json', '{}');
  writeProject('.netlify/edge-functions-dist/abc.eszip', 'bundle');
  writeProject('.netlify/edge-functions-dist/notes.txt', 'not for the host');
  await stage.publish();
  const rules = () => [...stage.api.live()!.keys()].filter((path) => /netlify/.test(path)).sort();
  expect(rules()).toEqual([
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

test('what lies in the folder and no manifest names is not published', async () => {
  writeFileSync(join(stage.out, 'secret.txt'), 'mine');
  writeFileSync(join(stage.out, '.env'), 'mine');
  await stage.publish();
  expect([...stage.api.live()!.keys()].filter((path) => /secret|env/.test(path))).toEqual([]);
});

test('a dry run changes nothing, here or there, and lists what a publish then sends', async () => {
  const neighbours = readdirSync(stage.at('.')).sort();
  expect(await plan()).toMatchObject({ live: undefined, total: stage.tree().size, removed: [] });
  await stage.publish();
  expect(await plan()).toMatchObject({ files: [], bytes: 0, removed: [] });

  const before = stage.tree();
  await stage.edit();
  writeProject('netlify.toml', '[build]\n');
  const asked = stage.api.asked.length;
  const planned = await plan();
  expect(stage.api.asked.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(planned.removed).toEqual([...before.keys()].filter((path) => !stage.tree().has(path)).sort());
  stage.expectLive(before);

  stage.api.uploads.length = 0;
  const { bytes } = await stage.publish();
  expect(planned.files.map(({ path }) => path)).toEqual(stage.api.uploads.map(({ path }) => path).sort());
  expect(planned.bytes).toBe(bytes);
  expect(neighbours).not.toContain('.dist.publish');
  expect(existsSync(stage.at('project/.netlify'))).toBe(false);
});
