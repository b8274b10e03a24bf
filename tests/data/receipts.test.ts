/** Every write leaves a receipt, and the first build that includes the write completes it. */
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { recordBuild, revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { insertRecord, updateRecord } from '../../data/record/edits.ts';
import { addReceipt, type NewReceipt, readReceipt } from '../../data/record/receipts.ts';
import { anyCharacter } from '../records/characters.ts';
import { runs } from '../support/settings.ts';

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});

const files: RebuiltFile[] = [
  { path: 'api/movies/1.json', action: 'written', cause: 'movies 1 changed' },
  { path: 'api/movies/"2".json', action: 'removed', cause: 'no récord any more' },
];
const receipt = (changes: Partial<NewReceipt>): NewReceipt => ({
  ...{ at: new Date(0), key: 'editor', action: 'create', resource: 'movies', recordId: 1 },
  ...{ before: null, after: { id: 1 }, ...changes },
});

/** Adds a film in two changes, of which a build may hold the first only. @returns the id of the receipt */
const write = (id: number) =>
  writeTransaction(connection, () => {
    insertRecord(connection, 'movies', { id, title: 'Anora' });
    updateRecord(connection, 'movies', id, { title: 'Anora!' });
    return addReceipt(connection, receipt({ recordId: id }));
  });
const buildAt = (upTo: number, snapshot: string, out = '/dist', written = files) =>
  recordBuild(connection, out, { revision: upTo, snapshot, fingerprint: 'f' }, written);

it('a receipt has before and after unchanged, to the byte', () => {
  const object = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ stringUnit: anyCharacter }));
  fc.assert(
    fc.property(object, object, (before, after) => {
      const read = readReceipt(
        connection,
        addReceipt(connection, receipt({ action: 'update', before, after })),
      )!;
      expect(JSON.stringify([read.before, read.after])).toBe(JSON.stringify([before, after]));
    }),
    { numRuns: runs(80) },
  );
});

it('a build completes each receipt of its writes once with its files, in any order of writes and builds', () => {
  // A build may lack as many of the latest changes as it has characters.
  const step = fc.constantFrom('write', 'write', '', '-', '--');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.constantFrom('/dist', '/other'), (steps, other) => {
      connection = openDatabase(':memory:');
      const model: { revision: number; snapshot: string | null }[] = [];
      let completing = 0;
      steps.forEach((each, at) => {
        if (each === 'write') {
          write(at + 1);
          model.push({ revision: revision(connection), snapshot: null });
          return;
        }
        const upTo = Math.max(0, revision(connection) - each.length);
        buildAt(upTo, `s${at}`, at % 2 ? '/dist' : other);
        const own = model.filter((known) => known.revision <= upTo && known.snapshot === null);
        for (const known of own) known.snapshot = `s${at}`;
        if (own.length > 0) completing += 1;
      });
      for (const [at, { snapshot }] of model.entries())
        expect(readReceipt(connection, at + 1)).toMatchObject({ snapshot, files: snapshot && files });
      expect(connection.prepare('SELECT count(*) FROM rebuilds').pluck().get()).toBe(completing);
    }),
    { numRuns: runs(40) },
  );
});

it('the files of a build are stored for the latest 100 builds with writes, the rest of a receipt for good', () => {
  const ids = Array.from({ length: 103 }, (_, at) => {
    const id = write(at + 1);
    buildAt(revision(connection), `snapshot ${at}`, '/dist', at === 102 ? [] : files);
    return id;
  });
  for (const [at, id] of ids.entries()) {
    const stored = at < 3 ? null : at === 102 ? [] : files;
    expect(readReceipt(connection, id)).toMatchObject({ snapshot: `snapshot ${at}`, files: stored });
  }
  // A build that was not stored gets no receipt of a later one.
  buildAt(revision(connection), 'another', '/other');
  expect(readReceipt(connection, ids[0]!)!.files).toBeNull();
});
