/** Promise: the reference can be read without a program, searched, and tried on the real service, on every device. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { problems } from '../../api/contract/problems.ts';
import { describedObjects, referenceHtml } from '../../build/site/docs/reference.tsx';
import { operations } from '../../build/site/docs/description.ts';
import { examplesOf } from '../../build/site/docs/operation.tsx';
import { executablePath, violations } from '../site/chromium.ts';
import { hasFocus, useEditingSite } from '../site/editing-site.ts';

const { site, openPage, read } = useEditingSite();

/** A page that reports what the browser complains about. */
async function open(fragment = '', options: BrowserContextOptions = {}) {
  const page = await openPage(`${site.origin}/docs${fragment}`, options);
  const messages: string[] = [];
  page.on('console', (message) => {
    // Not what the tests cause: answers with an error status, and the blocked service worker.
    if (
      ['error', 'warning'].includes(message.type()) &&
      !/status of 4\d\d|Service Worker/.test(message.text())
    )
      messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(error.message));
  await page.reload();
  return { page, messages };
}

const entry = (page: Page, id: string) => page.locator(`#${id}`);
async function openTrial(page: Page, id: string) {
  await entry(page, id)
    .getByRole('button', { name: /^Try it/ })
    .first()
    .click();
  const panel = entry(page, id).locator('.trial').first();
  await panel.getByRole('button', { name: 'Send' }).waitFor();
  return panel;
}
const targetSize = { rules: { 'target-size': { enabled: true } } };
const fitsWindow = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

describe('the text of the reference', () => {
  const html = referenceHtml(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8'));

  it('has each operation with its parameters, each object, and each error with its next step', () => {
    for (const { operationId, path, parameters } of operations) {
      expect(html).toContain(` id="${operationId}"`);
      expect(html).toContain(`<code>${path}</code>`);
      for (const { name } of parameters) expect(html).toContain(` id="${operationId}-${name}"`);
    }
    for (const name of describedObjects()) expect(html).toContain(` id="${name}"`);
    for (const code of Object.keys(problems)) expect(html).toContain(` id="problem-${code}"`);
  });

  it('names headers only where an answer has described ones', () => {
    const named = [...html.matchAll(/Headers:\s*(<code|.{9})/g)].map(([, next]) => next);
    expect(new Set(named)).toEqual(new Set(['<code']));
  });

  it('has no link within the page that leads nowhere, and no id twice', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has a real answer for each operation, except for files and what the sample lacks', () => {
    const without = operations.filter((operation) => examplesOf(operation).length === 0);
    // The deletion of a ceremony stands for the others.
    const deletions = ['deleteNomination', 'deleteMovie', 'deleteNominee', 'deleteSong'];
    const ids = without.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !deletions.includes(id))).toEqual([
      'getRoot',
      'getDescription',
      'getDownloads',
      'getDownload',
      'getFilmLists',
      'getFilmList',
    ]);
  });

  it('is small', () => {
    expect(brotliCompressSync(html).length).toBeLessThan(60_000);
  });
});

