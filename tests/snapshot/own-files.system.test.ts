/** Files of the operator in the output folder stay through every build. Files of other versions of the program go. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { layerIndexFiles } from '../../api/contract/layer-index.ts';
import {
  isLayerPart,
  type LayerName,
  layerIndexPath,
  layerNames,
  layerOf,
} from '../../api/contract/layers.ts';
import { OutputFolder } from '../../build/snapshot/output-folder.ts';
import { build, verify } from '../records/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, writeInto, writeTree } from '../records/tree.ts';

const out = useWorkspace()('dist');
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

/** Changes the head of the index of each layer. */
function changeHeads(change: (text: string) => string): void {
  for (const name of layerNames) {
    const path = layerIndexPath(name);
    writeFileSync(join(out, path), change(clean.get(path)!.toString()));
  }
}

/** The files of each layer, with the stale ones, which are there again. */
function filesWithStale(name: LayerName): [path: string, hash: string][] {
  const own = stale.filter((path) => layerOf(path) === name);
  for (const path of own) writeInto(out, path, 'stale');
  const { files } = new OutputFolder(out).layerIndex(name)!;
  return [...files, ...own.map((path): [string, string] => [path, '0123456789abcdef0123'])];
}

test.each<[string, () => void, object?]>([
  ['build --full', () => {}, { full: true }],
  [
    'a build after an interrupted one',
    () => changeHeads((text) => text.replace('"finished":true', '"finished":false')),
  ],
  [
    'a build without indexes',
    () => {
      for (const name of layerNames)
        for (const path of [layerIndexPath(name), `layers/${name}`])
          rmSync(join(out, path), { recursive: true });
    },
  ],
  ['a build with damaged heads of indexes', () => changeHeads((text) => text.slice(0, text.length / 2))],
  [
    'a build with damaged parts of indexes',
    () => {
      for (const path of [...clean.keys()].filter(isLayerPart)) writeFileSync(join(out, path), '[]');
    },
  ],
  ['a build of what is up to date', () => {}, {}],
])('%s keeps them, and verify names them without failing', async (_, prepare, options) => {
  prepare();
  await buildAll(options);
  await expectOwnFilesOnly();
});

test('a build after an upgrade of the program removes what the indexes of the old version name', async () => {
  for (const layer of layerNames) {
    const files = filesWithStale(layer);
    writeFileSync(join(out, layerIndexPath(layer)), JSON.stringify({ format: 12, layer, files }));
    rmSync(join(out, 'layers', layer), { recursive: true });
  }
  // A layer that this version does not have, and a path that leads out of the folder.
  writeInto(
    out,
    'layers/search.json',
    '{"layer":"search","files":[["search/a.json","x"],["../outside.txt","x"]]}',
  );
  writeInto(out, 'layers/words/0123456789abcdef0123.json', '[["search/b.json","x"]]');
  writeInto(out, 'layers/words.json', '{"layer":"words","parts":["0123456789abcdef0123"]}');
  for (const path of ['search/a.json', 'search/b.json']) writeInto(out, path, 'stale');
  writeInto(out, '../outside.txt', 'not in the folder');
  const { layers } = await buildAll();
  expect(new Set(layers.map(({ reason }) => reason))).toEqual(new Set(['the index is of another version']));
  await expectOwnFilesOnly();
  expect(readTree(join(out, '..')).get('outside.txt')?.toString()).toBe('not in the folder');
});

test('a build of other code removes what a valid index names, and nothing else', async () => {
  for (const layer of layerNames) {
    const index = new OutputFolder(out).layerIndex(layer)!;
    const other = { ...index, code: 'other', files: new Map(filesWithStale(layer)) };
    for (const [path, text] of layerIndexFiles(other)) writeInto(out, path, text);
  }
  await buildAll();
  await expectOwnFilesOnly();
});
