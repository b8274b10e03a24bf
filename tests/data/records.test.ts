/** Single records: read as lists show them, added, changed; and an id means one record for ever. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ResourceName, resourceNames } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { generateRecord } from '../../tools/generate/generate.ts';
import {
  deleteRecord,
  insertRecord,
  nextId,
  readRecord,
  recordExists,
  updateRecord,
} from '../../data/record/edits.ts';
import { prepareInsert } from '../../data/record/records.ts';
import { fillWithNastyRecord } from '../records/nasty-record.ts';
import { loadPlainRecord } from '../records/record.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { runs } from '../support/settings.ts';

const largest = Number.MAX_SAFE_INTEGER;
let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});

describe('a record is read', () => {
  it.each<[string, (database: Connection) => unknown]>([
    ['the nasty record', fillWithNastyRecord],
    ['generated records', (database) => generateRecord(database, { scale: 0.005, seed: 5 })],
  ])('as the oracle shows it, to the byte: %s', (_name, fill) => {
    fill(connection);
    const expected = loadPlainRecord(connection);
    for (const resource of resourceNames)
      for (const record of expected[resource])
        expect(JSON.stringify(readRecord(connection, resource, record.id))).toBe(JSON.stringify(record));
  });

  it('as undefined if there is none, and with null for what a broken reference gives', () => {
    fillWithTinyRecord(connection);
    for (const resource of resourceNames)
      for (const id of [0, -1, 7, 1.5, largest, 1e300])
        expect([readRecord(connection, resource, id), recordExists(connection, resource, id)]).toEqual([
          ...[undefined, false],
        ]);
    connection.pragma('foreign_keys = OFF');
    connection.exec('DELETE FROM movies; DELETE FROM songs');
    const category = 'Music (Original Song)';
    const broken = { category, movie: null, song_title: null, is_song: true };
    expect(readRecord(connection, 'nominations', 3)).toMatchObject(broken);
  });
});

describe('a record is written', () => {
  it('with defaults for missing fields, and derived fields from the references, and not from the body', () => {
    fillWithTinyRecord(connection);
    insertRecord(connection, 'movies', { id: 9, title: 'Anora', tagline: undefined });
    expect(readRecord(connection, 'movies', 9)).toMatchObject({ title: 'Anora', tagline: null, genres: [] });
    const references = { ceremony_id: 1, category_id: 3, movie_id: 2, nominee_id: 4, song_id: 1 };
    const wrong = { movie: 'Another', is_song: false, ceremony_year: 1, song_title: null };
    insertRecord(connection, 'nominations', { id: 9, ...references, winner: true, ...wrong });
    const names = { movie: 'It\'s a "Wonderful" Life', nominee: 'José Ñandú', song_title: 'Que Será' };
    expect(readRecord(connection, 'nominations', 9)).toEqual({
      ...{ id: 9, ...references, ...names, category: 'Music (Original Song)' },
      ...{ ceremony_year: 1929, is_song: true, winner: true },
    });
    updateRecord(connection, 'nominations', 9, { song_id: null, winner: false, movie_id: 3, ...wrong });
    const changed = { movie: '8½', song_title: null, is_song: false, winner: false };
    expect(readRecord(connection, 'nominations', 9)).toMatchObject(changed);
  });

  it.each(['titel', 'genres, id', 'title = 1; DROP TABLE movies; --', '__proto__', 'constructor', ''])(
    'not with an unknown field: %j',
    (field) => {
      insertRecord(connection, 'movies', { id: 1, title: 'Anora' });
      const values = Object.fromEntries([[field, 'x']]);
      const message = new Error(`movies have no field "${field}"`);
      expect(() => insertRecord(connection, 'movies', { id: 2, title: 'M', ...values })).toThrow(message);
      expect(() => updateRecord(connection, 'movies', 1, values)).toThrow(message);
      expect(loadPlainRecord(connection).movies).toHaveLength(1);
    },
  );

  it('only under its own id, only if it exists, and only if a field is given', () => {
    insertRecord(connection, 'songs', { id: 1, original_title: 'Golden' });
    const before = revision(connection);
    updateRecord(connection, 'songs', 1, { id: 1 });
    updateRecord(connection, 'songs', 2, {});
    expect(() => updateRecord(connection, 'songs', 1, { id: 2 })).toThrow('songs 1 cannot become songs 2');
    expect(() => updateRecord(connection, 'songs', 2, { artist_names: 'M' })).toThrow('there is no songs 2');
    expect(() => insertRecord(connection, 'songs', { id: 1, original_title: 'Two' })).toThrow(/UNIQUE/);
    expect(revision(connection)).toBe(before);
  });
});

const required: Record<ResourceName, Readonly<Record<string, unknown>>> = {
  ...{ ceremonies: { ceremony_year: 2025 }, categories: { category_name: 'Directing' } },
  ...{ movies: { title: 'Anora' }, nominees: { name: 'Sean Baker' }, songs: { original_title: 'Golden' } },
  nominations: { ceremony_id: 1, category_id: 1, movie_id: 1, nominee_id: 1 },
  honors: { ceremony_id: 1, class: 'Special', category: 'HONORARY AWARD' },
};

it.each(resourceNames)(
  '%s: a new id was never used, also after deletions and changes of ids; what sources gave follows the record',
  (table) => {
    const action = fc.record({
      verb: fc.constantFrom('add', 'add', 'insert', 'delete', 'remove', 'renumber', 'largest'),
      which: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(action, { minLength: 4, maxLength: 25 }), (actions) => {
        connection = openDatabase(':memory:');
        connection.pragma('foreign_keys = OFF');
        /** Id → the number of the step that made its record. */
        const alive = new Map<number, number>();
        const receipts = new Set<number>();
        let highest = 0;
        const unused = () => {
          if (highest < largest) return highest + 1;
          let id = 1;
          while (alive.has(id) || receipts.has(id)) id += 1;
          return id;
        };
        actions.forEach(({ verb, which }, step) => {
          const own = [...alive.keys()][which % alive.size];
          if (verb === 'add' || verb === 'insert' || (verb === 'largest' && which < 3)) {
            const expected = verb === 'largest' ? largest : unused();
            if (verb === 'largest' ? alive.has(largest) : verb === 'insert' && highest === largest) return;
            if (verb === 'add') expect(nextId(connection, table)).toBe(expected);
            // SQLite gives an id that is not set.
            const values = { id: verb === 'insert' ? null : expected, ...required[table] };
            prepareInsert(connection, table, Object.keys(values))(values);
            expect(recordExists(connection, table, expected)).toBe(true);
            connection
              .prepare("INSERT INTO given VALUES (?, ?, 'import', NULL, NULL, ?, 1, '{}')")
              .run(table, expected, JSON.stringify({ step }));
            alive.set(expected, step);
            highest = Math.max(highest, expected);
          } else if (own === undefined) return;
          else if (verb === 'delete') connection.exec(`DELETE FROM ${table} WHERE id = ${own}`);
          else if (verb === 'remove') {
            deleteRecord(connection, { resource: table, id: own, key: 'editor', at: new Date(0) });
            receipts.add(own);
          } else if (verb === 'renumber') {
            const to = which + 5;
            connection.exec(`UPDATE OR REPLACE ${table} SET id = ${to} WHERE id = ${own}`);
            alive.set(to, alive.get(own)!);
            highest = Math.max(highest, to);
            if (to === own) return;
          }
          if (verb !== 'add' && verb !== 'insert' && verb !== 'largest') alive.delete(own!);
        });
        const given = connection.prepare("SELECT record_id, fields ->> 'step' FROM given ORDER BY 1");
        expect(given.raw().all()).toEqual([...alive].sort(([a], [b]) => a - b));
      }),
      { numRuns: runs(8) },
    );
  },
);
