/** A change writes the pages that show it, and no other file. Edits of the tiny record, one by one. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree } from './tree.ts';
import { useWorkspace } from '../support/temporary-folder.ts';

const at = useWorkspace();
afterEach(() => rmSync(at('dist'), { recursive: true, force: true }));

interface Effect {
  /** Pages, without `api/` and `.json`, ascending. */
  written: string[];
  removed: string[];
  /** Families of the new shards. */
  shards: string[];
}

/** Builds the tiny record, edits it, and builds again. Fails if a file changed that the report does not list. */
async function effectOf(edit: string): Promise<Effect> {
  const connection = memoryDatabase(fillWithTinyRecord);
  // Retention, because the removal of retired files is not part of the effect.
  const options = { retentionMs: 3_600_000 };
  await build(connection, at('dist'), options);
  const before = inodes();
  connection.exec(edit);
  const { scope, files } = await build(connection, at('dist'), options);
  connection.close();
  expect(scope).toBe('changes');
  expect(files.every(({ cause }) => cause !== '')).toBe(true);
  const after = inodes();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && !path.startsWith('layers/'),
  );
  expect(files.map(({ path }) => path).sort()).toEqual(changed.sort());
  const matches = (action: string, pattern: RegExp) =>
    files.flatMap((file) => (file.action === action ? (pattern.exec(file.path)?.[1] ?? []) : []));
  return {
    written: matches('written', /^api\/(.+)\.json$/).sort(),
    removed: matches('removed', /^api\/(.+)\.json$/).sort(),
    shards: [...new Set(matches('written', /^shards\/(.+)\/[^/]+$/))].sort(),
  };
}

/** A file that is written again has another inode. */
const inodes = (): Map<string, bigint> =>
  new Map(
    [...readTree(at('dist')).keys()].map((path) => [
      path,
      statSync(join(at('dist'), path), { bigint: true }).ino,
    ]),
  );

/** A list of words. `stats/top-movies/*` stands for the rankings by nominations and by wins. */
const list = (text: string): string[] =>
  text
    .split(' ')
    .filter(Boolean)
    .flatMap((path) =>
      path.includes('*') ? ['nominations', 'wins'].map((sort) => path.replace('*', sort)) : path,
    )
    .sort();

test.each<[what: string, sql: string, written: string, shards: string, removed?: string]>([
  [
    'a running time: the film, its nominations and list pages',
    'UPDATE movies SET runtime = 131 WHERE id = 2',
    'movies movies/2 movies/sort/-entries nominations/2 nominations/3',
    'films records/movies',
  ],
  [
    'a title: the pages that embed it, lists and rankings too',
    "UPDATE movies SET title = 'Amelia' WHERE id = 1",
    'categories/1 categories/2 movies movies/1 movies/sort/-entries nominations nominations/1 nominations/5 nominations/6 ' +
      'nominations/ceremony_ids/1 nominations/ceremony_ids/2 nominees/1 nominees/2 nominees/3 ' +
      'stats/top-movies/* stats/top-movies/*/genre/comedie stats/top-movies/*/genre/comedy',
    'records/movies search/titles titles',
  ],
  [
    'genres: the rankings by these genres',
    `UPDATE movies SET genres = '["Comedy","Farce"]' WHERE id = 1`,
    'movies movies/1 movies/sort/-entries nominations/1 nominations/5 nominations/6 stats/counts/genre stats/top-movies/*/genre/farce',
    'films records/movies',
    'stats/top-movies/*/genre/comedie',
  ],
  [
    'a department: another ranking',
    "UPDATE nominees SET known_for_department = 'Acting' WHERE id = 2",
    'nominations/6 nominees nominees/2 nominees/sort/-entries stats/counts/department stats/top-nominees/*/known_for_department/acting',
    'people records/nominees',
    'stats/top-nominees/*/known_for_department/camera',
  ],
  [
    'a win of a company: no ranking of people, but counts',
    'UPDATE nominations SET winner = 1 WHERE id = 5',
    'categories/2 movies/1 nominations nominations/5 nominations/ceremony_ids/2 nominees/3 nominees/sort/-entries stats/counts/department',
    'nominations',
  ],
  [
    'the film of a nomination: the pages of both films',
    'UPDATE nominations SET movie_id = 3 WHERE id = 2',
    'categories/2 movies/2 movies/3 movies/sort/-entries nominations nominations/2 nominations/ceremony_ids/1 nominees/4 stats/top-movies/* stats/top-movies/*/genre/drama ' +
      'stats/counts/country stats/counts/decade stats/counts/department stats/counts/genre stats/counts/year',
    'nominations',
  ],
  [
    'a venue: the ceremony and its nominations, and no list of nominations',
    "UPDATE ceremonies SET venue = 'Elsewhere' WHERE id = 1",
    'ceremonies ceremonies/1 nominations/1 nominations/2 nominations/3',
    'records/ceremonies',
  ],
  [
    'a definition: the category and its nominations',
    "UPDATE categories SET definition = 'Who wrote best.' WHERE id = 2",
    'categories categories/2 nominations/2 nominations/5 nominations/6',
    'records/categories',
  ],
  [
    'a new film without nominations: its page and the list of films',
    "INSERT INTO movies (id, title) VALUES (9, 'Life')",
    'movies movies/9 movies/sort/-entries',
    'core films records/movies search/titles search/totals titles',
  ],
  [
    'a deleted song: its page goes',
    'UPDATE nominations SET song_id = NULL WHERE song_id = 1; DELETE FROM songs WHERE id = 1',
    'categories/3 movies/2 nominations nominations/3 nominations/ceremony_ids/1 nominees/4 songs',
    'core nominations',
    'songs/1',
  ],
  [
    'a name that is changed and changed back: nothing',
    "UPDATE nominees SET name = 'x' WHERE id = 1; UPDATE nominees SET name = 'Ann O''Brien' WHERE id = 1",
    '',
    '',
  ],
  [
    'a record that is inserted and deleted: nothing',
    "INSERT INTO movies (id, title) VALUES (9, 'Gone'); DELETE FROM movies WHERE id = 9",
    '',
    '',
  ],
])('%s', async (_what, sql, written, shards, removed = '') => {
  expect(await effectOf(sql)).toEqual({
    written: list(written),
    removed: list(removed),
    shards: list(shards),
  });
});

test('a build with no edit writes nothing, neither the manifest nor an index', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const { snapshot } = await build(connection, at('dist'));
  const before = inodes();
  const report = await build(connection, at('dist'));
  expect(report).toMatchObject({ scope: 'nothing', files: [], snapshot, layers: [{ scope: 'nothing' }] });
  expect(inodes()).toEqual(before);
  connection.close();
});
