/** An id means one record for ever: new records get new ids, and the memory of imports follows its record. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { deleteRecord, freeIds, nextId, recordExists } from '../../data/record/edits.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { prepareInsert } from '../../data/record/records.ts';
import { runs } from '../support/settings.ts';

const largest = Number.MAX_SAFE_INTEGER;

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
  connection.pragma('foreign_keys = OFF');
});
afterEach(() => connection.close());

const required: Record<ResourceName, Readonly<Record<string, unknown>>> = {
  ceremonies: { ceremony_year: 2025 },
  categories: { category_name: 'Directing' },
  movies: { title: 'Anora' },
  nominees: { name: 'Sean Baker' },
  songs: { original_title: 'Golden' },
  nominations: { ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 },
  honors: { ceremony_id: 1, class: 'Special', category: 'HONORARY AWARD' },
};
/** Adds a record under the next id, or a given one. */
const add = (table: ResourceName, id: number | null = nextId(connection, table)) => {
  const values = { id, ...required[table] };
  const { lastInsertRowid } = prepareInsert(connection, table, Object.keys(values))(values);
  return Number(lastInsertRowid);
};

describe.each(resourceNames)('%s', (table) => {
  /** Adds a record without an id. @returns the id that SQLite gives it */
  const insert = () => add(table, null);
  const remembered = () => connection.prepare('SELECT record_id FROM given').pluck().all();
  const remember = (...ids: number[]) => {
    for (const id of ids)
      connection.prepare("INSERT INTO given VALUES (?, ?, 'import', NULL, NULL, '{}', 1)").run(table, id);
  };

  it('never get the id of a deleted record', () => {
    insert();
    connection.exec(`DELETE FROM ${table}`);
    expect(insert()).toBe(2);
  });

  it('never get an id that was set and changed by UPDATE', () => {
    insert();
    connection.exec(`UPDATE ${table} SET id = 7; UPDATE ${table} SET id = 3`);
    expect(insert()).toBe(8);
  });

  it('are deleted from the memory of imports with the record', () => {
    insert();
    insert();
    remember(1, 2);
    connection.exec(`DELETE FROM ${table} WHERE id = 2`);
    expect(remembered()).toEqual([1]);
  });

  it('are renumbered in the memory of imports with the record', () => {
    insert();
    insert();
    remember(1, 2);
    connection.exec(`UPDATE ${table} SET id = 9 WHERE id = 1`);
    expect(remembered()).toEqual([2, 9]);
    connection.exec(`UPDATE OR REPLACE ${table} SET id = 9 WHERE id = 2`);
    expect(remembered()).toEqual([9]);
  });

  it('have as next id one above the highest ever given', () => {
    expect([add(table), add(table), add(table)]).toEqual([1, 2, 3]);
    connection.exec(`DELETE FROM ${table} WHERE id > 1`);
    expect(add(table)).toBe(4);
    connection.exec(`UPDATE ${table} SET id = 40 WHERE id = 4; UPDATE ${table} SET id = 7 WHERE id = 40`);
    expect(add(table)).toBe(41);
    connection.exec(`DELETE FROM sqlite_sequence WHERE name = '${table}'`);
    expect(nextId(connection, table)).toBe(42);
  });

  it('have as next id the lowest free one after the highest possible id', () => {
    add(table, largest);
    expect([add(table), add(table)]).toEqual([1, 2]);
    add(table, 4);
    expect([add(table), add(table)]).toEqual([3, 5]);
    connection.exec(`DELETE FROM ${table} WHERE id IN (1, ${largest})`);
    expect([add(table), add(table)]).toEqual([1, 6]);
  });

  it('never get the id of a record that was deleted with a receipt, also after the highest possible id', () => {
    const remove = (id: number) =>
      deleteRecord(connection, { resource: table, id, key: 'editor', at: new Date(0) });
    expect([add(table), add(table), add(table)]).toEqual([1, 2, 3]);
    remove(3);
    expect(add(table)).toBe(4);
    for (const id of [1, 2, add(table, largest)]) remove(id);
    expect([add(table), add(table)]).toEqual([5, 6]);
    remove(6);
    expect(freeIds(connection, table).next().value).toBe(7);
    // Another table has its own ids.
    const other = table === 'songs' ? 'movies' : 'songs';
    expect(add(other)).toBe(1);
    // A client may choose one.
    expect(add(table, 3)).toBe(3);
  });
});

it('several new ids are free, each given once', () => {
  for (const highest of [7, largest]) {
    add('songs', highest);
    const ids = freeIds(connection, 'songs');
    const given = [1, 2, 3].map(() => ids.next().value);
    expect(given).toEqual(highest === 7 ? [8, 9, 10] : [1, 2, 3]);
  }
});

it('the next id is never that of a record', () => {
  const id = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(largest, largest - 1));
  fc.assert(
    fc.property(fc.uniqueArray(id), fc.array(id), (added, removed) => {
      connection.exec("DELETE FROM songs; DELETE FROM sqlite_sequence WHERE name = 'songs'");
      for (const each of added) add('songs', each);
      for (const each of removed) connection.exec(`DELETE FROM songs WHERE id = ${each}`);
      for (let more = 0; more < 3; more += 1) {
        const next = nextId(connection, 'songs');
        expect(recordExists(connection, 'songs', next)).toBe(false);
        add('songs', next);
      }
    }),
    { numRuns: runs(80) },
  );
});
