/** The sample is complete in its last ceremonies, and an import replaces it if it was not changed. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { UserError } from '../../data/system/messages.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { importBytes } from '../../data/import/import.ts';
import { countRecords } from '../../data/record/records.ts';
import { readTable } from '../../data/reference/reference.ts';
import { fillWithSample, isSample } from '../../data/sample/sample.ts';
import { column, importText, recordOf } from '../records/record-text.ts';

const roles = ['Actor', 'Actress'].flatMap((who) => [
  `${who} in a Leading Role`,
  `${who} in a Supporting Role`,
]);
const sixCategories = ['Best Picture', 'Directing', ...roles];

function filled(): Connection {
  const connection = openDatabase(':memory:');
  fillWithSample(connection);
  return connection;
}
const connection = filled();

it('has all ceremonies and categories, with texts, and every part of the latest three ceremonies', () => {
  const count = (sql: string) => connection.prepare(`SELECT count(*) FROM ${sql}`).pluck().get();
  expect(countRecords(connection)).toMatchObject({ ceremonies: 98, categories: 30, songs: 15 });
  expect(count('ceremonies WHERE overview IS NULL')).toBe(0);
  expect(count('categories WHERE definition IS NULL OR history IS NULL')).toBe(0);
  expect(count("honors WHERE class = 'SciTech'")).toBeGreaterThan(30);
  for (const ceremony of [96, 97, 98]) {
    const own = `nominations WHERE ceremony_id = ${ceremony}`;
    expect(count(`(SELECT DISTINCT category_id FROM ${own})`)).toBe(ceremony === 98 ? 24 : 23);
    expect(count(`${own} AND character IS NOT NULL`)).toBe(20);
  }
  expect(count('nominations WHERE note IS NOT NULL AND ceremony_id = 98')).toBeGreaterThan(0);
  expect(count('nominations WHERE NOT official')).toBe(4);
  const ceremonies = column(connection, 'nominations', 'ceremony_id') as number[];
  expect(ceremonies).toEqual(ceremonies.toSorted((a, b) => a - b));
});

it('is written in the format of the public record, and no row repeats another', () => {
  const report = fillWithSample(openDatabase(':memory:'));
  expect(report.leftOut).toEqual([]);
  expect(report.resources.honors).toEqual({ added: 57, changed: 0, unchanged: 0 });
});

it('is read as any import of the public record is: importing its file changes only what needs all categories', async () => {
  const database = filled();
  const file = new URL('../../data/sample/record.tsv', import.meta.url);
  const report = await importBytes(database, readFileSync(file));
  expect(new Set(report.changed.map(({ resource, fields }) => `${resource} ${fields.join()}`))).toEqual(
    new Set(['ceremonies overview']),
  );
  expect([report.retired, report.kept, report.resources.nominations.added]).toEqual([[], [], 0]);
});

it('has the winners of six categories at every ceremony, supporting roles from the ninth on', () => {
  const winners = connection
    .prepare<[number], string>(
      `SELECT DISTINCT category_name FROM nominations JOIN categories ON categories.id = category_id
       WHERE ceremony_id = ? AND winner`,
    )
    .pluck();
  for (let ceremony = 1; ceremony <= 98; ceremony += 1) {
    const own = winners.all(ceremony);
    const isThere = (category: string) => ceremony >= 9 || !category.includes('Supporting');
    expect(
      sixCategories.filter((name) => own.includes(name)),
      `${ceremony}`,
    ).toEqual(sixCategories.filter(isThere));
  }
});

it('has plausible facts of films that it has, by their ids and titles', () => {
  const facts = readTable(new URL('../../data/sample/films.tsv', import.meta.url));
  const titles = new Map(
    connection.prepare<[], [string, string]>('SELECT filmindex_id, title FROM movies').raw().all(),
  );
  expect(facts.length).toBeGreaterThan(400);
  expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length);
  for (const { id, title, countries, runtime } of facts) {
    expect(titles.get(id!), id).toBe(title);
    expect(countries, title).toMatch(/^([A-Z]{2}(\|[A-Z]{2})*)?$/);
    if (runtime) expect(Number(runtime), title).toBeGreaterThan(30);
  }
  const film = connection.prepare<[string], object>(
    'SELECT genres, origin_country, release_date, runtime FROM movies WHERE filmindex_id = ?',
  );
  expect(film.get('tt2024544')).toEqual({
    genres: '["Biography","Drama","History"]',
    origin_country: '["GB","US"]',
    release_date: '2013-10-18',
    runtime: 134,
  });
  // A film without facts.
  expect(film.get('tt35489516')).toEqual({
    ...{ genres: '[]', origin_country: '[]', release_date: null, runtime: null },
  });
});

it('has overviews without totals, because it lacks most categories', () => {
  expect(column(connection, 'ceremonies', 'overview')[97]).toBe(
    'One Battle after Another won Best Picture at the 98th Academy Awards, held on 15 March 2026. ' +
      'Paul Thomas Anderson won for directing, Michael B. Jordan and Jessie Buckley for leading roles, ' +
      'and Sean Penn and Amy Madigan for supporting roles.',
  );
});

it('a database with records is refused', () => {
  const before = revision(connection);
  expect(() => fillWithSample(connection)).toThrow(UserError);
  expect(revision(connection)).toBe(before);
  const other = openDatabase(':memory:');
  other.exec("INSERT INTO movies (id, title) VALUES (1, 'Mine')");
  expect(() => fillWithSample(other)).toThrow(/has records already/);
});

it.each([false, true])(
  'an import replaces the sample only if it was not changed (changed: %s)',
  async (isChanged) => {
    const [database, alone] = [filled(), openDatabase(':memory:')];
    expect(isSample(database)).toBe(true);
    if (isChanged) database.exec("UPDATE nominations SET note = 'Mine' WHERE id = 1");
    for (const each of [database, alone])
      await importText(each, recordOf({}), { replaceSample: true, force: true });
    expect(isSample(database)).toBe(false);
    if (isChanged) expect(column(database, 'nominations', 'note')[0]).toBe('Mine');
    else
      for (const table of resourceNames) {
        const all = `SELECT * FROM ${table} ORDER BY id`;
        expect(database.prepare(all).raw().all(), table).toEqual(alone.prepare(all).raw().all());
      }
  },
);
