/** Every write leaves a receipt, and the first build that includes the write completes it. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordBuild } from '../../data/database/builds.ts';
import { revision } from '../../data/database/changes.ts';
import { insertRecord, updateRecord } from '../../data/record/edits.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import type { RebuiltFile } from '../../api/contract/answers.ts';
import { addReceipt, completeReceipts, type NewReceipt, readReceipt } from '../../data/record/receipts.ts';
import { writeTransaction } from '../../data/database/transaction.ts';
import { runs } from '../support/settings.ts';

const noon = new Date('2025-03-02T12:00:00.000Z');
const files: RebuiltFile[] = [
  { path: 'api/movies/1.json', action: 'written', cause: 'movies 1 changed' },
  { path: 'api/movies/"2".json', action: 'removed', cause: 'no récord any more' },
];

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});
afterEach(() => connection.close());

const receiptOf = (changes: Partial<NewReceipt> = {}): NewReceipt => ({
  at: noon,
  key: 'editor',
  action: 'create',
  resource: 'movies',
  recordId: 1,
  before: null,
  after: { id: 1 },
  ...changes,
});

/** Adds a film in two changes, of which a build may hold the first only. @returns the id of the receipt */
const write = (id: number) =>
  writeTransaction(connection, () => {
    insertRecord(connection, 'movies', { id, title: 'Anora' });
    updateRecord(connection, 'movies', id, { title: 'Anora!' });
    return addReceipt(connection, receiptOf({ recordId: id }));
  });

const buildAt = (upTo: number, snapshot: string, out = '/dist') =>
  recordBuild(connection, out, { revision: upTo, snapshot, fingerprint: 'f' }, files);
const countRebuilds = () => connection.prepare('SELECT count(*) FROM rebuilds').pluck().get();

describe('a receipt', () => {
  it('returns before and after unchanged, to the byte', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
    fc.assert(
      fc.property(object, object, (before, after) => {
        const id = addReceipt(connection, receiptOf({ action: 'update', before, after }));
        const read = readReceipt(connection, id)!;
        expect(JSON.stringify([read.before, read.after])).toBe(JSON.stringify([before, after]));
      }),
      { numRuns: runs(80) },
    );
  });

  it('is checked by the schema', () => {
    const update = (assignment: string) => () => connection.exec(`UPDATE receipts SET ${assignment}`);
    write(1);
    for (const bad of ["action = 'delete'", "action = 'update'", "before = '{}'", 'after = NULL'])
      expect(update(bad), bad).toThrow(/constraint/);
    for (const bad of ["after = '{'", "before = '{'", 'rebuild_id = 7', "snapshot = 's'"])
      expect(update(bad), bad).toThrow(/constraint/);
    expect(update("action = 'update', before = '{}'")).not.toThrow();
    expect(update("action = 'delete', after = NULL")).not.toThrow();
    expect(update("after = '{}'")).toThrow(/constraint/);
    expect(() => connection.exec("INSERT INTO rebuilds (files) VALUES ('[')")).toThrow(/constraint/);
  });
});

describe('a build', () => {
  it('without changed files completes receipts with no files', () => {
    const id = write(1);
    completeReceipts(connection, revision(connection), 'same', []);
    expect(readReceipt(connection, id)).toMatchObject({ snapshot: 'same', files: [] });
  });

  it('completes each receipt of its writes once with its files, in any order of writes and builds', () => {
    // A build may lack as many of the latest changes as it has characters.
    const step = fc.constantFrom('write', 'write', '', '-', '--');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.constantFrom('/dist', '/other'), (steps, other) => {
        connection.close();
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
          const own = model.filter((receipt) => receipt.revision <= upTo && receipt.snapshot === null);
          for (const receipt of own) receipt.snapshot = `s${at}`;
          if (own.length > 0) completing += 1;
        });
        for (const [at, { snapshot }] of model.entries())
          expect(readReceipt(connection, at + 1)).toMatchObject({ snapshot, files: snapshot && files });
        expect(countRebuilds()).toBe(completing);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('the files of a build', () => {
  it('are stored for the latest 100 builds with writes, the rest of a receipt for good', () => {
    const ids = Array.from({ length: 103 }, (_, at) => {
      const id = write(at + 1);
      buildAt(revision(connection), `snapshot ${at}`);
      return id;
    });
    expect(countRebuilds()).toBe(100);
    for (const [at, id] of ids.entries()) {
      const stored = at < 3 ? null : files;
      expect(readReceipt(connection, id)).toMatchObject({ snapshot: `snapshot ${at}`, files: stored });
    }
    // A build that was not stored gets no receipt of a later one.
    buildAt(revision(connection), 'another', '/other');
    expect(readReceipt(connection, ids[0]!)!.files).toBeNull();
  });
});
