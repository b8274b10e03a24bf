/** Promise: searches, lists, filters, rankings and comparisons of the explorer show what the API answers. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import { executablePath } from './chromium.ts';
import {
  goToSection,
  heading,
  type Listed,
  nominationRows,
  songsOf1994,
  useExplorer,
} from './explorer-site.ts';

const site = useExplorer();

const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search films' });
/** Waits until the address has a filter. */
const addressHas = (page: Page, part: string) => page.waitForURL((url) => url.href.includes(part));
/** An answer that is not about to be replaced. */
const freshTotal = (page: Page) => page.locator('.answer[aria-busy=false] .total');

describe.skipIf(!executablePath)('a question', () => {
  it('about acting nominations since 1980 is answered by a ranking with two filters', async () => {
    const page = await site.open('/');
    await goToSection(page, 'Rankings');
    await heading(page, 'Most nominated people').waitFor();
    await page.getByLabel('Group of categories').selectOption('Acting');
    await addressHas(page, 'category_group=Acting');
    await page.getByLabel('Ceremonies from').fill('1980');
    await page.getByLabel('Ceremonies from').press('Enter');
    await addressHas(page, 'yearStart=1980');
    const { data } = await site.api<
      Listed<{ nominee: string; total_nominations: number; total_wins: number }>
    >('/api/stats/top-nominees?category_group=Acting&yearStart=1980');
    const bars = page.getByRole('list', { name: 'Most nominated people' }).getByRole('listitem');
    const counted = (value: number, noun: string) => `${value} ${noun}${value === 1 ? '' : 's'}`;
    const ranked = data.map(({ nominee, total_nominations, total_wins }) => [
      nominee,
      `${counted(total_nominations, 'nomination')} ${counted(total_wins, 'win')}`,
    ]);
    const [name, numbers] = ranked[0]!;
    await freshTotal(page).filter({ hasText: name! }).waitFor();
    await bars.filter({ hasText: numbers! }).first().waitFor();
    const shown = await bars.evaluateAll((items) =>
      items.map((item) => ['a', '.numbers'].map((part) => item.querySelector(part)!.textContent)),
    );
    expect(shown).toEqual(ranked);
    await bars.first().getByRole('link').click();
    await heading(page, name!).waitFor();
  });

  it('about songs from films of 1994 is answered by searching for the year', async () => {
    const page = await site.open('/');
    await searchField(page).fill('1994');
    await page.getByRole('option', { name: 'films of 1994' }).click();
    await heading(page, '67th Academy Awards').waitFor();
    await page
      .getByRole('navigation', { name: 'Categories of this ceremony' })
      .getByRole('link', { name: 'Original Song' })
      .click();
    const songs = page.getByRole('region', { name: 'Original Song' }).locator('.song');
    expect(await songs.allTextContents()).toEqual(songsOf1994.map(([song]) => `“${song}”`));
  });

  it('about a typo leads from the search to the form of the film', async () => {
    const page = await site.open('/');
    await searchField(page).fill('lion kin');
    await page.getByRole('option', { name: /^The Lion King/ }).click();
    await heading(page, 'The Lion King').waitFor();
    const [film] = (await site.api<Listed<{ id: number }>>('/api/movies?title=lion+king')).data;
    expect(await page.getByRole('link', { name: 'Edit this record' }).getAttribute('href')).toBe(
      `/edit/movies/${film!.id}`,
    );
  });
});

