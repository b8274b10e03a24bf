/** The browser of the tests, and the accessibility check of a page. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** The browser named in CHROMIUM, else the first that the system has. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // The system has no program of this name.
    }
  return undefined;
}

/** undefined skips the browser tests of a file. */
export const executablePath = findChromium();

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });

/** A browser for all tests of a file. @returns opens a page in a context of its own, closed after the test */
export function useBrowser(): (address: string, options?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser;
  const pages: Page[] = [];
  beforeAll(async () => {
    if (executablePath) browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
  });
  afterAll(() => browser?.close());
  return async (address, options = {}) => {
    const context = await browser.newContext({ serviceWorkers: 'block', ...options });
    const page = await context.newPage();
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
  await page.evaluate(axe);
  const results = (await page.evaluate(
    `axe.run(${JSON.stringify({ include: parts })}, ${JSON.stringify(options)})`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) => `${id}: ${target.join(' ')}: ${html} ${failureSummary ?? ''}`,
    ),
  );
}
