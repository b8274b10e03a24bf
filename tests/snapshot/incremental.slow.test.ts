/**
 * An incremental build equals a clean build byte for byte, in its shards and in the files and indexes of the layers, after any
 * edits in SQLite.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layerNames } from '../../api/contract/layers.ts';
import { revision } from '../../data/database/changes.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { runs } from '../support/settings.ts';
import { build, verify } from '../support/build.ts';
import { type Fill, memoryDatabase, revive } from './databases.ts';
import { anyEdits, makeEdit } from './random-edits.ts';
import { readTree, type Tree, writeTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
/** AWARDS_TEST_EFFORT allows runs of any length. */
const timeout = 3_600_000;

/** Some edits, and whether the layers follow the build after them or are left behind. */
const anyStep = fc.record({ edits: anyEdits, isFollowed: fc.boolean() });
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const records: [name: string, fill: Fill][] = [
  ['the nasty record', fillWithNastyRecord],
  ['a generated record', (connection) => generateRecord(connection, { scale: 0.003, seed: 8 })],
  ['an empty record', () => {}],
];

describe.each(records)('after random edits of %s', (name, fill) => {
  test.each([
    { layers: ['pages'], count: 120 },
    { layers: layerNames, count: 10 },
  ] as const)('the shards and $layers are those of a clean build', { timeout }, async ({ layers, count }) => {
    const out = at(name);
    const original = memoryDatabase(fill);
    await build(original, out, { layers, full: true });
    const [database, tree] = [original.serialize(), readTree(out)];
    original.close();

    async function play(steps: readonly Step[], start: Tree): Promise<void> {
      writeTree(out, start);
      const connection = revive(database);
      for (const { edits, isFollowed } of steps) {
        const since = revision(connection);
        for (const edit of edits) makeEdit(connection, edit);
        const { scope, reason } = await build(connection, out, { layers: isFollowed ? layers : [] });
        expect(scope, reason).toBe(revision(connection) > since ? 'changes' : 'nothing');
      }
      await build(connection, out, { layers });
      // No layer needs the last snapshot any more: this build removes its shards.
      const { files: removed, ...report } = await build(connection, out, { layers });
      expect(report).toMatchObject({ scope: 'nothing', rendered: 0 });
      expect(removed.every(({ action, path }) => action === 'removed' && path.startsWith('shards/'))).toBe(
        true,
      );
      const { differences, files } = await verify(connection, out, layers);
      expect(differences).toEqual([]);
      expect(readTree(out).size).toBe(files);
      connection.close();
    }
    const sequences = fc.array(anyStep, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(sequences, (steps) => play(steps, tree)),
      { numRuns: runs(count) },
    );
  });
});
