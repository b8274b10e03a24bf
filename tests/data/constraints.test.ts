/** The schema enforces the rules of the interface on every writer, such as the sqlite3 shell. */

import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../api/contract/names.ts';
import { schemaNames } from '../../api/contract/openapi/schemas.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { verify } from '../../build/verify.ts';
import { openDatabase } from '../../data/database/open.ts';
import { refuseBrokenReferences } from '../../data/record/records.ts';
import { faultsBySchema } from '../http/openapi-described.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';

interface Values {
  good: unknown[];
  bad: unknown[];
}

const largest = Number.MAX_SAFE_INTEGER;
/** Forbidden in every column. */
const blob = Buffer.from('text');

const id: Values = { good: [1, largest], bad: [0, -1, BigInt(largest) + 1n, 1.5, 'one', blob] };
const reference: Values = { good: [1], bad: [2, null, 'one', blob] };
const text: Values = {
  good: ['a', ' ', 'ü', "'; DROP TABLE movies; --"],
  bad: ['', '\0', 'a\0', '\0a', null, blob],
};
const optional = ({ good, bad }: Values): Values => ({
  good: [null, ...good],
  bad: bad.filter((value) => value !== null),
});
const optionalText = optional(text);
const year: Values = { good: [1, 1929, 9999], bad: [0, -1, 10_000, 1929.5, 'MCMXXIX', null, blob] };
const whole: Values = { good: [null, 0, 139, largest], bad: [-1, BigInt(largest) + 1n, 1.5, 'long', blob] };
const date: Values = {
  good: [null, '2024-02-29', '1929-05-16', '9999-12-31'],
  bad: [
    ...['garbage', '', 'now', '12:00', 2024, '20240101', '2460311.5', blob],
    ...['2024-1-1', '2024-02-30', '2023-02-29', '2024-13-01', '-2024-01-01', '10000-01-01'],
    ...['2024-01-01 ', ' 2024-01-01', '2024-01-01\0', '2024-01-01 00:00:00', '2024-01-01T00:00:00Z'],
  ],
};
const https: Values = {
  good: [null, 'https://a.example/b.jpg'],
  bad: ['', 'http://a.example', 'HTTPS://a.example', ' https://a.example', 'https://a.example\0', blob],
};
const names: Values = {
  good: ['[]', '["Drama"]', ' [ "Drama" , "War" ] ', '["\\u00e9"]'],
  bad: [
    ...[null, '', 'Drama', '"Drama"', '{}', 'null', '["Drama"', "['Drama']", '[""]', '["Drama", null]'],
    ...['[1]', '[["Drama"]]', '[{"a": "b"}]', '["Dr\\u0000ama"]', '["Dr\0ama"]', '["Drama"]\0', blob],
  ],
};
const filmIds: Values = {
  good: [null, 'tt1', 'tt28607951'],
  bad: ['', 'tt', 'nm1', 'TT1', 'tt1a', 'tta1', 'tt1 ', 'tt-1', 'tt1\0', 'tt1\0a', '1', blob],
};
const personIds: Values = {
  good: [null, 'nm1', 'co0048918'],
  bad: ['', 'nm', 'co', 'tt1', 'NM1', 'nm1a', 'coa1', 'nm1,nm2', 'nm1\0', 'co1\0a', blob],
};

/** The same values for several columns. */
const all = (values: Values, columns: string): Record<string, Values> =>
  Object.fromEntries(columns.split(' ').map((column) => [column, values]));

const boolean: Values = { good: [0, 1], bad: [null, 2, -1, 'yes', blob] };
const ids: Values = {
  good: ['[]', '[1]', ' [1, 2] ', `[${largest}]`],
  bad: [
    ...[null, '', '1', '{}', 'null', '[1', '["1"]', '[0]', '[-1]', '[1.5]', '[null]', '[[1]]', '[1]\0'],
    blob,
  ],
};