describe.skipIf(!executablePath)('the search', () => {
  it('opens with "/"; arrows choose a result, Enter opens it and Escape closes the list', async () => {
    const page = await site.open('/timeline');
    await heading(page, 'All ceremonies').waitFor();
    await page.keyboard.press('/');
    const field = searchField(page);
    await page.keyboard.type('streep');
    // The first letters have results too, with others before her.
    await page.locator('[role=option]').first().getByText('Meryl Streep').waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator('[role=option][aria-selected=true]');
    expect(await chosen.textContent()).toContain('Meryl Streep');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Meryl Streep').waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(await field.inputValue()).toBe('');
  });

  it('opens with Ctrl+K, also from its own text', async () => {
    const page = await site.open('/timeline');
    await heading(page, 'All ceremonies').waitFor();
    const field = searchField(page);
    for (const words of ['streep', 'hanks']) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(words);
      expect(await field.inputValue()).toBe(words);
    }
  });

  it('leads to all nominations that the API finds', async () => {
    const page = await site.open('/');
    await searchField(page).fill('shape water');
    await searchField(page).press('Enter');
    await heading(page, '“shape water”').waitFor();
    expect(await page.title()).toBe('shape water · Search · Film Awards');
    await nominationRows(page).first().waitFor();
    const { data } = await site.api<Listed<Nomination>>('/api/search?q=shape+water');
    expect(await nominationRows(page).locator('.nominees').allTextContents()).toEqual(
      data.map(({ nominee }) => nominee),
    );
  });

  it('says that nothing was found', async () => {
    const page = await site.open('/');
    await searchField(page).fill('zzzzzz');
    await page.getByText('Nothing found for “zzzzzz”.').waitFor();
    expect(await page.locator('search [role=status]').textContent()).toBe('Nothing found');
    await searchField(page).fill('golden globes');
    await page.locator('.results').getByText('The record has the Academy Awards only.').waitFor();
    await searchField(page).fill('?!');
    await page.getByText('Nothing found for “?!”. A search needs a letter or a digit.').waitFor();
    expect(await page.locator('search [role=status]').textContent()).toBe('Nothing found');
  });
});

describe.skipIf(!executablePath)('a list', () => {
  it('is sorted as the API sorts it, and saved as a file with all that the filters find', async () => {
    const page = await site.open('/movies?yearStart=1995');
    await page.getByLabel('Order by').selectOption('Wins');
    await addressHas(page, 'sort=-wins');
    const address = '/api/movies?yearStart=1995&sort=-wins&include=counts';
    const { data } = await site.api<Listed<{ title: string }>>(address);
    const rows = page.locator('.answer[aria-busy=false] .rows a');
    await rows.first().getByText(data[0]!.title).waitFor();
    expect(await rows.allTextContents()).toEqual(data.map(({ title }) => title));
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const expected = await fetch(`${site.origin}${address}&format=csv`);
    expect(readFileSync(await saved.path(), 'utf8')).toBe(await expected.text());
    expect(expected.headers.get('content-disposition')).toContain(saved.suggestedFilename());
  });

  it.each([
    ['movies', '-entries'],
    ['nominees', '-entries'],
    ['songs', '-id'],
  ])('of %s begins with the records that most readers look for', async (resource, sort) => {
    const page = await site.open(`/${resource}`);
    const { data } = await site.api<Listed<{ id: number }>>(`/api/${resource}?sort=${sort}`);
    const first = page.locator('.rows a').first();
    expect(await first.getAttribute('href')).toMatch(new RegExp(`^/${resource}/${data[0]!.id}-`));
    expect(await page.locator('.request code').textContent()).toContain(`/api/${resource}?sort=${sort}`);
  });

  it('offers no order and no filter for which the record has no values', async () => {
    const page = await site.open('/songs');
    const orders = page.getByLabel('Order by').getByRole('option');
    expect(await orders.allTextContents()).toEqual(['Last recorded', 'Title', 'Artist', 'As recorded']);
    expect(await page.getByLabel('Year of streaming').count()).toBe(0);
  });
});

