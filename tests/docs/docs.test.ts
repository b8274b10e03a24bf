/** The promise: the reference in a browser shows every operation, sends real requests, and contacts no other host. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openapiDocument } from '../../api/contract/openapi/document.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { findChromium } from '../site/chromium.ts';

const executablePath = findChromium();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}
declare const window: { axe: { run(): Promise<{ violations: Violation[] }> } };

describe.skipIf(!executablePath)('the reference (needs Chromium; CHROMIUM sets its path)', () => {
  let browser: Browser;
  let service: RunningService;
  let page: Page;
  /** Console messages, and the hosts of requests. */
  let messages: string[];
  let hosts: Set<string>;
  beforeAll(async () => {
    service = await startService(inject('sample').out);
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(() => page.close());

  async function open(options: Parameters<Browser['newPage']>[0], fragment = ''): Promise<void> {
    messages = [];
    hosts = new Set();
    page = await browser.newPage(options);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(error.message));
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

  /** Accessibility violations that axe calls serious or critical. */
  async function accessibilityFaults(): Promise<unknown[]> {
    // Through the debugger protocol: the page's content security policy does not allow the script.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe });
    const violations = await page.evaluate(async () => (await window.axe.run()).violations);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  it('shows every operation and the rules, and sends real requests', async () => {
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
    expect(await accessibilityFaults()).toEqual([]);
    expect(messages).toEqual([]);
    expect([...hosts]).toEqual([`127.0.0.1:${service.port}`]);
  });

  it('opens the operation named in its address, also on a phone and in dark mode', async () => {
    await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, '#/Songs/createSong');
    await operation('createSong').locator('.model-example').first().waitFor();
    expect(await page.locator('.opblock-body').count()).toBe(1);
    expect(await accessibilityFaults()).toEqual([]);
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWider).toBe(false);
    expect(messages).toEqual([]);
  });
});