const constraints: Record<ResourceName, Record<string, Values>> = {
  ceremonies: {
    ...{ id, ceremony_year: year, date },
    ...all(optionalText, 'show_title venue overview movies_eligible wikiurl'),
    ...all(optionalText, 'moment_1_caption moment_2_caption moment_3_caption'),
    ...all(optionalText, 'moment_1_img_url moment_2_img_url moment_3_img_url'),
  },
  categories: { id, category_name: text, ...all(optionalText, 'category_group definition era history') },
  movies: {
    ...{ id, title: text, ...all(optionalText, 'tagline overview') },
    ...{ release_date: date, runtime: whole, genres: names, origin_country: names },
    ...{ moviedb_id: whole, filmindex_id: filmIds, ...all(https, 'poster_path backdrop_path') },
  },
  nominees: {
    ...{ id, name: text, biography: optionalText, ...all(date, 'birthday deathday') },
    ...all(optionalText, 'place_of_birth known_for_department homepage'),
    ...{ moviedb_person_id: whole, filmindex_id: personIds, profile_path: https },
  },
  songs: {
    ...{ id, original_title: text },
    ...all(optionalText, 'artist_names streaming_id streaming_url streaming_track_name streaming_album_name'),
    streaming_year: optional(year),
  },
  nominations: {
    ...{ id, ...all(reference, 'ceremony_id category_id movie_id nominee_id'), song_id: optional(reference) },
    winner: boolean,
    entry: { good: [null, 1, largest], bad: [0, -1, 1.5, 'one', blob] },
    ...all(optionalText, 'character note historical_category credited_as'),
    official: boolean,
  },
  honors: {
    ...{ id, ceremony_id: reference, category: text, movie_id: optional(reference) },
    class: { good: ['SciTech', 'Special'], bad: [null, '', 'Acting', 'special', blob] },
    ...{ nominee_ids: ids, ...all(optionalText, 'recipients citation') },
  },
};

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
afterAll(() => connection.close());

/** Tries a value in the row, and rolls back. */
function update(table: ResourceName, column: string, value: unknown): void {
  rolledBack(table, () => connection.prepare(`UPDATE ${table} SET ${column} = ?`).run(value));
}

/** Tries a value in a new row that replaces the row, and rolls back. */
function insert(table: ResourceName, column: string, value: unknown): void {
  const row = connection.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).get()!;
  rolledBack(table, () => {
    connection.exec(`DELETE FROM ${table}`);
    connection
      .prepare(`INSERT INTO ${table} VALUES (${Object.keys(row).map(() => '?')})`)
      .run(Object.values({ ...row, [column]: value }));
  });
}

function rolledBack(table: ResourceName, work: () => void): void {
  connection.exec('BEGIN');
  try {
    work();
    if (table === 'nominations' || table === 'honors') refuseBrokenReferences(connection);
  } finally {
    connection.exec('ROLLBACK');
  }
}

const shown = (value: unknown) =>
  Buffer.isBuffer(value) ? 'a blob' : typeof value === 'bigint' ? String(value) : JSON.stringify(value);

/** Whether the schemas of answers allow a stored value; undefined if they do not tell. */
function allowedByContract(table: ResourceName, column: string, value: unknown): boolean | undefined {
  // The schemas do not have honors and the details of nominations.
  if (table === 'honors' || !Object.hasOwn(resourceSchemas[table].properties, column)) return undefined;
  if (column === 'winner' || typeof value === 'bigint') return undefined;
  // The schemas do not tell about NUL characters and missing records.
  if (String(value).includes('\0') || String(value).includes('\\u0000')) return undefined;
  if (table === 'nominations' && value === 2) return undefined;
  const isArray = column === 'genres' || column === 'origin_country';
  const pointer = `/components/schemas/${schemaNames.record(table)}/properties/${column}`;
  return faultsBySchema(pointer, isArray ? parsed(value) : value).length === 0;
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(value as string);
  } catch {
    return undefined;
  }
}

describe.each(Object.entries(constraints) as [ResourceName, Record<string, Values>][])(
  '%s',
  (table, columns) => {
    it('has no column besides these', () => {
      const found = connection.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
      expect(Object.keys(columns).sort()).toEqual(found.sort());
    });

    describe.each(Object.entries(columns))('%s', (column, { good, bad }) => {
      it.each(good.map((value) => [shown(value), value]))('takes %s', (_, value) => {
        update(table, column, value);
        insert(table, column, value);
        expect(allowedByContract(table, column, value) ?? true).toBe(true);
      });

      it.each(bad.map((value) => [shown(value), value]))('refuses %s', (_, value) => {
        expect(() => update(table, column, value)).toThrow();
        expect(() => insert(table, column, value)).toThrow();
        expect(allowedByContract(table, column, value) ?? false).toBe(false);
      });
    });
  },
);

it('what sources gave is a JSON object', () => {
  const remember = (fields: unknown) => () =>
    connection.prepare("INSERT INTO given VALUES ('movies', 1, 'import', NULL, NULL, ?, 1)").run(fields);
  for (const bad of [null, '', 'x', '{', '[]', blob]) expect(remember(bad)).toThrow();
  expect(remember('{}')).not.toThrow();
});

it('verify refuses a reference to a record that is not there', async () => {
  const broken = openDatabase(':memory:');
  fillWithTinyRecord(broken);
  broken.pragma('foreign_keys = OFF');
  broken.exec('DELETE FROM songs; DELETE FROM movies WHERE id = 1');
  await expect(verify(broken, tmpdir(), [])).rejects.toThrow(
    /^the database is inconsistent: nominations [0-9]+ refers to a record of movies that is not there$/,
  );
});
