/** A generated record is complete, consistent, shaped like the real one, and a function of scale and seed alone. */
import { createHash } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { referencedResources, resourceNames } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { UserError } from '../../build/system/messages.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { generateRecord } from '../../data/generate/generate.ts';
import { countRecords, recordsBetween } from '../../data/record/records.ts';

function generated(scale: number, seed: string | number): Connection {
  const connection = openDatabase(':memory:');
  generateRecord(connection, { scale, seed });
  return connection;
}

/** The hash of every value of every record, in order. */
function fingerprint(connection: Connection): string {
  const hash = createHash('sha256');
  for (const table of resourceNames)
    for (const row of connection.prepare(`SELECT * FROM ${table} ORDER BY id`).raw().iterate())
      hash.update(`${table}${JSON.stringify(row)}\n`);
  return hash.digest('hex');
}

describe('at scale 1', () => {
  const connection = generated(1, 'shape');
  /** The first column of a query. */
  const column = <T>(sql: string): T[] => connection.prepare<[], T>(sql).pluck().all();

  it('it has the size of the real record, and is sound', () => {
    const songs = { songs: 486, nominations: 16_609 };
    const sizes = { ceremonies: 98, categories: 30, movies: 5_247, nominees: 7_878, honors: 1_303, ...songs };
    expect(countRecords(connection)).toEqual(sizes);
    expect(connection.pragma('foreign_key_check')).toEqual([]);
  });

  // The same on all machines and versions of Node. It changes with the generator and with the columns of the tables.
  it('it has the records of earlier versions', () => {
    expect(fingerprint(connection)).toBe('bc121e378d180da015e8109a9cd6c12ef5050152d0420e1ecd6e4e783bec96fb');
  });

  it.each(referencedResources)('the %s match their schema, with all fields set', (resource) => {
    const schema = Compile(resourceSchemas[resource]);
    for (const record of recordsBetween(connection, resource, 0, Number.MAX_SAFE_INTEGER)) {
      if (!schema.Check(record)) expect.fail(JSON.stringify([record, schema.Errors(record)]));
      const unset = Object.entries(record).filter(
        ([, value]) => value === null || value === '' || (Array.isArray(value) && value.length === 0),
      );
      const isCompany = String((record as { filmindex_id?: string }).filmindex_id).startsWith('co');
      const allowed = resource === 'nominees' ? ['deathday', isCompany && 'known_for_department'] : [];
      expect(unset.map(([field]) => field).filter((field) => !allowed.includes(field))).toEqual([]);
    }
  });

  const common = 'HAVING count(*) > 50';
  it.each([
    ['honors of both classes are common', `SELECT 1 FROM honors GROUP BY class ${common}`, 2],
    ['honors with films are common', `SELECT 1 FROM honors WHERE movie_id NOTNULL ${common}`, 1],
    ['honors with nominees are common', `SELECT 1 FROM honors WHERE nominee_ids <> '[]' ${common}`, 1],
    ['notes are common', `SELECT 1 FROM nominations WHERE note NOTNULL ${common}`, 1],
    ['unofficial nominations are common', `SELECT 1 FROM nominations WHERE NOT official ${common}`, 1],
    ['an unofficial nomination has a note', 'SELECT id FROM nominations WHERE note IS NULL AND NOT official'],
    ['the historical category is set', 'SELECT id FROM nominations WHERE historical_category IS NULL'],
    [
      'nobody is nominated after their death or before their birth',
      `SELECT n.id FROM nominations n JOIN nominees p ON p.id = nominee_id JOIN ceremonies c ON c.id = ceremony_id
       WHERE deathday < c.date OR birthday > c.date OR deathday <= birthday`,
    ],
    [
      'exactly the nominations for acting have a character',
      `SELECT n.id FROM nominations n JOIN categories c ON c.id = category_id
       WHERE (character IS NOT NULL) <> (category_group = 'Acting')`,
    ],
    [
      'entries are numbered within ceremony and category',
      `SELECT 1 FROM nominations GROUP BY ceremony_id, category_id
       HAVING min(entry) <> 1 OR max(entry) <> count(DISTINCT entry)`,
    ],
    [
      'an entry is for one film and song, and in acting for one nominee',
      `SELECT 1 FROM nominations JOIN categories c ON c.id = category_id GROUP BY ceremony_id, category_id, entry
       HAVING count(DISTINCT movie_id) > 1 OR count(DISTINCT ifnull(song_id, 0)) > 1
         OR count(*) > iif(category_group = 'Acting', 1, count(*))`,
    ],
    [
      'honors name nominees of the record',
      'SELECT h.id FROM honors h, json_each(nominee_ids) WHERE value NOT IN (SELECT id FROM nominees)',
    ],
    [
      'only companies have no department',
      "SELECT id FROM nominees WHERE (filmindex_id LIKE 'co%') <> (known_for_department IS NULL)",
    ],
    ...[
      'movies.moviedb_id',
      'movies.filmindex_id',
      'nominees.moviedb_person_id',
      'nominees.filmindex_id',
    ].map(
      (id) =>
        [
          `${id} is unique`,
          `SELECT 1 FROM ${id.split('.')[0]} AS ${id.split('.')[0]} GROUP BY ${id} HAVING count(*) > 1`,
        ] as const,
    ),
    [
      'ids of the film index have 7 digits or 8',
      'SELECT id FROM movies WHERE length(filmindex_id) NOT IN (9, 10) UNION SELECT id FROM nominees WHERE length(filmindex_id) NOT IN (9, 10)',
    ],
    ['every film is nominated', 'SELECT id FROM movies EXCEPT SELECT movie_id FROM nominations'],
    ['every nominee is nominated', 'SELECT id FROM nominees EXCEPT SELECT nominee_id FROM nominations'],
    ['every song is nominated', 'SELECT id FROM songs EXCEPT SELECT song_id FROM nominations'],
    ['every category is used', 'SELECT id FROM categories EXCEPT SELECT category_id FROM nominations'],
    [
      'exactly the nominations for songs have a song',
      `SELECT 1 FROM nominations JOIN categories c ON c.id = category_id
       WHERE (song_id IS NOT NULL) <> (category_name = 'Music (Original Song)')`,
    ],
    [
      'one film wins each category of each ceremony',
      `SELECT ceremony_id FROM nominations GROUP BY ceremony_id, category_id
       HAVING count(DISTINCT iif(winner, movie_id, NULL)) <> 1`,
    ],
    [
      'no nomination is doubled',
      `SELECT 1 FROM nominations GROUP BY ceremony_id, category_id, movie_id, nominee_id, song_id
       HAVING count(*) > 1`,
    ],
  ] as [string, string, number?][])('%s', (_, sql, expected = 0) => {
    expect(column(sql)).toHaveLength(expected);
  });

  it('its texts are well-formed, and have what programs often get wrong', () => {
    const texts = column<string>('SELECT title FROM movies UNION ALL SELECT name FROM nominees');
    expect(texts.filter((text) => text === '' || /\p{Cs}|\p{Cc}|^\s|\s$/u.test(text))).toEqual([]);
    for (const pattern of [
      ...[/\u00e9/, /[a-z]\p{M}/iu, /\p{L}\p{M}{2}/u, /[ñøÅłßŞİï]/, /'/, /’/, /\p{L}-\p{L}/u, /[%_"\\&]/],
      ...[/\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Han}/u, /\p{Script=Arabic}/u],
      ...[/[\u{1f300}-\u{1faff}]/u, /^\p{L}$/u, /^[^\p{L}\p{N}]+$/u],
    ])
      expect(
        texts.some((text) => pattern.test(text)),
        String(pattern),
      ).toBe(true);
  });
});

