/** The sample is complete in its last ceremonies, and an import replaces it if it was not changed. */
import { expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { UserError } from '../../data/system/messages.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';
import { fillWithSample, readSample } from '../../data/sample/sample.ts';
import { isSample } from '../../data/sample/state.ts';
import { column, importText, recordOf } from '../records/record-text.ts';

const sample = readSample();
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

it('has the winners of six categories at every ceremony, supporting roles from the ninth on', () => {
  for (let ceremony = 1; ceremony <= 98; ceremony += 1) {
    const own = sample.entries.filter((row) => row.ceremony === ceremony && row.winner);
    const isThere = (category: string) => ceremony >= 9 || !category.includes('Supporting');
    const won = sixCategories.filter((name) => own.some(({ category }) => category === name));
    expect(won, `${ceremony}`).toEqual(sixCategories.filter(isThere));
  }
});

it('has plausible facts of exactly the films that it uses', () => {
  expect(sample.films.size).toBe(countRecords(connection).movies);
  expect(new Set(sample.entries.flatMap(({ films }) => films))).toEqual(new Set(sample.films.keys()));
  for (const { key, origin_country, runtime } of sample.films.values()) {
    expect(origin_country.join(), key).toMatch(/^([A-Z]{2}(,[A-Z]{2})*)?$/);
    if (runtime !== null) expect(runtime, key).toBeGreaterThan(30);
  }
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
