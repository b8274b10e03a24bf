/** The promise: every kind of page is usable by everyone, light or dark, on a phone or a desk. Takes pictures of them, too. */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { project } from '../layers/source-files.ts';
import { executablePath, longTitle, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Where pictures are kept for whoever wants to look at them. */
const pictures = join(project, 'test-artifacts/screenshots');

declare const axe: { run(options: { runOnly?: string[] }): Promise<AxeResults> };

/** Kinds of pages, and what is there when they are complete. */
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
  ['years', '/years', '.years-plot'],
  ['timeline', '/timeline', '.timeline'],
  ['downloads', '/downloads', '.downloads, .failure'],
] as const;

const [desk, phone] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** A page as it is, light and dark and on a phone: pictures, and what shuts people out. */
async function faultsOf(page: Page, kind: string): Promise<string[]> {
  const faults: string[] = [];
  const look = async (name: string, options: { runOnly?: string[] }) => {
    await page.screenshot({ path: join(pictures, `${kind}-${name}.png`) });
    const { violations } = await page.evaluate((own) => axe.run(own), options);
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${kind}, ${name}: ${id}: ${html}`));
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overhang > 0) faults.push(`${kind}, ${name}: ${overhang} pixels wider than the window`);
  };
  await page.addScriptTag({ path: axePath });
  await look('light', {});
  await page.setViewportSize(phone);
  await look('phone', {});
  // Colours are all that another scheme changes.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await look('phone-dark', { runOnly: ['color-contrast'] });
  await page.setViewportSize(desk);
  await look('dark', { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return faults;
}

describe.skipIf(!executablePath)('every kind of page', () => {
  it('is no wider than a small window, whatever a film is called', async () => {
    const page = await site.open('/', { viewport: { width: 320, height: 640 } });
    for (const viewport of [{ width: 320, height: 640 }, desk]) {
      await page.setViewportSize(viewport);
      for (const path of ['/movies', '/nominations', '/search', '/rankings/top-movies', '/ceremonies/67']) {
        const filter = { '/movies': 'title', '/nominations': 'movie', '/search': 'q' }[path];
        await page.goto(
          `${site.origin}${path}${filter ? `?${filter}=${longTitle}` : '?year=1995&limit=100'}`,
        );
        await page.getByText(longTitle).first().waitFor();
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, path).toBeLessThanOrEqual(viewport.width);
      }
      await page.getByRole('link', { name: longTitle }).first().click();
      await page.getByRole('heading', { level: 1, name: longTitle }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
    }
  });

  it('has nothing that shuts anyone out, light or dark, on a desk or a phone', async () => {
    mkdirSync(pictures, { recursive: true });
    // The policy that the page comes with would keep the inspection out, too.
    const page = await site.open('/', { viewport: desk, bypassCSP: true, reducedMotion: 'reduce' });
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
