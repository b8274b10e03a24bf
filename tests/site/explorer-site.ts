/** The explorer over the sample and some records of its own. */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Pagination } from '../../api/contract/answers.ts';
import { insertRecord, nextId } from '../../data/record/edits.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { unmarkSample } from '../../data/sample/state.ts';
import { type RunningService, startService } from '../http/running-service.ts';
import { build } from '../support/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { executablePath, useBrowser } from './chromium.ts';

/** The first one won. */
export const songsOf1994: readonly (readonly [song: string, film: string, writer: string])[] = [
  ['Can You Feel the Love Tonight', 'The Lion King', 'Elton John'],
  ['Circle of Life', 'The Lion King', 'Elton John'],
  ['Hakuna Matata', 'The Lion King', 'Elton John'],
  ['Look What Love Has Done', 'Junior', 'Carole Bayer Sager'],
  ['Make Up Your Mind', 'The Paper', 'Randy Newman'],
];
/** Nominations with details, at the ceremony of 1995. */
export const detailed = {
  films: [900001, 900002],
  people: ['Joint One', 'Joint Two', 'Rival Three'],
} as const;
/** The only other host whose pictures the pages show. */
export const pictureOrigin = 'https://posters.example';
/** A title that ends a script element and begins another. */
export const hostileTitle = '</script><script>document.title="run"</script> & "Co"';
/** A title wider than every line. */
export const longTitle = 'Donaudampfschiff'.repeat(15);

/** The record of the explorer's tests. */
export function fillExplorer(connection: Connection): void {
  fillWithSample(connection);
  unmarkSample(connection);
  // The record has one honor, see below.
  connection.exec("DELETE FROM honors; DELETE FROM sqlite_sequence WHERE name = 'honors'");
  const add = (resource: 'movies' | 'nominees' | 'songs' | 'nominations', record: object): number => {
    const id = nextId(connection, resource);
    insertRecord(connection, resource, { id, ...record });
    return id;
  };
  const films = new Map<string, number>();
  const writers = new Map<string, number>();
  const ceremony_id = 67;
  for (const [i, [original_title, title, name]] of songsOf1994.entries()) {
    if (!films.has(title)) films.set(title, add('movies', { title }));
    // An address that would run a script if it became a link.
    const writer = { name, known_for_department: 'Sound', homepage: 'javascript:document.title="run"' };
    if (!writers.has(name)) writers.set(name, add('nominees', writer));
    add('nominations', {
      ceremony_id,
      category_id: 23,
      movie_id: films.get(title),
      nominee_id: writers.get(name),
      song_id: add('songs', { original_title, artist_names: name }),
      winner: i === 0 ? 1 : 0,
    });
  }
  // The first category comes last.
  add('nominations', {
    ceremony_id,
    category_id: 1,
    movie_id: films.get('Junior'),
    nominee_id: add('nominees', { name: 'Producer of Junior' }),
    winner: 0,
  });
  addDetailed(connection);
  connection.exec(`
    INSERT INTO honors (ceremony_id, class, category, recipients, nominee_ids, citation)
      SELECT 67, 'Special', 'HONORARY AWARD', 'Honored Person', json_array(id), 'For a lifetime.'
      FROM nominees WHERE name = '${detailed.people[0]}'`);
  for (const title of [longTitle, hostileTitle])
    add('nominations', {
      ceremony_id,
      category_id: 6,
      movie_id: add('movies', { title, overview: title }),
      nominee_id: add('nominees', { name: title }),
      winner: 0,
    });
}

/** Two people share one entry, and one person is nominated for two films. */
function addDetailed(connection: Connection): void {
  const [first, second] = detailed.films;
  connection.exec(
    `INSERT INTO movies (id, title, genres, poster_path) VALUES
       (${first}, 'First Film', '["TV Movie"]', '${pictureOrigin}/first.png'),
       (${second}, 'Second Film', '[]', 'https://elsewhere.example/second.png')`,
  );
  const nominees = detailed.people.map((name) => {
    const id = nextId(connection, 'nominees');
    insertRecord(connection, 'nominees', { id, name });
    return id;
  });
  const insert = connection.prepare(
    `INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, winner, entry, character, note, official,
       historical_category) VALUES (?, 67, 3, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const refused = 'the winner refused the award.';
  insert.run(900001, first, nominees[0], 1, 91, 'The Lead', refused, 1, 'ART DIRECTION (Color)');
  insert.run(900002, first, nominees[1], 1, 91, null, refused, 1, 'ART DIRECTION (Color)');
  insert.run(900003, first, nominees[2], 0, 92, 'The Rival', 'Write-in candidate.', 0, null);
  insert.run(900004, second, nominees[2], 0, 92, 'The Other Rival', 'Write-in candidate.', 0, null);
}

export interface Listed<T> {
  data: T[];
  pagination: Pagination;
}

export interface ExplorerSite {
  /** Of the running service. */
  origin: string;
  service: RunningService;
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The answer of the service at an address. */
  api<T>(address: string): Promise<T>;
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
export function useExplorer(): ExplorerSite {
  const openPage = useBrowser();
  const site = {} as ExplorerSite;
  beforeAll(async () => {
    if (!executablePath) return;
    site.service = await startExplorer(await explorerFolder());
    site.origin = `http://127.0.0.1:${site.service.port}`;
  });
  afterAll(() => site.service?.stop());
  site.open = (path, options) => openPage(site.origin + path, options);
  site.api = async <T>(address: string) => (await (await fetch(site.origin + address)).json()) as T;
  return site;
}
