/** Promise: the site works on hosts of plain files, and offline once it was visited; it never mixes two versions of itself or of the record. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { shardsOf } from '../../api/read/walk.ts';
import { contentTypeOf, pageAt } from '../../build/site/shared/hosting.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../http/running-service.ts';
import { build } from '../support/build.ts';
import { indexFiles } from '../support/index-files.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { executablePath, launchChromium } from './chromium.ts';

let connection: Connection;
let out: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  if (!executablePath) return;
  ({ connection, out } = await builtFolder(fillWithSample, ['pages', 'site', 'downloads']));
  browser = await launchChromium();
});
beforeEach(async () => {
  if (!executablePath) return;
  await context?.close();
  context = await browser.newContext();
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  connection?.close();
});

/** Cache name → paths of the cached files. */
const cached = async (): Promise<Map<string, string[]>> => {
  const entries =
    (await page.evaluate(`(async () => Promise.all((await caches.keys()).sort().map(async (name) => [
    name,
    (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
  ])))()`)) as [string, string[]][];
  return new Map(entries);
};
const keptShards = async () =>
  ((await cached()).get('record') ?? []).filter((path) => path.startsWith('/shards/'));
/** Whether exactly the shards of the current snapshot are kept. */
async function isRecordKept(): Promise<boolean> {
  const manifest = parseManifest(readFileSync(join(out, manifestPath)))!;
  const paths = Array.from(shardsOf(manifest), ({ path }) => `/${path}`).sort();
  return (await keptShards()).sort().join() === [...new Set(paths)].join();
}
const soon = { timeout: 30_000, interval: 100 };
/** Waits until the worker answers for the page. */
const controlled = () =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, soon);
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe.skipIf(!executablePath)('over a service', () => {
  let service: RunningService;
  let origin: string;
  beforeAll(async () => {
    service = await startService(out);
    origin = `http://127.0.0.1:${service.port}`;
  });
  afterAll(() => service.stop());

  it('the record is kept at the second visit, its changes too, and pages work offline', async () => {
    await page.goto(origin);
    await controlled();
    await page.goto(`${origin}/timeline`);
    expect(await keptShards()).toEqual([]);
    // Some time later is another visit.
    await page.evaluate(() => localStorage.setItem('film-awards-visited', '1'));
    await page.close();
    page = await context.newPage();
    await page.goto(origin);
    await expect.poll(isRecordKept, soon).toBe(true);
    connection.prepare("UPDATE movies SET title = 'The Shape of Change' WHERE id = 360").run();
    await build(connection, out, { layers: ['pages', 'site', 'downloads'] });
    await page.close();
    page = await context.newPage();
    await page.goto(origin);
    await expect.poll(isRecordKept, soon).toBe(true);
    const online = await (await fetch(`${origin}/movies/360-the-shape-of-change`)).text();
    await context.setOffline(true);
    const offline = await page.goto(`${origin}/movies/360-the-shape-of-change`);
    expect(await offline!.text()).toBe(online);
    await page.goto(`${origin}/movies/360-the-shape-of-water`);
    expect(page.url()).toBe(`${origin}/movies/360-the-shape-of-change`);
    for (const [path, title] of [
      ['/', 'Who was nominated'],
      ['/rankings/top-movies?sort=wins', 'Films with the most wins'],
      ['/nominations?winner=true', 'Nominations'],
      ['/search?q=hanks', 'hanks'],
      ['/movies/999999', 'There is no such film'],
    ] as const) {
      await page.goto(origin + path);
      await heading(title);
    }
    await page.getByRole('combobox').fill('hanks');
    await page.getByRole('option').first().waitFor();
  }, 120_000);

  it('the record is kept when a reader asks for it, and the worker leaves /docs and /edit alone', async () => {
    await page.goto(`${origin}/downloads`);
    await page.getByRole('button', { name: 'Keep the record in this browser' }).click();
    await page.getByRole('button', { name: 'The record is being kept' }).waitFor();
    await controlled();
    await expect.poll(isRecordKept, soon).toBe(true);
    const handled = async (path: string) => (await page.goto(origin + path))!.fromServiceWorker();
    expect([await handled('/docs'), await handled('/edit'), await handled('/timeline')]).toEqual([
      ...[false, false, true],
    ]);
    for (const files of (await cached()).values())
      expect(files.filter((path) => /^\/(docs|edit)|assets\/(docs|edit)/.test(path))).toEqual([]);
  });

  it('a page that is not kept is a message, which a network replaces', async () => {
    await page.goto(`${origin}/timeline`);
    await controlled();
    await context.setOffline(true);
    await page.goto(`${origin}/movies/1`);
    await heading('You are offline');
    await context.setOffline(false);
    await page.reload();
    await heading('Sunrise');
  });

  it('a new version of the site replaces the old one', async () => {
    await page.goto(origin);
    await controlled();
    const [old] = [...(await cached()).keys()].filter((name) => name.startsWith('site-'));
    const version = old!.slice('site-'.length);
    for (const name of ['service-worker.js', 'index.html']) {
      const text = readFileSync(join(out, name), 'utf8')
        .replace(version, version.replaceAll(/[0-9]/g, '0'))
        .replace('content="light dark"', 'content="dark light"');
      writeFileSync(join(out, name), text);
    }
    await indexFiles(out, 'site');
    const visit = await page.goto(`${origin}/timeline`);
    expect(await visit!.text()).toContain('content="dark light"');
    await expect
      .poll(async () => [...(await cached()).keys()].filter((name) => name.startsWith('site-')), soon)
      .toEqual([old!.replaceAll(/[0-9]/g, '0')]);
    await context.setOffline(true);
    const offline = await page.goto(`${origin}/`);
    expect(await offline!.text()).toContain('content="dark light"');
  });
});

