/** The sample is complete, agrees with the public record, and is updated by an import of it. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { revision } from '../../data/changes.ts';
import { importRecord } from '../../data/import/import.ts';
import { readRows } from '../../data/import/rows.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { countRecords } from '../../data/records.ts';
import { readReference } from '../../data/reference/reference.ts';
import { fillWithSample, readSample } from '../../data/sample/sample.ts';
import { UserError } from '../../build/system/user-error.ts';
import { column, nominations } from '../import/record-text.ts';
import { describeWithRealRecord, realRecordPath } from '../real-record.ts';

const sample = readSample();
const reference = readReference();
const nominationValues = "concat_ws(' ', id, ceremony_id, category_id, movie_id, nominee_id, winner)";
const sixCategories = [
  ...['Best Picture', 'Directing', 'Actor in a Leading Role', 'Actress in a Leading Role'],
  ...['Actor in a Supporting Role', 'Actress in a Supporting Role'],
];

let connection: Connection;
beforeAll(() => {
  connection = openDatabase(':memory:');
  fillWithSample(connection);
});

describe('a database filled with the sample', () => {
  it('has all ceremonies and categories, with texts', () => {
    expect(countRecords(connection)).toMatchObject({ ceremonies: 98, categories: 30 });
    expect(column(connection, 'ceremonies', 'overview')).not.toContain(null);
    expect(column(connection, 'categories', 'definition')).not.toContain(null);
    expect(column(connection, 'categories', 'history')).not.toContain(null);
  });

  it('has genres and countries for every film, and plausible values', () => {
    expect(column(connection, 'movies', 'json_array_length(genres)')).not.toContain(0);
    expect(column(connection, 'movies', 'json_array_length(origin_country)')).not.toContain(0);
    expect(sample.films.size).toBe(countRecords(connection).movies);
    for (const { key, origin_country, release_date, runtime } of sample.films.values()) {
      expect(origin_country.join(), key).toMatch(/^[A-Z]{2}(,[A-Z]{2})*$/);
      if (release_date) expect(release_date.slice(0, 4), key).toBe(/\((\d{4})\)$/.exec(key)![1]);
      if (runtime !== null) expect(runtime, key).toBeGreaterThan(30);
    }
  });

  it('has departments for persons, and none for companies', () => {
    const known = connection
      .prepare<[string], string>('SELECT known_for_department FROM nominees WHERE name = ?')
      .pluck();
    expect(['Meryl Streep', 'Ang Lee', 'Jeremy Kleiner', 'Universal'].map((name) => known.get(name))).toEqual(
      ['Acting', 'Directing', 'Production', null],
    );
    const departments = column(connection, 'nominees', 'known_for_department');
    expect(departments.filter((department) => department === null)).toHaveLength(sample.companies.size);
  });

  it('has overviews without totals, because it has only six categories', () => {
    expect(column(connection, 'ceremonies', 'overview')[97]).toBe(
      'One Battle after Another won Best Picture at the 98th Academy Awards, held on 15 March 2026. ' +
        'Paul Thomas Anderson won for directing, Michael B. Jordan and Jessie Buckley for leading roles, ' +
        'and Sean Penn and Amy Madigan for supporting roles.',
    );
  });

  it('is refused if the database has records', () => {
    const before = revision(connection);
    expect(() => fillWithSample(connection)).toThrow(UserError);
    expect(revision(connection)).toBe(before);
    const other = openDatabase(':memory:');
    other.exec("INSERT INTO movies (id, title) VALUES (1, 'Mine')");
    expect(() => fillWithSample(other)).toThrow(/has records already/);
  });
});

describe('the files of the sample', () => {
  it('list exactly the films and companies that they use', () => {
    expect(new Set(sample.nominations.map(({ film }) => film))).toEqual(new Set(sample.films.keys()));
    const named = sample.nominations.flatMap(({ nominees }) => nominees);
    const names = new Set(named.map((name) => sample.nameOfCredit.get(name) ?? name));
    expect([...sample.companies].filter((company) => !names.has(company))).toEqual([]);
    expect([...sample.nameOfCredit.keys()].filter((credit) => !named.includes(credit))).toEqual([]);
  });

  it('are sorted: films by year and title; nominations by ceremony, category, winner and film', () => {
    const year = (key: string) => key.slice(-5, -1);
    const filmKeys = [...sample.films.values()].map(({ key, title }) => `${year(key)} ${title}`);
    expect(filmKeys).toEqual([...filmKeys].sort());
    const categories = [...reference.categories.values()].map((category) => category.category_name);
    const padded = (number: number) => String(number).padStart(3, '0');
    const keys = sample.nominations.map(({ ceremony, category, winner, film }) =>
      [padded(ceremony), padded(categories.indexOf(category)), winner ? 0 : 1, film.slice(0, -7)].join('\t'),
    );
    expect(keys).toEqual([...keys].sort());
  });

  it('have the winners of six categories at every ceremony, supporting roles from the ninth on', () => {
    for (let ceremony = 1; ceremony <= 98; ceremony += 1)
      for (const category of sixCategories) {
        const wins = sample.nominations.filter(
          (row) => row.ceremony === ceremony && row.category === category && row.winner,
        );
        if (ceremony < 9 && category.includes('Supporting'))
          expect(wins, `${ceremony} ${category}`).toHaveLength(0);
        else expect(wins.length, `${ceremony} ${category}`).toBeGreaterThan(0);
      }
  });
});

describeWithRealRecord('compared with the real record', () => {
  /** Every nomination of the record in the six categories, see rowOf() → its ceremony. */
  const recorded = new Map<string, number>();
  const filmIds = new Map<string, string | null>();
  const rowOf = (ceremony: number, category: string, film: string, nominee: string, winner: boolean) =>
    [ceremony, category, film, nominee, winner ? 'won' : 'nominated'].join(' | ');
  beforeAll(() =>
    readRows([readFileSync(realRecordPath)], reference, (row) => {
      const { ceremony, films, nominees, winner } = row;
      const category =
        reference.categories.get(reference.categoryOfSource(row.sourceCategory) ?? 0)?.category_name ?? '';
      if (!sixCategories.includes(category)) return;
      for (const film of films) {
        filmIds.set(`${ceremony.id} ${film.name}`, film.filmindexId);
        for (const nominee of nominees)
          recorded.set(rowOf(ceremony.id, category, film.name, nominee.name, winner), ceremony.id);
      }
    }),
  );
  const sampled = sample.nominations.flatMap(({ ceremony, category, film, nominees, winner }) =>
    nominees.map((nominee) => rowOf(ceremony, category, film.slice(0, -7), nominee, winner)),
  );

  it('every nomination of the sample is correct', () => {
    expect(sampled.filter((row) => !recorded.has(row))).toEqual([]);
    expect(new Set(sampled).size).toBe(sampled.length);
  });

  it('every filmindex_id is correct', () => {
    for (const { ceremony, film: key } of sample.nominations) {
      const { title, filmindexId } = sample.films.get(key)!;
      if (filmindexId !== null) expect(filmindexId, key).toBe(filmIds.get(`${ceremony} ${title}`));
    }
  });

  it('all winners of the six categories are there, and all nominees of the latest ten ceremonies', () => {
    const promised = [...recorded].filter(([row, ceremony]) => ceremony > 88 || row.endsWith('| won'));
    expect(promised.filter(([row]) => !sampled.includes(row))).toEqual([]);
  });

  it('an import into the sample gives the records of an import into an empty database, with the details of the sample', async () => {
    const [alone, connection] = [openDatabase(':memory:'), openDatabase(':memory:')];
    fillWithSample(connection);
    await importRecord(alone, realRecordPath);
    const nominationIds = column(connection, 'nominations', nominationValues);
    const official = column(connection, 'nominations', 'official');
    await importRecord(connection, realRecordPath);
    expect(countRecords(connection)).toEqual(countRecords(alone));
    expect(nominations(connection).sort()).toEqual(nominations(alone).sort());
    expect(column(connection, 'nominations', 'official').slice(0, official.length)).toEqual(official);
    for (const [table, values] of [
      ['movies', 'title, filmindex_id'],
      ['nominees', 'name, filmindex_id, known_for_department'],
      ['ceremonies', 'overview'],
      ['categories', 'era'],
    ] as const) {
      const sql = `SELECT ${values} FROM ${table} ORDER BY ${values}`;
      expect(connection.prepare(sql).all(), table).toEqual(alone.prepare(sql).all());
    }
    expect(column(connection, 'nominations', nominationValues).slice(0, nominationIds.length)).toEqual(
      nominationIds,
    );
    expect(connection.prepare("SELECT genres FROM movies WHERE title = 'Anora'").pluck().get()).toBe(
      '["Comedy","Drama","Romance"]',
    );
    const before = revision(connection);
    await importRecord(connection, realRecordPath);
    expect(revision(connection)).toBe(before);
  });
});
