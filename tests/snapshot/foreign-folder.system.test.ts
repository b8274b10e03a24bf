/** A build never changes a folder that holds something other than a snapshot, and replaces a snapshot of an earlier format. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatVersion } from '../../api/contract/snapshot.ts';
import { fileSource, nodeDigest } from '../../api/read/node-source.ts';
import { Resolver } from '../../api/read/resolve.ts';
import { UserError } from '../../build/system/messages.ts';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { expectSameTree, readTree, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
const connection = memoryDatabase(fillWithTinyRecord);
afterAll(() => connection.close());

const files = (contents: Record<string, string>) =>
  new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)]));

test.each<[string, Record<string, string>]>([
  ['a letter', { 'letter.txt': 'dear reader' }],
  ['a web site', { 'index.html': '<html>', 'api/data.json': '{}' }],
  ['a program with a folder named api', { 'api/server.ts': 'listen()', 'src/main.ts': 'start()' }],
  ['source files only, in folders of a snapshot', { 'api/server.ts': 'listen()' }],
  ['pages of a snapshot, and a letter', { 'api/movies.json': '{}', 'zebra/letter.txt': 'dear reader' }],
  ['a web application and its manifest.json', { 'manifest.json': '{"name":"App"}', 'app.js': 'run()' }],
  ['a git repository', { '.git/HEAD': 'ref: main' }],
  ['only a manifest.json of another program', { 'manifest.json': '{"name":"App"}' }],
])('a folder with %s is refused and left as it is', async (_what, contents) => {
  for (const full of [false, true]) {
    writeTree(at('folder'), files(contents));
    const refused = await build(connection, at('folder'), { full }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as UserError).message).toMatch(
      /^[^\n]+ holds files that are not a snapshot \(such as [^\n]+$/,
    );
    expectSameTree(readTree(at('folder')), files(contents));
  }
});

test('a copied snapshot is accepted, and an empty folder too', async () => {
  await build(connection, at('original'));
  writeTree(at('copy'), readTree(at('original')));
  mkdirSync(at('empty'));
  for (const name of ['copy', 'empty']) {
    expect(await build(connection, at(name))).toMatchObject({ scope: 'everything' });
    expectSameTree(readTree(at(name)), readTree(at('original')));
  }
});

test('a folder of an earlier format version is replaced, and its layers too', async () => {
  await build(connection, at('old'));
  const original = readTree(at('old'));
  const indexes = ['manifest.json', 'layers/pages.json'];
  for (const path of indexes) {
    const { families, ...others } = JSON.parse(original.get(path)!.toString()) as Record<string, unknown>;
    const text = JSON.stringify({
      ...others,
      format: formatVersion - 1,
      ...(families ? { families: {} } : {}),
    });
    writeFileSync(join(at('old'), path), text);
  }
  const resolver = new Resolver(fileSource(at('old')), { digest: nodeDigest });
  expect((await resolver.answer({ method: 'GET', path: '/api/movies', queryString: '' })).status).toBe(503);
  expect(await build(connection, at('old'))).toMatchObject({
    scope: 'everything',
    reason: 'the folder does not hold the snapshot of the last build',
  });
  expectSameTree(readTree(at('old')), original);
});
