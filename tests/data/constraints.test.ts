/** The schema enforces the rules of the interface on every writer, such as the sqlite3 shell. */
import { expect, it } from 'vitest';
import type { ResourceName } from '../../api/contract/names.ts';
import { openDatabase } from '../../data/database/open.ts';
import { refuseBrokenReferences } from '../../data/record/records.ts';

/** Values that a column takes, and that it refuses. A blob is refused by every column. */
type Values = [good: unknown[], bad: unknown[]];

const largest = Number.MAX_SAFE_INTEGER;
const tooLarge = BigInt(largest) + 1n;
const text: Values = [
  ['a', ' ', 'ü', "'; DROP TABLE movies; --"],
  ['', '\0', 'a\0', '\0a', null],
];
const id: Values = [
  [1, largest],
  [0, -1, tooLarge, 1.5, 'one'],
];
const reference: Values = [[1], [2, null, 'one']];
const year: Values = [
  [1, 1929, 9999],
  [0, -1, 10_000, 1929.5, 'MCMXXIX', null],
];
const years: Values = [
  [null, '2020', '1927/28', '0001'],
  ['', '0000', '0000/01', '20', '1927/1928', '1927-28', '1927/28 ', ' 2020', '2020\0', '1927/2a', 2020.5, -1],
];
const whole: Values = [
  [null, 0, 139, largest],
  [-1, tooLarge, 1.5, 'long'],
];
const boolean: Values = [
  [0, 1],
  [null, 2, -1, 'yes'],
];
const entry: Values = [
  [null, 1, largest],
  [0, -1, 1.5, 'one'],
];
const awardClass: Values = [
  ['SciTech', 'Special', 'Competitive'],
  [null, '', 'Acting', 'special'],
];
const noDates =
  'garbage now 12:00 20240101 2460311.5 2024-1-1 2024-02-30 2023-02-29 2024-13-01 -2024-01-01 10000-01-01';
const date: Values = [
  [null, '2024-02-29', '1929-05-16', '9999-12-31'],
  [...noDates.split(' '), '', 2024, '2024-01-01 ', ' 2024-01-01', '2024-01-01\0', '2024-01-01T00:00:00Z'],
];
const https: Values = [
  [null, 'https://a.example/b.jpg'],
  ['', 'http://a.example', 'HTTPS://a.example', ' https://a.example', 'https://a.example\0'],
];
const noArrays = [null, '', 'Drama', '"Drama"', '{}', 'null', '["Drama"', '["Drama"]\0', '[null]'];
const names: Values = [
  ['[]', '["Drama"]', ' [ "Drama" , "War" ] ', '["\\u00e9"]'],
  [...noArrays, '[""]', '["Drama", null]', '[1]', '[["Drama"]]', '[{"a": "b"}]', '["\\u0000"]', '["\0ama"]'],
];
const ids: Values = [
  ['[]', '[1]', ' [1, 2] ', `[${largest}]`],
  [...noArrays, '1', '["1"]', '[0]', '[-1]', '[1.5]', '[[1]]'],
];
const filmIds: Values = [
  [null, 'tt1', 'tt28607951'],
  ['', 'tt', 'nm1', 'TT1', 'tt1a', 'tta1', 'tt1 ', 'tt-1', 'tt1\0', 'tt1\0a', '1'],
];
const personIds: Values = [
  [null, 'nm1', 'co0048918'],
  ['', 'nm', 'co', 'tt1', 'NM1', 'nm1a', 'coa1', 'nm1,nm2', 'nm1\0', 'co1\0a'],
];

const kinds: Readonly<Record<string, Values>> = {
  ...{ id, reference, text, year, years, whole, boolean, entry, date, https, names, ids },
  ...{ class: awardClass, film: filmIds, person: personIds },
};

/** Table → its columns with their kinds; "?": null as well. */
const constraints: Readonly<Record<string, string>> = {
  ceremonies: `id:id ceremony_year:year date:date show_title:text? venue:text? overview:text? movies_eligible:text?
    wikiurl:text? moment_1_caption:text? moment_2_caption:text? moment_3_caption:text?
    moment_1_img_url:text? moment_2_img_url:text? moment_3_img_url:text? film_years:years`,
  categories: 'id:id category_name:text category_group:text? definition:text? era:text? history:text?',
  movies: `id:id title:text tagline:text? overview:text? release_date:date runtime:whole genres:names
    origin_country:names moviedb_id:whole filmindex_id:film poster_path:https backdrop_path:https
    other_names:names`,
  nominees: `id:id name:text biography:text? birthday:date deathday:date place_of_birth:text?
    known_for_department:text? homepage:text? moviedb_person_id:whole filmindex_id:person profile_path:https
    other_names:names`,
  songs: `id:id original_title:text artist_names:text? streaming_id:text? streaming_url:text?
    streaming_track_name:text? streaming_album_name:text? streaming_year:year?`,
  nominations: `id:id ceremony_id:reference category_id:reference movie_id:reference nominee_id:reference
    song_id:reference? winner:boolean entry:entry character:text? note:text? official:boolean
    historical_category:text? credited_as:text?`,
  honors: `id:id ceremony_id:reference class:class winner:boolean category_id:reference? category:text
    movie_id:reference? recipients:text? nominee_ids:ids citation:text? note:text?`,
} satisfies Record<ResourceName, string>;

