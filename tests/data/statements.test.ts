/** Prepared statements are kept for the next use, but not without limit. */
import { expect, it } from 'vitest';
import { insertRecord, readRecord, updateRecord } from '../../data/record/edits.ts';
import { openDatabase, prepared } from '../../data/database/open.ts';

const valuesOfMovie = {
  title: 'Anora',
  tagline: 'Love is a hustle.',
  overview: 'A wedding.',
  release_date: '2024-10-18',
  runtime: 139,
  genres: ['Drama'],
  origin_country: ['US'],
  moviedb_id: 1064213,
  filmindex_id: 'tt28607951',
};

it('is prepared once for a connection', () => {
  const [one, other] = [openDatabase(':memory:'), openDatabase(':memory:')];
  expect(prepared(one, 'SELECT 1')).toBe(prepared(one, 'SELECT 1'));
  expect(prepared(other, 'SELECT 1')).not.toBe(prepared(one, 'SELECT 1'));
  one.close();
  other.close();
});

it('is forgotten after changes of hundreds of different sets of fields', () => {
  const connection = openDatabase(':memory:');
  insertRecord(connection, 'movies', { id: 1, title: 'New' });
  const first = prepared(connection, 'SELECT 1');
  const fields = Object.entries(valuesOfMovie);
  for (let set = 1; set < 2 ** fields.length; set += 1)
    updateRecord(connection, 'movies', 1, Object.fromEntries(fields.filter((_, bit) => set & (1 << bit))));
  expect(prepared(connection, 'SELECT 1')).not.toBe(first);
  expect(readRecord(connection, 'movies', 1)).toMatchObject(valuesOfMovie);
  connection.close();
});
