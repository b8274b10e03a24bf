/** A generated record is complete, consistent, and shaped like the real one. */
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReferencedResource, referencedResources } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { countRecords, recordsBetween } from '../../data/record/records.ts';
import { UserError } from '../../build/system/messages.ts';
import { fingerprint, generated } from './generated-fingerprint.ts';

const everyId = Number.MAX_SAFE_INTEGER;
const total = (connection: Connection) =>
  Object.values(countRecords(connection)).reduce((sum, count) => sum + count, 0);

describe('at scale 1', () => {
  let connection: Connection;
  beforeAll(() => {
    connection = generated(1, 'shape');
  });
  afterAll(() => connection.close());
  /** The first column of a query. */
  const column = <T>(sql: string): T[] => connection.prepare<[], T>(sql).pluck().all();

  test('it has the size of the real record', () => {
    const songs = { songs: 486, nominations: 16_609 };
    const sizes = { ceremonies: 98, categories: 30, movies: 5_247, nominees: 7_878, honors: 1_303, ...songs };
    expect(countRecords(connection)).toEqual(sizes);
  });

  test('it has all kinds of details and honors', () => {
    expect(column('SELECT count(*) FROM honors')).toEqual([1303]);
    expect(column('SELECT DISTINCT class FROM honors ORDER BY class')).toEqual(['SciTech', 'Special']);
    for (const condition of ['note IS NOT NULL', 'NOT official'])
      expect(
        column<number>(`SELECT count(*) FROM nominations WHERE ${condition}`)[0],
        condition,
      ).toBeGreaterThan(50);
    for (const condition of ['movie_id IS NOT NULL', "nominee_ids <> '[]'"])
      expect(column<number>(`SELECT count(*) FROM honors WHERE ${condition}`)[0], condition).toBeGreaterThan(
        50,
      );
  });

  test('the database is sound', () => {
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test.each(referencedResources)(
    'the %s match their schema, with all fields set',
    (resource: ReferencedResource) => {
      const schema = Compile(resourceSchemas[resource]);
      for (const record of recordsBetween(connection, resource, 0, everyId)) {
        if (!schema.Check(record))
          expect.fail(`${JSON.stringify(record)}: ${JSON.stringify(schema.Errors(record))}`);
        const unset = Object.entries(record).filter(
          ([, value]) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
        );
        const isCompany = String((record as { filmindex_id?: string }).filmindex_id).startsWith('co');
        const allowed = resource === 'nominees' ? ['deathday', isCompany && 'known_for_department'] : [];
        expect(unset.map(([field]) => field).filter((field) => !allowed.includes(field))).toEqual([]);
      }
    },
  );

  const inCategory = 'SELECT category_name FROM nominations JOIN categories c ON c.id = category_id';
  const song = "'Music (Original Song)'";
  test.each([
    ['no nominee dies before birth', 'SELECT id FROM nominees WHERE deathday <= birthday'],
    [
      'no nominee is nominated after death or before birth',
      `SELECT n.id FROM nominations n JOIN nominees p ON p.id = nominee_id JOIN ceremonies c ON c.id = ceremony_id
       WHERE deathday < c.date OR birthday > c.date`,
    ],
    [
      'exactly the nominations for acting have a character',
      `SELECT n.id FROM nominations n JOIN categories c ON c.id = category_id
       WHERE (character IS NOT NULL) <> (category_group = 'Acting')`,
    ],
    [
      'entries are numbered within ceremony and category, and each is for one film and song',
      `SELECT 1 FROM nominations GROUP BY ceremony_id, category_id HAVING min(entry) <> 1 OR max(entry) <> count(DISTINCT entry)
       UNION ALL SELECT 1 FROM nominations GROUP BY ceremony_id, category_id, entry
       HAVING count(DISTINCT movie_id) > 1 OR count(DISTINCT ifnull(song_id, 0)) > 1`,
    ],
    [
      'each nominee for acting is an entry',
      `SELECT 1 FROM nominations JOIN categories c ON c.id = category_id AND category_group = 'Acting'
       GROUP BY ceremony_id, category_id, entry HAVING count(*) > 1`,
    ],
    [
      'an unofficial nomination has a note',
      'SELECT id FROM nominations WHERE (note IS NULL AND NOT official) OR historical_category IS NULL',
    ],
    [
      'honors name nominees of the record',
      'SELECT h.id FROM honors h, json_each(nominee_ids) WHERE value NOT IN (SELECT id FROM nominees)',
    ],
    [
      'only companies have no department',
      "SELECT id FROM nominees WHERE (filmindex_id LIKE 'co%') <> (known_for_department IS NULL)",
    ],
    [
      'ids of external databases are unique',
      `SELECT moviedb_id FROM movies GROUP BY 1 HAVING count(*) > 1
       UNION ALL SELECT filmindex_id FROM movies GROUP BY 1 HAVING count(*) > 1
       UNION ALL SELECT moviedb_person_id FROM nominees GROUP BY 1 HAVING count(*) > 1
       UNION ALL SELECT filmindex_id FROM nominees GROUP BY 1 HAVING count(*) > 1
       UNION ALL SELECT streaming_id FROM songs GROUP BY 1 HAVING count(*) > 1`,
    ],
    [
      'film index ids of films have 7 digits or more',
      "SELECT id FROM movies WHERE filmindex_id NOT GLOB 'tt[0-9][0-9][0-9][0-9][0-9][0-9][0-9]*'",
    ],
    [
      'film index ids of nominees have 7 or 8 digits',
      'SELECT id FROM nominees WHERE length(filmindex_id) NOT IN (9, 10)',
    ],
    ['every film is nominated', 'SELECT id FROM movies EXCEPT SELECT movie_id FROM nominations'],
    ['every nominee is nominated', 'SELECT id FROM nominees EXCEPT SELECT nominee_id FROM nominations'],
    ['every song is nominated', 'SELECT id FROM songs EXCEPT SELECT song_id FROM nominations'],
    ['every category is used', 'SELECT id FROM categories EXCEPT SELECT category_id FROM nominations'],
    [
      'the song category has songs, and no other category has',
      `${inCategory} WHERE (song_id IS NOT NULL) <> (category_name = ${song})`,
    ],
    [
      'one film wins each category of each ceremony',
      `SELECT ceremony_id FROM nominations GROUP BY ceremony_id, category_id
       HAVING count(DISTINCT iif(winner, movie_id, NULL)) <> 1`,
    ],
    [
      'no nomination is doubled',
      `SELECT id FROM nominations GROUP BY ceremony_id, category_id, movie_id, nominee_id, song_id
       HAVING count(*) > 1`,
    ],
  ])('%s', (_, violations) => {
    expect(column(violations)).toEqual([]);
  });

  test('its texts are well-formed, and have what programs often get wrong', () => {
    const texts = column<string>('SELECT title FROM movies UNION ALL SELECT name FROM nominees');
    const broken = texts.filter((text) => text === '' || /\p{Cs}|\p{Cc}|^\s|\s$/u.test(text));
    expect(broken).toEqual([]);
    const patterns = [
      /\u00e9/,
      /[a-z]\p{M}/iu,
      /\p{L}\p{M}{2}/u,
      /[ñøÅłßŞİï]/,
      /'/,
      /’/,
      /\p{L}-\p{L}/u,
      /[%_"\\&]/,
    ];
    const scripts = [/\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Han}/u, /\p{Script=Arabic}/u];
    for (const pattern of [
      ...patterns,
      ...scripts,
      /[\u{1f300}-\u{1faff}]/u,
      /^\p{L}$/u,
      /^[^\p{L}\p{N}]+$/u,
    ])
      expect(texts.filter((text) => pattern.test(text)).length, String(pattern)).toBeGreaterThan(0);
  });

  // The same on all machines and versions of Node. It changes with the generator and with the columns of the tables.
  test('it has the records of earlier versions', () => {
    expect(fingerprint(connection)).toBe('bc121e378d180da015e8109a9cd6c12ef5050152d0420e1ecd6e4e783bec96fb');
  });
});

test.each([0.001, 0.01, 0.05, 0.3, 2])('at scale %d it is complete and sound', (scale) => {
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

test('progress grows to the total', () => {
  const calls: [number, number][] = [];
  const empty = openDatabase(':memory:');
  const onProgress = (...call: [number, number]) => calls.push(call);
  generateRecord(empty, { scale: 0.05, seed: 'progress', onProgress });
  expect(calls.at(-1)).toEqual([total(empty), total(empty)]);
  expect(calls.map(([done]) => done)).toEqual(calls.map(([done]) => done).sort((a, b) => a - b));
});

test('a database with a record is refused and unchanged', () => {
  const taken = openDatabase(':memory:');
  taken.exec("INSERT INTO songs (id, original_title) VALUES (7, 'Mine')");
  expect(() => generateRecord(taken, { scale: 0.01, seed: 'a' })).toThrow(UserError);
  expect(total(taken)).toBe(1);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1001])('a scale of %d is refused', (scale) => {
  expect(() => generateRecord(openDatabase(':memory:'), { scale, seed: 'a' })).toThrow(UserError);
});

test('a failure leaves the database empty', () => {
  const empty = openDatabase(':memory:');
  const onProgress = () => {
    throw new Error('the terminal went away');
  };
  expect(() => generateRecord(empty, { scale: 0.01, seed: 'a', onProgress })).toThrow('went away');
  expect(total(empty)).toBe(0);
});
