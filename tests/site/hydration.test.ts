/** Promise: the program takes the HTML of the service over without a change, and pages work without the program. */
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Loopback, listen } from '../support/loopback.ts';
import { executablePath } from './chromium.ts';
import { heading, nominationRows, useExplorer, viewAddresses } from './explorer-site.ts';

const site = useExplorer();

const pages = [
  ...viewAddresses,
  '/movies?sort=-entries&limit=10',
  '/movies/900001-first-film',
  '/nominees/1',
  '/ceremonies/67-1995',
  '/categories/3',
  '/songs/1',
  '/nominations?category=Directing',
  '/nominations/900001',
  '/honors/1',
  '/search?q=lion+king+1995+winner',
  '/rankings',
];

/** The program opens filters that already show. */
const withoutChanges = (html: string): string =>
  html.replace(/<details class="(roomy)?"( open="")?>/g, '<details>');

/** The HTML of the service as the browser reads it. */
const parsed = (page: Page, html: string): Promise<string> =>
  page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'text/html').querySelector('#app')!.innerHTML,
    html,
  );

/** HTML can arrive in pieces that end within a line, which then wraps. The usual limit of a good page is 0.1. */
const maxShift = 0.003;

interface Shifted {
  shift: number;
}

/** Sums the shifts of the layout of every page. */
const observeShifts = (page: Page) =>
  page.addInitScript(() => {
    const own = globalThis as unknown as Shifted;
    own.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        own.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** Number of pieces in which HTML arrives, and the milliseconds between them: longer than a frame. */
const slowly = { pieces: 12, pauseMs: 34 };

/** Serves what another origin serves, but HTML in pieces. */
function startSlowly(origin: string): Promise<Loopback> {
  return listen(
    createServer(async (request, response) => {
      const answer = await fetch(origin + request.url);
      const type = answer.headers.get('content-type')!;
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'Content-Type': type });
      const length = type.startsWith('text/html') ? Math.ceil(body.length / slowly.pieces) : body.length;
      for (let at = 0; at < body.length; at += length) {
        if (at > 0) await new Promise((resolve) => setTimeout(resolve, slowly.pauseMs));
        response.write(body.subarray(at, at + length));
      }
      response.end();
    }),
  );
}

const sizes: [string, { width: number; height: number }][] = [
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 360, height: 740 }],
];

