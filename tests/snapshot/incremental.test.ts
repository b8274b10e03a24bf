/** An incremental build equals a clean build byte for byte, in its shards and in every layer, after any edits in SQLite. */
import { describe, test } from 'vitest';
import { generateRecord } from '../../data/generate/generate.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { runs } from '../settings.ts';
import type { Fill } from './databases.ts';
import { FolderHarness } from './folder-harness.ts';
import { expectIncrementalEqualsClean } from './harness.ts';
import { MemoryHarness } from './memory-harness.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
/** AWARDS_TEST_EFFORT allows runs of any length. */
const timeout = 3_600_000;

const records: [name: string, fill: Fill, inMemory: number, onDisk: number][] = [
  ['the nasty record', fillWithNastyRecord, 150, 6],
  ['a generated record', (connection) => generateRecord(connection, { scale: 0.003, seed: 8 }), 120, 6],
  ['an empty record', () => {}, 150, 6],
];

describe.each(records)('random edits of %s', (name, fill, inMemory, onDisk) => {
  test('in memory, many sequences', { timeout }, async () =>
    expectIncrementalEqualsClean(await MemoryHarness.of(fill), runs(inMemory)),
  );

  test('on disk, with verify and a clean build into another folder', { timeout }, async () =>
    expectIncrementalEqualsClean(await FolderHarness.of(fill, at(name)), runs(onDisk)),
  );
});
