/**
 * The promise: the sqlite3 shell of the system, from version 3.40 on, finds the database sound, its dump can be loaded again, and a
 * change made with it counts. Skipped without the shell.
 */
import { spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { recordBuild, revision } from '../../data/database/changes.ts';
import { openDatabase } from '../../data/database/open.ts';
import { createKey, revokeKey } from '../../data/record/keys.ts';
import { addReceipt } from '../../data/record/receipts.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { build, verify } from '../records/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const { stdout: version, status } = spawnSync('sqlite3', ['--version'], { encoding: 'utf8' });
const name = status === 0 ? `sqlite3 ${version.split(' ')[0]}` : 'sqlite3, which is not installed here';
const at = useWorkspace();

function shell(file: string, input: string): string {
  const { stdout, stderr } = spawnSync('sqlite3', [file], { input, encoding: 'utf8', maxBuffer: 1e9 });
  expect(stderr).toBe('');
  return stdout;
}

function contentOf(file: string) {
  const connection = new Database(file, { readonly: true });
  const names = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  const rows = (names.pluck().all() as string[]).map((table) => [
    table,
    connection.prepare(`SELECT * FROM ${table}`).all(),
  ]);
  connection.close();
  return rows;
}

describe.skipIf(status !== 0)(name, () => {
  it('finds no fault, and dumps what it and this program can load', () => {
    const connection = openDatabase(at('awards.db'));
    fillWithNastyRecord(connection);
    // Rows in the other tables.
    connection.exec(`INSERT INTO given VALUES ('movies', 1, 'import', NULL, NULL, '{"title":"é"}', 1, '{}');
      INSERT INTO honors (ceremony_id, class, category, movie_id, recipients, nominee_ids, citation)
        SELECT min(id), 'SciTech', 'C', 1, 'É', '[1]', 'To "É".' FROM ceremonies`);
    const time = new Date('2026-01-02T03:04:05.678Z');
    createKey(connection, 'editor', time);
    createKey(connection, 'former', time);
    revokeKey(connection, 'former', time);
    const after = { title: 'é "\\" \u0001' };
    const write = { at: time, key: 'editor', resource: 'movies', recordId: 1, after } as const;
    addReceipt(connection, { ...write, action: 'create', before: null });
    const state = { revision: revision(connection), snapshot: 's', fingerprint: 'f' };
    recordBuild(connection, '/dist', state, [{ path: 'a.json', action: 'written', cause: 'it "names" all' }]);
    addReceipt(connection, { ...write, action: 'update', before: { title: null } });
    const version = connection.pragma('user_version', { simple: true });
    connection.close();
    expect(shell(at('awards.db'), 'PRAGMA integrity_check; PRAGMA foreign_key_check;')).toBe('ok\n');
    // A dump has no user_version.
    const script = `${shell(at('awards.db'), '.dump')}PRAGMA user_version = ${version};`;
    expect(shell(at('by-shell.db'), script)).toBe('');
    new Database(at('by-program.db')).exec(script).close();
    for (const file of ['by-shell.db', 'by-program.db']) {
      expect(contentOf(at(file)), file).toEqual(contentOf(at('awards.db')));
      openDatabase(at(file), { check: true }).close();
    }
  });

  it('makes changes that the next build holds', async () => {
    const connection = openDatabase(at('changed.db'));
    fillWithTinyRecord(connection);
    await build(connection, at('dist'));
    // The shell does not turn on foreign keys or recursive triggers, as the program does.
    for (const statement of [
      "UPDATE movies SET title = 'Renamed in the shell' WHERE id = 1",
      'UPDATE OR REPLACE nominations SET id = 2 WHERE id = 6',
      'REPLACE INTO ceremonies (id, ceremony_year) VALUES (1, 1999)',
      'DELETE FROM nominations WHERE id = 3; DELETE FROM songs',
      'BEGIN; DELETE FROM nominations; ROLLBACK; UPDATE movies SET runtime = 9',
    ]) {
      shell(at('changed.db'), statement);
      expect((await build(connection, at('dist'))).scope, statement).toBe('changes');
      expect((await verify(connection, at('dist'))).differences, statement).toEqual([]);
    }
    connection.close();
  });
});
