/** The explorer over the sample and some records of its own, and an address of every kind of its pages. */
import { commonsOrigin } from '../../api/contract/enrichment.ts';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Pagination } from '../../api/contract/answers.ts';
import { openDatabase } from '../../data/database/open.ts';
import { fillWithSample, unmarkSample } from '../../data/sample/sample.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { build } from '../records/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { executablePath, useBrowser } from '../support/chromium.ts';

/** The only other host whose pictures the pages show. */
export const pictureOrigin = 'https://posters.example';
const portrait = `${commonsOrigin}/wiki/Special:FilePath/A%20B.jpg?width=400`;
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
  ['records', '/records'],
  ['timeline', '/timeline'],
  ['downloads', '/downloads'],
  ['wrong filters', '/nominations?year=x&limit=10'],
  ['missing record', '/movies/999999'],
];

/** An address that would run a script if it became a link. */
const hostileAddress = 'javascript:document.title="run"';
const refused = 'the winner refused the award.';

/** Five songs, the first one won; two people who share an entry, and one nominated for two films; odd titles; an honor. */
const records = `
  DELETE FROM honors; DELETE FROM sqlite_sequence WHERE name = 'honors';
  INSERT INTO movies (id, title, overview, genres, poster_path) VALUES
    (538, 'The Lion King', NULL, '[]', NULL), (539, 'Junior', NULL, '[]', NULL), (540, 'The Paper', NULL, '[]', NULL),
    (900001, 'First Film', NULL, '["TV Movie"]', '${pictureOrigin}/first.png'),
    (900002, 'Second Film', NULL, '[]', 'https://elsewhere.example/second.png'),
    (900003, '${longTitle}', '${longTitle}', '[]', NULL), (900004, '${hostileTitle}', '${hostileTitle}', '[]', NULL);
  INSERT INTO nominees (id, name, known_for_department, homepage) VALUES
    (1116, 'Elton John', 'Sound', '${hostileAddress}'), (1117, 'Carole Bayer Sager', 'Sound', '${hostileAddress}'),
    (1118, 'Randy Newman', 'Sound', '${hostileAddress}'), (1119, 'Producer of Junior', NULL, NULL),
    (1120, 'Joint One', NULL, NULL), (1121, 'Joint Two', NULL, NULL), (1122, 'Rival Three', NULL, NULL),
    (1123, '${longTitle}', NULL, NULL), (1124, '${hostileTitle}', NULL, NULL);
  UPDATE nominees SET profile_path = '${portrait}' WHERE id IN (1120, 1121);
  UPDATE nominees SET filmindex_id = 'co1121' WHERE id = 1121;
  INSERT INTO songs (id, original_title, artist_names) VALUES
    (16, 'Can You Feel the Love Tonight', 'Elton John'), (17, 'Circle of Life', 'Elton John'),
    (18, 'Hakuna Matata', 'Elton John'), (19, 'Look What Love Has Done', 'Carole Bayer Sager'),
    (20, 'Make Up Your Mind', 'Randy Newman');
  INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, song_id, winner) VALUES
    (1353, 67, 23, 538, 1116, 16, 1), (1354, 67, 23, 538, 1116, 17, 0), (1355, 67, 23, 538, 1116, 18, 0),
    (1356, 67, 23, 539, 1117, 19, 0), (1357, 67, 23, 540, 1118, 20, 0),
    (1358, 67, 1, 539, 1119, NULL, 0), (900005, 67, 6, 900003, 1123, NULL, 0), (900006, 67, 6, 900004, 1124, NULL, 0);
  INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id, winner, entry, character, note, official,
    historical_category) VALUES
    (900001, 67, 3, 900001, 1120, 1, 91, 'The Lead', '${refused}', 1, 'ART DIRECTION (Color)'),
    (900002, 67, 3, 900001, 1121, 1, 91, NULL, '${refused}', 1, 'ART DIRECTION (Color)'),
    (900003, 67, 3, 900001, 1122, 0, 92, 'The Rival', 'Write-in candidate.', 0, NULL),
    (900004, 67, 3, 900002, 1122, 0, 92, 'The Other Rival', 'Write-in candidate.', 0, NULL);
  INSERT INTO honors (ceremony_id, class, category, recipients, nominee_ids, citation)
    VALUES (67, 'Special', 'HONORARY AWARD', 'Honored Person', '[1120]', 'For a lifetime.');`;

export interface Listed<T> {
  data: T[];
  pagination: Pagination;
}

/** Builds the folder. @returns its path */
export async function explorerFolder(): Promise<string> {
  const folder = temporaryFolder();
  const connection = openDatabase(join(folder, 'awards.db'));
  fillWithSample(connection);
  unmarkSample(connection);
  connection.exec(records);
  const out = join(folder, 'dist');
  await build(connection, out, {
    layers: ['site', 'downloads'],
    imageOrigins: [pictureOrigin, commonsOrigin],
  });
  connection.close();
  return out;
}

/** Starts the service over a folder of explorerFolder(). @param origin that the pages name */
export const startExplorer = (out: string, origin?: string): Promise<RunningService> =>
  startService(out, { imageOrigins: [pictureOrigin, commonsOrigin], ...(origin && { origin }) });

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
