/** The promise: a change writes the pages that show it and leaves every other file alone. Edits of the tiny record, one by one. */

import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { effectsOf } from './effects.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
const edit = (sql: string) => effectsOf(at('dist'), fillWithTinyRecord, sql);
afterEach(() => rmSync(at('dist'), { recursive: true, force: true }));

describe('a change of a film', () => {
  test('in its running time reaches its page, its nominations and one page of films', async () => {
    expect(await edit('UPDATE movies SET runtime = 131 WHERE id = 2')).toEqual({
      written: ['movies', 'movies/2', 'nominations/2', 'nominations/3'],
      removed: [],
      shards: ['pages', 'records/movies'],
    });
  });
  test('in its title reaches besides whoever shows it: nominees, categories, songs, lists and rankings', async () => {
    expect(await edit("UPDATE movies SET title = 'Amelia' WHERE id = 1")).toEqual({
      written: [
        'categories/1',
        'categories/2',
        'movies',
        'movies/1',
        'nominations',
        'nominations/1',
        'nominations/5',
        'nominations/6',
        'nominees/1',
        'nominees/2',
        'nominees/3',
        'stats/top-movies/nominations',
        'stats/top-movies/nominations/genre/comedie',
        'stats/top-movies/nominations/genre/comedy',
        'stats/top-movies/wins',
        'stats/top-movies/wins/genre/comedie',
        'stats/top-movies/wins/genre/comedy',
      ],
      removed: [],
      shards: ['pages', 'records/movies', 'search', 'terms', 'titles'],
    });
  });
  test('in its genres reaches rankings by those genres', async () => {
    expect(await edit(`UPDATE movies SET genres = '["Comedy","Farce"]' WHERE id = 1`)).toEqual({
      written: [
        'movies',
        'movies/1',
        'nominations/1',
        'nominations/5',
        'nominations/6',
        'stats/top-movies/nominations/genre/farce',
        'stats/top-movies/wins/genre/farce',
      ],
      removed: ['stats/top-movies/nominations/genre/comedie', 'stats/top-movies/wins/genre/comedie'],
      shards: ['films', 'pages', 'records/movies'],
    });
  });
});

describe('a change of a person', () => {
  test('in the day of birth reaches their page, their nominations and one page of nominees', async () => {
    expect(await edit("UPDATE nominees SET birthday = '1901-01-01' WHERE id = 1")).toEqual({
      written: ['nominations/1', 'nominations/4', 'nominees', 'nominees/1'],
      removed: [],
      shards: ['pages', 'records/nominees'],
    });
  });
  test('in the department moves them between rankings', async () => {
    expect(await edit("UPDATE nominees SET known_for_department = 'Acting' WHERE id = 2")).toEqual({
      written: [
        'nominations/6',
        'nominees',
        'nominees/2',
        'stats/top-nominees/nominations/known_for_department/acting',
        'stats/top-nominees/wins/known_for_department/acting',
      ],
      removed: [
        'stats/top-nominees/nominations/known_for_department/camera',
        'stats/top-nominees/wins/known_for_department/camera',
      ],
      shards: ['pages', 'people', 'records/nominees'],
    });
  });
});

describe('a change of a nomination', () => {
  test('to a win of a company reaches no ranking of people', async () => {
    expect(await edit('UPDATE nominations SET winner = 1 WHERE id = 5')).toEqual({
      written: ['categories/2', 'movies/1', 'nominations', 'nominations/5', 'nominees/3'],
      removed: [],
      shards: ['nominations', 'pages'],
    });
  });
  test('to another film reaches the pages of both', async () => {
    expect(await edit('UPDATE nominations SET movie_id = 3 WHERE id = 2')).toEqual({
      written: [
        'categories/2',
        'movies/2',
        'movies/3',
        'nominations',
        'nominations/2',
        'nominees/4',
        'stats/top-movies/nominations',
        'stats/top-movies/nominations/genre/drama',
        'stats/top-movies/wins',
        'stats/top-movies/wins/genre/drama',
      ],
      removed: [],
      shards: ['nominations', 'pages'],
    });
  });
});

test('a change of a ceremony’s venue reaches its nominations, not those of others, and no list of nominations', async () => {
  expect(await edit("UPDATE ceremonies SET venue = 'Elsewhere' WHERE id = 1")).toEqual({
    written: ['ceremonies', 'ceremonies/1', 'nominations/1', 'nominations/2', 'nominations/3'],
    removed: [],
    shards: ['pages', 'records/ceremonies'],
  });
});

test('a change of a category’s definition reaches its nominations and its page', async () => {
  expect(await edit("UPDATE categories SET definition = 'Who wrote best.' WHERE id = 2")).toEqual({
    written: ['categories', 'categories/2', 'nominations/2', 'nominations/5', 'nominations/6'],
    removed: [],
    shards: ['pages', 'records/categories'],
  });
});

test('a new film without nominations reaches the list of films only', async () => {
  expect(await edit("INSERT INTO movies (id, title) VALUES (9, 'Life')")).toEqual({
    written: ['movies', 'movies/9'],
    removed: [],
    shards: ['films', 'pages', 'records/movies', 'search', 'terms', 'titles'],
  });
});

test('a song without nominations that goes takes its page along', async () => {
  expect(
    await edit('UPDATE nominations SET song_id = NULL WHERE song_id = 1; DELETE FROM songs WHERE id = 1'),
  ).toEqual({
    written: ['categories/3', 'movies/2', 'nominations', 'nominations/3', 'nominees/4', 'songs'],
    removed: ['songs/1'],
    shards: ['nominations', 'pages'],
  });
});

test.each([
  'UPDATE movies SET title = title',
  "UPDATE nominees SET name = 'x' WHERE id = 1; UPDATE nominees SET name = 'Ann O''Brien' WHERE id = 1",
  "INSERT INTO movies (id, title) VALUES (9, 'Gone'); DELETE FROM movies WHERE id = 9",
])('an edit that leaves everything as it was touches no file: %s', async (sql) => {
  expect(await edit(sql)).toEqual({ written: [], removed: [], shards: [] });
});

test('a build with no edit touches nothing at all, the manifest neither', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const first = await build(connection, at('dist'));
  expect(await build(connection, at('dist'))).toMatchObject({
    scope: 'nothing',
    files: [],
    snapshot: first.snapshot,
  });
  connection.close();
});
