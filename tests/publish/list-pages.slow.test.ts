/** "--pages lists" leaves out the pages of single records, for hosts that limit the number of files; every answer stays the same. */
import { expect, test } from 'vitest';
import { fileSource } from '../../api/read/node-source.ts';
import type { Answer } from '../../api/read/answer.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { publishToFolder } from '../../build/publish/publish-to-folder.ts';
import { conformanceRequests } from '../conformance/requests.ts';
import { faultsOf } from '../snapshot/named-files.ts';
import { expectSameTree, type Tree } from '../snapshot/tree.ts';
import { publicFiles, useStage } from './stage.ts';

const stage = useStage();
const isLeftOut = (path: string) => /^api\/(movies|nominations|nominees|songs|honors)\/\d+\.json$/.test(path);
const isOfIndex = (path: string) => path.startsWith('layers/pages');
const without = (tree: Tree, isOut: (path: string) => boolean): Tree =>
  new Map([...tree].filter(([path]) => !isOut(path)));

const comparable = (answer: Answer) => ({ ...answer, body: answer.body && Buffer.from(answer.body) });

async function copied(): Promise<string> {
  const to = stage.at('elsewhere');
  await publishToFolder({ out: stage.out, to, connection: stage.connection, pages: 'lists' });
  return to;
}

test('the folder has the other pages, and its indexes name exactly its files', async () => {
  const tree = publicFiles(await copied());
  expect([...stage.tree().keys()].filter(isLeftOut).length).toBeGreaterThan(10);
  expect([...tree.keys()].filter(isLeftOut)).toEqual([]);
  for (const path of ['api/movies.json', 'api/ceremonies/1.json', 'api/stats/top-movies/wins.json'])
    expect(tree.has(path), path).toBe(true);
  const isOther = (path: string) => isLeftOut(path) || isOfIndex(path);
  expectSameTree(without(tree, isOfIndex), without(stage.tree(), isOther));
  expect(faultsOf(tree)).toEqual([]);
});

test('the resolver answers the whole conformance table from it', async () => {
  const there = new Resolver(fileSource(await copied()));
  const here = new Resolver(fileSource(stage.out));
  for (const { method, target } of conformanceRequests) {
    const [path = '', queryString = ''] = target.split('?');
    const request = { method, path, queryString };
    expect(comparable(await there.answer(request)), target).toEqual(comparable(await here.answer(request)));
  }
});

test('a publish of all pages adds the others, and one of lists removes them', async () => {
  await stage.publish({ pages: 'lists' });
  expect([...stage.liveTree().keys()].filter(isLeftOut)).toEqual([]);
  expect(faultsOf(stage.liveTree())).toEqual([]);
  expect(await stage.publish({ pages: 'lists' })).toMatchObject({ scope: 'nothing' });
  expect(await stage.publish()).toMatchObject({ scope: 'deploy' });
  stage.expectLive(stage.tree());
  expect(await stage.publish({ pages: 'lists' })).toMatchObject({ scope: 'deploy' });
  expect([...stage.liveTree().keys()].filter(isLeftOut)).toEqual([]);
});
