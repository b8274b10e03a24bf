/** The explorer over the sample and some records of its own, and an address of every kind of its pages. */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Pagination } from '../../api/contract/answers.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { insertRecord, nextId } from '../../data/record/edits.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { unmarkSample } from '../../data/sample/state.ts';
import { type RunningService, startService } from '../http/running-service.ts';
import { build } from '../support/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { executablePath, useBrowser } from './chromium.ts';

/** The only other host whose pictures the pages show. */
export const pictureOrigin = 'https://posters.example';
/** A title that ends a script element and begins another. */
export const hostileTitle = '</script><script>document.title="run"</script> & "Co"';
/** A title wider than every line. */
export const longTitle = 'Donaudampfschiff'.repeat(15);

export const pageKinds: readonly (readonly [kind: string, path: string])[] = [
  ['home', '/'],
  ['film', '/movies/900001-first-film'],
  ['person', '/nominees/244-meryl-streep'],
  ['ceremony', '/ceremonies/67-1995'],
  ['category', '/categories/23-music-original-song'],
  ['song', '/songs/16-can-you-feel-the-love-tonight'],
  ['honor', '/honors/1-honored-person'],
  ['films', '/movies?title=first'],
  ['people', '/nominees?limit=10'],
  ['ceremonies', '/ceremonies?yearStart=2020'],
  ['categories', '/categories'],
  ['songs', '/songs?limit=10'],
  ['honors', '/honors'],
  ['nominations', '/nominations?year=1995&limit=10'],
  ['search', '/search?q=lion'],
  ['search for nothing', '/search?q=zzzz'],
  ['empty search', '/search'],
  ['ranking of people', '/rankings/top-nominees?sort=wins&limit=10'],
  ['ranking of films', '/rankings/top-movies?count=categories&limit=10'],
  ['ranking of countries', '/rankings/countries'],
  ['comparison of films', '/compare/movies?ids=900001,900002'],
  ['comparison of people', '/compare/nominees?ids=244,290,999999'],
  ['years', '/years?category=directing&yearStart=2018'],
  ['timeline', '/timeline'],
  ['downloads', '/downloads'],
  ['wrong filters', '/nominations?year=x&limit=10'],
  ['missing record', '/movies/999999'],
];

/** Song, film and writer; the first one won. */
const songsOf1994 = [
  ['Can You Feel the Love Tonight', 'The Lion King', 'Elton John'],
  ['Circle of Life', 'The Lion King', 'Elton John'],
  ['Hakuna Matata', 'The Lion King', 'Elton John'],
  ['Look What Love Has Done', 'Junior', 'Carole Bayer Sager'],
  ['Make Up Your Mind', 'The Paper', 'Randy Newman'],
] as const;

/** The record of the explorer's tests. */
export function fillExplorer(connection: Connection): void {
  fillWithSample(connection);
  unmarkSample(connection);
  connection.exec("DELETE FROM honors; DELETE FROM sqlite_sequence WHERE name = 'honors'");
  const ceremony_id = 67;
  const known = new Map<string, number>();
  const add = (resource: 'movies' | 'nominees' | 'songs' | 'nominations', record: object): number => {
    const key = `${resource} ${JSON.stringify(record)}`;
    const id = known.get(key) ?? nextId(connection, resource);
    if (!known.has(key)) insertRecord(connection, resource, { id, ...record });
    known.set(key, id);
    return id;
  };
  for (const [i, [original_title, title, name]] of songsOf1994.entries()) {
    const movie_id = add('movies', { title });
    // An address that would run a script if it became a link.
    const writer = { name, known_for_department: 'Sound', homepage: 'javascript:document.title="run"' };
    const nominee_id = add('nominees', writer);
    const song_id = add('songs', { original_title, artist_names: name });
    add('nominations', {
      ceremony_id,
      category_id: 23,
      movie_id,
      nominee_id,
      song_id,
      winner: i === 0 ? 1 : 0,
    });
  }
  // The first category comes last.
  const nominee_id = add('nominees', { name: 'Producer of Junior' });
  add('nominations', {
    ceremony_id,
    category_id: 1,
    movie_id: add('movies', { title: 'Junior' }),
    nominee_id,
    winner: 0,
  });
  addDetailed(connection, (name) => add('nominees', { name }));
  for (const title of [longTitle, hostileTitle]) {
    const movie_id = add('movies', { title, overview: title });
    add('nominations', {
      ceremony_id,
      category_id: 6,
      movie_id,
      nominee_id: add('nominees', { name: title }),
      winner: 0,
    });
  }
}

/** Nominations with details: two people share one entry, and one person is nominated for two films. And an honor. */
function addDetailed(connection: Connection, addPerson: (name: string) => number): void {
  connection.exec(
    `INSERT INTO movies (id, title, genres, poster_path) VALUES
       (900001, 'First Film', '["TV Movie"]', '${pictureOrigin}/first.png'),
       (900002, 'Second Film', '[]', 'https://elsewhere.example/second.png')`,
  );
  const [one, two, rival] = ['Joint One', 'Joint Two', 'Rival Three'].map(addPerson);
  const insert = connection.prepare(
    `INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, winner, entry, character, note, official,
       historical_category) VALUES (?, 67, 3, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const refused = 'the winner refused the award.';
  insert.run(900001, 900001, one, 1, 91, 'The Lead', refused, 1, 'ART DIRECTION (Color)');
  insert.run(900002, 900001, two, 1, 91, null, refused, 1, 'ART DIRECTION (Color)');
  insert.run(900003, 900001, rival, 0, 92, 'The Rival', 'Write-in candidate.', 0, null);
  insert.run(900004, 900002, rival, 0, 92, 'The Other Rival', 'Write-in candidate.', 0, null);
  connection
    .prepare(
      `INSERT INTO honors (ceremony_id, class, category, recipients, nominee_ids, citation)
       VALUES (67, 'Special', 'HONORARY AWARD', 'Honored Person', ?, 'For a lifetime.')`,
    )
    .run(JSON.stringify([one]));
}

export interface Listed<T> {
  data: T[];
  pagination: Pagination;
}

/** Builds the folder. @returns its path */
export async function explorerFolder(): Promise<string> {
  const folder = temporaryFolder();
  const connection = openDatabase(join(folder, 'awards.db'));
  fillExplorer(connection);
  const out = join(folder, 'dist');
  await build(connection, out, { layers: ['pages', 'site', 'downloads'], imageOrigins: [pictureOrigin] });
  connection.close();
  return out;
}

/** Starts the service over a folder of explorerFolder(). @param origin that the pages name */
export const startExplorer = (out: string, origin?: string): Promise<RunningService> =>
  startService(out, { imageOrigins: [pictureOrigin], ...(origin && { origin: () => origin }) });

/** The site and a browser for all tests of a file; empty without a browser. */
export function useExplorer() {
  const openPage = useBrowser();
  const site = {
    service: {} as RunningService,
    origin: '',
    open: (path: string, options?: BrowserContextOptions): Promise<Page> =>
      openPage(site.origin + path, options),
    /** The answer of the service at an address. */
    api: async <T>(address: string) => (await (await fetch(site.origin + address)).json()) as T,
  };
  beforeAll(async () => {
    if (!executablePath) return;
    site.service = await startExplorer(await explorerFolder());
    site.origin = `http://127.0.0.1:${site.service.port}`;
  });
  afterAll(() => site.service.stop?.());
  return site;
}
