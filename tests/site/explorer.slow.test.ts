/**
 * Promise: readers find, filter, keep and copy with a small script, and everything but the shortcuts works without it. What needs
 * no browser is in pages.system.test.ts.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import { executablePath } from '../support/chromium.ts';
import { type Listed, pictureOrigin, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const phone = { viewport: { width: 390, height: 844 } };
const phoneWithoutScript = { ...phone, javaScriptEnabled: false };

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const searchField = (page: Page) => page.getByLabel('Search films, people, songs and ceremonies');
const rows = (page: Page) => page.locator('table.nominations tbody tr');
const addressHas = (page: Page, part: string) => page.waitForURL((url) => url.href.includes(part));

describe.skipIf(!executablePath)('the search field', () => {
  it('opens with "/" or Ctrl+K; arrows choose what the server finds, Escape or the focus elsewhere closes the list, Enter opens an option', async () => {
    const page = await site.open('/timeline');
    const field = searchField(page);
    await page.keyboard.press('/');
    await page.keyboard.type('lion kin');
    await page.locator('[role=option]').first().getByText('The Lion King', { exact: true }).waitFor();
    expect([await field.inputValue(), await field.getAttribute('aria-expanded')]).toEqual([
      'lion kin',
      'true',
    ]);
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator('[role=option][aria-selected=true]');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lion king');
    expect(await field.inputValue()).toBe('lion king');
    await page.getByRole('option').first().waitFor();
    await page.getByRole('link', { name: 'Films', exact: true }).focus();
    await page.locator('#search-results').waitFor({ state: 'hidden' });
    await field.focus();
    // From the field up to the last option, and back over the field to the first.
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    expect(await chosen.textContent()).toContain('The Lion King');
    await page.keyboard.press('Enter');
    await heading(page, 'The Lion King').waitFor();
  });

  it('stays closed when the server cannot be asked, and ends with all results', async () => {
    const page = await site.open('/timeline');
    await page.route('**/search?*part=options', (route) =>
      route.fulfill({ status: 503, body: '<!doctype html>' }),
    );
    const refused = page.waitForResponse(/part=options/);
    await searchField(page).fill('king');
    await refused;
    expect(await page.locator('#search-results').isVisible()).toBe(false);
    await page.unroute('**/search?*part=options');
    await searchField(page).fill('shape water');
    await page.getByRole('option').last().getByText('All results for “shape water”').click();
    await heading(page, '“shape water”').waitFor();
    const { data } = await site.api<Listed<Nomination>>('/api/search?q=shape+water');
    const nominees = data.map(({ nominee }) => nominee);
    expect(await rows(page).locator('td.nominees').allTextContents()).toEqual(nominees);
  });
});

describe.skipIf(!executablePath)('filters', () => {
  it('take effect when they change, have an address, and stay in step with the back button', async () => {
    const page = await site.open('/nominations');
    const total = page.locator('.total');
    const all = await total.textContent();
    await page.getByLabel('Outcome').selectOption('true');
    await addressHas(page, '/nominations?winner=true');
    await page.getByLabel('Film', { exact: true }).fill('god');
    await page.getByLabel('Film', { exact: true }).press('Enter');
    await addressHas(page, 'movie=god');
    const { search } = new URL(page.url());
    expect([...new URLSearchParams(search).keys()].sort()).toEqual(['movie', 'winner']);
    const { pathname, search: asked } = new URL(
      (await page.locator('.request code').textContent())!,
      site.origin,
    );
    const { data, pagination } = await site.api<Listed<Nomination>>(pathname + asked);
    const films = data.map(({ movie }) => movie);
    expect(await rows(page).locator('td.film .title').allTextContents()).toEqual(films);
    expect(await total.textContent()).toMatch(new RegExp(`\\b${pagination.total} (rows|nominations)`));
    await page.goBack();
    await page.goBack();
    await expect.poll(() => total.textContent()).toBe(all);
    expect(await page.getByLabel('Outcome').inputValue()).toBe('');
  });

  it('and the search are forms that work on a phone without a script, as a sheet; wrong filters are named there', async () => {
    const page = await site.open('/movies', phoneWithoutScript);
    const field = page.getByLabel('From year');
    expect(await field.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters and order' }).click();
    await field.fill('1990');
    await page.getByLabel('To year').fill('1994');
    await page.getByRole('button', { name: 'Show the list' }).click();
    await addressHas(page, 'filmYearEnd=1994');
    const { pagination } = await site.api<Listed<unknown>>('/api/movies?filmYearStart=1990&filmYearEnd=1994');
    expect(await page.locator('.total').textContent()).toBe(`${pagination.total} films`);
    await page.getByRole('button', { name: '1 filter set' }).click();
    expect(await field.inputValue()).toBe('1990');
    await page.keyboard.press('Escape');
    await searchField(page).fill('shape water');
    await searchField(page).press('Enter');
    await heading(page, '“shape water”').waitFor();
    await page.goto(`${site.origin}/nominations?year=x`);
    await page.getByText('A year is a number, such as 1994.').last().waitFor();
    await page.getByRole('link', { name: 'Remove the filter: Held in x' }).click();
    await rows(page).first().waitFor();
  });

  it('are open on a desktop, with the focus where the reader goes on, and a chip that removes each', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await site.open('/nominations', { javaScriptEnabled });
      expect(await page.getByLabel('Film', { exact: true }).isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'Filters and order' }).isVisible()).toBe(false);
    }
    const page = await site.open('/nominations');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.getByLabel('Film', { exact: true }).fill('god');
    await page.keyboard.press('Tab');
    await addressHas(page, 'movie=god');
    await expect.poll(focused).toBe('filter-category');
    await page.getByLabel('Outcome').selectOption('true');
    await addressHas(page, 'winner=true');
    await page.getByRole('link', { name: 'Remove the filter: Film: god' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?winner=true');
    await expect.poll(focused).toBe('chosen-0');
    // The answer to a range of years is a redirect.
    await page.getByLabel('From year').focus();
    await page.keyboard.type('1990');
    await page.keyboard.press('Tab');
    await addressHas(page, 'yearStart=1990');
    await expect.poll(focused).toBe('filter-to');
  });
});

