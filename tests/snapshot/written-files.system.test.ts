/** A change writes the files that show it, and no other. Edits of the tiny record, one by one. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { layerIndexPath } from '../../api/contract/layers.ts';
import { build, compileInMemory, verify } from '../records/build.ts';
import { useWorkspace } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../records/databases.ts';
import { fillWithTinyRecord } from '../records/tiny-record.ts';
import { readTree } from '../records/tree.ts';

const out = useWorkspace()('dist');
// Retention, because the removal of retired files is not part of the effect.
const options = { layers: ['pages', 'lists'], retentionMs: 3_600_000 } as const;
beforeEach(() => rmSync(out, { recursive: true, force: true }));

/** A file that is written again has another inode. */
const inodes = (): Map<string, bigint> =>
  new Map([...readTree(out).keys()].map((path) => [path, statSync(join(out, path), { bigint: true }).ino]));

/** Builds the tiny record, edits it, and builds again. Fails if a file changed that the report does not list. */
async function effectOf(edit: string, more = '') {
  const connection = memoryDatabase((empty) => {
    fillWithTinyRecord(empty);
    empty.exec(more);
  });
  await build(connection, out, options);
  const before = inodes();
  connection.exec(edit);
  const { scope, files } = await build(connection, out, options);
  expect([scope, files.filter(({ cause }) => cause === '')]).toEqual(['changes', []]);
  const after = inodes();
  const isChanged = (path: string) => before.get(path) !== after.get(path) && !path.startsWith('layers/');
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(isChanged);
  expect(files.map(({ path }) => path).sort()).toEqual(changed.sort());
  const list = (action: string, pattern: RegExp) =>
    [
      ...new Set(
        files.flatMap((file) => (file.action === action ? (pattern.exec(file.path)?.[1] ?? []) : [])),
      ),
    ].sort();
  return {
    written: list('written', /^api\/(.+)\.json$/),
    removed: list('removed', /^api\/(.+)\.json$/),
    shards: list('written', /^shards\/(.+)\/[^/]+$/),
    lists: list('written', /^lists\/(.+)\.json$/),
  };
}

/** `{1,2}` stands for the words between the braces, one by one. */
const words = (text: string): string[] => {
  const open = (word: string): string[] => {
    const [whole, choice] = /\{([^{}]*)\}/.exec(word) ?? [];
    return whole ? choice!.split(',').flatMap((each) => open(word.replace(whole, each))) : [word];
  };
  return text.split(' ').filter(Boolean).flatMap(open).sort();
};

const both = '{nominations,wins}';

test.each<[what: string, sql: string, pages: string, shards: string, lists?: string, removed?: string]>([
  [
    'a running time: the film, its nominations and list pages',
    'UPDATE movies SET runtime = 131 WHERE id = 2',
    'movies movies/2 nominations/{2,3}',
    'films records/movies',
  ],
  [
    'other names of a film: their shard, and no page',
    `UPDATE movies SET other_names = '["Le Fabuleux Destin"]' WHERE id = 1`,
    '',
    'other-names/movies',
  ],
  [
    'a title: the pages that embed it, lists and rankings too',
    "UPDATE movies SET title = 'Amelia' WHERE id = 1",
    'categories/{1,2} movies movies/1 nominations nominations/{1,5,6} ' +
      `nominees/{1,2,3} stats/top-movies/${both} stats/top-movies/${both}/genre/{comedie,comedy}`,
    'records/movies search/titles titles',
    '{actress,ecriture,ceremony-1,ceremony-2}/{nominees,winners}',
  ],
  [
    'the title of a film without an id: no list for media tools',
    "UPDATE movies SET title = '9' WHERE id = 3",
    `categories/1 movies movies/3 nominations nominations/4 nominees/1 stats/top-movies/${both}`,
    'records/movies search/titles titles',
  ],
  [
    'an id: the lists for media tools, and their index',
    "UPDATE movies SET filmindex_id = 'tt8' WHERE id = 3",
    'movies movies/3 nominations/4',
    'films records/movies',
    'index {actress,ceremony-2}/nominees',
  ],
  [
    'genres: the rankings by these genres',
    `UPDATE movies SET genres = '["Comedy","Farce"]' WHERE id = 1`,
    `movies movies/1 nominations/{1,5,6} stats/counts/genre stats/top-movies/${both}/genre/farce`,
    'films records/movies',
    '',
    `stats/top-movies/${both}/genre/comedie`,
  ],
  [
    'a department: another ranking',
    "UPDATE nominees SET known_for_department = 'Acting' WHERE id = 2",
    `nominations/6 nominees nominees/2 stats/counts/department stats/top-nominees/${both}/known_for_department/acting`,
    'people records/nominees',
    '',
    `stats/top-nominees/${both}/known_for_department/camera`,
  ],
  [
    'a win of a company: no ranking of people, but counts',
    'UPDATE nominations SET winner = 1 WHERE id = 5',
    'categories/2 movies/1 nominations nominations/5 nominees/3 stats/counts/department',
    'nominations',
  ],
  [
    'the film of a nomination with a song: the song, too',
    'UPDATE nominations SET movie_id = 3 WHERE id = 3',
    'categories/3 movies/{2,3} nominations nominations/3 nominees/4 songs/1 ' +
      `stats/top-movies/${both} stats/top-movies/${both}/genre/drama stats/counts/{country,decade,department,genre,year}`,
    'nominations',
  ],
  [
    'the film of a nomination: the pages of both films',
    'UPDATE nominations SET movie_id = 3 WHERE id = 2',
    'categories/2 movies/{2,3} nominations nominations/2 nominees/4 ' +
      `stats/top-movies/${both} stats/top-movies/${both}/genre/drama stats/counts/{country,decade,department,genre,year}`,
    'nominations',
  ],
  [
    'a venue: the ceremony and its nominations, and no list of nominations',
    "UPDATE ceremonies SET venue = 'Elsewhere' WHERE id = 1",
    'ceremonies ceremonies/1 nominations/{1,2,3}',
    'records/ceremonies',
  ],
  [
    'a new film without nominations: its page and the list of films',
    "INSERT INTO movies (id, title) VALUES (9, 'Life')",
    'movies movies/9',
    'core films records/movies search/titles search/totals titles',
  ],
  [
    'a deleted song: its page goes',
    'UPDATE nominations SET song_id = NULL WHERE song_id = 1; DELETE FROM songs WHERE id = 1',
    'categories/3 movies/2 nominations nominations/3 nominees/4 songs',
    'core nominations',
    '',
    'songs/1',
  ],
  [
    'a name that is changed and changed back: nothing',
    "UPDATE nominees SET name = 'x' WHERE id = 1; UPDATE nominees SET name = 'Ann O''Brien' WHERE id = 1",
    '',
    '',
  ],
])('%s', async (_what, sql, pages, shards, lists = '', removed = '') => {
  expect(await effectOf(sql)).toEqual({
    written: words(pages),
    removed: words(removed),
    shards: words(shards),
    lists: words(lists),
  });
});

