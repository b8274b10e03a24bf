/** Promise: every view of the editor is accessible and keeps clear of the edges of the window, on each device and in each scheme. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { executablePath, violations } from './chromium.ts';
import { useEditingSite } from './editing-site.ts';

const { opened, write } = useEditingSite();

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const looks: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop, light', { viewport: desktop, colorScheme: 'light' }],
  ['desktop, dark', { viewport: desktop, colorScheme: 'dark' }],
  ['phone, light', { viewport: phone, colorScheme: 'light' }],
  ['phone, dark', { viewport: phone, colorScheme: 'dark' }],
  ['desktop, forced colours', { viewport: desktop, forcedColors: 'active' }],
  ['phone, forced colours', { viewport: phone, forcedColors: 'active' }],
];

let saves = 0;

/** View → its address, and what makes all its parts visible. */
const views: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  [
    'the start with candidates',
    '/edit',
    async (page) => {
      await page.getByLabel('Find it by name or number').fill('the');
      await page.locator('.options [role=option]').first().waitFor();
    },
  ],
  [
    'a record with faults',
    '/edit/movies/360',
    async (page) => {
      await page.getByLabel('Runtime').fill('long');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'a record that was saved',
    '/edit/movies/360',
    async (page) => {
      saves += 1;
      await page.getByLabel('Tagline').fill(`Looked at ${saves} times`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.receipt').waitFor();
    },
  ],
  [
    'a new nomination with a new film',
    '/edit/nominations/new',
    async (page) => {
      await page.locator('form').getByLabel('Movie').first().fill('A Film of Looks');
      await page.getByRole('option', { name: /^Create film/ }).click();
      await page.getByRole('group', { name: /new film/ }).waitFor();
    },
  ],
  [
    'the winners of a night with a choice',
    '/edit/ceremonies/97/winners',
    (page) => page.locator('.night input:not(:checked)').first().check(),
  ],
  [
    'the receipts',
    '/edit/receipts',
    async (page) => {
      await page.locator('.search-receipts button[type=submit]').click();
      await page.locator('.receipt').first().waitFor();
    },
  ],
];

describe.skipIf(!executablePath).each(looks)('on a %s', (_name, options) => {
  beforeAll(async () => {
    if (executablePath) await write('PATCH', '/api/movies/1', { tagline: 'Looked at' });
  });

  it.each(views)('%s is accessible and fits the window', async (_view, address, prepare) => {
    const page = await opened(address, options);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) complaints.push(message.text());
    });
    await prepare(page);
    expect(await violations(page, { rules: { 'target-size': { enabled: true } } })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    for (const part of ['header > a', 'h1', 'main > :last-child'])
      expect((await page.locator(part).first().boundingBox())!.x, part).toBeGreaterThanOrEqual(12);
    expect(complaints).toEqual([]);
  });
});

it.skipIf(!executablePath)('a long status leaves the word on the save button whole', async () => {
  const page = await opened('/edit/movies/360', { viewport: phone });
  const save = page.getByRole('button', { name: 'Save' });
  const before = (await save.boundingBox())!.height;
  await page.getByLabel('Tagline').fill('A tagline');
  await page.getByLabel('Overview').fill('An overview');
  await page.getByText('2 fields changed, not saved yet').waitFor();
  expect((await save.boundingBox())!.height).toBe(before);
});