describe.skipIf(!executablePath)('the search page', () => {
  it('keeps its words in the search field, also when they change', async () => {
    const page = await site.open('/search?q=lion+king');
    await heading(page, '“lion king”').waitFor();
    expect(await searchField(page).inputValue()).toBe('lion king');
    await searchField(page).fill('lion');
    await searchField(page).press('Enter');
    await heading(page, '“lion”').waitFor();
    await expect.poll(() => searchField(page).inputValue()).toBe('lion');
    await page.goto(`${site.origin}/search`);
    await heading(page, 'Search').waitFor();
    await page.getByText('Type the name of a film').waitFor();
    expect(await page.locator('.fault').count()).toBe(0);
  });

  it('shows what the words name, and what they mean as chips that can be removed', async () => {
    const page = await site.open('/search?q=lion+king+1995+winner');
    const films = page.getByRole('region', { name: 'Films' });
    await films.getByRole('link', { name: 'The Lion King' }).waitFor();
    await page.getByText('Understood as').waitFor();
    expect(await page.locator('.meaning a').allInnerTexts()).toEqual(['1995 ×', 'Winners ×']);
    // No nomination has all these words; these have what they mean.
    expect(await nominationRows(page).count()).toBe(1);
    await page.getByRole('link', { name: 'Search without Winners' }).click();
    await addressHas(page, 'q=lion+king+1995');
    expect(await page.evaluate('document.activeElement.id')).toBe('results');
    await nominationRows(page).nth(2).waitFor();
    await page.goto(`${site.origin}/search?q=honorary+awards+of+the+nineties`);
    await page.getByText('Understood as').waitFor();
    expect(await page.locator('.meaning a').allInnerTexts()).toEqual(['Honors ×', '1990s ×']);
  });

  it('finds the nominations that a question means', async () => {
    const page = await site.open('/search?q=song+from+the+lion+king');
    await nominationRows(page).nth(2).waitFor();
    expect(await nominationRows(page).count()).toBe(3);
    const ofPicture = '/api/nominations?category_ids=1&winner=true';
    for (const [words, address] of [
      ['who won best picture in 2018', `${ofPicture}&year=2018`],
      ['all best picture winners', `${ofPicture}&sort=-year`],
    ] as const) {
      const { data } = await site.api<Listed<Nomination>>(address);
      expect(data.length).toBeGreaterThan(0);
      await page.goto(`${site.origin}/search?${new URLSearchParams({ q: words })}`);
      await nominationRows(page).first().waitFor();
      expect(await nominationRows(page).locator('.film').allTextContents()).toEqual(
        data.map(({ movie }) => movie),
      );
    }
  });

  it('proposes something where nothing was found', async () => {
    const page = await site.open('/search?q=qwertyuiop');
    await page.getByText('Nothing has a name like “qwertyuiop”.').waitFor();
    await page.getByRole('link', { name: 'films', exact: true }).waitFor();
  });

  it('says where nothing has all words, and leads to the honors with them', async () => {
    const page = await site.open('/search?q=honored+titanic');
    await page.getByText('No film, person or song has all these words.').waitFor();
    await page.getByRole('combobox').fill('honored persons');
    await page.locator('.results').getByText('Nothing has all these words.').waitFor();
    await page.goto(`${site.origin}/search?q=honored+person`);
    await page.getByRole('link', { name: 'Look among the honors' }).click();
    await page.locator('.rows').getByText('Honored Person').waitFor();
  });
});

describe.skipIf(!executablePath)('the ranking of films', () => {
  it('counts all nominations, or categories as the API does, and says which', async () => {
    const page = await site.open('/rankings/top-movies');
    const lion = page.getByRole('listitem').filter({ hasText: 'The Lion King' });
    await page.getByLabel('Ceremonies from').fill('1995');
    await page.getByLabel('Ceremonies to').fill('1995');
    await page.getByLabel('Ceremonies to').press('Enter');
    await lion.getByText('3 nominations').waitFor();
    await page.getByText('as the press counts').waitFor();
    await page.getByRole('link', { name: 'Count categories' }).click();
    await lion.getByText('1 nomination', { exact: true }).waitFor();
    await page.getByText('A film counts once in each category here').waitFor();
  });
});

describe.skipIf(!executablePath)('filters', () => {
  it('of a list come with a request that has the same rows', async () => {
    const page = await site.open('/nominations');
    await page.getByLabel('Outcome').selectOption('true');
    await addressHas(page, 'winner=true');
    await page.getByLabel('Film', { exact: true }).fill('god');
    await addressHas(page, 'movie=god');
    await freshTotal(page)
      .getByText(/^[0-9]+ individual nominations?$/)
      .waitFor();
    const address = await page.locator('.request code').textContent();
    const { data, pagination } = (await (await fetch(address!)).json()) as Listed<Nomination>;
    expect(pagination.total).toBeGreaterThan(2);
    expect(await nominationRows(page).locator('.film').allTextContents()).toEqual(
      data.map(({ movie }) => movie),
    );
    expect(await page.getByRole('status').filter({ hasText: 'nomination' }).textContent()).toBe(
      `${pagination.total} individual nominations`,
    );
  });

  it('that contradict each other are reported beside the field', async () => {
    const page = await site.open('/nominations?yearStart=2000&yearEnd=1990');
    await page.getByText('Ceremonies from 2000 is after Ceremonies to 1990').waitFor();
    expect(await page.getByLabel('Ceremonies from').getAttribute('aria-invalid')).toBe('true');
  });

  it('that are wrong are open on a phone too', async () => {
    const page = await site.open('/nominations?year=x', { viewport: { width: 390, height: 844 } });
    await page.getByText('Ceremony year must be a whole number').waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await page.locator('table.nominations').waitFor();
    await page.getByText('Filters', { exact: true }).click();
    await page.getByText('Ceremony year must be a whole number').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.getByText('Ceremony year must be a whole number').waitFor();
  });

  it('that a list does not have are reported, and one link removes them', async () => {
    const page = await site.open('/nominations?category_group=Acting');
    await page.getByText(/unknown parameter "category_group"/).waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await page.locator('table.nominations').waitFor();
  });

  it('of songs by year are labelled as years of streaming', async () => {
    const page = await site.open('/songs?year=2000');
    await page.getByLabel('Year of streaming').waitFor();
    expect(await page.getByLabel('Ceremony year').count()).toBe(0);
  });

  it('survive a reload; going back undoes them', async () => {
    const page = await site.open('/movies');
    await page.getByLabel('Title').fill('king');
    await addressHas(page, 'title=king');
    const total = freshTotal(page);
    const { pagination } = await site.api<Listed<Nomination>>('/api/movies?title=king');
    const found = `${pagination.total} films`;
    await total.getByText(found).waitFor();
    await page.reload();
    await total.getByText(found).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('king');
    await page.goBack();
    await total.getByText(/^[0-9]{3} films$/).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('');
    await page.goForward();
    await total.getByText(found).waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await total.getByText(/^[0-9]{3} films$/).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('results');
  });
});