describe.skipIf(!executablePath)('the reference in a browser', () => {
  it('shows contents, samples and fields without a program', async () => {
    const page = await openPage(`${site.origin}/docs`, { javaScriptEnabled: false });
    const contents = page.getByRole('navigation', { name: 'Reference' });
    await contents.getByRole('link', { name: 'List films' }).click();
    const films = entry(page, 'getMovies');
    expect(await films.getByText('Films by a part of the title').first().isVisible()).toBe(true);
    expect(await films.locator('.in-python').first().isVisible()).toBe(false);
    await films.getByText('Python').first().click();
    expect(await films.locator('.in-python').first().isVisible()).toBe(true);
    expect(await page.locator('.try, .copy, #find').filter({ visible: true }).count()).toBe(0);
  });

  it('sends a request and shows status, time, headers and body, without messages in the console', async () => {
    const { page, messages } = await open('#getSearch');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    const panel = await openTrial(page, 'getSearch');
    await panel.getByLabel('q (required)').fill('meryl streep');
    expect(await panel.locator('.line').textContent()).toContain('GET /api/search?q=meryl+streep');
    await page.keyboard.press('Enter');
    await panel.getByText(/^200 \d+ ms/).waitFor();
    expect(await panel.locator('pre').textContent()).toContain('Meryl Streep');
    await panel.getByText(/^Headers/).click();
    expect(await panel.locator('.headers').textContent()).toMatch(/etag"[0-9a-f]{20}/);
    await panel.getByLabel('q (required)').fill('x');
    await page.keyboard.press('Enter');
    await panel.getByText(/^400 /).waitFor();
    expect(messages).toEqual([]);
    expect([...hosts]).toEqual([site.origin]);
  });

  it('sends an ETag that the service knows, and shows 304', async () => {
    const { page } = await open('#caching');
    const panel = await openTrial(page, 'caching');
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText(/^304 /).waitFor();
  });

  it('writes with the key, keeps it for the tab, and shows faults', async () => {
    const { page } = await open('#createSong');
    const panel = await openTrial(page, 'createSong');
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText(/^401 /).waitFor();
    await panel.getByLabel('Key').fill(site.accessKey);
    await panel.getByLabel('Body').fill('{"original_title": "A Song of the Reference"}');
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText(/^201 /).waitFor();
    const { id } = JSON.parse((await panel.locator('pre').textContent())!) as { id: number };
    expect(await read(`/api/songs/${id}`)).toMatchObject({ original_title: 'A Song of the Reference' });
    await page.goto(`${site.origin}/edit`);
    expect(await page.getByLabel('Key for writing').inputValue()).toBe(site.accessKey);
  });

  it('does not say that a host takes no writes when a gateway answers, or the answer breaks off', async () => {
    const page = await openPage(`${site.origin}/docs#createSong`);
    const panel = await openTrial(page, 'createSong');
    await page.route('**/api/songs', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    );
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText('Nothing is known about the write').waitFor();
  });

  it('loads the page of a newer deploy when the code of panels is gone, and says when it cannot load', async () => {
    const page = await openPage(`${site.origin}/docs#getMovies`);
    const isCode = '**/assets/trial-*.js';
    await page.route(isCode, (route) => route.fulfill({ status: 404 }));
    const button = entry(page, 'getMovies').getByRole('button', { name: /^Try it/ });
    await Promise.all([page.waitForEvent('load'), button.first().click()]);
    const down = page.getByRole('button', { name: 'Could not load: try again' });
    await down.waitFor();
    await page.unroute(isCode);
    await page.reload();
    await openTrial(page, 'getMovies');
    await page.reload();
    await page.route('**', (route) => route.abort());
    await button.first().click();
    await down.waitFor();
    await page.unroute('**');
    await down.click();
    await page.locator('.trial').first().waitFor();
    expect(await down.count()).toBe(0);
  });

  it('starts at an address with a fragment that is no valid encoding', async () => {
    const { messages } = await open('#%zz');
    expect(messages).toEqual([]);
  });

  it('answers from the files of the snapshot where no service does', async () => {
    const page = await openPage(`${site.origin}/docs#getMovies`);
    await page.route('**/api/movies?*', (route) => route.fulfill({ status: 404, contentType: 'text/html' }));
    const panel = await openTrial(page, 'getMovies');
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText(/answered in this page/).waitFor();
    expect(await panel.locator('pre').textContent()).toContain('"Moonlight"');
  });

  it('finds operations, parameters, fields and errors with the keyboard', async () => {
    const { page } = await open();
    const results = page.locator('#found a');
    const find = async (words: string) => {
      await page.locator('#find').fill(words);
      await results.first().waitFor();
      return results.allTextContents();
    };
    await page.keyboard.press('/');
    expect(await hasFocus(page.locator('#find'))).toBe(true);
    expect((await find('rank films'))[0]).toContain('Rank films');
    expect(await find('category_group')).toContain('category_group Rank people');
    expect(await find('biography')).toContain('biography Nominee');
    expect((await find('precondition'))[0]).toContain('precondition-failed');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs#problem-precondition-failed');
    expect(await page.locator('#problem-precondition-failed').isVisible()).toBe(true);
    await page.locator('#find').fill('no such words');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#entries').isVisible()).toBe(true);
  });

  it('copies a sample that names this service, and remembers the language', async () => {
    const { page } = await open('#getMovie', { permissions: ['clipboard-read', 'clipboard-write'] });
    const film = entry(page, 'getMovie');
    await film.getByLabel('JavaScript').first().check();
    await film.locator('.in-fetch').getByRole('button', { name: /^Copy/ }).first().click();
    await film.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `fetch('${site.origin}/api/movies/356')`,
    );
    await page.reload();
    expect(await entry(page, 'getSearch').getByLabel('JavaScript').first().isChecked()).toBe(true);
  });

  it('is accessible as a whole', { timeout: 180_000 }, async () => {
    const { page } = await open();
    expect(await violations(page, targetSize)).toEqual([]);
  });

  const views = [1280, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      name: `${width} wide, ${colorScheme}`,
      options: { viewport: { width, height: 844 }, colorScheme } satisfies BrowserContextOptions,
    })),
  );
  const forced = {
    name: 'forced colours',
    options: {
      viewport: { width: 1280, height: 800 },
      forcedColors: 'active',
    } satisfies BrowserContextOptions,
  };

  it.each([...views, forced])(
    'is accessible and fits the window: $name',
    { timeout: 180_000 },
    async ({ options }) => {
      const { page, messages } = await open('#getMovies', options);
      const panel = await openTrial(page, 'getMovies');
      await panel.getByRole('button', { name: 'Send' }).click();
      await panel.getByText(/^200 /).waitFor();
      await page.locator('#updateMovie .success').evaluate((details) => details.setAttribute('open', ''));
      // The sections are all made of the same parts, and the check of all of them takes half a minute.
      const parts = [
        'header',
        '#errors',
        '#limits',
        '#getMovies',
        '#updateMovie',
        '#Nomination',
        '#contents',
      ];
      expect(await violations(page, targetSize, parts)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('h1').click();
      await page.keyboard.press('/');
      await page.keyboard.type('winner');
      await page.locator('#found a').first().waitFor();
      expect(await violations(page, targetSize, ['#contents'])).toEqual([]);
      expect(await fitsWindow(page)).toBe(true);
      expect(messages).toEqual([]);
    },
  );
});
