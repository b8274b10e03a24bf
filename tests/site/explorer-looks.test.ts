/** Promise: every kind of page is accessible and fits its window, light and dark and in forced colours, on a phone and a desktop. Takes screenshots. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { project } from '../support/project.ts';
import { executablePath, violations } from './chromium.ts';
import { longTitle, useExplorer } from './explorer-site.ts';
import { pageKinds } from './page-kinds.ts';

const site = useExplorer();
const screenshots = join(project, 'test-artifacts/screenshots');

const [desk, phone] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const overhangOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The rule is off by default. */
const withTargetSize: RunOptions = { rules: { 'target-size': { enabled: true } } };

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
  await look('light', withTargetSize);
  await page.setViewportSize(phone);
  await look('phone', withTargetSize);
  // The dark scheme and forced colours change colours only.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await look('phone-dark', { runOnly: ['color-contrast'] });
  await page.setViewportSize(desk);
  await look('dark', { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'active' });
  await look('forced', { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' });
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
    for (const [kind, path, complete] of pageKinds) {
      await page.goto(site.origin + path);
      await page.locator(complete).first().waitFor();
      faults.push(...(await faultsOf(page, kind)));
    }
    await page.goto(site.origin);
    await page.getByRole('combobox').fill('the');
    await page.getByRole('option').first().waitFor();
    faults.push(...(await faultsOf(page, 'results of the search')));
    await page.goto(`${site.origin}/compare/movies?ids=1`);
    await page.getByLabel('Add a film').fill('the');
    await page.locator('.picker .rows a').first().waitFor();
    faults.push(...(await faultsOf(page, 'picker')));
    expect(faults).toEqual([]);
  }, 240_000);

  it('keeps bars, legends and the marks of winners in forced colours', async () => {
    const page = await site.open('/rankings/top-movies?sort=wins', {
      viewport: desk,
      forcedColors: 'active',
    });
    const styles = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    await page.locator('.bar').first().waitFor();
    const paper = await styles('body', 'background-color');
    const bars = [await styles('.bar .nominations', 'fill'), await styles('.bar .wins', 'fill')];
    expect(new Set([paper, ...bars]).size).toBe(3);
    await page.goto(`${site.origin}/years`);
    await page.locator('.plot svg').first().waitFor();
    const columns = [await styles('.decade .nominations', 'fill'), await styles('.decade .wins', 'fill')];
    expect(columns).toEqual(bars);
    await page.goto(`${site.origin}/ceremonies/67`);
    await page.locator('.entry.won').first().waitFor();
    const marks = ['.entry.won', '.entry:not(.won)'].map((selector) => styles(selector, 'border-left-color'));
    expect(new Set(await Promise.all(marks)).size).toBe(2);
  });

  it('shows the totals of films beside their titles on a phone', async () => {
    const page = await site.open('/search?q=the', { viewport: phone });
    const table = page.locator('.scroll:has(table.titles)');
    await table
      .getByRole('link')
      .first()
      .evaluate((own, title) => own.replaceChildren(title), longTitle);
    expect(await table.evaluate((own) => own.scrollWidth - own.clientWidth)).toBeLessThanOrEqual(0);
  });

  it.each(['/years', '/years?apart=group'])(
    '%s fits a phone, whose scroll bar takes no width',
    async (path) => {
      const page = await site.open(path, { viewport: phone, isMobile: true });
      await page.locator('.plot svg').first().waitFor();
      expect(await overhangOf(page)).toBeLessThanOrEqual(0);
    },
  );

  it('leaves most of a phone to the content', async () => {
    const page = await site.open('/movies', { viewport: { width: 390, height: 844 } });
    const box = await page.locator('header.site').boundingBox();
    expect(box!.height).toBeLessThanOrEqual(844 / 5);
  });

  it.each([360, 390])(
    'has a header of two rows on a phone of %i pixels, and shows the current section',
    async (width) => {
      const page = await site.open('/years', { viewport: { width, height: 800 } });
      const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
      const [header, name, field, nav] = await Promise.all(
        ['header.site', '.site .name', '.search input', '.site nav'].map(boxOf),
      );
      // The rows: the name and the search field, and one line of sections.
      expect(Math.abs(name!.y + name!.height / 2 - (field!.y + field!.height / 2))).toBeLessThan(5);
      const current = await boxOf('.site nav [aria-current]');
      expect(nav!.height).toBeLessThan(1.5 * current.height);
      expect(nav!.y).toBeGreaterThanOrEqual(field!.y + field!.height);
      expect(header!.height).toBeLessThan(800 / 8);
      expect(current.x + current.width).toBeLessThanOrEqual(width);
      await page.getByRole('combobox').fill('the');
      await page.getByRole('option').first().waitFor();
      expect((await boxOf('.results')).width).toBeGreaterThan(0.8 * width);
    },
  );

  it('prints what it says, without what only a screen can use', async () => {
    const page = await site.open('/movies/1', { viewport: desk });
    await page.locator('table.nominations').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['header.site nav', '.search', 'footer.site', '.links'])
      expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(await page.locator('table.nominations').first().isVisible()).toBe(true);
  });
});
