/** Promise: every kind of page is accessible and fits its window, light and dark, on a phone and a desktop. Takes screenshots. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { project } from '../layers/source-files.ts';
import { executablePath, violations } from './chromium.ts';
import { longTitle, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const screenshots = join(project, 'test-artifacts/screenshots');

/** Kind, path, and a selector of the complete page. */
const kinds = [
  ['home', '/', '.columns .bars'],
  ['film', '/movies/1', 'table.nominations'],
  ['person', '/nominees/1', 'table.nominations'],
  ['ceremony', '/ceremonies/90', '.awards'],
  ['category', '/categories/2', '.award'],
  ['song', '/songs/1', 'table.nominations'],
  ['nomination', '/nominations/1', '.facts'],
  ['films', '/movies?title=the', '.rows .numbers:not(:empty)'],
  ['nominations', '/nominations', 'table.nominations'],
  ['ranking', '/rankings/top-nominees?sort=wins', '.bars'],
  ['years', '/years', '.plot svg'],
  ['timeline', '/timeline', '.timeline'],
  ['downloads', '/downloads', '.downloads, .failure'],
] as const;

const [desk, phone] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const overhangOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Takes screenshots of a page in both schemes and sizes. @returns its accessibility violations and its overhang */
async function faultsOf(page: Page, kind: string): Promise<string[]> {
  const faults: string[] = [];
  const look = async (name: string, options: RunOptions) => {
    await page.screenshot({ path: join(screenshots, `${kind}-${name}.png`) });
    const overhang = await overhangOf(page);
    const found = await violations(page, options);
    if (overhang > 0) found.push(`${overhang} pixels wider than the window`);
    faults.push(...found.map((fault) => `${kind}, ${name}: ${fault}`));
  };
  await look('light', {});
  await page.setViewportSize(phone);
  await look('phone', {});
  // The dark scheme changes colours only.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await look('phone-dark', { runOnly: ['color-contrast'] });
  await page.setViewportSize(desk);
  await look('dark', { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return faults;
}

describe.skipIf(!executablePath)('every kind of page', () => {
  it('is no wider than a small window, even with a very long title', async () => {
    const narrow = { width: 320, height: 640 };
    const page = await site.open('/', { viewport: narrow });
    for (const viewport of [narrow, desk]) {
      await page.setViewportSize(viewport);
      for (const path of ['/movies', '/nominations', '/search', '/rankings/top-movies', '/ceremonies/67']) {
        const filter = { '/movies': 'title', '/nominations': 'movie', '/search': 'q' }[path];
        await page.goto(
          `${site.origin}${path}${filter ? `?${filter}=${longTitle}` : '?year=1995&limit=100'}`,
        );
        await page.getByText(longTitle).first().waitFor();
        expect(await overhangOf(page), path).toBeLessThanOrEqual(0);
      }
      await page.getByRole('link', { name: longTitle }).first().click();
      await page.getByRole('heading', { level: 1, name: longTitle }).waitFor();
      expect(await overhangOf(page)).toBeLessThanOrEqual(0);
    }
  });

  it('has no accessibility violations, light or dark, on a phone or a desktop', async () => {
    mkdirSync(screenshots, { recursive: true });
    const page = await site.open('/', { viewport: desk, reducedMotion: 'reduce' });
    const faults: string[] = [];
    for (const [kind, path, complete] of kinds) {
      await page.goto(site.origin + path);
      await page.locator(complete).first().waitFor();
      faults.push(...(await faultsOf(page, kind)));
    }
    await page.goto(site.origin);
    await page.getByRole('combobox').fill('the');
    await page.getByRole('option').first().waitFor();
    faults.push(...(await faultsOf(page, 'search')));
    expect(faults).toEqual([]);
  });
});
