/** Promise: after the first visit the site works offline, and never mixes two versions of its files or of the record. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentTypeOf, pageAt } from '../../build/site/shared/hosting.ts';
import { manifestPath, parseManifest } from '../../api/contract/snapshot.ts';
import { shardsOf } from '../../api/read/walk.ts';
import type { Connection } from '../../data/database/open.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../service/running-service.ts';
import { readTree } from '../snapshot/tree.ts';
import { build } from '../support/build.ts';
import { indexFiles } from '../support/index-files.ts';
import { type Loopback, listen } from '../support/loopback.ts';
import { executablePath, launchChromium } from './chromium.ts';

const film = 360;

let connection: Connection;
let out: string;
let service: RunningService;
let origin: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  if (!executablePath) return;
  ({ connection, out } = await builtFolder(fillWithSample, ['pages', 'site']));
  service = await startService(out);
  origin = `http://127.0.0.1:${service.port}`;
  browser = await launchChromium();
  context = await browser.newContext();
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
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
const cacheNames = async () => [...(await cached()).keys()];
const cachedShards = async () =>
  ((await cached()).get('record') ?? []).filter((path) => path.startsWith('/shards/'));

/** Whether every shard of the current snapshot is cached. */
async function isRecordCached(): Promise<boolean> {
  const present = new Set(await cachedShards());
  const manifest = parseManifest(readFileSync(join(out, manifestPath)))!;
  return Array.from(shardsOf(manifest)).every(({ path }) => present.has(`/${path}`));
}

const soon = { timeout: 30_000, interval: 50 };

describe.skipIf(!executablePath)('the site', () => {
  it('caches its files and the record on the first visit', async () => {
    await page.goto(origin);
    await expect.poll(isRecordCached, soon).toBe(true);
    expect(await cacheNames()).toEqual(['record', expect.stringMatching(/^site-[0-9a-f]{20}$/)]);
  });

  it('caches a change of the record on the next visit and evicts the replaced shards', async () => {
    const before = new Set(await cachedShards());
    connection.prepare('UPDATE movies SET title = ? WHERE id = ?').run('The Shape of Change', film);
    await build(connection, out, { layers: ['pages', 'site'] });
    await page.reload();
    const replaced = async () =>
      (await cachedShards()).filter((path) => path.includes('shards/titles/') && before.has(path));
    await expect.poll(replaced, soon).toEqual([]);
    await expect.poll(isRecordCached, soon).toBe(true);
  });

  it('shows a new version on the next visit, and drops the old one when no page uses it', async () => {
    const [, old] = await cacheNames();
    for (const name of ['service-worker.js', 'index.html']) {
      const file = join(out, name);
      const text = readFileSync(file, 'utf8');
      const version = old!.slice('site-'.length);
      writeFileSync(
        file,
        text
          .replace(version, version.replaceAll(/[0-9]/g, '0'))
          .replace('content="light dark"', 'content="dark light"'),
      );
    }
    await indexFiles(out, 'site');
    const visit = await page.goto(`${origin}/timeline`);
    expect(await visit!.text()).toContain('content="dark light"');
    await expect.poll(async () => (await cacheNames()).length, soon).toBe(3);
    expect(await cacheNames()).toContain(old);
    const afterClosing = async () => {
      await page.close();
      page = await context.newPage();
      await page.goto(origin);
      return cacheNames();
    };
    await expect.poll(afterClosing, { timeout: 20_000, interval: 200 }).not.toContain(old);
    expect(await cacheNames()).toHaveLength(2);
  });

  it('works offline: the search, pages never visited, and the other programs', async () => {
    await expect.poll(isRecordCached, soon).toBe(true);
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
    for (const [address, heading] of [
      ['/rankings/top-movies', 'Most nominated films'],
      ['/docs', 'API reference'],
    ] as const) {
      await page.goto(origin + address);
      await page.getByRole('heading', { name: heading }).first().waitFor();
    }
    await page.getByRole('button', { name: 'Try it' }).first().click();
    await page.getByRole('button', { name: 'Send' }).first().waitFor();
    // A page that is not cached is replaced by a message.
    await page.evaluate(
      "caches.keys().then((names) => names.filter((name) => name.startsWith('site-')).map(async (name) => (await caches.open(name)).delete('/docs/index.html')))",
    );
    await page.goto(`${origin}/docs`);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  });

  it('does not cache the sign-in page of a network', async () => {
    const tree = readTree(out);
    let isSignedIn = false;
    const { origin: address, stop } = await host((path) =>
      isSignedIn || !/^(shards|pages)/.test(path) ? tree.get(path) : Buffer.from('Sign in'),
    );
    await page.goto(address);
    await controlled();
    await page.goto(`${address}/search?q=shape`);
    await page.getByRole('heading', { name: 'The record cannot be read' }).waitFor();
    expect(await cachedShards()).toEqual([]);
    isSignedIn = true;
    await page.goto(`${address}/search?q=shape`);
    await page.locator('table.nominations').waitFor();
    await stop();
  });

  it('works where the browser can no longer open its caches', async () => {
    const tree = readTree(out);
    const breaking = `addEventListener('message', ({ data }) => {
      if (data !== 'break') return;
      const fail = () => Promise.reject(new DOMException('Unexpected internal error.', 'UnknownError'));
      for (const name of ['open', 'match']) CacheStorage.prototype[name] = fail;
    });`;
    const { origin: address, stop } = await host((path) => {
      const bytes = tree.get(path);
      return path === 'service-worker.js' ? Buffer.from(breaking + bytes!.toString()) : bytes;
    });
    await page.goto(address);
    await controlled();
    await page.evaluate("navigator.serviceWorker.controller.postMessage('break')");
    await page.goto(`${address}/search?q=shape`);
    await page.locator('table.nominations').waitFor();
    await stop();
  });

  it('works offline when the host redirects files of pages to their addresses', async () => {
    const tree = readTree(out);
    const { origin: address, stop } = await host((path) => tree.get(path), true);
    await page.goto(address);
    await controlled();
    await stop();
    await page.goto(`${address}/docs`);
    await page.getByRole('heading').first().waitFor();
  });
});

/** Waits until the worker answers for the page. */
const controlled = () =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 20_000 });

/** A host of static files. @param redirects whether it redirects the file of a page to its address */
async function host(bytesOf: (path: string) => Uint8Array | undefined, redirects = false): Promise<Loopback> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    if (redirects && pathname.endsWith('/index.html')) {
      response.writeHead(301, { Location: pathname.slice(0, -'index.html'.length) }).end();
      return;
    }
    const path = pageAt(pathname) ?? pathname.slice(1);
    const bytes = bytesOf(path);
    response.writeHead(bytes ? 200 : 404, { 'Content-Type': contentTypeOf(path) }).end(bytes);
  });
  return listen(server);
}
