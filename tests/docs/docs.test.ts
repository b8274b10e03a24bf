/** The reference in a browser: it shows every operation, tries them for real, and asks nothing of any other host. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openapiDocument } from '../../api/contract/openapi/document.ts';
import { siteDocuments } from '../../build/snapshot/site-documents.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../service/running-service.ts';
import { removeTemporaryFolders } from '../service/temporary-folder.ts';
import { findChromium } from '../site/chromium.ts';

const executablePath = findChromium();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}
declare const window: { axe: { run(): Promise<{ violations: Violation[] }> } };

removeTemporaryFolders();

describe.skipIf(!executablePath)('the reference (where there is no Chromium, CHROMIUM names one)', () => {
  let browser: Browser;
  let service: RunningService;
  let page: Page;
  /** What the console said, and where requests went. */
  let said: string[];
  let hosts: Set<string>;
  beforeAll(async () => {
    const { connection, out } = await builtFolder(fillWithSample, siteDocuments);
    connection.close();
    service = await startService(out);
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(() => page.close());

  async function open(options: Parameters<Browser['newPage']>[0], fragment = ''): Promise<void> {
    said = [];
    hosts = new Set();
    page = await browser.newPage(options);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(error.message));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.goto(`http://127.0.0.1:${service.port}/docs${fragment}`);
    await page.waitForSelector('.opblock');
  }

  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`);

  async function tryOut(id: string): Promise<string> {
    const own = operation(id);
    await own.locator('.opblock-summary-control').first().click();
    await own.locator('.try-out__btn').click();
    await own.locator('.execute').click();
    const answer = own.locator('.live-responses-table .response').first();
    await answer.waitFor();
    return (await answer.textContent()) ?? '';
  }

  /** What is wrong in a serious way for those who use the page by other means than eye and mouse. */
  async function seriousFaults(): Promise<unknown[]> {
    // By the debugger, which the policy of the page does not bind.
    const debugged = await page.context().newCDPSession(page);
    await debugged.send('Runtime.evaluate', { expression: axe });
    const violations = await page.evaluate(async () => (await window.axe.run()).violations);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  it('shows every operation and the rules, and its requests get real answers', async () => {
    await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    const paths = Object.values(openapiDocument().paths as Record<string, Record<string, object>>);
    const shown = paths.flatMap((item) =>
      Object.keys(item).filter((method) => ['get', 'post', 'patch'].includes(method)),
    );
    expect(await page.locator('.opblock').count()).toBe(shown.length);
    const rules = (await page.locator('.info').textContent()) ?? '';
    for (const heading of ['Reading', 'Errors', 'Caching', 'Limits', 'Writing'])
      expect(rules).toContain(heading);
    const answer = await tryOut('getSearch');
    expect(answer).toMatch(/^200/);
    expect(answer).toContain('Meryl Streep');
    expect(page.url()).toMatch(/#\/Search\/getSearch$/);
    expect(await seriousFaults()).toEqual([]);
    expect(said).toEqual([]);
    expect([...hosts]).toEqual([`127.0.0.1:${service.port}`]);
  });

  it('leads by its address to one operation, and is as good on a phone in the dark', async () => {
    await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, '#/Songs/createSong');
    await operation('createSong').locator('.model-example').first().waitFor();
    expect(await page.locator('.opblock-body').count()).toBe(1);
    expect(await seriousFaults()).toEqual([]);
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWider).toBe(false);
    expect(said).toEqual([]);
  });
});