it('it depends on scale and seed alone, and asks for no time, language or random number', () => {
  const one = fingerprint(generated(0.05, 7));
  const never = () => expect.fail('was asked');
  vi.stubGlobal('Date', never);
  vi.stubGlobal('Intl', new Proxy({}, { get: never }));
  vi.spyOn(Math, 'random').mockImplementation(never);
  for (const type of [String, Number, Array])
    for (const name of ['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase'])
      if (name in type.prototype)
        vi.spyOn(type.prototype as never, name as never).mockImplementation(never as never);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  expect(fingerprint(generated(0.05, '7'))).toBe(one);
  expect(fingerprint(generated(0.05, 8))).not.toBe(one);
  expect(fingerprint(generated(0.051, 7))).not.toBe(one);
});

it.each([0.001, 0.3])('at scale %d it is complete and sound, and progress grows to the total', (scale) => {
  const connection = openDatabase(':memory:');
  const calls: [number, number][] = [];
  generateRecord(connection, { scale, seed: 'small', onProgress: (...call) => calls.push(call) });
  const counts = countRecords(connection);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(5);
  expect(counts).toMatchObject({
    ...{ ceremonies: Math.max(5, Math.round(98 * scale)), categories: 30 },
    movies: Math.max(15, Math.round(5_247 * scale)),
    nominations: Math.max(60, Math.round(16_609 * scale)),
  });
  expect(connection.pragma('foreign_key_check')).toEqual([]);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(calls.at(-1)).toEqual([total, total]);
  expect(calls).toEqual(calls.toSorted(([a], [b]) => a - b));
});

it('a database with a record, and a scale out of range, are refused; a failure leaves the database as it was', () => {
  const connection = openDatabase(':memory:');
  const run = (scale: number, onProgress?: () => void) => () =>
    generateRecord(connection, { scale, seed: 'a', ...(onProgress && { onProgress }) });
  for (const scale of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1001])
    expect(run(scale)).toThrow(UserError);
  const fail = () => {
    throw new Error('the terminal went away');
  };
  expect(run(0.01, fail)).toThrow('went away');
  expect(countRecords(connection)).toMatchObject({ ceremonies: 0, songs: 0 });
  connection.exec("INSERT INTO songs (id, original_title) VALUES (7, 'Mine')");
  expect(run(0.01)).toThrow(UserError);
  expect(countRecords(connection)).toMatchObject({ ceremonies: 0, songs: 1 });
});
