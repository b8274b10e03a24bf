/** The explorer over the sample, with the five songs of 1994 besides, in one browser for all tests of a file. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { build } from '../support/build.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { insertRecord, nextId } from '../../data/edits.ts';
import type { Connection } from '../../data/open.ts';
import { openDatabase } from '../../data/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { removeTemporaryFolders, temporaryFolder } from '../service/temporary-folder.ts';
import { findChromium } from './chromium.ts';

/** Without it the tests of a file are skipped. */
export const executablePath = findChromium();

/** The song, its film and who wrote it; the first won. */
export const songsOf1994: readonly (readonly [song: string, film: string, writer: string])[] = [
  ['Can You Feel the Love Tonight', 'The Lion King', 'Elton John'],
  ['Circle of Life', 'The Lion King', 'Elton John'],
  ['Hakuna Matata', 'The Lion King', 'Elton John'],
  ['Look What Love Has Done', 'Junior', 'Carole Bayer Sager'],
  ['Make Up Your Mind', 'The Paper', 'Randy Newman'],
];
/** No address of a page: what is typed into the record elsewhere must not become a program here. */
const homepage = 'javascript:document.title="run"';
/** A title that no line is wide enough for. */
export const longTitle = 'Donaudampfschiff'.repeat(15);
/** The ceremony of March 1995, and the category of songs. */
const ceremony = 67;
const category = 23;
const directing = 6;

/** Adds a record under the next id. */
function add(connection: Connection, resource: 'movies' | 'nominees' | 'songs', record: object): number {
  const id = nextId(connection, resource);
  insertRecord(connection, resource, { id, ...record });
  return id;
}

function fill(connection: Connection): void {
  fillWithSample(connection);
  const films = new Map<string, number>();
  const writers = new Map<string, number>();
  for (const [i, [original_title, title, name]] of songsOf1994.entries()) {
    if (!films.has(title)) films.set(title, add(connection, 'movies', { title }));
    if (!writers.has(name))
      writers.set(name, add(connection, 'nominees', { name, known_for_department: 'Sound', homepage }));
    insertRecord(connection, 'nominations', {
      id: nextId(connection, 'nominations'),
      ceremony_id: ceremony,
      category_id: category,
      movie_id: films.get(title),
      nominee_id: writers.get(name),
      song_id: add(connection, 'songs', { original_title, artist_names: name }),
      winner: i === 0 ? 1 : 0,
    });
  }
  insertRecord(connection, 'nominations', {
    id: nextId(connection, 'nominations'),
    ceremony_id: ceremony,
    category_id: directing,
    movie_id: add(connection, 'movies', { title: longTitle }),
    nominee_id: add(connection, 'nominees', { name: longTitle }),
    winner: 0,
  });
}

export interface ExplorerSite {
  origin: string;
  out: string;
  browser: Browser;
  /** A page, closed after the test; with options in a context of its own, else in one that keeps what it has loaded. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** What the service answers at an address. */
  api<T>(address: string): Promise<T>;
}

/** There before the first test of the file, gone after the last; nothing where there is no browser. */
export function useExplorer(): ExplorerSite {
  removeTemporaryFolders();
  const site = {} as ExplorerSite;
  let service: RunningService | undefined;
  const pages: Page[] = [];
  let shared: BrowserContext | undefined;
  beforeAll(async () => {
    if (!executablePath) return;
    const folder = temporaryFolder();
    const connection = openDatabase(`${folder}/awards.db`);
    fill(connection);
    site.out = `${folder}/dist`;
    await build(connection, site.out, { documents: siteDocuments });
    connection.close();
    service = await startService(site.out);
    site.origin = `http://127.0.0.1:${service.port}`;
    site.browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    for (const page of pages.splice(0))
      await (page.context() === shared ? page.close() : page.context().close());
  });
  afterAll(async () => {
    await site.browser?.close();
    await service?.stop();
  });
  const newContext = (options: BrowserContextOptions = {}) =>
    site.browser.newContext({ serviceWorkers: 'block', ...options });
  site.open = async (path, options) => {
    if (!options) shared ??= await newContext();
    const page = await (options ? await newContext(options) : shared!).newPage();
    pages.push(page);
    await page.goto(site.origin + path);
    return page;
  };
  site.api = async <T>(address: string) => (await (await fetch(site.origin + address)).json()) as T;
  return site;
}
