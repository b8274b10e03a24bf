/** Promise: every kind of page is accessible and small, and fits its window: light and dark, in forced colours, on a phone and a desktop. */
import { brotliCompressSync } from 'node:zlib';
import type { RunOptions } from 'axe-core';
import { describe, expect, it } from 'vitest';
import { executablePath, overhangOf, violations } from '../support/chromium.ts';
import { longTitle, pageKinds, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const desk = { viewport: { width: 1280, height: 800 } };
const narrow = { width: 320, height: 640 };

/** The rule of targets is off by default. */
const everything: RunOptions = { rules: { 'target-size': { enabled: true } } };
const contrast: RunOptions = { runOnly: ['color-contrast'] };
const structure: RunOptions = { rules: { ...everything.rules, 'color-contrast': { enabled: false } } };
/** Kinds whose parts are those of other kinds: their colours need no check. */
const ofSameParts =
  /^(people|categories|songs|honors|missing record)$|^search for|^(ranking|comparison) of (people|countries)/;

describe.skipIf(!executablePath)('every kind of page', () => {
  it('has no accessibility violations and no overhang, light or dark, on a phone or a desktop, and nothing moves', async () => {
    const page = await site.open('/', desk);
    await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
    const faults: string[] = [];
    const look = async (name: string, options?: RunOptions) => {
      const overhang = await overhangOf(page);
      if (overhang > 0) faults.push(`${name}: ${overhang} pixels wider than the window`);
      if (options) faults.push(...(await violations(page, options)).map((fault) => `${name}: ${fault}`));
    };
    for (const [kind, path] of pageKinds) {
      await page.goto(site.origin + path);
      expect([kind, await page.evaluate('window.shift')]).toEqual([kind, 0]);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const isNew = !ofSameParts.test(kind);
      if (isNew) await look(kind, contrast);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(narrow);
      await look(`${kind}, dark, phone`, isNew ? everything : structure);
      const sheet = page.locator('[popover]');
      if (isNew && (await sheet.count()) > 0) {
        await sheet.evaluate((element) => (element as HTMLElement).showPopover());
        await look(`${kind}, sheet of filters`, everything);
        await sheet.evaluate((element) => (element as HTMLElement).hidePopover());
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(desk.viewport);
    }
    await page.goto(site.origin);
    await page.getByRole('combobox').fill('the');
    await page.getByRole('option').first().waitFor();
    await look('options of the search', everything);
    await page.setViewportSize(narrow);
    for (const path of [`/movies?title=${longTitle}`, `/search?q=${longTitle}`, '/ceremonies/67-1995']) {
      await page.goto(site.origin + path);
      await page.getByText(longTitle).first().waitFor({ state: 'attached' });
      await look(path);
    }
    expect(faults).toEqual([]);
  });

  it('shows what is a link by a line or a border, not by its colour alone', async () => {
    const page = await site.open('/', desk);
    for (const [kind, path] of pageKinds) {
      await page.goto(site.origin + path);
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll('main a')]
          // The title of an opening leads where the link below it leads; cards and bars are pictures.
          .filter((link) => !link.closest('h1, .frame h2') && !link.querySelector('.card, rect'))
          .filter((link) => {
            const style = getComputedStyle(link);
            const isClear = (colour: string) => /^rgba\(.*, 0\)$/.test(colour);
            const isLined = style.textDecorationLine === 'underline' && !isClear(style.textDecorationColor);
            return !isLined && (style.borderStyle === 'none' || isClear(style.borderTopColor));
          })
          .map((link) => link.outerHTML),
      );
      expect(hidden, kind).toEqual([]);
    }
  });

  it('keeps texts, bars and the marks of winners in forced colours, and prints what it says', async () => {
    const page = await site.open('/ceremonies/67-1995', { ...desk, forcedColors: 'active' });
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
    const sections = ['a[aria-current]', 'a:not([aria-current])'];
    const lines = sections.map((own) => styleOf(`header.site nav ${own}`, 'border-bottom-color'));
    expect(new Set(await Promise.all(lines)).size).toBe(2);
    const numeral = page.locator('.frame').evaluate((frame) => getComputedStyle(frame, '::after').display);
    expect(await numeral).toBe('none');
    await page.goto(`${site.origin}/years`);
    const bars = ['.nominations', '.wins'].map((own) => styleOf(`figure.chart svg ${own}`, 'fill'));
    const colours = await Promise.all([...bars, styleOf('body', 'background-color')]);
    expect(new Set(colours).size).toBe(3);
    await page.goto(`${site.origin}/movies/900001-first-film`);
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['header.site nav', '.search', 'footer.site', '.links'])
      expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
    expect(await page.locator('table.nominations').first().isVisible()).toBe(true);
  });

  it('is at most 80 KB at first, with a script of at most 15 KB', async () => {
    const sizes = new Map<string, number>();
    for (const [kind, path] of pageKinds) {
      const { body } = await site.service.ask(path);
      let sent = brotliCompressSync(body).length;
      for (const [, address] of body.toString().matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)) {
        const file = (await site.service.ask(address!)).body;
        if (address!.endsWith('.js')) expect(file.length).toBeLessThanOrEqual(15_000);
        sizes.set(address!, sizes.get(address!) ?? brotliCompressSync(file).length);
        sent += sizes.get(address!)!;
      }
      expect(sent, kind).toBeLessThanOrEqual(80_000);
    }
  });
});
