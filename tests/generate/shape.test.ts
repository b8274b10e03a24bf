/** The promise: a generated record is complete, consistent, and shaped like the real one. */
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReferencedResource, referencedResources } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import type { Connection } from '../../data/open.ts';
import { openDatabase } from '../../data/open.ts';
import { countRecords, nominationsBetween, recordsBetween } from '../../data/records.ts';
import { UserError } from '../../data/user-error.ts';
import { generated } from './fingerprint.ts';

const everyId = Number.MAX_SAFE_INTEGER;

let connection: Connection;
beforeAll(() => {
  connection = generated(1, 'shape');
});
afterAll(() => {
  connection.close();
});

/** The first column of a query. */
function column<T>(sql: string): T[] {
  return connection.prepare<[], T>(sql).pluck().all();
}

describe('at scale 1', () => {
  test('it has the size of the real record', () => {
    expect(countRecords(connection)).toEqual({
      nominations: 16_609,
      ceremonies: 98,
      categories: 30,
      movies: 5_247,
      nominees: 7_878,
      songs: 486,
    });
  });

  test('the database is sound', () => {
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test.each(referencedResources)('every one of the %s fits its schema', (resource: ReferencedResource) => {
    const schema = Compile(resourceSchemas[resource]);
    for (const record of recordsBetween(connection, resource, 0, everyId))
      if (!schema.Check(record))
        expect.fail(`${JSON.stringify(record)}: ${JSON.stringify(schema.Errors(record))}`);
  });

  test.each(referencedResources)('every field of the %s is set', (resource: ReferencedResource) => {
    for (const record of recordsBetween(connection, resource, 0, everyId)) {
      const empty = Object.entries(record).filter(
        ([, value]) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
      );
      const company = String((record as { filmindex_id?: string }).filmindex_id).startsWith('co');
      const allowed =
        resource === 'nominees' ? ['deathday', ...(company ? ['known_for_department'] : [])] : [];
      expect(empty.map(([field]) => field).filter((field) => !allowed.includes(field))).toEqual([]);
    }
  });

  test('some nominees have died, none before a nomination or before they were born', () => {
    const [dead] = column<number>('SELECT count(deathday) FROM nominees');
    expect(dead).toBeGreaterThan(1000);
    expect(dead).toBeLessThan(7000);
    expect(column('SELECT id FROM nominees WHERE deathday <= birthday')).toEqual([]);
    const posthumous = `SELECT n.id FROM nominations n JOIN nominees p ON p.id = nominee_id
      JOIN ceremonies c ON c.id = ceremony_id WHERE deathday < c.date OR birthday > c.date`;
    expect(column(posthumous)).toEqual([]);
  });

  test('about one nominee in twenty is a company, and only companies have no department', () => {
    const companies = column<number>("SELECT id FROM nominees WHERE filmindex_id LIKE 'co%' ORDER BY id");
    expect(companies.length / 7_878).toBeGreaterThan(0.03);
    expect(companies.length / 7_878).toBeLessThan(0.08);
    expect(column('SELECT id FROM nominees WHERE known_for_department IS NULL ORDER BY id')).toEqual(
      companies,
    );
  });

  test('ids of other databases and tracks are given once', () => {
    const counts = `SELECT count(*) - count(DISTINCT moviedb_id) + count(*) - count(DISTINCT filmindex_id) FROM movies
      UNION ALL SELECT 2 * count(*) - count(DISTINCT moviedb_person_id) - count(DISTINCT filmindex_id) FROM nominees
      UNION ALL SELECT count(*) - count(DISTINCT streaming_id) FROM songs`;
    expect(column(counts)).toEqual([0, 0, 0]);
    expect(
      column("SELECT id FROM movies WHERE filmindex_id NOT GLOB 'tt[0-9][0-9][0-9][0-9][0-9][0-9][0-9]*'"),
    ).toEqual([]);
    expect(column('SELECT id FROM nominees WHERE length(filmindex_id) NOT IN (9, 10)')).toEqual([]);
  });

  test('nominations are numbered without gaps in the order of the ceremonies', () => {
    const rows = nominationsBetween(connection, 0, everyId);
    expect(rows.map((row) => row.id)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.map((row) => row.ceremony_id)).toEqual(
      rows.map((row) => row.ceremony_id).sort((a, b) => a - b),
    );
    const years = column<number>('SELECT ceremony_year FROM ceremonies ORDER BY id');
    expect(years).toEqual([...years].sort((a, b) => a - b));
    expect(years.at(0)).toBe(1929);
    expect(years.at(-1)).toBe(2026);
  });

  test('every film, nominee and song is nominated, and every category is given', () => {
    for (const [resource, reference] of [
      ['movies', 'movie_id'],
      ['nominees', 'nominee_id'],
      ['songs', 'song_id'],
      ['categories', 'category_id'],
    ])
      expect(column(`SELECT id FROM ${resource} EXCEPT SELECT ${reference} FROM nominations`)).toEqual([]);
  });

  test('songs stand in the song category, and nothing else does', () => {
    const stands = 'SELECT DISTINCT category_name FROM nominations JOIN categories c ON c.id = category_id';
    expect(column(`${stands} WHERE song_id IS NOT NULL`)).toEqual(['Music (Original Song)']);
    expect(column(`${stands} WHERE song_id IS NULL AND category_name = 'Music (Original Song)'`)).toEqual([]);
    const writers = column<number>(
      'SELECT count(*) FROM nominations WHERE song_id IS NOT NULL GROUP BY song_id',
    );
    expect(Math.max(...writers)).toBeGreaterThan(1);
  });

  test('one film wins each category of each ceremony', () => {
    const winners = column<number>(
      'SELECT count(DISTINCT iif(winner, movie_id, NULL)) FROM nominations GROUP BY ceremony_id, category_id',
    );
    expect(new Set(winners)).toEqual(new Set([1]));
  });

  test('nobody is nominated twice for the same', () => {
    const twice =
      'SELECT id FROM nominations GROUP BY ceremony_id, category_id, movie_id, nominee_id, song_id HAVING count(*) > 1';
    expect(column(twice)).toEqual([]);
  });

  test('films belong to one ceremony, rarely two, and stand in up to twelve categories', () => {
    const ceremonies = column<number>(
      'SELECT count(DISTINCT ceremony_id) FROM nominations GROUP BY movie_id',
    );
    expect(Math.max(...ceremonies)).toBe(2);
    expect(ceremonies.filter((count) => count === 2).length).toBeLessThan(60);
    const categories = column<number>(
      'SELECT count(DISTINCT category_id) FROM nominations GROUP BY movie_id, ceremony_id',
    );
    expect(Math.min(...categories)).toBe(1);
    expect(Math.max(...categories)).toBeGreaterThanOrEqual(11);
    expect(Math.max(...categories)).toBeLessThanOrEqual(12);
  });

  test('few nominees recur often, most never', () => {
    const counts = column<number>('SELECT count(*) FROM nominations GROUP BY nominee_id ORDER BY 1 DESC');
    expect(counts[0]).toBeGreaterThan(30);
    expect(counts[0]).toBeLessThan(120);
    expect(counts.filter((count) => count === 1).length / counts.length).toBeGreaterThan(0.5);
  });
});

describe.each([0.001, 0.01, 0.05, 0.3, 2])('at scale %d', (scale) => {
  test('it is complete and sound', () => {
    const small = generated(scale, 'small');
    const counts = countRecords(small);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(5);
    expect(counts.ceremonies).toBe(Math.max(5, Math.min(98, Math.round(98 * scale))));
    expect(counts.categories).toBe(30);
    expect(counts.movies).toBe(Math.max(15, Math.round(5_247 * scale)));
    expect(counts.nominations).toBe(Math.max(60, Math.round(16_609 * scale)));
    expect(small.pragma('foreign_key_check')).toEqual([]);
    small.close();
  });
});

test('progress grows to the total', () => {
  const calls: [number, number][] = [];
  const empty = openDatabase(':memory:');
  generateRecord(empty, {
    scale: 0.05,
    seed: 'progress',
    onProgress: (done, total) => calls.push([done, total]),
  });
  const total = Object.values(countRecords(empty)).reduce((sum, count) => sum + count, 0);
  expect(calls.at(-1)).toEqual([total, total]);
  expect(calls.map(([done]) => done)).toEqual(calls.map(([done]) => done).sort((a, b) => a - b));
});

describe('refused', () => {
  test('is a database that holds a record, and it stays as it was', () => {
    const taken = openDatabase(':memory:');
    taken.exec("INSERT INTO songs (id, original_title) VALUES (7, 'Mine')");
    expect(() => generateRecord(taken, { scale: 0.01, seed: 'a' })).toThrow(UserError);
    expect(Object.values(countRecords(taken)).reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1001])('is a scale of %d', (scale) => {
    expect(() => generateRecord(openDatabase(':memory:'), { scale, seed: 'a' })).toThrow(UserError);
  });

  test('leaves nothing behind when it fails half way', () => {
    const empty = openDatabase(':memory:');
    const failing = () => {
      throw new Error('the terminal went away');
    };
    expect(() => generateRecord(empty, { scale: 0.01, seed: 'a', onProgress: failing })).toThrow('went away');
    expect(countRecords(empty).categories).toBe(0);
  });
});
