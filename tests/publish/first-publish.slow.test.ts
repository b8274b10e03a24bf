/** Where many pages are missing, a site is live before its pages: first without them, then with them, or without for good. */
import { expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { publishToFolder } from '../../build/publish/publish-to-folder.ts';
import { expectSameTree, type Tree } from '../snapshot/tree.ts';
import { build as buildLayers } from '../support/build.ts';
import { publicFiles, useStage } from './stage.ts';

const stage = useStage();
const many = { maxMissingPages: 5 };
const isPage = (path: string) => /^api\/(?!openapi)|^layers\/pages/.test(path);
const withoutPages = (): Tree => new Map([...stage.tree()].filter(([path]) => !isPage(path)));
const layersOfDeploys = () =>
  [...stage.api.deploys.values()].map(({ files }) =>
    layerNames.filter((layer) => files.has(`layers/${layer}.json`)).join(' '),
  );

test('the first deploy has no pages, the second one has everything, and later ones need no first step', async () => {
  const onFirstDeploy = () => stage.expectLive(withoutPages());
  const report = await stage.publish({ ...many, onFirstDeploy });
  stage.expectLive(stage.tree());
  expect(layersOfDeploys()).toEqual(['site lists', 'pages site lists']);
  expect(report).toMatchObject({ files: stage.tree().size, uploaded: stage.api.uploads.length });

  await stage.edit();
  // An edit changes more pages than that in this small record.
  await stage.publish({ maxMissingPages: 30 });
  expect(layersOfDeploys()).toHaveLength(3);
  stage.expectLive(stage.tree());
});

test('an interrupted second step is resumed', async () => {
  const stop = new AbortController();
  stage.api.onUpload = (path) => {
    if (isPage(path)) stop.abort();
  };
  const retry = { ...stage.options.retry, signal: stop.signal };
  await expect(stage.publish({ ...many, retry })).rejects.toThrow(/abort/);
  stage.expectLive(withoutPages());
  stage.api.onUpload = () => {};
  expect(await stage.publish(many)).toMatchObject({ resumed: true });
  expect(layersOfDeploys()).toEqual(['site lists', 'pages site lists']);
  stage.expectLive(stage.tree());
});

test('"--pages none" publishes without pages, even if they are behind, and removes those that are live', async () => {
  await stage.publish();
  stage.connection.exec("UPDATE movies SET title = 'Another' WHERE id = 1");
  await buildLayers(stage.connection, stage.out, { layers: ['site', 'lists'] });
  expect(await stage.publish({ pages: 'none' })).toMatchObject({ scope: 'deploy' });
  expect([...stage.liveTree().keys()].filter(isPage)).toEqual([]);
  expect(await stage.publish({ pages: 'none' })).toMatchObject({ scope: 'nothing' });
  await stage.build();
  const to = stage.at('elsewhere');
  await publishToFolder({ out: stage.out, to, connection: stage.connection, pages: 'none' });
  expectSameTree(publicFiles(to), withoutPages());
});
