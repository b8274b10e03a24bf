/**
 * Promise: a newcomer who opens the home page answers twelve ordinary questions, each within three actions. A click, a choice in
 * a list, and a search that is typed and sent are one action each.
 */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { executablePath } from './chromium.ts';
import { goToSection, type Listed, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const maxActions = 3;

describe.skipIf(!executablePath)('a newcomer', () => {
  let page: Page;
  let actions: number;
  beforeEach(async () => {
    actions = 0;
    page = await site.open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  const act = async (action: () => Promise<unknown>) => {
    actions += 1;
    expect(actions).toBeLessThanOrEqual(maxActions);
    await action();
  };
  const click = (name: string | RegExp) => act(() => page.getByRole('link', { name }).first().click());
  const section = (name: string) => act(() => goToSection(page, name));
  const search = (words: string) =>
    act(async () => {
      await page.getByRole('combobox', { name: 'Search films' }).fill(words);
      await page.getByRole('combobox', { name: 'Search films' }).press('Enter');
    });
  const choose = (label: string, value: string) =>
    act(() => page.getByLabel(label, { exact: true }).selectOption(value));
  const reads = (text: string | RegExp) => page.locator('main').getByText(text).first().waitFor();

  it('who won Best Picture at the latest ceremony', async () => {
    await page.locator('.lead-winner').getByText('One Battle after Another').waitFor();
    expect(await page.locator('.lead-winner').textContent()).toContain('Best Picture');
  });

  it('what was the best film of 2018', async () => {
    await search('best picture 2018');
    await click('Best Picture, 2018');
    await page
      .getByRole('region', { name: 'Best Picture' })
      .locator('.won')
      .getByText('The Shape of Water')
      .waitFor();
  });

  it('how often was Meryl Streep nominated', async () => {
    await search('merryl streep');
    await click('Meryl Streep');
    await reads(/^3 nominations/);
    await page.getByRole('figure', { name: /^Nominations and wins by year/ }).waitFor();
  });

  it('which film was nominated most', async () => {
    const { data } = await site.api<Listed<{ title: string; counts: { entries: number } }>>(
      '/api/movies?sort=-entries&include=counts&limit=100',
    );
    const most = data[0]!.counts.entries;
    const first = page.getByRole('list', { name: 'Most nominated films' }).getByRole('listitem').first();
    // Several films can have as many.
    const titles = data.filter(({ counts }) => counts.entries === most).map(({ title }) => title);
    expect(titles).toContain(await first.getByRole('link').textContent());
    expect(await first.textContent()).toContain(`${most} nominations`);
  });

  it('who was nominated most and never won', async () => {
    await click('Who was nominated most and never won?');
    await page.getByRole('list', { name: 'People without a win' }).getByText('Bradley Cooper').waitFor();
  });

  it('who won more, Emma Stone or Frances McDormand', async () => {
    await search('emma stone vs mcdormand');
    await click('Emma Stone and Frances McDormand');
    const wins = page.getByRole('row', { name: /^Wins/ }).getByRole('cell');
    await wins.first().waitFor();
    expect((await wins.allTextContents()).slice(-2)).toEqual(['2', '4']);
  });

  it('compare Emma Stone and Frances McDormand', async () => {
    await search('compare emma stone and mcdormand');
    await click('Emma Stone and Frances McDormand');
    await page.getByRole('heading', { level: 1, name: 'Emma Stone and Frances McDormand' }).waitFor();
  });

  it('which songs of films of 1994 were nominated, and which won', async () => {
    await section('Songs');
    await click('Songs by film year');
    await click('1990s');
    const songs = page.getByRole('region', { name: 'Films of 1994' }).locator('tbody tr');
    await songs.first().waitFor();
    expect(await songs.count()).toBe(5);
    expect(await songs.filter({ hasText: 'Won' }).textContent()).toContain('Can You Feel the Love Tonight');
  });

  it('how many awards have films with "king" in the title', async () => {
    await search('king');
    const total = page.locator('table.titles tfoot tr');
    await total.waitFor();
    const rows = await page
      .locator('table.titles tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
      );
    expect(rows.length).toBeGreaterThan(1);
    const sums = [1, 2].map((column) => rows.reduce((sum, row) => sum + row[column]!, 0));
    expect((await total.locator('td').allTextContents()).slice(1).map(Number)).toEqual(sums);
    // The words of a question are in no title.
    await search('how many oscars did king win');
    await page.getByRole('heading', { name: 'Films with “king” in the title' }).waitFor();
  });

  it('when is the ceremony of a film of 1994, and which year is the film', async () => {
    await search('the lion king');
    await click('The Lion King');
    await reads('Held in 1995 · for films of 1994');
  });

  it('which categories grew over the decades', async () => {
    await section('Years');
    await click('Categories by decade');
    await page
      .getByRole('row', { name: /^Directing/ })
      .getByRole('link')
      .first()
      .waitFor();
  });

  it('who has the most acting nominations since 1980', async () => {
    await click('Who has the most acting nominations since 1980?');
    const { data } = await site.api<Listed<{ nominee: string }>>(
      '/api/stats/top-nominees?category_group=Acting&yearStart=1980',
    );
    const leaders = page.getByRole('list', { name: 'Most nominated people' }).getByRole('link');
    await leaders.first().waitFor();
    expect(await leaders.allTextContents()).toEqual(data.map(({ nominee }) => nominee));
    await choose('Order by', 'wins');
    await page.waitForURL((url) => url.search.includes('sort=wins'));
  });

  it('how many women won for directing: the record does not hold it, and the site says so', async () => {
    await search('female director winners');
    await reads('The record does not hold the gender');
    await page.locator('.hits').getByRole('region', { name: 'Categories' }).waitFor();
  });
});
