/** Promise: the site works on hosts of plain files, and offline once it was visited; it never mixes two versions of itself or of the record. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { contentTypeOf, pageAt } from '../../build/site/shared/hosting.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../support/running-service.ts';
import { build } from '../records/build.ts';
import { indexFiles } from '../records/index-files.ts';
import { listen } from '../support/loopback.ts';
import { executablePath, launchChromium } from '../support/chromium.ts';

let connection: Connection;
let out: string;
let service: RunningService;
/** Of the service. */
let origin: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  if (!executablePath) return;
  ({ connection, out } = await builtFolder(fillWithSample, ['site', 'downloads']));
  service = await startService(out);
  origin = `http://127.0.0.1:${service.port}`;
  browser = await launchChromium();
});
beforeEach(async () => {
  if (!executablePath) return;
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  connection?.close();
});

/** Only asks for the names: to open a cache that the worker removes meanwhile would make it again. */
const siteCaches = async (): Promise<string[]> =>
  ((await page.evaluate('caches.keys()')) as string[]).filter((name) => name.startsWith('site-'));
/** The paths in a cache. */
const pathsIn = (cache: string): Promise<string[]> =>
  page.evaluate(
    async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
    cache,
  );
const keptShards = async () => (await pathsIn('record')).filter((path) => path.startsWith('/shards/')).sort();
/** The shards of the current snapshot. */
const currentShards = (): string[] => {
  const manifest = parseManifest(readFileSync(join(out, manifestPath)))!;
  return [...new Set(Array.from(shardsOf(manifest), ({ path }) => `/${path}`))].sort();
};
const soon = { timeout: 30_000, interval: 100 };
const recordIsKept = () => expect.poll(keptShards, soon).toEqual(currentShards());
/** Waits until the worker answers for the page. */
const controlled = () =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, soon);
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
async function visitAgain(): Promise<void> {
  await page.close();
  page = await context.newPage();
  await page.goto(origin);
}
/** Opens addresses and waits for their headings. */
async function shows(from: string, headings: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, title] of Object.entries(headings)) {
    await page.goto(from + path);
    await heading(title);
  }
}

describe.skipIf(!executablePath)('over a service', () => {
  it('a page that is not kept is a message; the record is kept at the second visit, with changes, and pages work offline', async () => {
    await page.goto(origin);
    await controlled();
    await page.goto(`${origin}/timeline`);
    expect(await keptShards()).toEqual([]);
    await context.setOffline(true);
    await shows(origin, { '/movies/1': 'You are offline' });
    await context.setOffline(false);
    await page.reload();
    await heading('Sunrise');
    // Some time later is another visit.
    await page.evaluate(() => localStorage.setItem('film-awards-visited', '1'));
    await visitAgain();
    await recordIsKept();
    connection.prepare("UPDATE movies SET title = 'The Shape of Change' WHERE id = 360").run();
    await build(connection, out, { layers: ['site', 'downloads'] });
    await visitAgain();
    await recordIsKept();
    const online = await (await fetch(`${origin}/movies/360-the-shape-of-change`)).text();
    await context.setOffline(true);
    const offline = await page.goto(`${origin}/movies/360-the-shape-of-change`);
    expect(await offline!.text()).toBe(online);
    await page.goto(`${origin}/movies/360-the-shape-of-water`);
    expect(page.url()).toBe(`${origin}/movies/360-the-shape-of-change`);
    await shows(origin, {
      '/nominations?winner=true': 'Nominations',
      '/search?q=hanks': 'hanks',
      '/movies/999999': 'There is no such film',
    });
    await page.getByRole('combobox').fill('hanks');
    await page.getByRole('option').first().waitFor();
  });

  it('the record is kept when a reader asks for it, and the worker leaves /docs and /edit alone', async () => {
    await page.goto(`${origin}/downloads`);
    await page.getByRole('button', { name: 'Keep the record in this browser' }).click();
    await page.getByRole('button', { name: 'The record is being kept' }).waitFor();
    await controlled();
    await recordIsKept();
    const handled = async (path: string) => (await page.goto(origin + path))!.fromServiceWorker();
    expect([await handled('/docs'), await handled('/edit'), await handled('/timeline')]).toEqual([
      ...[false, false, true],
    ]);
    const [site] = await siteCaches();
    const kept = [...(await pathsIn(site!)), ...(await pathsIn('record'))];
    expect(kept.filter((path) => /^\/(docs|edit)|assets\/(docs|edit)/.test(path))).toEqual([]);
  });

  it('a new version of the site replaces the old one', async () => {
    await page.goto(origin);
    await controlled();
    const [old] = await siteCaches();
    const version = old!.slice('site-'.length);
    const next = version.replaceAll(/[0-9]/g, '0');
    for (const name of ['service-worker.js', 'index.html']) {
      const text = readFileSync(join(out, name), 'utf8');
      const changed = text.replace('content="light dark"', 'content="dark light"');
      writeFileSync(join(out, name), changed.replace(version, next));
    }
    await indexFiles(out, 'site');
    const visit = await page.goto(`${origin}/timeline`);
    expect(await visit!.text()).toContain('content="dark light"');
    await expect.poll(siteCaches, soon).toEqual([`site-${next}`]);
    await context.setOffline(true);
    const offline = await page.goto(`${origin}/`);
    expect(await offline!.text()).toContain('content="dark light"');
  });
});

/** A host of plain files, which sends the shell at the address of every page. @returns its origin */
async function hostOf(
  bytesOf: (path: string) => Uint8Array,
): Promise<{ host: string; stop(): Promise<void> }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const path = pageAt(pathname) ?? pathname.slice(1);
    try {
      response.writeHead(200, { 'Content-Type': contentTypeOf(path) }).end(bytesOf(path));
    } catch {
      response.writeHead(404).end();
    }
  });
  const { origin: host, stop } = await listen(server);
  onTestFinished(() => stop().catch(() => {}));
  return { host, stop };
}
const fileOf = (path: string) => readFileSync(join(out, path));

describe.skipIf(!executablePath)('on a host of plain files', () => {
  it('a worker makes the pages, and the shards that they need are kept', async () => {
    const { host, stop } = await hostOf(fileOf);
    await shows(host, {
      '/movies/1': 'Sunrise',
      '/nominations?year=x': 'Nominations',
      '/movies/999999': 'There is no such film',
      '/': 'A century of film awards',
    });
    const kept = await keptShards();
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(currentShards().length);
    await stop();
    await shows(host, { '/movies/1-sunrise': 'Sunrise' });
  });

  it('the sign-in page of a network is not kept', async () => {
    let isSignedIn = false;
    const { host } = await hostOf((path) =>
      isSignedIn || !/^(shards|pages)/.test(path) ? fileOf(path) : Buffer.from('Sign in'),
    );
    await page.goto(`${host}/movies/1`);
    const message = page.getByText('The record cannot be read at the moment.');
    await message.or(page.getByText('has not saved this page')).first().waitFor();
    expect(await keptShards()).toEqual([]);
    isSignedIn = true;
    await shows(host, { '/movies/1': 'Sunrise' });
  });
});
