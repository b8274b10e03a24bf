/** Single records: read as lists show them, added and changed. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { changesSince, revision } from '../../data/database/changes.ts';
import { insertRecord, readRecord, recordExists, updateRecord } from '../../data/record/edits.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithNastyRecord } from '../oracle/nasty-record.ts';
import { loadPlainRecord } from '../oracle/record.ts';
import { runs } from '../support/settings.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';
import { anyBody, fieldValues, largest } from '../http/random-bodies.ts';

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});
afterEach(() => connection.close());

const nominationFields = (id: number) => ({
  id,
  ceremony_id: 1,
  category_id: 3,
  movie_id: 2,
  nominee_id: 4,
  song_id: 1,
  winner: true,
});

/** They refer to no other record. */
const independent = ['ceremonies', 'movies', 'nominees', 'songs'] as const;
/** A valid record, with all fields. */
const anyRecord = (resource: (typeof independent)[number]) =>
  anyBody(resource, Object.keys(fieldValues[resource]));

describe('a record is read', () => {
  it.each<[string, (database: Connection) => unknown]>([
    ['the nasty record', fillWithNastyRecord],
    ['generated records', (database) => generateRecord(database, { scale: 0.02, seed: 5 })],
  ])('as the oracle shows it, to the byte: %s', (_name, fill) => {
    fill(connection);
    const expected = loadPlainRecord(connection);
    for (const resource of resourceNames)
      for (const record of expected[resource])
        expect(JSON.stringify(readRecord(connection, resource, record.id))).toBe(JSON.stringify(record));
  });

  it('as undefined if there is none', () => {
    fillWithTinyRecord(connection);
    for (const resource of resourceNames)
      for (const id of [0, -1, 7, 1.5, largest, 1e300]) {
        expect(readRecord(connection, resource, id)).toBeUndefined();
        expect(recordExists(connection, resource, id)).toBe(false);
      }
    expect(recordExists(connection, 'songs', 1)).toBe(true);
  });

  it('with null for fields derived from a broken reference', () => {
    fillWithTinyRecord(connection);
    connection.pragma('foreign_keys = OFF');
    connection.exec('DELETE FROM movies; DELETE FROM songs');
    expect(readRecord(connection, 'nominations', 3)).toMatchObject({
      category: 'Music (Original Song)',
      movie: null,
      song_title: null,
      is_song: true,
    });
  });
});

describe('a record is written', () => {
  const known = (values: Record<string, unknown>, fields: readonly string[]) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)));

  it.each(independent)('%s: whole, then some of its fields, and no other record', (resource) => {
    const fields = Object.keys(fieldValues[resource]).filter((field) => field !== 'id');
    fc.assert(
      fc.property(anyRecord(resource), anyRecord(resource), fc.subarray(fields), (record, others, chosen) => {
        const database = openDatabase(':memory:');
        const id = record.id as number;
        const neighbour = id === 1 ? 2 : id - 1;
        insertRecord(database, resource, { ...others, id: neighbour });
        insertRecord(database, resource, record);
        expect(readRecord(database, resource, id)).toEqual(record);
        const before = revision(database);
        const changes = known(others, chosen);
        updateRecord(database, resource, id, changes);
        expect(readRecord(database, resource, id)).toEqual({ ...record, ...changes });
        expect(readRecord(database, resource, neighbour)).toEqual({ ...others, id: neighbour });
        expect(changesSince(database, before, 10)).toEqual(chosen.length === 0 ? [] : [{ resource, id }]);
        database.close();
      }),
      { numRuns: runs(16) },
    );
  });

  it('nominations: derived fields come from the references, whatever the given values', () => {
    fillWithTinyRecord(connection);
    const derived = { movie: 'Another', is_song: false, ceremony_year: 1, song_title: null };
    insertRecord(connection, 'nominations', { ...nominationFields(largest), ...derived });
    expect(readRecord(connection, 'nominations', largest)).toEqual({
      id: largest,
      ceremony_id: 1,
      ceremony_year: 1929,
      category_id: 3,
      category: 'Music (Original Song)',
      movie_id: 2,
      movie: 'It\'s a "Wonderful" Life',
      nominee_id: 4,
      nominee: 'José Ñandú',
      song_id: 1,
      song_title: 'Que Será',
      is_song: true,
      winner: true,
    });
    updateRecord(connection, 'nominations', largest, {
      song_id: null,
      winner: false,
      movie_id: 3,
      ...derived,
    });
    expect(readRecord(connection, 'nominations', largest)).toMatchObject({
      movie: '8½',
      song_title: null,
      is_song: false,
      winner: false,
    });
  });

  it('with defaults for missing fields', () => {
    insertRecord(connection, 'movies', { id: 3, title: 'Anora', tagline: undefined });
    expect(readRecord(connection, 'movies', 3)).toMatchObject({ title: 'Anora', tagline: null, genres: [] });
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
    updateRecord(connection, 'songs', 1, {});
    updateRecord(connection, 'songs', 1, { id: 1 });
    updateRecord(connection, 'songs', 2, {});
    expect(revision(connection)).toBe(before);
    expect(() => updateRecord(connection, 'songs', 1, { id: 2 })).toThrow('songs 1 cannot become songs 2');
    expect(() => updateRecord(connection, 'songs', 2, { artist_names: 'M' })).toThrow('there is no songs 2');
    expect(() => insertRecord(connection, 'songs', { id: 1, original_title: 'Two' })).toThrow(/UNIQUE/);
    expect(revision(connection)).toBe(before);
  });
});