/** Honors of the film 1 and of the ceremony 2. */
const honors = `INSERT INTO honors (id, ceremony_id, class, category, movie_id, nominee_ids) VALUES
  (1, 1, 'Special', 'HONORARY AWARD', 1, '[1]'), (2, 2, 'SciTech', 'PLAQUE', NULL, '[]')`;

test.each<[what: string, sql: string, pages: RegExp, written: string]>([
  [
    'the title of a film with an honor: the honor, its list pages',
    "UPDATE movies SET title = 'Amelia' WHERE id = 1",
    /^(honors|movies)/,
    'honors honors/1 movies movies/1',
  ],
  [
    'the year of a ceremony with an honor: the honor, the lists of both years',
    'UPDATE ceremonies SET ceremony_year = 1931 WHERE id = 2',
    /^(honors|ceremonies)/,
    'ceremonies ceremonies/2 honors honors/2',
  ],
  [
    'a citation: the honor and its list pages, and no nomination',
    "UPDATE honors SET citation = 'To all.' WHERE id = 2",
    /./,
    'honors honors/2',
  ],
])('%s', async (_what, sql, pages, written) => {
  const effect = await effectOf(sql, honors);
  expect(effect.written.filter((path) => pages.test(path))).toEqual(words(written));
});

test.each([
  [
    4,
    'two films swap their titles',
    "UPDATE movies SET title = iif(id = 1, 'Gamma Beta Beta', 'Alpha Beta') WHERE id < 3",
  ],
  [3, 'the film that names a text goes', 'DELETE FROM movies WHERE id = 1'],
  [5, 'a lower id gets a title that another film has', "UPDATE movies SET title = 'Delta' WHERE id = 2"],
  [2, 'a film comes with a large id', `INSERT INTO movies (id, title) VALUES (${2 ** 40 - 1}, 'Omega')`],
])('at most %i shards of the search index are made again where %s', async (most, _, sql) => {
  const connection = memoryDatabase((empty) => {
    const films = ['Alpha Beta', 'Gamma Beta Beta', 'Alpha Beta', 'Delta', 'Alpha Omega', 'Omega'];
    const ids = [1, 2, 3, 8192, 2 ** 40, 2 ** 40 + 1];
    const insert = empty.prepare('INSERT INTO movies (id, title) VALUES (?, ?)');
    for (const [i, title] of films.entries()) insert.run(ids[i], title);
  });
  await build(connection, out, { layers: [] });
  connection.exec(sql);
  const { scope, files } = await build(connection, out, { layers: [] });
  expect(scope).toBe('changes');
  const made = files.filter(({ path, action }) => action === 'written' && path.startsWith('shards/search/'));
  expect(made.length).toBeLessThanOrEqual(most);
  expect((await verify(connection, out, [])).differences).toEqual([]);
});

test('files that are whole are neither written nor reported where an index is lost', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  await build(connection, out, options);
  const before = inodes();
  rmSync(join(out, layerIndexPath('lists')));
  const { files } = await build(connection, out, options);
  expect(files).toEqual([]);
  for (const [path, inode] of inodes())
    if (!path.startsWith('layers/')) expect([path, before.get(path)]).toEqual([path, inode]);
});

test('a ranking by a value has a page where the name of its file has up to 200 characters', async () => {
  const connection = memoryDatabase(fillWithTinyRecord);
  const genres = ['aa', 'bbb'].map((end) => `${'中'.repeat(22)}${end}`);
  connection.prepare('UPDATE movies SET genres = ? WHERE id = 1').run(JSON.stringify(genres));
  const { files } = await compileInMemory(connection);
  const names = [...files.keys()].flatMap((path) => /genre\/(.*)\.json$/.exec(path)?.[1] ?? []);
  expect(names.filter((name) => name.length > 190).map((name) => [name.length, name.slice(-2)])).toEqual([
    [200, 'aa'],
    [200, 'aa'],
  ]);
});
