/** Promise: the winners of a night are chosen in one view with the keyboard, and saved all at once or not at all. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { executablePath } from './chromium.ts';
import { hasFocus, useEditingSite } from './editing-site.ts';
import { Keyboard } from './keyboard.ts';

const ceremony = 97;
const address = `/edit/ceremonies/${ceremony}/winners`;
/** A night with six categories: a test chooses every nomination in turn. */
const { site, openPage, opened, read, write } = useEditingSite((connection) => {
  fillWithSample(connection);
  connection.exec(`DELETE FROM nominations WHERE ceremony_id = ${ceremony} AND category_id > 6`);
});

type Nomination = ListOf['nominations']['data'][number];
const nominations = async (): Promise<Nomination[]> =>
  (await read<ListOf['nominations']>(`/api/nominations?ceremony_ids=${ceremony}&limit=100&include=details`))
    .data;
const winners = async () => (await nominations()).filter(({ winner }) => winner).map(({ id }) => id);

const receipts = async (query: string) => {
  const { body } = await site.service.ask(`/receipts?${query}`, { headers: { 'x-api-key': site.accessKey } });
  return (JSON.parse(body.toString()) as { data: { id: number; group?: number }[] }).data;
};
const entryOf = (page: Page, { category, nominee, movie }: Nomination) =>
  page.getByRole('group', { name: category, exact: true }).getByRole('checkbox', {
    name: new RegExp(`${escaped(nominee)}.*${escaped(movie)}|${escaped(movie)}.*${escaped(nominee)}`),
  });
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Two actors of different entries, of whom the first won. */
async function actors(): Promise<[winner: Nomination, other: Nomination]> {
  const own = (await nominations()).filter(({ category }) => category === 'Actress in a Leading Role');
  return [own.find(({ winner }) => winner)!, own.find(({ winner }) => !winner)!];
}

describe.skipIf(!executablePath)('the winners of a night', () => {
  let before: number[];
  beforeEach(async () => {
    before = await winners();
  });
  afterEach(async () => {
    expect(await winners()).toEqual(before);
  });

  it('are set for all categories with the keyboard, as one batch, and taken back as one', async () => {
    const page = await opened(address);
    const all = page.locator('.night input');
    await all.first().waitFor();
    expect(await all.count()).toBeGreaterThan(20);
    const latest = (await receipts('limit=1'))[0]?.id ?? 0;
    const keys = await Keyboard.of(page);
    for (const box of await all.all()) {
      await keys.tabTo(box);
      await keys.press('Space');
    }
    await page.getByText(/nominations changed, not saved yet/).waitFor();
    await expect.poll(() => page.title()).toMatch(/^• /);
    await page.keyboard.press('Control+s');
    await page.getByText(/saved as one batch/).waitFor();
    expect(await hasFocus(page.locator('.notice'))).toBe(true);
    const every = await nominations();
    expect(await winners()).toEqual(every.filter(({ id }) => !before.includes(id)).map(({ id }) => id));
    const written = (await receipts('limit=100')).filter(({ id }) => id > latest);
    expect(written).toHaveLength(every.length);
    expect(new Set(written.map(({ group }) => group))).toEqual(new Set([latest + 1]));
    await page.getByRole('button', { name: 'Undo this batch' }).click();
    await page.getByText('The batch was undone').waitFor();
  });

  it('all people of an entry win together', async () => {
    const own = (await nominations()).filter(({ category }) => category === 'Best Picture');
    const shared = own.filter(
      (one) => !one.winner && own.filter(({ movie_id }) => movie_id === one.movie_id).length > 1,
    );
    const ids = shared.filter(({ movie_id }) => movie_id === shared[0]!.movie_id).map(({ id }) => id);
    const page = await opened(address);
    await entryOf(page, shared[0]!).check();
    await page.getByRole('button', { name: 'Save winners' }).click();
    await page.getByText(`${ids.length} nominations saved`).waitFor();
    expect(await winners()).toEqual([...before, ...ids].sort((a, b) => a - b));
    await page.getByRole('button', { name: 'Undo this batch' }).click();
    await page.getByText('The batch was undone').waitFor();
  });

  it('a change by another editor is shown before anything is saved, and the choices stay', async () => {
    const [first, second] = await actors();
    const page = await opened(address);
    await entryOf(page, first).uncheck();
    await entryOf(page, second).check();
    await write('PATCH', `/api/nominations/${second.id}`, { winner: true });
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'The record of this night changed meanwhile' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain(second.nominee);
    expect(await winners()).toContain(first.id);
    await page.getByText('1 nomination changed, not saved yet').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/saved as one batch/).waitFor();
    expect(await winners()).not.toContain(first.id);
    await page.getByRole('button', { name: 'Undo this batch' }).click();
    await page.getByText('The batch was undone').waitFor();
    await write('PATCH', `/api/nominations/${second.id}`, { winner: false });
  });

  it('a network that drops in the middle of the batch loses no choice', async () => {
    const [first, second] = await actors();
    const page = await opened(address);
    await entryOf(page, first).uncheck();
    await entryOf(page, second).check();
    await page.route('**/api/batch', (route) => route.abort());
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'The service did not answer' }).waitFor();
    expect(await entryOf(page, second).isChecked()).toBe(true);
    expect(await winners()).toEqual(before);
    // The answer is lost this time, not the batch.
    await page.unroute('**/api/batch');
    await page.route('**/api/batch', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'The service did not answer' }).waitFor();
    await page.unroute('**/api/batch');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'The record of this night changed meanwhile' }).waitFor();
    await page.getByText('Nothing changed yet').waitFor();
    await entryOf(page, first).check();
    await entryOf(page, second).uncheck();
    await page.keyboard.press('Control+s');
    await page.getByText(/saved as one batch/).waitFor();
  });

  it('are not saved with a wrong key, and the choices stay', async () => {
    const [, second] = await actors();
    const page = await opened(address);
    await page.getByLabel('Key for writing').fill('fa_wrong');
    await entryOf(page, second).check();
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'The key was not accepted' }).waitFor();
    expect(await entryOf(page, second).isChecked()).toBe(true);
  });

  it('are found from the form of the ceremony, and an unknown ceremony is announced', async () => {
    const page = await openPage(`${site.origin}/edit/ceremonies/${ceremony}`);
    await page.getByRole('link', { name: 'Winners of the night' }).click();
    await page.waitForURL(`**${address}`);
    await page.goto(`${site.origin}/edit/ceremonies/4242/winners`);
    await page.getByText('There are no nominations of ceremony no. 4242').waitFor();
  });
});
