/** A change writes the pages that show it, and no other file. Edits of the tiny record, one by one. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { build } from '../support/build.ts';
import { memoryDatabase } from './databases.ts';
import { fillWithTinyRecord } from './tiny-record.ts';
import { readTree } from './tree.ts';
import { useWorkspace } from './workspace.ts';

const at = useWorkspace();
afterEach(() => rmSync(at('dist'), { recursive: true, force: true }));

interface Effect {
  /** Pages, without `api/` and `.json`, ascending. */
  written?: string[];
  removed?: string[];
  /** Families of the new shards. */
  shards?: string[];
}

/** Builds the tiny record, edits it, and builds again. Fails if a file changed that the report does not list. */
async function effectOf(edit: string): Promise<Effect> {
  const connection = memoryDatabase(fillWithTinyRecord);
  // Retention, because the removal of retired files is not part of the effect.
  const options = { retentionMs: 3_600_000 };
  await build(connection, at('dist'), options);
  const before = inodes();
  connection.exec(edit);
  const report = await build(connection, at('dist'), options);
  connection.close();
  expect(report.scope).toBe('changes');
  expect(report.files.every(({ cause }) => cause !== '')).toBe(true);
  const after = inodes();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && !path.startsWith('layers/'),
  );
  expect(report.files.map(({ path }) => path).sort()).toEqual(changed.sort());
  const paths = (action: string) =>
    report.files.filter((file) => file.action === action).map(({ path }) => path);
  const families = paths('written').map((path) => /^shards\/(.+)\/[^/]+$/.exec(path)?.[1] ?? '');
  return {
    written: pages(paths('written')),
    removed: pages(paths('removed')),
    shards: [...new Set(families)].filter(Boolean).sort(),
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

const pages = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => path.startsWith('api/'))
    .map((path) => path.slice('api/'.length, -'.json'.length))
    .sort();

/** Rankings by nominations and by wins. */
const both = (ranking: string, ...filters: string[]): string[] =>
  ['nominations', 'wins'].flatMap((sort) => filters.map((filter) => `stats/${ranking}/${sort}${filter}`));

const cases: [what: string, sql: string, effect: Effect][] = [
  [
    'a running time: the film, its nominations and a list page',
    'UPDATE movies SET runtime = 131 WHERE id = 2',
    { written: ['movies', 'movies/2', 'nominations/2', 'nominations/3'], shards: ['records/movies'] },
  ],
  [
    'a title: the pages that embed it, lists and rankings too',
    "UPDATE movies SET title = 'Amelia' WHERE id = 1",
    {
      written: [
        ...['categories/1', 'categories/2', 'movies', 'movies/1', 'nominations', 'nominations/1'],
        ...['nominations/5', 'nominations/6', 'nominees/1', 'nominees/2', 'nominees/3'],
        ...both('top-movies', '', '/genre/comedie', '/genre/comedy'),
      ],
      shards: ['records/movies', 'search', 'terms', 'titles'],
    },
  ],
  [
    'genres: the rankings by these genres',
    `UPDATE movies SET genres = '["Comedy","Farce"]' WHERE id = 1`,
    {
      written: [
        ...['movies', 'movies/1', 'nominations/1', 'nominations/5', 'nominations/6'],
        ...both('top-movies', '/genre/farce'),
      ],
      removed: both('top-movies', '/genre/comedie'),
      shards: ['films', 'records/movies'],
    },
  ],
  [
    'a department: another ranking',
    "UPDATE nominees SET known_for_department = 'Acting' WHERE id = 2",
    {
      written: [
        ...['nominations/6', 'nominees', 'nominees/2'],
        ...both('top-nominees', '/known_for_department/acting'),
      ],
      removed: both('top-nominees', '/known_for_department/camera'),
      shards: ['people', 'records/nominees'],
    },
  ],
  [
    'a win of a company: no ranking of people',
    'UPDATE nominations SET winner = 1 WHERE id = 5',
    {
      written: ['categories/2', 'movies/1', 'nominations', 'nominations/5', 'nominees/3'],
      shards: ['nominations'],
    },
  ],
  [
    'the film of a nomination: the pages of both films',
    'UPDATE nominations SET movie_id = 3 WHERE id = 2',
    {
      written: [
        ...['categories/2', 'movies/2', 'movies/3', 'nominations', 'nominations/2', 'nominees/4'],
        ...both('top-movies', '', '/genre/drama'),
      ],
      shards: ['nominations'],
    },
  ],
  [
    'a venue: the ceremony and its nominations, and no list of nominations',
    "UPDATE ceremonies SET venue = 'Elsewhere' WHERE id = 1",
    {
      written: ['ceremonies', 'ceremonies/1', 'nominations/1', 'nominations/2', 'nominations/3'],
      shards: ['records/ceremonies'],
    },
  ],
  [
    'a new film without nominations: its page and the list of films',
    "INSERT INTO movies (id, title) VALUES (9, 'Life')",
    { written: ['movies', 'movies/9'], shards: ['films', 'records/movies', 'search', 'terms', 'titles'] },
  ],
  [
    'a deleted song: its page goes',
    'UPDATE nominations SET song_id = NULL WHERE song_id = 1; DELETE FROM songs WHERE id = 1',
    {
      written: ['categories/3', 'movies/2', 'nominations', 'nominations/3', 'nominees/4', 'songs'],
      removed: ['songs/1'],
      shards: ['nominations'],
    },
  ],
  [
    'a name that is changed and changed back',
    "UPDATE nominees SET name = 'x' WHERE id = 1; UPDATE nominees SET name = 'Ann O''Brien' WHERE id = 1",
    {},
  ],
  [
    'a record that is inserted and deleted',
    "INSERT INTO movies (id, title) VALUES (9, 'Gone'); DELETE FROM movies WHERE id = 9",
    {},
  ],
];

test.each(cases)('%s', async (_what, sql, { written = [], removed = [], shards = [] }) => {
  expect(await effectOf(sql)).toEqual({ written: written.sort(), removed: removed.sort(), shards });
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
