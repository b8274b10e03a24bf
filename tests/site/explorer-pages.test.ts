/** Promise: pages are quick, keep their place, and explain what goes wrong. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { executablePath } from './chromium.ts';
import { goToSection, heading, type Listed, nominationRows, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const dataFiles = /\/(shards|pages)\//;

async function openedTimeline(): Promise<Page> {
  const page = await site.open('/timeline');
  await heading(page, 'All ceremonies').waitFor();
  return page;
}

describe.skipIf(!executablePath)('a page', () => {
  it('restores its scroll position on going back and on reload', async () => {
    const page = await site.open('/timeline');
    await page.getByRole('heading', { name: '1950s' }).waitFor();
    const top = () => page.evaluate(() => scrollY);
    await page.evaluate(() => scrollTo(0, 2000));
    await page.waitForFunction(() => history.state?.scroll === 2000);
    // In view at that position: a click must not scroll.
    await page.locator('.timeline a.title').nth(36).click();
    await page.locator('article.record h1').waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await page.waitForFunction(() => scrollY === 2000);
    await page.reload();
    await page.waitForFunction(() => scrollY === 2000);
  });

  it('checks the record for changes when its window gets the focus', async () => {
    const page = await site.open('/timeline');
    await page.locator('.timeline li').first().waitFor();
    const looked = page.waitForRequest('**/manifest.json');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await looked;
  });

  it('shows the numbers of the API over the years, as a plot and as a table', async () => {
    const page = await site.open('/years?category=Directing');
    await page.locator('.plot svg a').first().waitFor();
    const { data } = await site.api<Listed<{ key: number; entries: number; wins: number }>>(
      '/api/stats/counts?by=year&category=Directing',
    );
    await page.getByText('The numbers as a table').click();
    const cells = await page
      .locator('table.numbers tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => Number(cell.textContent))));
    expect(cells.reverse()).toEqual(data.map(({ key, entries, wins }) => [key, entries, wins]));
    const columns = page.locator('.plot svg a');
    const { key, entries } = data.at(-1)!;
    expect(await columns.count()).toBe(data.length);
    expect(await columns.last().locator('rect.nominations').getAttribute('height')).toBe(String(entries));
    // The latest year is a stop of the Tab key; the arrows move from there.
    await columns.last().focus();
    await page.locator('.readout').getByText(String(key)).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page
      .locator('.readout')
      .getByText(String(data.at(-2)!.key))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.search === `?category=Directing&year=${data.at(-2)!.key}`);
  });

  it('shows groups of categories apart, and categories by decade, that lead to their nominations', async () => {
    const page = await site.open('/years?apart=group');
    const acting = page.getByRole('figure', { name: /^Acting/ });
    await acting.locator('svg a').first().waitFor();
    await page.getByRole('link', { name: 'Categories by decade' }).click();
    const row = page.getByRole('row', { name: /^Directing/ });
    const link = row.getByRole('link').last();
    const shown = Number(await link.textContent());
    const categories = await site.api<Listed<{ id: number; category_name: string }>>('/api/categories');
    const id = categories.data.find(({ category_name }) => category_name === 'Directing')!.id;
    const counts = await site.api<Listed<{ entries: number }>>(
      `/api/stats/counts?by=decade&category_ids=${id}`,
    );
    expect(shown).toBe(counts.data.at(-1)!.entries);
    await link.click();
    await nominationRows(page).first().waitFor();
  });

  it('shows the pages of records on a host of plain files', async () => {
    const page = await site.open('/timeline');
    for (const [path, shown] of [
      ['/movies/1', 'article.record h1'],
      ['/nominees/1', 'article.record h1'],
      ['/songs/1', 'article h1'],
      ['/nominations/1', 'article h1'],
      ['/categories/1', '.award'],
      ['/timeline', '.timeline li'],
      ['/', '.bars li'],
    ] as const) {
      // The shell, as a host of plain files sends it.
      const shell = await fetch(`${site.origin}/index.html`);
      await page.route(site.origin + path, async (route) =>
        route.fulfill({ contentType: 'text/html', body: await shell.clone().text() }),
      );
      await page.goto(site.origin + path);
      await page.locator(shown).first().waitFor();
      expect(await page.title()).toMatch(/^.+ · Film Awards$/);
    }
  });

  it.each([
    ['shows its content despite a malformed fragment', '/timeline#decade-%', ['All ceremonies', '1950s']],
    [
      'explains a malformed query',
      '/movies?title=%&page=x',
      ['Title is not valid percent-encoded UTF-8', 'page must be'],
    ],
    ['says that a record is missing', '/movies/999999', ['There is no such film']],
  ])('%s', async (_promise, path, texts) => {
    const page = await site.open(path);
    for (const text of texts) await page.locator('main').getByText(text).first().waitFor();
  });

  it('lists downloads with number of records, size and hash', async () => {
    const page = await openedTimeline();
    const sha256 = 'a'.repeat(64);
    const files = [
      {
        name: 'awards.sqlite',
        format: 'sqlite',
        rows: 30000,
        bytes: 4_200_000,
        sha256,
        description: 'A database.',
      },
    ];
    await page.route('**/downloads/index.json', (route) => route.fulfill({ json: { files } }));
    await page.getByRole('link', { name: 'Downloads' }).click();
    const file = page.locator('.downloads li');
    await file.getByText('4.2 MB, 30,000 records').waitFor();
    expect(await file.getByRole('link').getAttribute('href')).toBe('/downloads/awards.sqlite');
    expect(await file.textContent()).toContain(sha256);
    expect(await page.getByRole('region', { name: 'SQLite' }).getByText('A database.').count()).toBe(1);
  });

  it.each<[string, string, (page: Page, isBroken: boolean) => Promise<unknown>]>([
    [
      'damaged files',
      'The record cannot be read',
      (page, isBroken) =>
        isBroken
          ? page.route(dataFiles, (route) => route.fulfill({ body: 'damaged' }))
          : page.unroute(dataFiles),
    ],
    ['no network', 'You are offline', (page, isBroken) => page.context().setOffline(isBroken)],
  ])('explains a failure, and a retry helps: %s', async (_cause, title, setBroken) => {
    const page = await openedTimeline();
    await setBroken(page, true);
    await goToSection(page, 'Nominations');
    await page.getByRole('heading', { name: title }).waitFor();
    await setBroken(page, false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('table.nominations').waitFor();
  });
});