describe.skipIf(!executablePath)('on a host of plain files', () => {
  it('a worker makes the pages, and the shards that they need are kept', async () => {
    const { origin, stop } = await host((path) => readFileSync(join(out, path)));
    for (const [path, title] of [
      ['/movies/1', 'Sunrise'],
      ['/compare/nominees?ids=1,2', '20th Century-Fox and Paramount'],
      ['/nominations?year=x', 'Nominations'],
      ['/movies/999999', 'There is no such film'],
      ['/downloads', 'Downloads'],
      ['/', 'Who was nominated'],
    ] as const) {
      await page.goto(origin + path);
      await heading(title);
    }
    expect((await keptShards()).length).toBeGreaterThan(0);
    expect(await isRecordKept()).toBe(false);
    await stop();
    await page.goto(`${origin}/movies/1-sunrise`);
    await heading('Sunrise');
  });

  it('without a script, the shell links the downloads and the files of the record', async () => {
    const { origin, stop } = await host((path) => readFileSync(join(out, path)));
    page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${origin}/movies/1`);
    for (const name of ['downloads', 'snapshot', 'API reference']) {
      const href = await page.getByRole('main').getByRole('link', { name }).getAttribute('href');
      expect((await fetch(origin + href)).status).toBe(200);
    }
    await page.context().close();
    await stop();
  });

  it('the sign-in page of a network is not kept', async () => {
    let isSignedIn = false;
    const { origin, stop } = await host((path) =>
      isSignedIn || !/^(shards|pages)/.test(path) ? readFileSync(join(out, path)) : Buffer.from('Sign in'),
    );
    await page.goto(`${origin}/movies/1`);
    await page
      .getByText('The record cannot be read at the moment.')
      .or(page.getByText('not in this browser yet'))
      .first()
      .waitFor();
    expect(await keptShards()).toEqual([]);
    isSignedIn = true;
    await page.goto(`${origin}/movies/1`);
    await heading('Sunrise');
    await stop();
  });
});

/** A host of static files, which sends the shell at the address of every page. */
async function host(bytesOf: (path: string) => Uint8Array): Promise<Loopback> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const path = pageAt(pathname) ?? pathname.slice(1);
    try {
      response.writeHead(200, { 'Content-Type': contentTypeOf(path) }).end(bytesOf(path));
    } catch {
      response.writeHead(404).end();
    }
  });
  return listen(server);
}