describe.skipIf(!executablePath)('a comparison', () => {
  it('has the totals of the API, in an address that can be shared, and records are added and removed', async () => {
    const { data } = await site.api<Listed<{ id: number; name: string }>>('/api/nominees?name=mcdormand');
    const { id, name } = data[0]!;
    const page = await site.open(`/nominees/${id}`);
    await page.getByRole('link', { name: 'Compare with someone else' }).click();
    await page.getByLabel('Add a person or company').fill('meryl streep');
    await page.locator('.picker').getByRole('link', { name: 'Meryl Streep' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, `${name} and Meryl Streep`).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    expect(await focused()).toBe('H1');
    const ids = new URL(page.url()).searchParams.get('ids')!;
    const counted = await site.api<Listed<{ id: number; counts: { entries: number; wins: number } }>>(
      `/api/nominees?ids=${ids}&include=counts`,
    );
    const inOrder = ids
      .split(',')
      .map((own) => counted.data.find((record) => record.id === Number(own))!.counts);
    const cells = (row: RegExp) => page.getByRole('row', { name: row }).getByRole('cell').allTextContents();
    expect((await cells(/^Nominations/)).map(Number)).toEqual(inOrder.map(({ entries }) => entries));
    expect((await cells(/^Wins/)).map(Number)).toEqual(inOrder.map(({ wins }) => wins));
    await page.getByRole('link', { name: 'Remove Meryl Streep' }).click();
    await heading(page, 'Compare people').waitFor();
    await page.getByText('Choose at least two people').waitFor();
    expect(await focused()).toBe('H1');
  });

  it('of an unknown record says so', async () => {
    const page = await site.open('/compare/movies?ids=1,999999');
    await page.getByText('There is no film with the number 999999.').waitFor();
  });
});

describe.skipIf(!executablePath)('a ranking', () => {
  it('has pages, and leads to a comparison of its first', async () => {
    const page = await site.open('/rankings/top-movies?limit=10');
    const names = page.getByRole('list', { name: 'Most nominated films' }).getByRole('link');
    await names.first().waitFor();
    const first = await names.allTextContents();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText(/^Page 2 of /).waitFor();
    const second = await names.allTextContents();
    const { data } = await site.api<Listed<{ title: string }>>('/api/movies?sort=-entries&limit=10');
    expect(first.length + second.length).toBe(20);
    expect(first.filter((name) => second.includes(name))).toEqual([]);
    expect(new Set(first).has(data[0]!.title)).toBe(true);
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('link', { name: 'Compare the first three' }).click();
    await page.locator('table.compare').first().waitFor();
    expect(await page.locator('table.compare').first().locator('thead th').allTextContents()).toEqual(
      first.slice(0, 3),
    );
  });
});

describe.skipIf(!executablePath)('a server that does not answer', () => {
  it('is told from a damaged record', async () => {
    const page = await site.open('/timeline');
    await page.locator('.timeline li').first().waitFor();
    await page.route('**/*', (route) => route.abort());
    await goToSection(page, 'Nominations');
    await page.getByRole('heading', { name: "Can't reach the server" }).waitFor();
  });
});