const connection = openDatabase(':memory:');
// Off, so that rows can be replaced. Broken references are checked afterwards.
connection.pragma('foreign_keys = OFF');
connection.exec(`
  INSERT INTO ceremonies (id, ceremony_year) VALUES (1, 2025);
  INSERT INTO categories (id, category_name) VALUES (1, 'Directing');
  INSERT INTO movies (id, title) VALUES (1, 'Anora');
  INSERT INTO nominees (id, name) VALUES (1, 'Sean Baker');
  INSERT INTO songs (id, original_title) VALUES (1, 'Golden');
  INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (1, 1, 1, 1, 1);
  INSERT INTO honors (id, ceremony_id, class, category) VALUES (1, 1, 'Special', 'HONORARY AWARD');
`);

/** Tries a value in the row, or in a new row that replaces it, and rolls back. @returns whether it is taken */
function takes(table: string, column: string, value: unknown, isNew: boolean): boolean {
  const row = connection.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).get()!;
  connection.exec('BEGIN');
  try {
    if (isNew) {
      connection.exec(`DELETE FROM ${table}`);
      connection
        .prepare(`INSERT INTO ${table} VALUES (${Object.keys(row).map(() => '?')})`)
        .run(Object.values({ ...row, [column]: value }));
    } else connection.prepare(`UPDATE ${table} SET ${column} = ?`).run(value);
    if (table === 'nominations' || table === 'honors') refuseBrokenReferences(connection);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/constraint|refers to|cannot store|datatype|hold|malformed JSON/i);
    return false;
  } finally {
    connection.exec('ROLLBACK');
  }
}

it.each(Object.entries(constraints))('%s take valid values only, in every column', (table, text) => {
  const columns = text.split(/\s+/).map((each) => each.split(/[:?]/) as [string, string, string?]);
  const found = connection.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  expect(columns.map(([column]) => column)).toEqual(found);
  for (const [column, kind, optional] of columns) {
    const [good, bad] = kinds[kind]!;
    const isOptional = optional === '';
    const all = [...good, ...(isOptional ? [null] : [])].map((value) => [value, true] as const);
    const none = [...bad.filter((value) => value !== null || !isOptional), Buffer.from('text')];
    for (const [value, isTaken] of [...all, ...none.map((value) => [value, false] as const)])
      for (const isNew of [false, true])
        expect(
          takes(table, column, value, isNew),
          `${table}.${column} ${typeof value} ${String(value)}`,
        ).toBe(isTaken);
  }
});

it('what sources gave, digests of keys, receipts and builds are well-formed', () => {
  const insert =
    (into: string, ...values: unknown[]) =>
    () =>
      connection.prepare(`INSERT INTO ${into} VALUES (${values.map(() => '?')})`).run(values);
  const given = (fields: unknown) => insert('given', 'movies', 1, 'import', null, null, fields, 1, '{}');
  for (const bad of [null, '', 'x', '{', '[]', Buffer.from('{}')]) expect(given(bad)).toThrow();
  expect(given('{}')).not.toThrow();
  const key = (name: string, digest: unknown) =>
    insert('api_keys (name, digest, created_at)', name, digest, '');
  for (const bad of [null, '', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(63)}g`])
    expect(key('bad', bad)).toThrow(/constraint/);
  expect(key('good', 'a'.repeat(64))).not.toThrow();
  expect(key('other', 'a'.repeat(64))).toThrow(/UNIQUE/);
  const columns = 'receipts (at, key_name, resource, record_id, revision, action, before, after, snapshot)';
  const receipt = (...values: unknown[]) => insert(columns, '', 'k', 'movies', 1, 1, ...values);
  const valid = ['create', 'update', 'delete'].map((action) => [
    ...[action, action === 'create' ? null : '{}', action === 'delete' ? null : '{}', null],
  ]);
  for (const values of valid) {
    expect(receipt(...values)).not.toThrow();
    for (const [at, bad] of ['other', values[1] ? null : '{}', values[2] ? null : '{}', 's'].entries())
      expect(receipt(...values.with(at, bad)), `${values} ${at}`).toThrow(/constraint/);
    for (const at of [1, 2]) if (values[at]) expect(receipt(...values.with(at, '{'))).toThrow(/constraint/);
  }
  expect(insert('rebuilds (files)', '[')).toThrow(/constraint/);
});
