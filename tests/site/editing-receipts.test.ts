/** Promise: an editor finds the author and the fields of a change, and undoes it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/http.ts';
import { executablePath } from './chromium.ts';
import { hasFocus, useEditingSite } from './editing-site.ts';

const { site, opened, openPage, read, write } = useEditingSite();
const film = 360;

/** Numbers of the receipts shown, in their order. */
const shown = async (page: Page): Promise<number[]> =>
  (await page.locator('.receipts h2').allTextContents()).map((text) => Number(text.replace('Receipt ', '')));

/** Waits until as many receipts are shown. */
const expectShown = (page: Page, count: number) =>
  expect.poll(async () => (await shown(page)).length, { timeout: 10_000 }).toBe(count);

describe.skipIf(!executablePath)('the receipts', () => {
  let changed: number;
  let group: number;
  beforeAll(async () => {
    if (!executablePath) return;
    const idOf = ({ headers }: Reply) => Number(String(headers.receipt).split('/').at(-1));
    changed = idOf(await write('PATCH', `/api/movies/${film}`, { tagline: 'First', runtime: 1 }));
    await write('PATCH', `/api/movies/${film}`, { tagline: 'Second' });
    const patch = (path: string, body: object) => ({ method: 'PATCH', path, body });
    const batch = await write('POST', '/api/batch', [
      patch('/api/movies/1', { tagline: 'Batched' }),
      patch('/api/nominations/1', { details: { note: 'Batched' } }),
    ] as never);
    group = (JSON.parse(batch.body.toString()) as { group: number }).group;
    for (let i = 0; i < 30; i += 1) await write('PATCH', '/api/songs/1', { artist_names: `Artist ${i}` });
    for (let i = 0; i < 30; i += 1) await write('PATCH', '/api/nominees/1', { place_of_birth: `Place ${i}` });
  });

  it('of a record are its history, with what changed, and a change can be undone', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByRole('link', { name: 'History' }).click();
    await expectShown(page, 2);
    expect(await shown(page)).toEqual([changed + 1, changed]);
    const first = page.locator('.receipt').last();
    expect(await first.textContent()).toMatch(
      /Film no\. 360 was changed.*Tagline ?nothing ?First.*Runtime ?123 ?1U/,
    );
    await first.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByText(`The change of receipt ${changed} was undone.`).waitFor();
    expect(await hasFocus(page.locator('.notice'))).toBe(true);
    await expectShown(page, 3);
    expect(await read(`/api/movies/${film}`)).toMatchObject({ tagline: null, runtime: 123 });
  });

  it('bring a deleted record back, and take a new one away', async () => {
    const { headers } = await write('POST', '/api/movies', { title: 'Added by mistake', runtime: 90 });
    const path = headers.location!;
    const page = await opened(`/edit${path.slice('/api'.length)}`);
    const isThere = async () => (await site.service.ask(path)).status === 200;
    const remove = page.getByRole('button', { name: 'Delete this film' });
    page.once('dialog', (dialog) => void dialog.dismiss());
    await remove.click();
    expect(await isThere()).toBe(true);
    page.once('dialog', (dialog) => void dialog.accept());
    await remove.click();
    await expectShown(page, 2);
    expect(await isThere()).toBe(false);
    const undo = (receipt: 'first' | 'last') =>
      page.locator('.receipt')[receipt]().getByRole('button', { name: 'Undo this change' }).click();
    expect(await page.locator('.receipt').first().textContent()).toMatch(/Film no\. \d+ was deleted/);
    await undo('first');
    await expectShown(page, 3);
    expect(await read(path)).toMatchObject({ title: 'Added by mistake', runtime: 90 });
    await undo('last');
    await expectShown(page, 4);
    expect(await isThere()).toBe(false);
  });

  it('a record that others refer to is not deleted', async () => {
    const page = await opened(`/edit/movies/${film}`);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete this film' }).click();
    await page.getByRole('heading', { name: /^Other records refer to this one/ }).waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/is still referred to by \d+ nominations/);
  });

  it('are searched by collection and key, page by page', async () => {
    const page = await opened('/edit/receipts');
    await page.getByLabel('Collection').selectOption('nominees');
    await page.getByLabel('Name of the key').fill('editor');
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Name of the key').press('Enter');
    await expectShown(page, 25);
    await page.getByRole('button', { name: 'Older receipts' }).click();
    await expectShown(page, 30);
    expect(await page.getByRole('button', { name: 'Older receipts' }).count()).toBe(0);
    const ids = await shown(page);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new URL(page.url()).search).toBe('?resource=nominees&key=editor&since=2020-01-01');
    await page.reload();
    await expectShown(page, 25);
    expect(await page.getByLabel('Collection').inputValue()).toBe('nominees');
    await page.getByLabel('Name of the key').fill('nobody');
    await page.getByRole('button', { name: 'Search receipts' }).click();
    await page.getByText('No receipt matches.').waitFor();
  });

  it('of a batch are shown together', async () => {
    const page = await opened('/edit/receipts');
    await page.reload();
    await page.getByLabel('Number of the batch').fill(String(group));
    await page.getByRole('button', { name: 'Search receipts' }).click();
    await expectShown(page, 2);
    expect(await page.locator('.receipts').textContent()).toMatch(/Note ?nothing ?Batched/);
    await page.getByRole('button', { name: 'Undo the 2 changes of this batch' }).click();
    await page.getByText('The changes of the batch were undone.').waitFor();
    expect(await read('/api/movies/1')).toMatchObject({ tagline: null });
    expect(await read('/api/nominations/1?include=details')).toMatchObject({ details: { note: null } });
    await page.getByLabel('Number of the batch').fill('first');
    await page.getByRole('button', { name: 'Search receipts' }).click();
    await page.getByRole('heading', { name: 'The search was not understood' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('group must be an id');
  });

  it('that a gateway cannot get are a refusal by its status, not a service that is out of reach', async () => {
    const page = await opened('/edit/receipts');
    const body = '<h1>Bad Gateway</h1>';
    await page.route('**/receipts?*', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body }),
    );
    await page.getByRole('button', { name: 'Search receipts' }).click();
    await page.getByRole('heading', { name: 'The service could not answer' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The service answered with 502.');
    await page.unroute('**/receipts?*');
  });

  it('are not shown without a key', async () => {
    const page = await openPage(`${site.origin}/edit/receipts`);
    await page.getByRole('button', { name: 'Search receipts' }).click();
    await page.getByRole('heading', { name: 'The key was not accepted' }).waitFor();
    expect(await shown(page)).toEqual([]);
  });
});
