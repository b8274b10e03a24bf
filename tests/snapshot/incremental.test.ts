/** The promise: a build of what changed leaves what a clean build makes, whatever was edited straight in SQLite, and however. */
import { describe, test } from 'vitest';
import { generateRecord } from '../../data/generate/generate.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { runs } from '../settings.ts';
import type { Fill } from './databases.ts';
import { FolderStage } from './folder-stage.ts';
import { MemoryStage } from './memory-stage.ts';
import { expectIncrementalEqualsClean } from './model.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
/** Long runs (AWARDS_TEST_EFFORT) take as long as they take. */
const timeout = 3_600_000;

const records: [string, Fill, number, number][] = [
  ['a record full of traps', fillWithNastyRecord, 150, 6],
  [
    'a record with every field set',
    (connection) => generateRecord(connection, { scale: 0.003, seed: 8 }),
    120,
    6,
  ],
  ['an empty record', () => {}, 150, 6],
];

describe.each(records)('random edits of %s never make a difference', (name, fill, inMemory, onDisk) => {
  test('in hundreds of sequences', { timeout }, async () =>
    expectIncrementalEqualsClean(await MemoryStage.of(fill), runs(inMemory)),
  );

  test('on disk, with verify and a clean build elsewhere', { timeout }, async () =>
    expectIncrementalEqualsClean(await FolderStage.of(fill, at(name)), runs(onDisk)),
  );
});
