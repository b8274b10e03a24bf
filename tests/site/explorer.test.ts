/** Promise: a newcomer finds the answers to questions about the awards with the pages alone. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import type { Pagination } from '../../api/read/documents.ts';
import { executablePath } from './chromium.ts';
import { songsOf1994, useExplorer } from './explorer-site.ts';

const site = useExplorer();

interface Listed<T> {
  data: T[];
  pagination: Pagination;
}
interface RankedPerson {
  nominee: string;
  total_nominations: number;
  total_wins: number;
}

const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search films' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
/** Waits until the address has a filter. */
const addressHas = (page: Page, part: string) => page.waitForURL((url) => url.href.includes(part));
const goToSection = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click();
const nominationRows = (page: Page) => page.locator('table.nominations tbody tr');
/** An answer that is not about to be replaced. */
const freshTotal = (page: Page) => page.locator('.answer[aria-busy=false] .total');

describe.skipIf(!executablePath)('a question', () => {
  it('about acting nominations since 1980 is answered by a ranking with two filters', async () => {
    const page = await site.open('/');
    await goToSection(page, 'Rankings');
    await heading(page, 'Most nominated people').waitFor();
    await page.getByLabel('Group of categories').selectOption('Acting');
    await addressHas(page, 'category_group=Acting');
    await page.getByLabel('From year').fill('1980');
    await page.getByLabel('From year').press('Enter');
    await addressHas(page, 'yearStart=1980');
    const { data } = await site.api<Listed<RankedPerson>>(
      '/api/stats/top-nominees?category_group=Acting&yearStart=1980',
    );
    const bars = page.getByRole('list', { name: 'Most nominated people' }).getByRole('listitem');
    const counted = (value: number, noun: string) => `${value} ${noun}${value === 1 ? '' : 's'}`;
    const ranked = data.map(({ nominee, total_nominations, total_wins }) => [
      nominee,
      `${counted(total_nominations, 'nomination')} ${counted(total_wins, 'win')}`,
    ]);
    const [name, numbers] = ranked[0]!;
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
    await heading(page, 'Timeline').waitFor();
    await page.keyboard.press('/');
    const field = searchField(page);
    await page.keyboard.type('streep');
    await page.locator('[role=option][href^="/nominees/"]').getByText('Meryl Streep').waitFor();
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
  });

  it('leads to all nominations that the API finds', async () => {
    const page = await site.open('/');
    await searchField(page).fill('shape water');
    await searchField(page).press('Enter');
    await heading(page, 'Search').waitFor();
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
      .getByText(/^[0-9]+ nominations?$/)
      .waitFor();
    const address = await page.locator('.request code').textContent();
    const { data, pagination } = (await (await fetch(address!)).json()) as Listed<Nomination>;
    expect(pagination.total).toBeGreaterThan(2);
    expect(await nominationRows(page).locator('.film').allTextContents()).toEqual(
      data.map(({ movie }) => movie),
    );
    expect(await page.getByRole('status').filter({ hasText: 'nomination' }).textContent()).toBe(
      `${pagination.total} nominations`,
    );
  });

  it('that contradict each other are reported beside the field', async () => {
    const page = await site.open('/nominations?yearStart=2000&yearEnd=1990');
    await page.getByText('From year 2000 is after To year 1990').waitFor();
    expect(await page.getByLabel('From year').getAttribute('aria-invalid')).toBe('true');
  });

  it('that a list does not have are reported, and one link removes them', async () => {
    const page = await site.open('/nominations?category_group=Acting');
    await page.getByText(/unknown parameter "category_group"/).waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await page.locator('table.nominations').waitFor();
  });

  it('of songs by year are labelled as years of streaming', async () => {
    const page = await site.open('/songs');
    await page.getByText('More filters').click();
    await page.getByLabel('Year of streaming').waitFor();
    expect(await page.getByLabel('Year of the ceremony').count()).toBe(0);
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
  });
});

describe.skipIf(!executablePath)('going back', () => {
  it('restores the scroll position, as does a reload', async () => {
    const page = await site.open('/timeline');
    await page.getByRole('heading', { name: '1950s' }).waitFor();
    const top = () => page.evaluate(() => scrollY);
    await page.evaluate(() => scrollTo(0, 2000));
    await page.waitForFunction(() => history.state?.scroll === 2000);
    await page.locator('.timeline a.title').nth(40).click();
    await page.locator('article.record h1').waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await page.waitForFunction(() => scrollY === 2000);
    await page.reload();
    await page.waitForFunction(() => scrollY === 2000);
  });
});

