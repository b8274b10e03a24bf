/** The schema holds every writer, the sqlite3 shell included, to the rules of the interface: column by column. */
import { tmpdir } from 'node:os';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { afterAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';
import { verify } from '../../build/snapshot/verify.ts';
import { refuseBrokenReferences } from '../../data/records.ts';
import { openDatabase } from '../../data/open.ts';
import { fillWithTinyRecord } from '../snapshot/tiny-record.ts';

interface Values {
  good: unknown[];
  bad: unknown[];
}

const largest = Number.MAX_SAFE_INTEGER;
/** What no column takes. */
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
    'garbage',
    '',
    '2024-1-1',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-01-01 ',
    ' 2024-01-01',
    '2024-01-01 00:00:00',
    '2024-01-01T00:00:00Z',
    '-2024-01-01',
    '10000-01-01',
    '20240101',
    '2460311.5',
    '2024-01-01\0',
    'now',
    '12:00',
    2024,
    blob,
  ],
};
const https: Values = {
  good: [null, 'https://a.example/b.jpg'],
  bad: ['', 'http://a.example', 'HTTPS://a.example', ' https://a.example', 'https://a.example\0', blob],
};
const names: Values = {
  good: ['[]', '["Drama"]', ' [ "Drama" , "War" ] ', '["\\u00e9"]'],
  bad: [
    null,
    '',
    'Drama',
    '"Drama"',
    '{}',
    'null',
    '["Drama"',
    "['Drama']",
    '[""]',
    '["Drama", null]',
    '[1]',
    '[["Drama"]]',
    '[{"a": "b"}]',
    '["Dr\\u0000ama"]',
    '["Dr\0ama"]',
    '["Drama"]\0',
    blob,
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

const constraints: Record<ResourceName, Record<string, Values>> = {
  ceremonies: {
    id,
    ceremony_year: year,
    date,
    show_title: optionalText,
    venue: optionalText,
    overview: optionalText,
    movies_eligible: optionalText,
    wikiurl: optionalText,
    moment_1_caption: optionalText,
    moment_2_caption: optionalText,
    moment_3_caption: optionalText,
    moment_1_img_url: optionalText,
    moment_2_img_url: optionalText,
    moment_3_img_url: optionalText,
  },
  categories: {
    id,
    category_name: text,
    category_group: optionalText,
    definition: optionalText,
    era: optionalText,
    history: optionalText,
  },
  movies: {
    id,
    title: text,
    tagline: optionalText,
    overview: optionalText,
    release_date: date,
    runtime: whole,
    genres: names,
    origin_country: names,
    moviedb_id: whole,
    filmindex_id: filmIds,
    poster_path: https,
    backdrop_path: https,
  },
  nominees: {
    id,
    name: text,
    biography: optionalText,
    birthday: date,
    deathday: date,
    place_of_birth: optionalText,
    known_for_department: optionalText,
    homepage: optionalText,
    moviedb_person_id: whole,
    filmindex_id: personIds,
    profile_path: https,
  },
  songs: {
    id,
    original_title: text,
    artist_names: optionalText,
    streaming_id: optionalText,
    streaming_url: optionalText,
    streaming_track_name: optionalText,
    streaming_album_name: optionalText,
    streaming_year: optional(year),
  },
  nominations: {
    id,
    ceremony_id: reference,
    category_id: reference,
    movie_id: reference,
    nominee_id: reference,
    song_id: optional(reference),
    winner: { good: [0, 1], bad: [null, 2, -1, 'yes', blob] },
  },
};

const connection = openDatabase(':memory:');
// Off, so that a row can be replaced; where a reference matters it is checked afterwards.
connection.pragma('foreign_keys = OFF');
connection.exec(`
  INSERT INTO ceremonies (id, ceremony_year) VALUES (1, 2025);
  INSERT INTO categories (id, category_name) VALUES (1, 'Directing');
  INSERT INTO movies (id, title) VALUES (1, 'Anora');
  INSERT INTO nominees (id, name) VALUES (1, 'Sean Baker');
  INSERT INTO songs (id, original_title) VALUES (1, 'Golden');
  INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (1, 1, 1, 1, 1);
`);
afterAll(() => connection.close());

/** Tries a value in the row there is, and undoes that; throws if it is not taken. */
function update(table: ResourceName, column: string, value: unknown): void {
  undone(table, () => connection.prepare(`UPDATE ${table} SET ${column} = ?`).run(value));
}

/** Tries it in a new row that is like that one in all other columns. */
function insert(table: ResourceName, column: string, value: unknown): void {
  const row = connection.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).get()!;
  undone(table, () => {
    connection.exec(`DELETE FROM ${table}`);
    connection
      .prepare(`INSERT INTO ${table} VALUES (${Object.keys(row).map(() => '?')})`)
      .run(Object.values({ ...row, [column]: value }));
  });
}

function undone(table: ResourceName, work: () => void): void {
  connection.exec('BEGIN');
  try {
    work();
    if (table === 'nominations') refuseBrokenReferences(connection);
  } finally {
    connection.exec('ROLLBACK');
  }
}

const shown = (value: unknown) =>
  Buffer.isBuffer(value) ? 'a blob' : typeof value === 'bigint' ? String(value) : JSON.stringify(value);

/** Whether the interface allows a stored value; undefined where its schemas do not say. */
function allowedByContract(table: ResourceName, column: string, value: unknown): boolean | undefined {
  const schemas: Record<string, TSchema> = { ...resourceSchemas[table].properties };
  if (column === 'winner' || typeof value === 'bigint') return undefined;
  // They do not spell out that text has no NUL, and cannot know which records there are.
  if (String(value).includes('\0') || String(value).includes('\\u0000')) return undefined;
  if (table === 'nominations' && value === 2) return undefined;
  const isArray = column === 'genres' || column === 'origin_country';
  return Check(schemas[column]!, isArray ? parsed(value) : value);
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
      expect(Object.keys(columns)).toEqual(found);
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

it('what an import remembers of a record is JSON', () => {
  const remember = (fields: unknown) => () =>
    connection.prepare("INSERT INTO imported VALUES ('movies', 1, ?)").run(fields);
  for (const bad of [null, '', 'x', '{', blob]) expect(remember(bad)).toThrow();
  expect(remember('{}')).not.toThrow();
});

it('verify refuses a reference to a record that is not there', async () => {
  const broken = openDatabase(':memory:');
  fillWithTinyRecord(broken);
  broken.pragma('foreign_keys = OFF');
  broken.exec('DELETE FROM songs; DELETE FROM movies WHERE id = 1');
  await expect(verify(broken, tmpdir())).rejects.toThrow(
    /^the database is inconsistent: nominations [0-9]+ refers to a record of movies that is not there$/,
  );
});
