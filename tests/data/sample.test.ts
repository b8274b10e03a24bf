/** The sample is complete, agrees with the public record, and is updated by an import of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { importRecord } from '../../data/import/import.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';
import { readReference } from '../../data/reference/reference.ts';
import { fillWithSample, readSample } from '../../data/sample/sample.ts';
import { isSample } from '../../data/sample/state.ts';
import { UserError } from '../../build/system/messages.ts';
import { column, nominations } from '../import/record-text.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';

const sample = readSample();
const reference = readReference();
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

  it('has every part of the latest three ceremonies', () => {
    const count = (sql: string) =>
      connection.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get()!;
    expect(count("honors WHERE class = 'SciTech'")).toBeGreaterThan(30);
    expect(count('songs')).toBe(15);
    for (const ceremony of [96, 97, 98]) {
      expect(count(`(SELECT DISTINCT category_id FROM nominations WHERE ceremony_id = ${ceremony})`)).toBe(
        ceremony === 98 ? 24 : 23,
      );
      expect(count(`nominations WHERE ceremony_id = ${ceremony} AND character IS NOT NULL`)).toBe(20);
    }
    expect(count('nominations WHERE note IS NOT NULL AND ceremony_id = 98')).toBeGreaterThan(0);
    expect(count('nominations WHERE NOT official')).toBe(4);
  });

  it('has plausible facts of films', () => {
    expect(sample.films.size).toBe(countRecords(connection).movies);
    for (const { key, origin_country, runtime } of sample.films.values()) {
      expect(origin_country.join(), key).toMatch(/^([A-Z]{2}(,[A-Z]{2})*)?$/);
      if (runtime !== null) expect(runtime, key).toBeGreaterThan(30);
    }
  });

  it('has departments for persons, and none for companies and countries', () => {
    const known = connection
      .prepare<[string], string>('SELECT known_for_department FROM nominees WHERE name = ?')
      .pluck();
    expect(
      ['Meryl Streep', 'Ang Lee', 'Jeremy Kleiner', 'Universal', 'Brazil'].map((name) => known.get(name)),
    ).toEqual(['Acting', 'Directing', 'Production', null, null]);
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
  it('list exactly the films that they use', () => {
    expect(new Set(sample.entries.flatMap(({ films }) => films))).toEqual(new Set(sample.films.keys()));
  });

  it('are sorted: films by key; entries by category, ceremony, winner and film', () => {
    const filmKeys = [...sample.films.keys()];
    expect(filmKeys).toEqual([...filmKeys].sort());
    const categories = [...reference.categories.values()].map((category) => category.category_name);
    const padded = (number: number) => String(number).padStart(3, '0');
    const keys = sample.entries.map(({ ceremony, category, winner, films, nominees }) =>
      [
        padded(categories.indexOf(category)),
        padded(ceremony),
        winner ? 0 : 1,
        films.join('\t'),
        nominees.map(({ name }) => name).join(),
      ].join('\t'),
    );
    expect(keys).toEqual([...keys].sort());
  });

  it('have the winners of six categories at every ceremony, supporting roles from the ninth on', () => {
    for (let ceremony = 1; ceremony <= 98; ceremony += 1)
      for (const category of sixCategories) {
        const wins = sample.entries.filter(
          (row) => row.ceremony === ceremony && row.category === category && row.winner,
        );
        if (ceremony < 9 && category.includes('Supporting'))
          expect(wins, `${ceremony} ${category}`).toHaveLength(0);
        else expect(wins.length, `${ceremony} ${category}`).toBeGreaterThan(0);
      }
  });
});

describeWithRealRecord('compared with the real record', () => {
  /** Every nomination of the record, as recordedOf() shows it. */
  let alone: Connection;
  beforeAll(async () => {
    alone = openDatabase(':memory:');
    await importRecord(alone, realRecordPath);
  });
  /** Facts of the nominations as text. Entries are numbered within what a source has, and notes are in own words. */
  const recordedOf = (database: Connection, condition: string) =>
    database
      .prepare<[], string>(
        `SELECT concat_ws(' | ', x.ceremony_id, category_name, m.filmindex_id, ifnull(p.filmindex_id, p.name), winner,
           original_title, artist_names, character, official, historical_category)
         FROM nominations AS x JOIN categories AS c ON c.id = category_id JOIN movies AS m ON m.id = movie_id
         JOIN nominees AS p ON p.id = nominee_id LEFT JOIN songs AS s ON s.id = song_id
         WHERE ${condition} ORDER BY 1`,
      )
      .pluck()
      .all();
  const isInSample = `ceremony_id > 95 OR (winner AND category_name IN (${sixCategories.map((name) => `'${name}'`).join()}))`;

  it('the sample is that part of it', () => {
    expect(recordedOf(connection, 'true')).toEqual(recordedOf(alone, isInSample));
  });

  it('has the honors of the latest three ceremonies', () => {
    const honors = (database: Connection) =>
      column(
        database,
        '(SELECT * FROM honors WHERE ceremony_id > 95 ORDER BY category, recipients)',
        "concat_ws(' | ', ceremony_id, class, category, recipients)",
      );
    expect(honors(connection).sort()).toEqual(honors(alone).sort());
  });

  it('an import into the sample gives the records of an import into an empty database, with the facts of the sample', async () => {
    const connection = openDatabase(':memory:');
    fillWithSample(connection);
    const tables = ['nominations', 'movies', 'nominees', 'songs', 'honors'] as const;
    const idsOf = () => tables.map((table) => new Set(column(connection, table, 'id')));
    const ids = idsOf();
    const report = await importRecord(connection, realRecordPath);
    expect(report.retired).toEqual([]);
    expect(countRecords(connection)).toEqual(countRecords(alone));
    expect(nominations(connection).sort()).toEqual(nominations(alone).sort());
    expect(recordedOf(connection, 'true')).toEqual(recordedOf(alone, 'true'));
    for (const [table, values] of [
      ['movies', 'title, filmindex_id'],
      ['nominees', 'name, filmindex_id, known_for_department'],
      ['songs', 'original_title, artist_names'],
      ['honors', 'ceremony_id, class, category, recipients, json_array_length(nominee_ids), citation'],
      ['nominations', 'ceremony_id, category_id, entry, note, official, character'],
      ['ceremonies', 'overview'],
      ['categories', 'era'],
    ] as const) {
      const sql = `SELECT ${values} FROM ${table} ORDER BY ${values}`;
      expect(connection.prepare(sql).all(), table).toEqual(alone.prepare(sql).all());
    }
    for (const [index, after] of idsOf().entries())
      expect([...ids[index]!].filter((id) => !after.has(id))).toEqual([]);
    expect(connection.prepare("SELECT genres FROM movies WHERE title = 'Anora'").pluck().get()).toBe(
      '["Comedy","Drama","Romance"]',
    );
    const before = revision(connection);
    await importRecord(connection, realRecordPath);
    expect(revision(connection)).toBe(before);
  });

  it('an import can replace the sample, with the ids of an import into an empty database', async () => {
    const connection = openDatabase(':memory:');
    fillWithSample(connection);
    expect(isSample(connection)).toBe(true);
    await importRecord(connection, realRecordPath, { replaceSample: true });
    expect(isSample(connection)).toBe(false);
    for (const table of resourceNames) {
      const all = `SELECT * FROM ${table} ORDER BY id`;
      expect(connection.prepare(all).all(), table).toEqual(alone.prepare(all).all());
    }
  });

  it('does not replace a sample that was changed', async () => {
    const connection = openDatabase(':memory:');
    fillWithSample(connection);
    connection.exec("UPDATE movies SET tagline = 'Mine' WHERE id = 1");
    await importRecord(connection, realRecordPath, { replaceSample: true });
    expect(connection.prepare('SELECT tagline FROM movies WHERE id = 1').pluck().get()).toBe('Mine');
    expect(isSample(connection)).toBe(false);
  });
});