describe.skipIf(!executablePath)('a page', () => {
  it('copies the address of its request', async () => {
    const page = await site.open('/movies?title=the', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText('Get this list as JSON').click();
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    // The page shows a path, since the service was given no address of its site.
    expect(copied).toBe(site.origin + (await page.locator('.request code').textContent()));
  });

  it('has a chart that is one stop of the Tab key; the arrows move in it, and Enter opens the nominations of a year', async () => {
    const { data } = await site.api<Listed<{ key: string }>>('/api/stats/counts?by=year&category=directing');
    const page = await site.open('/years?category=directing');
    const columns = page.locator('figure.chart svg a');
    expect(await columns.count()).toBe(data.length);
    await columns.last().focus();
    const readout = page.locator('figure.chart output');
    for (const [key, at] of [
      ['End', -1],
      ['ArrowLeft', -2],
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key);
      await readout.getByText(data.at(at)!.key).waitFor();
    }
    expect(await columns.and(page.locator('[tabindex="0"]')).count()).toBe(1);
    await page.keyboard.press('Enter');
    await addressHas(page, `/nominations?category=directing&year=${data[1]!.key}`);
  });

  it('of a ceremony on a phone is short: it shows its winners, all nominations when asked, and the category that a link leads to', async () => {
    for (const options of [phone, phoneWithoutScript]) {
      const page = await site.open('/ceremonies/67-1995', options);
      const award = page.getByRole('region', { name: 'Music (Original Song)' });
      await page.getByRole('region', { name: 'Winners' }).waitFor();
      expect(await award.isVisible()).toBe(false);
      const screens = () => page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
      expect(await screens()).toBeLessThan(6);
      await page.getByRole('link', { name: 'Show all nominations' }).click();
      await award.getByText('Hakuna Matata').waitFor();
      await page.goto(`${site.origin}/movies/900001-first-film`);
      await page.getByRole('link', { name: 'Won', exact: true }).click();
      await addressHas(page, '/ceremonies/67-1995#category-3');
      const title = page.getByRole('heading', { level: 3, name: 'Actress in a Leading Role' });
      await expect.poll(async () => (await title.boundingBox())!.y).toBeLessThan(phone.viewport.height / 2);
    }
  });

  it('reaches all sections on a phone without sideways scrolling, and the content by the first Tab', async () => {
    const page = await site.open('/years', phone);
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    expect(await links.count()).toBe(8);
    for (const link of await links.all()) {
      const { x, width } = (await link.boundingBox())!;
      expect([x >= 0, x + width <= phone.viewport.width]).toEqual([true, true]);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('has posters: the host does not learn the page, and one that fails leaves its card', async () => {
    const page = await site.open('/search');
    const asked: (string | undefined)[] = [];
    const body = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    let isLoaded = true;
    await page.route(`${pictureOrigin}/**`, async (route) => {
      asked.push((await route.request().allHeaders()).referer);
      await (isLoaded ? route.fulfill({ body, contentType: 'image/png' }) : route.abort());
    });
    for (isLoaded of [true, false]) {
      await page.goto(`${site.origin}/movies/900001`);
      await expect.poll(() => page.locator('img.picture').count()).toBe(isLoaded ? 1 : 0);
      await expect.poll(() => page.locator('.opening .card').isVisible()).toBe(!isLoaded);
    }
    expect(asked).toEqual([undefined, undefined]);
  });
});
