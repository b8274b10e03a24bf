/** The browser of the tests, and the accessibility check of a page. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** The browser named in CHROMIUM, else the first that the system has; undefined skips the tests in a browser. */
export const executablePath: string | undefined =
  process.env.CHROMIUM ||
  ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find((path) => path !== '');

export async function launchChromium(): Promise<Browser> {
  // Loaded late: some tests need nothing but the site that the tests in a browser have.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'],
  });
}

/**
 * A browser for all tests of a file, with one context for equal options.
 * @returns opens a page, which is closed after the test
 */
export function useBrowser(): (address: string, options?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser;
  const contexts = new Map<string, Promise<BrowserContext>>();
  const pages: Page[] = [];
  beforeAll(async () => {
    if (executablePath) browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
  });
  afterAll(() => browser?.close());
  return async (address, options = {}) => {
    const key = JSON.stringify(options);
    const context = contexts.get(key) ?? browser.newContext({ serviceWorkers: 'block', ...options });
    contexts.set(key, context);
    const page = await (await context).newPage();
    pages.push(page);
    await page.goto(address);
    return page;
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Accessibility violations, one line each. @param parts selectors of what is checked */
export async function violations(
  page: Page,
  options: RunOptions = {},
  parts: readonly string[] = ['html'],
): Promise<string[]> {
  // The debugger is not subject to the content security policy of the page.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const asked = { resultTypes: ['violations'], preload: false, ...options };
  const results = (await page.evaluate(
    `axe.run(${JSON.stringify({ include: parts })}, ${JSON.stringify(asked)})`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) => `${id}: ${target.join(' ')}: ${html} ${failureSummary ?? ''}`,
    ),
  );
}

/** Pixels by which a page is wider than its window. */
export const overhangOf = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  );