describe.skipIf(!executablePath)('the record', () => {
  it('is checked for changes when a window gets the focus', async () => {
    const page = await site.open('/timeline');
    await page.locator('.timeline li').first().waitFor();
    const looked = page.waitForRequest('**/manifest.json');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await looked;
  });

  it('explains why a film with three songs has one nomination', async () => {
    const page = await site.open('/search?q=lion+king');
    await page.getByRole('link', { name: 'The Lion King' }).first().click();
    await page.getByText('A film counts once in each category').waitFor();
    expect(await nominationRows(page).count()).toBe(3);
  });
});

describe.skipIf(!executablePath)('numbers over the years', () => {
  it('are those of the API, as a plot and as a table', async () => {
    const page = await site.open('/years?category=Directing');
    await page.locator('.years-plot rect').first().waitFor();
    const { pagination: all } = await site.api<Listed<Nomination>>('/api/nominations?category=Directing');
    const { pagination: won } = await site.api<Listed<Nomination>>(
      '/api/nominations?category=Directing&winner=true',
    );
    await page.getByText('The numbers as a table').click();
    const cells = await page
      .locator('table.numbers tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => Number(cell.textContent))));
    const sum = (column: number) => cells.reduce((total, row) => total + row[column]!, 0);
    expect([sum(1), sum(2)]).toEqual([all.total, won.total]);
    expect(await page.locator('.years-plot rect').count()).toBe(2 * cells.length);
  });
});

describe.skipIf(!executablePath)('an external link to a page', () => {
  it('reads precomputed pages without loading the columns', async () => {
    const asked: string[] = [];
    const page = await site.open('/timeline');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [path, shown] of [
      ['/movies/1', 'article.record h1'],
      ['/nominees/1', 'article.record h1'],
      ['/songs/1', 'article h1'],
      ['/nominations/1', 'article h1'],
      ['/categories/1', '.award'],
      ['/timeline', '.timeline li'],
      ['/', '.bars li'],
    ] as const) {
      asked.length = 0;
      await page.goto(site.origin + path);
      await page.locator(shown).first().waitFor();
      expect(await page.title()).toMatch(/^.+ · Film Awards$/);
      expect(asked.filter((address) => address.startsWith('/pages/api/')).length, path).toBeGreaterThan(0);
      expect(
        asked.filter((address) => /^\/shards\/(nominations|titles|names)\//.test(address)),
        path,
      ).toEqual([]);
    }
  });

  it.each([
    ['with a malformed fragment shows the page', '/timeline#decade-%', ['Timeline', '1950s']],
    [
      'with a malformed query explains what is wrong',
      '/movies?title=%&page=x',
      ['Title is not valid percent-encoded UTF-8', 'page must be'],
    ],
    ['to a missing record says so', '/movies/999999', ['There is no such film']],
  ])('%s', async (_promise, path, texts) => {
    const page = await site.open(path);
    for (const text of texts) await page.locator('main').getByText(text).first().waitFor();
  });
});

describe.skipIf(!executablePath)('an address in the record', () => {
  it('becomes a link only if it is an http address', async () => {
    const name = songsOf1994[0]![2];
    const [person] = (await site.api<Listed<{ id: number; homepage: string }>>(`/api/nominees?name=${name}`))
      .data;
    expect(person!.homepage).toMatch(/^javascript:/);
    const page = await site.open(`/nominees/${person!.id}`);
    await heading(page, name).waitFor();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  });
});

describe.skipIf(!executablePath)('downloads', () => {
  it('are listed with number of records, size and hash', async () => {
    const page = await site.open('/timeline');
    await heading(page, 'Timeline').waitFor();
    const sha256 = 'a'.repeat(64);
    const files = [
      { name: 'awards.sqlite', rows: 30000, bytes: 4_200_000, sha256, description: 'A database.' },
    ];
    await page.route('**/downloads/index.json', (route) => route.fulfill({ json: { files } }));
    await page.getByRole('link', { name: 'Downloads' }).click();
    const file = page.locator('.downloads li');
    await file.getByText('4.2 MB, 30,000 records').waitFor();
    expect(await file.getByRole('link').getAttribute('href')).toBe('/downloads/awards.sqlite');
    expect(await file.textContent()).toContain(sha256);
  });
});

describe.skipIf(!executablePath)('a failure', () => {
  it('to read the snapshot is explained, and trying again helps once it is over', async () => {
    const page = await site.open('/timeline');
    await heading(page, 'Timeline').waitFor();
    await page.route(/\/(shards|pages)\//, (route) => route.fulfill({ status: 200, body: 'damaged' }));
    await goToSection(page, 'Nominations');
    await page.getByRole('heading', { name: 'The record cannot be read' }).waitFor();
    await page.unroute(/\/(shards|pages)\//);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('table.nominations').waitFor();
  });

  it('without a network has a message of its own', async () => {
    const page = await site.open('/timeline');
    await heading(page, 'Timeline').waitFor();
    await page.context().setOffline(true);
    await goToSection(page, 'Nominations');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  });
});
