/**
 * After any edits in SQLite, an incremental build equals a clean one byte for byte: its shards, and the files and indexes of
 * every layer, whether a layer follows each snapshot or several at once.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { revision } from '../../data/database/changes.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { build, verify } from '../records/build.ts';
import { runs } from '../support/settings.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { type Fill, memoryDatabase, revive, rowsOf, tableNames } from '../records/databases.ts';
import { anyEdits, type Edit, editsOfAll, makeEdit } from '../records/random-edits.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree, writeTree } from '../records/tree.ts';

const at = useWorkspace();
/** AWARDS_TEST_EFFORT allows runs of any length. */
const timeout = 3_600_000;

/** Some edits, and whether the layers follow the build after them or are left behind. */
const anyStep = (edits: fc.Arbitrary<Edit[]>) => fc.record({ edits, isFollowed: fc.boolean() });
const anySteps = fc
  .tuple(anyStep(editsOfAll), fc.array(anyStep(anyEdits), { maxLength: 2 }))
  .map(([first, others]) => [first, ...others]);

const records: [name: string, fill: Fill][] = [
  ['the nasty record', fillWithNastyRecord],
  ['a generated record', (connection) => generateRecord(connection, { scale: 0.003, seed: 8 })],
  ['an empty record', () => {}],
];

describe.each(records)('after random edits of %s', (name, fill) => {
  test.each([
    { layers: ['pages', 'lists', 'by-imdb'], count: 8 },
    { layers: ['pages', 'lists', 'by-imdb', 'downloads'], count: 2 },
  ] as const)('the shards and $layers are those of a clean build', { timeout }, async ({ layers, count }) => {
    const out = at(name);
    const original = memoryDatabase(fill);
    await build(original, out, { layers, full: true });
    const [database, tree] = [original.serialize(), readTree(out)];
    const property = fc.asyncProperty(anySteps, async (steps) => {
      writeTree(out, tree);
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
      expect(
        removed.filter(({ action, path }) => action === 'written' || !path.startsWith('shards/')),
      ).toEqual([]);
      const { differences, files } = await verify(connection, out, layers);
      expect(differences).toEqual([]);
      expect(readTree(out).size).toBe(files);
    });
    await fc.assert(property, { numRuns: runs(count) });
  });
});

describe('an edit of each field, where the pages of other records show the record, of', () => {
  const layers = ['pages', 'lists', 'by-imdb'] as const;
  const fill: Fill = (connection) => {
    fillWithTinyRecord(connection);
    connection.exec(`INSERT INTO honors (id, ceremony_id, class, category, movie_id, recipients, nominee_ids)
      VALUES (1, 1, 'Special', 'HONORARY AWARD', 1, 'Ann', '[1]'), (2, 2, 'SciTech', 'PLAQUE', 3, NULL, '[4]');
      INSERT INTO songs (id, original_title) VALUES (2, 'Another')`);
  };
  test.each(tableNames)('%s', { timeout }, async (table) => {
    const connection = memoryDatabase(fill);
    const out = at(table);
    await build(connection, out, { layers });
    // The first record is a part of nominations and of honors.
    const { id: _, ...record } = rowsOf(connection, table)[0]!;
    for (const [index, [field, value]] of Object.entries(record).entries()) {
      const isChanged = () => rowsOf(connection, table)[0]![field] !== value;
      // Some values are those that the record has, or are not valid here.
      for (let other = 1; other < 9 && !isChanged(); other += 1)
        makeEdit(connection, {
          ...{ kind: 'set', table, row: 0, other, field: index, id: 2 + (other % 3), text: `New ${field}` },
          ...{ count: 1, stride: 1 },
        });
      const { scope } = await build(connection, out, { layers });
      expect([scope, isChanged()], field).toEqual(['changes', true]);
      const { differences } = await verify(connection, out, layers);
      expect(differences, `${table}.${field}`).toEqual([]);
    }
  });
});
