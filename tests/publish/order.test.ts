/** The promise: an older snapshot never takes the place of a newer one, and where nobody can tell, a person has to. */
import { cpSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { labelText, parseLabel, refuseOlder } from '../../build/publish/order.ts';
import { openDatabase } from '../../data/open.ts';
import { runs } from '../settings.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { readTree } from '../snapshot/tree.ts';
import { useStage } from './stage.ts';

const stage = useStage();
const newer = /shows a newer snapshot .*revision [0-9]+.*--force/;
const unknown = /nobody can tell which is newer; --force replaces it/;

const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const anyLabel = fc.record({
  snapshot: hexadecimal(20),
  rules: fc.oneof(fc.constant(''), hexadecimal(20)),
  place: fc.option(fc.record({ lineage: hexadecimal(16), revision: fc.nat() }), { nil: undefined }),
});

test('a label survives being a title, and no other title is one', () => {
  fc.assert(
    fc.property(anyLabel, (label) => {
      expect(parseLabel(labelText(label))).toEqual(label);
    }),
    { numRuns: runs(200) },
  );
  for (const title of ['', 'Deploy from the command line', `${labelText(fc.sample(anyLabel, 1)[0]!)}!`])
    expect(parseLabel(title)).toBeUndefined();
});

test('of two labels of one lineage at most one refuses the other, and then the one with the lower revision', () => {
  fc.assert(
    fc.property(anyLabel, fc.nat(9), fc.nat(9), (label, a, b) => {
      const at = (revision: number) => ({
        ...label,
        snapshot: String(revision).padStart(20, '0'),
        place: { lineage: 'a'.repeat(16), revision },
      });
      const refuses = (there: number, ours: number) => {
        try {
          refuseOlder(at(there), at(ours), 'it');
          return false;
        } catch {
          return true;
        }
      };
      expect([refuses(a, b), refuses(b, a)]).toEqual([a > b, b > a]);
    }),
    { numRuns: runs(200) },
  );
});

test('a copy of the folder from before an edit is refused, says so, and leaves everything as it was', async () => {
  const old = openDatabase(stage.at('old.db'));
  await stage.connection.backup(stage.at('older.db'));
  await stage.edit();
  await stage.publish();
  const after = stage.tree();
  old.close();
  const older = openDatabase(stage.at('older.db'));
  await build(older, stage.at('older'));
  await expect(stage.publish({ out: stage.at('older'), connection: older })).rejects.toThrow(newer);
  stage.expectLive(after);
  expect(stage.api.deploys.size).toBe(1);
  await stage.publish({ out: stage.at('older'), connection: older, force: true });
  stage.expectLive(readTree(stage.at('older')));
  older.close();
  // And the newer one takes its place again without being forced.
  await stage.publish();
  stage.expectLive(after);
});

test('the record of somebody else is refused, whatever its revision', async () => {
  const other = openDatabase(stage.at('other.db'));
  fillWithTinyRecord(other);
  other.exec(
    "UPDATE movies SET title = 'Another' WHERE id = 1; UPDATE movies SET title = 'Third' WHERE id = 1",
  );
  await build(other, stage.at('other'));
  await stage.publish();
  await expect(stage.publish({ out: stage.at('other'), connection: other })).rejects.toThrow(unknown);
  stage.expectLive(stage.tree());
  other.close();
});

test('a copy of the database goes on where the original was', async () => {
  await stage.publish();
  await stage.connection.backup(stage.at('moved.db'));
  const moved = openDatabase(stage.at('moved.db'));
  moved.exec("UPDATE movies SET title = 'Elsewhere' WHERE id = 1");
  await build(moved, stage.at('moved'));
  expect(await stage.publish({ out: stage.at('moved'), connection: moved })).toMatchObject({
    scope: 'deploy',
  });
  moved.close();
});

test('a snapshot that no database knows is published where nothing is, and again only by force', async () => {
  cpSync(stage.out, stage.at('copied'), { recursive: true });
  const out = stage.at('copied');
  await stage.publish({ out, connection: undefined });
  await stage.publish({ out, connection: undefined });
  await stage.edit();
  rmSync(out, { recursive: true });
  cpSync(stage.out, out, { recursive: true });
  await expect(stage.publish({ out, connection: undefined })).rejects.toThrow(unknown);
  await stage.publish({ out, connection: undefined, force: true });
  stage.expectLive(stage.tree());
});

test('what another tool put there is replaced by force alone', async () => {
  stage.api.publishElsewhere('My first site', new Map([['index.html', Buffer.from('hello')]]));
  await expect(stage.publish()).rejects.toThrow(/did not put there; --force replaces it/);
  expect([...stage.api.live()!.keys()]).toEqual(['index.html']);
  await stage.publish({ force: true });
  stage.expectLive(stage.tree());
});

test('a newer one that went live elsewhere while this one was uploaded stays', async () => {
  await stage.publish();
  const { place } = parseLabel([...stage.api.deploys.values()][0]!.title)!;
  await stage.edit();
  const elsewhere = new Map([['manifest.json', Buffer.from('newer')]]);
  const label = { snapshot: 'f'.repeat(20), rules: '', place: { ...place!, revision: 1_000_000 } };
  let before = true;
  stage.api.onUpload = () => {
    if (before) stage.api.publishElsewhere(labelText(label), elsewhere);
    before = false;
  };
  await expect(stage.publish()).rejects.toThrow(newer);
  expect(stage.api.live()).toEqual(elsewhere);
  expect([...stage.api.deploys.values()].map(({ state }) => state)).toEqual(['ready', 'error', 'ready']);
});

test('a site that is locked to a deploy is not published to', async () => {
  await stage.publish();
  stage.api.locked = true;
  await stage.edit();
  await expect(stage.publish()).rejects.toThrow(/is locked to the deploy it shows; start auto publishing/);
  expect(stage.api.deploys.size).toBe(1);
});

test('changes that are not built yet are told of, not published', async () => {
  stage.connection.exec(
    "UPDATE movies SET title = 'Unbuilt' WHERE id = 1; UPDATE movies SET title = 'Still' WHERE id = 2",
  );
  expect(await stage.publish()).toMatchObject({ behind: 2 });
  await stage.build();
  expect(await stage.publish()).toMatchObject({ scope: 'deploy', behind: 0 });
});
