/** A record that comes without an id gets one that no record has, and none had as long as there are such. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { insertRecord, nextId, recordExists } from '../../data/edits.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { runs } from '../settings.ts';

const largest = Number.MAX_SAFE_INTEGER;

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
  connection.pragma('foreign_keys = OFF');
});
afterEach(() => connection.close());

const required: Record<ResourceName, object> = {
  ceremonies: { ceremony_year: 2025 },
  categories: { category_name: 'Directing' },
  movies: { title: 'Anora' },
  nominees: { name: 'Sean Baker' },
  songs: { original_title: 'Golden' },
  nominations: { ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 },
};
const add = (resource: ResourceName, id = nextId(connection, resource)) => {
  insertRecord(connection, resource, { id, ...required[resource] });
  return id;
};

it.each(resourceNames)('the next id of %s is one above any that a record has or had', (resource) => {
  expect([add(resource), add(resource), add(resource)]).toEqual([1, 2, 3]);
  connection.exec(`DELETE FROM ${resource} WHERE id > 1`);
  expect(add(resource)).toBe(4);
  connection.exec(`UPDATE ${resource} SET id = 40 WHERE id = 4; UPDATE ${resource} SET id = 7 WHERE id = 40`);
  expect(add(resource)).toBe(41);
  connection.exec(`DELETE FROM sqlite_sequence WHERE name = '${resource}'`);
  expect(nextId(connection, resource)).toBe(42);
});

it.each(resourceNames)(
  'the next id of %s is the lowest free one once the highest there is has been given',
  (resource) => {
    add(resource, largest);
    expect([add(resource), add(resource)]).toEqual([1, 2]);
    add(resource, 4);
    expect([add(resource), add(resource)]).toEqual([3, 5]);
    connection.exec(`DELETE FROM ${resource} WHERE id IN (1, ${largest})`);
    expect([add(resource), add(resource)]).toEqual([1, 6]);
  },
);

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
    { numRuns: runs(200) },
  );
});
