/** What a page makes hard for people who cannot see it, or not well, or use no mouse. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each violation in a line; none for a good page. */
export async function violations(page: Page): Promise<string[]> {
  // By the browser's debugger, since no page of the site lets a script in by other ways.
  await page.evaluate(script);
  const results = (await page.evaluate('axe.run()')) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
