/** An id means one record for ever: it is never handed out again, and what imports remember goes with its record. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { type Connection, openDatabase } from '../../data/open.ts';

/** A row of each resource, but for its id. */
const rows: Record<ResourceName, string> = {
  ceremonies: '(ceremony_year) VALUES (2025)',
  categories: "(category_name) VALUES ('Directing')",
  movies: "(title) VALUES ('Anora')",
  nominees: "(name) VALUES ('Sean Baker')",
  songs: "(original_title) VALUES ('Golden')",
  nominations: '(ceremony_id, category_id, movie_id, nominee_id) VALUES (1, 1, 1, 1)',
};

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
  connection.pragma('foreign_keys = OFF');
});

describe.each(resourceNames)('%s', (table) => {
  const insert = () => connection.prepare(`INSERT INTO ${table} ${rows[table]}`).run().lastInsertRowid;
  const remembered = () => connection.prepare('SELECT record_id FROM imported').pluck().all();
  const remember = (...ids: number[]) => {
    for (const id of ids) connection.prepare("INSERT INTO imported VALUES (?, ?, '{}')").run(table, id);
  };

  it('do not get the id of a deleted record', () => {
    insert();
    connection.exec(`DELETE FROM ${table}`);
    expect(insert()).toBe(2);
  });

  it('do not get an id that was given and taken away by hand', () => {
    insert();
    connection.exec(`UPDATE ${table} SET id = 7; UPDATE ${table} SET id = 3`);
    expect(insert()).toBe(8);
  });

  it('are forgotten by imports when they are deleted', () => {
    insert();
    insert();
    remember(1, 2);
    connection.exec(`DELETE FROM ${table} WHERE id = 2`);
    expect(remembered()).toEqual([1]);
  });

  it('are remembered by imports under the id they have, and replace what was there', () => {
    insert();
    insert();
    remember(1, 2);
    connection.exec(`UPDATE ${table} SET id = 9 WHERE id = 1`);
    expect(remembered()).toEqual([2, 9]);
    connection.exec(`UPDATE OR REPLACE ${table} SET id = 9 WHERE id = 2`);
    expect(remembered()).toEqual([9]);
  });
});
