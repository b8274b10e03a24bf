/** Promise: every kind of page is accessible and small, and fits its window: light and dark, in forced colours, on a phone and a desktop. */
import { brotliCompressSync } from 'node:zlib';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { importRecord } from '../../data/import/import.ts';
import { hasRealRecord, realRecordPath } from '../support/real-record.ts';
import { builtFolder, startService } from '../http/running-service.ts';
import { executablePath, useBrowser, violations } from './chromium.ts';
import { longTitle, useExplorer } from './explorer-site.ts';
import { pageKinds } from './page-kinds.ts';

const site = useExplorer();
const openPage = useBrowser();
const [desk, phone, narrow] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

/** Pixels by which a page is wider than its window. */
const overhangOf = (page: Page) =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  );

/** The rule is off by default. */
const withTargetSize: RunOptions = { rules: { 'target-size': { enabled: true } } };
const contrast: RunOptions = { runOnly: ['color-contrast'] };

describe.skipIf(!executablePath)('every kind of page', () => {
  it('has no accessibility violations and no overhang, light or dark, on a phone or a desktop', async () => {
    const page = await site.open('/', { viewport: desk, reducedMotion: 'reduce' });
    const faults: string[] = [];
    const look = async (name: string, options: RunOptions) => {
      const overhang = await overhangOf(page);
      if (overhang > 0) faults.push(`${name}: ${overhang} pixels wider than the window`);
      faults.push(...(await violations(page, options)).map((fault) => `${name}: ${fault}`));
    };
    for (const [kind, path] of pageKinds) {
      await page.goto(site.origin + path);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      await look(kind, withTargetSize);
      await page.emulateMedia({ colorScheme: 'dark' });
      await look(`${kind}, dark`, contrast);
      await page.setViewportSize(phone);
      await look(`${kind}, dark, phone`, withTargetSize);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(narrow);
      expect([kind, await overhangOf(page)]).toEqual([kind, 0]);
      await page.setViewportSize(desk);
    }
    await page.goto(site.origin);
    await page.getByRole('combobox').fill('the');
    await page.getByRole('option').first().waitFor();
    await look('options of the search', withTargetSize);
    expect(faults).toEqual([]);
  }, 240_000);

  it('is no wider than a small window, even with a very long title', async () => {
    const page = await site.open('/', { viewport: narrow });
    for (const path of [
      ...[`/movies?title=${longTitle}`, `/nominations?movie=${longTitle}`, `/search?q=${longTitle}`],
      ...['/rankings/top-movies?year=1995&limit=100', '/ceremonies/67-1995', `/nominees?name=${longTitle}`],
    ]) {
      await page.goto(site.origin + path);
      await page.getByText(longTitle).first().waitFor({ state: 'attached' });
      expect([path, await overhangOf(page)]).toEqual([path, 0]);
    }
  });

  it('keeps texts, bars and the marks of winners in forced colours', async () => {
    const page = await site.open('/ceremonies/67-1995', { viewport: desk, forcedColors: 'active' });
    // Of the text on cards, axe-core reads the colour that the browser replaces.
    const parts = ['header.site', '.heading', '.winner', '#everyone', 'footer.site'];
    expect(await violations(page, contrast, parts)).toEqual([]);
    const styleOf = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    const marks = ['.entry.won', '.entry:not(.won)'].map((own) => styleOf(own, 'border-left-color'));
    expect(new Set(await Promise.all(marks)).size).toBe(2);
    for (const [path, of] of [
      ['/rankings/top-movies', '.bar'],
      ['/years', 'figure.chart svg'],
    ]) {
      await page.goto(site.origin + path);
      const paper = await styleOf('body', 'background-color');
      const bars = [await styleOf(`${of} .nominations`, 'fill'), await styleOf(`${of} .wins`, 'fill')];
      expect([path, new Set([paper, ...bars]).size]).toEqual([path, 3]);
    }
  });

  it('is at most 80 KB at first, with a script of at most 15 KB, and nothing moves', async () => {
    const page = await site.open('/', { viewport: phone });
    const { service } = site;
    await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
    for (const [kind, path] of pageKinds) {
      const { body } = await service.ask(path);
      const addresses = body.toString().matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g);
      const files = await Promise.all([...addresses].map(([, address]) => service.ask(address!)));
      const scripts = files.filter(({ headers }) => headers['content-type']!.includes('javascript'));
      const bytes = (all: readonly { body: Buffer }[]) =>
        all.reduce((sum, file) => sum + file.body.length, 0);
      expect(bytes(scripts)).toBeLessThanOrEqual(15_000);
      const sent = [body, ...files.map((file) => file.body)].map((file) => brotliCompressSync(file).length);
      expect(
        sent.reduce((sum, size) => sum + size),
        kind,
      ).toBeLessThanOrEqual(80_000);
      await page.goto(site.origin + path, { waitUntil: 'networkidle' });
      expect([kind, await page.evaluate('window.shift')]).toEqual([kind, 0]);
    }
  }, 120_000);

  it('prints what it says, without what only a screen can use', async () => {
    const page = await site.open('/movies/900001-first-film', { viewport: desk });
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['header.site nav', '.search', 'footer.site', '.links'])
      expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
    expect(await page.locator('table.nominations').first().isVisible()).toBe(true);
  });
});

describe.skipIf(!executablePath || !hasRealRecord)('on the real record', () => {
  it('a ceremony on a phone is shorter than six screens before "show all"', async () => {
    const { connection, out } = await builtFolder(
      (database) => importRecord(database, realRecordPath),
      ['site'],
    );
    connection.close();
    const service = await startService(out);
    const page = await openPage(`http://127.0.0.1:${service.port}/ceremonies/98`, { viewport: phone });
    const screens = () => page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
    expect(await screens()).toBeLessThan(6);
    await page.getByRole('link', { name: 'Show all nominations' }).click();
    expect(await screens()).toBeGreaterThan(6);
    await service.stop();
  }, 120_000);
});