describe.skipIf(!executablePath)('the program', () => {
  it.each(sizes)(
    'takes every kind of page over on %s without a change, a shift, a request or a message',
    async (_size, viewport) => {
      const faults: string[] = [];
      const page = await site.open('/downloads', { viewport });
      await observeShifts(page);
      let path = '';
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (/^\/(shards|pages|manifest|layers|api)\b/.test(pathname))
          faults.push(`${path}: requests ${pathname}`);
      });
      page.on('console', (message) => {
        // A browser shows no text in a field for numbers.
        const isExpected = /status of 404|Service Worker registration|"x" cannot be parsed/.test(
          message.text(),
        );
        if (['error', 'warning'].includes(message.type()) && !isExpected)
          faults.push(`${path}: ${message.text()}`);
      });
      page.on('pageerror', (error) => faults.push(`${path}: ${error}`));
      for (path of pages) {
        // "load" comes after the program, and its effects after a frame.
        await page.goto(site.origin + path, { waitUntil: 'load' });
        await page.waitForTimeout(150);
        const html = await (await fetch(site.origin + path)).text();
        const after = await page.locator('#app').innerHTML();
        if (withoutChanges(after) !== withoutChanges(await parsed(page, html)))
          faults.push(`${path}: other content`);
        const shift = await page.evaluate(() => (globalThis as unknown as Shifted).shift);
        if (shift > maxShift) faults.push(`${path}: a shift of ${shift}`);
      }
      expect(faults).toEqual([]);
    },
  );

  it.each(sizes)('hardly moves pages that arrive in pieces on %s', async (_size, viewport) => {
    const faults: string[] = [];
    const slow = await startSlowly(site.origin);
    const page = await site.open('/downloads', { viewport });
    await observeShifts(page);
    for (const path of pages) {
      await page.goto(slow.origin + path, { waitUntil: 'load' });
      const shift = await page.evaluate(() => (globalThis as unknown as Shifted).shift);
      if (shift > maxShift) faults.push(`${path}: a shift of ${shift}`);
    }
    await page.close();
    await slow.stop();
    expect(faults).toEqual([]);
  });

  it('loads no resolver before the first event of the reader', async () => {
    const page = await site.open('/timeline', { serviceWorkers: 'block' });
    const programs: string[] = [];
    page.on('request', (request) => programs.push(new URL(request.url()).pathname));
    await page.goto(`${site.origin}/movies/1`, { waitUntil: 'networkidle' });
    const isResolver = (path: string) => path.startsWith('/assets/browser-resolver');
    expect(programs.filter(isResolver)).toEqual([]);
    await page.keyboard.press('Tab');
    await expect.poll(() => programs.filter(isResolver)).toHaveLength(1);
  });

  it('shows results of the server while the files for searching are on their way', async () => {
    const page = await site.open('/timeline', { serviceWorkers: 'block' });
    await page.route('**/shards/**', () => {});
    await page.goto(`${site.origin}/movies/1`);
    const field = page.getByRole('combobox');
    await field.fill('lion king');
    await page
      .getByRole('option', { name: /The Lion King/ })
      .first()
      .waitFor();
    // A search that the server cannot answer waits for the files.
    await page.route('**/search?**', (route) => route.abort());
    await field.fill('lion kin');
    await page.waitForTimeout(200);
    expect(await page.getByText('The record cannot be read').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('loads the page from the server if the resolver is gone, as after a deploy', { retry: 1 }, async () => {
    const page = await site.open('/timeline', { serviceWorkers: 'block' });
    await page.route('**/assets/browser-resolver*', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${site.origin}/movies/1`);
    await page.getByRole('link', { name: 'Ceremonies' }).click();
    await heading(page, 'All ceremonies').waitFor();
  });

  it('puts the address of a record right on a host of plain files, and goes on from there', async () => {
    const page = await site.open('/timeline');
    await heading(page, 'All ceremonies').waitFor();
    const shell = await (await fetch(`${site.origin}/index.html`)).text();
    await page.route('**/movies/900001**', (route) =>
      route.request().resourceType() === 'document'
        ? route.fulfill({ contentType: 'text/html', body: shell })
        : route.continue(),
    );
    await page.goto(`${site.origin}/movies/900001-wrong`);
    await page.waitForURL('**/movies/900001-first-film');
    await heading(page, 'First Film').waitFor();
    await page.getByRole('link', { name: 'Joint One' }).click();
    await heading(page, 'Joint One').waitFor();
    await page.goBack();
    await heading(page, 'First Film').waitFor();
  });
});

describe.skipIf(!executablePath)('without a program', () => {
  const open = (path: string) => site.open(path, { javaScriptEnabled: false });

  it('links, pages and the search work', async () => {
    const page = await open('/');
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Films' }).click();
    const first = await page.locator('.rows a').first().textContent();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of').waitFor();
    expect(await page.locator('.rows a').first().textContent()).not.toBe(first);
    await page.getByRole('combobox', { name: 'Search films' }).fill('lion king');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Films' }).getByRole('link', { name: 'The Lion King' }).click();
    await heading(page, 'The Lion King').waitFor();
    expect(await nominationRows(page).count()).toBe(3);
    expect(page.url()).toMatch(/\/movies\/\d+-the-lion-king$/);
  });

  it('filters and orders are a form', async () => {
    const page = await open('/movies');
    await page.getByLabel('Order by').selectOption('Wins');
    await page.getByLabel('Title').fill('the');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL((url) => url.search.includes('sort=-wins') && !url.search.includes('genre='));
    const { data } = await site.api<{ data: { title: string }[] }>(
      '/api/movies?title=the&sort=-wins&limit=25',
    );
    expect(await page.locator('.rows a').allTextContents()).toEqual(data.map(({ title }) => title));
    expect(await page.getByLabel('Title').inputValue()).toBe('the');
  });
});
