/** A manifest and the index of a layer list exactly the files of a snapshot and of a layer; the diff of two snapshots lists exactly the records that differ. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layerIndexPath, parseLayerIndex } from '../../api/contract/layers.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { manifestPath } from '../../api/contract/snapshot.ts';
import { diffSnapshots, type ChangeKind } from '../../api/read/diff.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { compileInMemory } from '../../build/verify.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { runs } from '../support/settings.ts';
import { compileInMemory as compileWithPages } from '../support/build.ts';
import { type Fill, memoryDatabase, revive, rowsOf } from './databases.ts';
import { hashOf } from './named-files.ts';
import { anyEdits, makeEdit } from './random-edits.ts';

const records: [name: string, fill: Fill][] = [
  ['the nasty record', fillWithNastyRecord],
  ['an empty record', () => {}],
];
const large: [name: string, fill: Fill] = [
  'a generated record',
  (connection) => generateRecord(connection, { scale: 0.3, seed: 3 }),
];

describe.each([...records, large])('the lists of %s', (_name, fill) => {
  test('have each file of the snapshot and of the pages once, with its hash', async () => {
    const connection = memoryDatabase(fill);
    const folder = await compileWithPages(connection);
    const { snapshot } = await compileInMemory(connection);
    connection.close();
    const indexPath = layerIndexPath('pages');
    const index = parseLayerIndex('pages', folder.files.get(indexPath)!)!;
    const listed = [
      ...[...shardsOf(snapshot.manifest)].map(({ path, hash }) => [path, hash]),
      ...index.files,
    ];
    const files = [...folder.files].filter(([path]) => path !== manifestPath && path !== indexPath);
    expect(listed.sort()).toEqual(files.map(([path, bytes]) => [path, hashOf(bytes)]).sort());
  });
});

type Difference = [id: number, change: ChangeKind];

/** Details of nominations are shown by no page: the diff does not tell about them. */
const withoutDetails = (row: object): object => ({
  ...row,
  ...{
    entry: null,
    character: null,
    note: null,
    official: null,
    historical_category: null,
    credited_as: null,
  },
});

/** Compares every row of two databases. */
function differencesOf(before: Connection, after: Connection): Record<string, Difference[]> {
  const differences: Record<string, Difference[]> = {};
  for (const resource of resourceNames) {
    const [old, now] = [before, after].map(
      (connection) =>
        new Map(rowsOf(connection, resource).map((row) => [row.id, JSON.stringify(withoutDetails(row))])),
    ) as [Map<number, string>, Map<number, string>];
    differences[resource] = [...new Set([...old.keys(), ...now.keys()])]
      .filter((id) => old.get(id) !== now.get(id))
      .sort((a, b) => a - b)
      .map((id) => [id, old.has(id) ? (now.has(id) ? 'changed' : 'removed') : 'added']);
  }
  return differences;
}

test.each(records)(
  'the diff of two random editions of %s equals a comparison of all rows',
  async (_name, fill) => {
    const original = memoryDatabase(fill);
    const database = original.serialize();
    original.close();
    const editions = fc.tuple(anyEdits, anyEdits);
    await fc.assert(
      fc.asyncProperty(editions, async (edits) => {
        const [before, after] = edits.map((own) => {
          const connection = revive(database);
          for (const edit of own) makeEdit(connection, edit);
          return connection;
        }) as [Connection, Connection];
        const [old, now] = [await compileInMemory(before), await compileInMemory(after)];
        const diff = await diffSnapshots(old.snapshot, now.snapshot);
        const found = Object.entries(diff).map(([resource, changes]) => [
          resource,
          [...changes].sort(([a], [b]) => a - b),
        ]);
        expect(Object.fromEntries(found)).toEqual(differencesOf(before, after));
        before.close();
        after.close();
      }),
      { numRuns: runs(24) },
    );
  },
);
