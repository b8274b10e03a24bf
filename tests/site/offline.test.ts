/** The promise: after the first visit the site works without a network, and never mixes two versions of itself or of the record. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentTypeOf, pageAt } from '../../api/contract/site.ts';
import { build } from '../support/build.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import type { Connection } from '../../data/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../service/running-service.ts';
import { removeTemporaryFolders } from '../service/temporary-folder.ts';
import { readTree } from '../snapshot/tree.ts';
import { findChromium } from './chromium.ts';

removeTemporaryFolders();
const executablePath = findChromium();
const film = 371;

let connection: Connection;
let out: string;
let service: RunningService;
let origin: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  if (!executablePath) return;
  ({ connection, out } = await builtFolder(fillWithSample, siteDocuments));
  service = await startService(out);
  origin = `http://127.0.0.1:${service.port}`;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  context = await browser.newContext();
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  connection?.close();
});

/** The names of caches, and the shards that are kept. */
const kept = async (): Promise<{ names: string[]; shards: string[] }> => {
  const [names, shards] = (await page.evaluate(`(async () => [
    await caches.keys(),
    (await (await caches.open('record')).keys())
      .map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/shards/')),
  ])()`)) as [string[], string[]];
  return { names: names.sort(), shards };
};

/** Whether everything is kept that the snapshot in the folder consists of, besides its pages. */
async function isKeptWhole(): Promise<boolean> {
  const present = new Set((await kept()).shards);
  const needed = [...readTree(out).keys()].filter((path) => /^shards\/(?!pages\/)/.test(path));
  return needed.every((path) => present.has(`/${path}`));
}

/** What is kept of the reference. */
const keptOfReference = async (): Promise<string[]> => {
  const addresses = (await page.evaluate(`(async () => {
    const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    return (await Promise.all(all.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url).pathname);
  })()`)) as string[];
  return addresses.filter((path) => /^\/(docs\/|assets\/docs-|api\/openapi\.json$)/.test(path));
};

if (!executablePath) it('skipped: there is no Chromium here; CHROMIUM names one', (test) => test.skip());
else {
  it('one visit keeps the site and the record', async () => {
    await page.goto(origin);
    await expect.poll(isKeptWhole, { timeout: 30_000, interval: 50 }).toBe(true);
    expect((await kept()).names).toEqual(['record', expect.stringMatching(/^site-[0-9a-f]{20}$/)]);
  });

  it('who never opened the reference is not made to load it', async () => {
    expect(await keptOfReference()).toEqual([]);
  });

  it('a change of the record is kept with the next visit, and what it replaced is dropped', async () => {
    const before = new Set((await kept()).shards);
    connection.prepare('UPDATE movies SET title = ? WHERE id = ?').run('The Shape of Change', film);
    await build(connection, out, { documents: siteDocuments });
    await page.reload();
    const replaced = async () =>
      (await kept()).shards.filter((path) => path.includes('/titles/') && before.has(path));
    await expect.poll(replaced, { timeout: 10_000, interval: 50 }).toEqual([]);
    await expect.poll(isKeptWhole, { timeout: 30_000, interval: 50 }).toBe(true);
  });

  it('a new version of the site is shown with the next visit, and takes over when nobody has the old one open', async () => {
    const [, old] = (await kept()).names;
    for (const name of ['service-worker.js', 'index.html']) {
      const file = join(out, name);
      const text = readFileSync(file, 'utf8');
      const version = old!.slice('site-'.length);
      writeFileSync(
        file,
        text.replace(version, version.replaceAll(/[0-9]/g, '0')).replace('<title>Film', '<title>New film'),
      );
    }
    const visit = await page.goto(`${origin}/timeline`);
    expect(await visit!.text()).toContain('<title>New film');
    await expect.poll(async () => (await kept()).names.length, { timeout: 10_000, interval: 50 }).toBe(3);
    expect((await kept()).names).toContain(old);
    const afterClosing = async () => {
      await page.close();
      page = await context.newPage();
      await page.goto(origin);
      return (await kept()).names;
    };
    await expect.poll(afterClosing, { timeout: 20_000, interval: 200 }).not.toContain(old);
    expect((await kept()).names).toHaveLength(2);
  });

  it('who opened the reference has it kept whole', async () => {
    await page.goto(`${origin}/docs`);
    const whole = ['/api/openapi.json', '/assets/docs.css', '/assets/docs.js', '/docs/index.html'];
    const named = async () =>
      (await keptOfReference()).map((path) => path.replace(/-[A-Z0-9]+\./, '.')).sort();
    await expect.poll(named, { timeout: 20_000 }).toEqual(whole);
  });

  it('without a network, the search and the page of a film that was never visited work, as do the other pages', async () => {
    await expect.poll(isKeptWhole, { timeout: 30_000, interval: 50 }).toBe(true);
    await service.stop();
    await page.goto(origin);
    await page.getByRole('combobox').first().fill('shape of change');
    await page
      .getByRole('option', { name: /The Shape of Change/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'The Shape of Change' }).waitFor();
    await page.goto(`${origin}/movies/${film - 1}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const address of ['/rankings/top-movies', '/edit', '/docs']) {
      await page.goto(origin + address);
      await page.getByRole('heading').first().waitFor();
    }
    // Of what was never opened the site itself says that it is not kept.
    await page.evaluate(
      "caches.keys().then((names) => names.filter((name) => name.startsWith('site-')).map(async (name) => (await caches.open(name)).delete('/docs/index.html')))",
    );
    await page.goto(`${origin}/docs`);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  });

  it('what a network answers in place of the record before one has signed in is not kept', async () => {
    const tree = readTree(out);
    let isSignedIn = false;
    const { address, close } = await host((path) =>
      isSignedIn || !/^(shards|pages)/.test(path) ? tree.get(path) : Buffer.from('Sign in'),
    );
    await page.goto(address);
    await controlled();
    await page.goto(`${address}/search?q=shape`);
    await page.getByRole('heading', { name: 'The record cannot be read' }).waitFor();
    expect((await kept()).shards).toEqual([]);
    isSignedIn = true;
    await page.goto(`${address}/search?q=shape`);
    await page.locator('table.nominations').waitFor();
    await close();
  });

  it('pages work without a network where the host led from their files to their addresses', async () => {
    const tree = readTree(out);
    const { address, close } = await host((path) => tree.get(path), true);
    await page.goto(address);
    await controlled();
    await close();
    await page.goto(`${address}/edit`);
    await page.getByRole('heading').first().waitFor();
  });
}

/** Waits until the worker answers for the page. */
const controlled = () =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 20_000 });

/** A host of plain files. @param leads whether it leads from the file of a page to its address */
async function host(
  bytesOf: (path: string) => Uint8Array | undefined,
  leads = false,
): Promise<{ address: string; close: () => Promise<unknown> }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    if (leads && pathname.endsWith('/index.html')) {
      response.writeHead(301, { Location: pathname.slice(0, -'index.html'.length) }).end();
      return;
    }
    const path = pageAt(pathname) ?? pathname.slice(1);
    const bytes = bytesOf(path);
    response.writeHead(bytes ? 200 : 404, { 'Content-Type': contentTypeOf(path) }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
