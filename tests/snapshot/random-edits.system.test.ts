/**
 * Edits of every kind in every table, in each run of the tests, which says how often: after some of them at a time, an incremental
 * build equals a clean one byte for byte. incremental.slow.test.ts makes many more.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateRecord } from '../../tools/generate/generate.ts';
import { build, verify } from '../records/build.ts';
import { insertRow, memoryDatabase, rowsOf } from '../records/databases.ts';
import { EditCounts, editsOfEveryKind, makeEdit } from '../records/random-edits.ts';
import { runSeed } from '../records/seed.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const layers = ['pages', 'lists', 'by-imdb'] as const;
/** Edits between two builds: more would hide a page that one of them leaves as it was. */
const atOnce = 6;

test('after edits of every kind in every table, an incremental build equals a clean one', async ({
  task,
}) => {
  const out = useWorkspace()('dist');
  const connection = memoryDatabase((empty) => {
    generateRecord(empty, { scale: 0.001, seed: 8 });
    const [films, ceremonies, people] = (['movies', 'ceremonies', 'nominees'] as const).map((table) =>
      rowsOf(empty, table).map(({ id }) => id),
    ) as [number[], number[], number[]];
    for (let id = 1000; id < 1040; id += 1) {
      const own = <T>(ids: T[]): T => ids[(id * 7) % ids.length]!;
      const references = {
        ceremony_id: own(ceremonies),
        movie_id: own(films),
        nominee_ids: `[${own(people)}]`,
      };
      insertRow(empty, 'honors', { id, class: 'Special', category: 'HONORARY AWARD', ...references });
    }
  });
  await build(connection, out, { layers });
  const [edits] = fc.sample(editsOfEveryKind, { numRuns: 1, seed: runSeed });
  const counts = new EditCounts();
  for (let first = 0; first < edits!.length; first += atOnce) {
    const made = edits!
      .slice(first, first + atOnce)
      .flatMap((own) => own.find((edit) => makeEdit(connection, edit)) ?? []);
    for (const edit of made) counts.add(edit);
    await build(connection, out, { layers });
    const { differences } = await verify(connection, out, layers);
    expect(differences, JSON.stringify(made)).toEqual([]);
  }
  Object.assign(task.meta, { said: `random edits: ${counts}` });
  expect(counts.missing()).toEqual([]);
});
