/** The same record gives the same snapshot and layers, in every folder, time zone and language, from any order of the rows. */
import { copyFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LayerName, layerNames } from '../../api/contract/layers.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { runs } from '../support/settings.ts';
import { build } from '../support/build.ts';
import { awards } from '../support/processes.ts';
import { copyRows, memoryDatabase, type Row, tableNames, writeDatabase } from './databases.ts';
import { expectSameTree, readTree, type Tree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();

function fill(connection: Connection): void {
  generateRecord(connection, { scale: 0.01, seed: 5 });
  // Letters with special rules for lower case in Turkish and Lithuanian, and texts whose order depends on the language.
  const words = [
    'İSTANBUL ISI',
    'Iğdır',
    'Ängström',
    'zebra',
    'Zebra',
    'ÉCRITURE',
    'Ì í IJ',
    'ss ß',
    '١٢٣',
    'ÞOR',
  ];
  const rename = connection.prepare('UPDATE movies SET title = ?, genres = ? WHERE id = ?');
  for (const [i, word] of words.entries()) rename.run(word, JSON.stringify([word, 'Drama']), i * 7 + 1);
  connection.exec("UPDATE nominees SET known_for_department = 'IŞIK' WHERE id % 11 = 0");
  connection.exec("UPDATE categories SET category_name = 'ILIŞKI ' || id WHERE id % 5 = 0");
}

async function treeOf(
  connection: Connection,
  name: string,
  layers: readonly LayerName[] = ['pages'],
): Promise<Tree> {
  await build(connection, at(name), { layers });
  return readTree(at(name));
}

writeDatabase(at('original.db'), fill);
const original = openDatabase(at('original.db'));
const expected = await treeOf(original, 'expected');
const withAllLayers = await treeOf(original, 'all-layers', layerNames);

test('the same database gives the same snapshot in another folder, over itself, and after the folder was deleted', async () => {
  const other = 'another/folder "with" spaces, ümlauts';
  expectSameTree(await treeOf(original, other), expected);
  expect(await build(original, at(other), { full: true })).toMatchObject({ scope: 'everything', files: [] });
  expectSameTree(readTree(at(other)), expected);
  rmSync(at(other), { recursive: true });
  expectSameTree(await treeOf(original, other), expected);
});

describe('the same database gives the same snapshot and layers, in another time zone and language', () => {
  test.concurrent.each([
    { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr' },
    { TZ: 'Pacific/Kiritimati', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' },
    { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C' },
  ])('$TZ, $LC_ALL', async (environment) => {
    const [name, database] = [environment.LC_ALL, at(`${environment.LC_ALL}.db`)];
    copyFileSync(at('original.db'), database);
    const parameters = ['build', '--db', database, '--out', at(name)];
    expect(await awards(parameters, environment)).toMatchObject({ code: 0, stderr: '' });
    expectSameTree(readTree(at(name)), withAllLayers);
  });
});

describe('the same rows give the same snapshot', () => {
  /** Inserts the rows in another order, and other rows that are deleted again. */
  function fillInDisorder(connection: Connection, seed: number): void {
    const order = (rows: Row[]) =>
      fc.sample(fc.shuffledSubarray(rows, { minLength: rows.length }), { numRuns: 1, seed })[0]!;
    connection.pragma('journal_mode = DELETE');
    connection.pragma(`page_size = ${[512, 4096, 65536][seed % 3]}`);
    connection.exec('VACUUM');
    const movie = connection.prepare("INSERT INTO movies (id, title) VALUES (?, 'Deleted')");
    connection
      .transaction(() => {
        for (let id = 500_000; id < 502_000; id += 1) movie.run(id);
        copyRows(original, connection, order);
        connection.exec('DELETE FROM movies WHERE id >= 500000');
      })
      .immediate();
  }

  test('inserted in any order, with other rows inserted and deleted', async () => {
    for (let seed = 1; seed <= runs(1); seed += 1) {
      const name = `disorder-${seed}`;
      writeDatabase(at(`${name}.db`), (database) => fillInDisorder(database, seed));
      const connection = openDatabase(at(`${name}.db`));
      expectSameTree(await treeOf(connection, name), expected);
      connection.exec('VACUUM');
      expectSameTree(await treeOf(connection, `${name}-vacuumed`), expected);
      connection.close();
    }
  });

  test('after every row was changed and changed back', async () => {
    const connection = memoryDatabase(fill);
    for (const table of tableNames)
      connection.exec(`CREATE TEMP TABLE kept_${table} AS SELECT * FROM ${table}`);
    connection.exec(`
      UPDATE movies SET title = title || ' again', genres = '["Other"]', runtime = 1;
      UPDATE nominees SET name = id || name, known_for_department = NULL;
      UPDATE nominations SET winner = 1 - winner;
      UPDATE categories SET category_group = category_name;
      UPDATE ceremonies SET ceremony_year = ceremony_year - 1000;
    `);
    await build(connection, at('changed'));
    for (const table of tableNames)
      connection.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM kept_${table}`);
    expect(await build(connection, at('changed'))).toMatchObject({ scope: 'changes' });
    await build(connection, at('changed'));
    expectSameTree(readTree(at('changed')), expected);
    connection.close();
  });
});
