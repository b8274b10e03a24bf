/** Files of the operator in the output folder stay through every build. Files of other versions of the program go. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { layerIndexPath, layerNames } from '../../api/contract/layers.ts';
import { contentHash } from '../../api/contract/snapshot.ts';
import { build, verify } from '../records/build.ts';
import { useMemoryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, writeInto, writeTree } from '../records/tree.ts';

const out = useMemoryFolder()('dist');
const connection = memoryDatabase(fillWithTinyRecord);
const buildAll = (options = {}) => build(connection, out, { layers: layerNames, retentionMs: 0, ...options });
await buildAll();
const clean = readTree(out);

/** In the root, and beside the files of each layer. */
const own = [
  ...[
    'CNAME',
    'google0123456789abcdef.html',
    'docs/extra/index.html',
    '.well-known/security.txt',
    '.git/HEAD',
  ],
  ...['api/mine.json', 'api/movies/mine.txt', 'lists/mine.json', 'by-imdb/mine.json', 'downloads/mine.zip'],
  ...['assets/logo.png', 'edit/notes.txt', 'layers/mine.json', 'changes/notes.txt'],
].sort();
/** What builds of another version left, named by its indexes. */
const stale = [
  'api/movies/99.json',
  'lists/old/winners.json',
  'docs/old.html',
  'downloads/old.json',
  'by-imdb/tt99.json',
];
beforeEach(() => {
  rmSync(out, { recursive: true });
  writeTree(out, clean);
  for (const path of own) writeInto(out, path, `{"of":"the operator"}`);
});

async function expectOwnFilesOnly(): Promise<void> {
  expect([...readTree(out).keys()].sort()).toEqual([...clean.keys(), ...own].sort());
  const { differences, others } = await verify(connection, out, layerNames);
  expect(differences).toEqual([]);
  expect(others).toEqual(own.filter((path) => !path.startsWith('.')));
}

/** Changes the index of each layer. */
function changeIndexes(change: (text: string, name: string) => string): void {
  for (const name of layerNames) {
    const path = join(out, layerIndexPath(name));
    writeFileSync(path, change(clean.get(layerIndexPath(name))!.toString(), name));
  }
}

/** The text of an index that names the stale files of its layer, too. */
const withStale = (text: string) => {
  const layer = /"layer":"([^"]+)"/.exec(text)![1]!;
  const place = {
    pages: 'api/',
    site: 'docs/',
    lists: 'lists/',
    'by-imdb': 'by-imdb/',
    downloads: 'downloads/',
  };
  const named = stale.filter((path) => path.startsWith(place[layer as keyof typeof place]));
  for (const path of named) writeInto(out, path, 'stale');
  return text.replace(
    '"files":[',
    `"files":[${named.map((path) => `["${path}","0123456789abcdef0123"],`).join('')}`,
  );
};

test.each<[string, () => void, object?]>([
  ['build --full', () => {}, { full: true }],
  [
    'a build after an interrupted one',
    () => changeIndexes((text) => text.replace('"finished":true', '"finished":false')),
  ],
  ['a build without indexes', () => changeIndexes(() => '')],
  ['a build with damaged indexes', () => changeIndexes((text) => text.slice(0, text.length / 2))],
  ['a build of what is up to date', () => {}, {}],
])('%s keeps them, and verify names them without failing', async (_, prepare, options) => {
  prepare();
  await buildAll(options);
  await expectOwnFilesOnly();
});

test('a build after an upgrade of the program removes what the indexes of the old version name', async () => {
  changeIndexes((text) => withStale(text).replace(/"format":[0-9]+/g, '"format":1'));
  // A layer that this version does not have, and a path that leads out of the folder.
  writeInto(
    out,
    'layers/search.json',
    '{"layer":"search","files":[["search/a.json","x"],["../outside.txt","x"]]}',
  );
  writeInto(out, 'search/a.json', 'stale');
  writeInto(out, '../outside.txt', 'not in the folder');
  await buildAll();
  await expectOwnFilesOnly();
  expect(readTree(join(out, '..')).get('outside.txt')?.toString()).toBe('not in the folder');
});

test('a build of other code removes what a valid index names, and nothing else', async () => {
  changeIndexes((text) => {
    const changed = withStale(text).replace(/"code":"[^"]*"/, '"code":"other"');
    const id = /"id":"([^"]+)",/.exec(changed)![1]!;
    return changed.replace(id, contentHash(Buffer.from(changed.replace(`"id":"${id}",`, ''))));
  });
  await buildAll();
  await expectOwnFilesOnly();
});
