/** The promise: whoever has never seen the project finds with the page alone what they ask of a century of awards. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import type { Pagination } from '../../api/read/documents.ts';
import { executablePath, songsOf1994, useExplorer } from './explorer-site.ts';

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
/** Waits until a filter took effect in the address. */
const addressHas = (page: Page, part: string) => page.waitForURL((url) => url.href.includes(part));

describe.skipIf(!executablePath)('the questions people come with', () => {
  it('who has most acting nominations since 1980: by rankings and two filters', async () => {
    const page = await site.open('/');
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Rankings' }).click();
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
    const rankedPeople = data.map((it) => ({
      name: it.nominee,
      numbers: `${it.total_nominations} nomination${it.total_nominations === 1 ? '' : 's'} ${it.total_wins} win${it.total_wins === 1 ? '' : 's'}`,
    }));
    const first = rankedPeople[0]!;
    await bars.filter({ hasText: first.numbers }).first().waitFor();
    expect(
      await bars.evaluateAll((items) =>
        items.map((item) => ({
          name: item.querySelector('a')!.textContent,
          numbers: item.querySelector('.numbers')!.textContent,
        })),
      ),
    ).toEqual(rankedPeople);
    await bars.first().getByRole('link').click();
    await heading(page, first.name).waitFor();
  });

  it('which songs from films of 1994 were nominated: by searching for the year', async () => {
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

  it('fix this typo: from a search to the form for the film', async () => {
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
  it('is reached by "/", moved through by arrows, taken by Enter and left by Escape', async () => {
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

  it('leads to all that match, the same as the interface finds', async () => {
    const page = await site.open('/');
    await searchField(page).fill('shape water');
    await searchField(page).press('Enter');
    await heading(page, 'Search').waitFor();
    const rows = page.locator('table.nominations tbody tr');
    await rows.first().waitFor();
    const { data } = await site.api<Listed<Nomination>>('/api/search?q=shape+water');
    expect(await rows.locator('.nominees').allTextContents()).toEqual(data.map(({ nominee }) => nominee));
  });

  it('says in words that nothing was found', async () => {
    const page = await site.open('/');
    await searchField(page).fill('zzzzzz');
    await page.getByText('Nothing found for “zzzzzz”.').waitFor();
    expect(await page.locator('search [role=status]').textContent()).toBe('Nothing found');
  });
});

describe.skipIf(!executablePath)('filters', () => {
  it('of a list show a request that gives the very rows shown', async () => {
    const page = await site.open('/nominations');
    await page.getByLabel('Outcome').selectOption('true');
    await addressHas(page, 'winner=true');
    await page.getByLabel('Film', { exact: true }).fill('god');
    await addressHas(page, 'movie=god');
    await page
      .locator('.answer[aria-busy=false]')
      .getByText(/^[0-9]+ nominations?$/)
      .waitFor();
    const address = await page.locator('.request code').textContent();
    const { data, pagination } = (await (await fetch(address!)).json()) as Listed<Nomination>;
    expect(pagination.total).toBeGreaterThan(2);
    const rows = page.locator('table.nominations tbody tr');
    expect(await rows.locator('.film').allTextContents()).toEqual(data.map(({ movie }) => movie));
    expect(await page.getByRole('status').filter({ hasText: 'nomination' }).textContent()).toBe(
      `${pagination.total} nominations`,
    );
  });

  it('that contradict each other are told in words beside the field', async () => {
    const page = await site.open('/nominations?yearStart=2000&yearEnd=1990');
    await page.getByText('From year 2000 is after To year 1990').waitFor();
    expect(await page.getByLabel('From year').getAttribute('aria-invalid')).toBe('true');
  });

  it('that a page does not have are told in words, with a way to be rid of them', async () => {
    const page = await site.open('/nominations?category_group=Acting');
    await page.getByText(/unknown parameter "category_group"/).waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await page.locator('table.nominations').waitFor();
  });

  it('of songs by year are called what they are, years of streaming', async () => {
    const page = await site.open('/songs');
    await heading(page, 'Songs').waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Year of streaming').waitFor();
    expect(await page.getByLabel('Year of the ceremony').count()).toBe(0);
  });

  it('are kept by a reload, and undone by going back', async () => {
    const page = await site.open('/movies');
    await page.getByLabel('Title').fill('king');
    await addressHas(page, 'title=king');
    const total = page.locator('.answer[aria-busy=false] .total');
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
  it('brings the reader where they were, as does a reload', async () => {
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
  it('is looked at again by whoever comes back to a window that stayed in sight', async () => {
    const page = await site.open('/timeline');
    await page.locator('.timeline li').first().waitFor();
    const looked = page.waitForRequest('**/manifest.json');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await looked;
  });

  it('says why a film of three songs has one nomination', async () => {
    const page = await site.open('/search?q=lion+king');
    await page.getByRole('link', { name: 'The Lion King' }).first().click();
    await page.getByText('A film counts once in each category').waitFor();
    expect(await page.locator('table.nominations tbody tr').count()).toBe(3);
  });
});

describe.skipIf(!executablePath)('numbers over the years', () => {
  it('are those of the interface, as a plot and as a table', async () => {
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

describe.skipIf(!executablePath)('a link from elsewhere', () => {
  it('shows what it leads to from its page alone, without loading the columns', async () => {
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

  it('that was cut short or garbled shows what it can', async () => {
    const page = await site.open('/timeline#decade-%');
    await page.locator('.timeline li').first().waitFor();
    await page.goto(`${site.origin}/movies?title=%&page=x`);
    await page.getByText('Title is not valid percent-encoded UTF-8').waitFor();
    await page.getByText('page must be').waitFor();
  });

  it('to what is not there says so', async () => {
    const page = await site.open('/movies/999999');
    await heading(page, 'There is no such film').waitFor();
  });

  it('shows its page whatever was written behind the "#"', async () => {
    const page = await site.open('/timeline#100%');
    await heading(page, 'Timeline').waitFor();
  });
});

describe.skipIf(!executablePath)('a link to elsewhere', () => {
  it('is one to a page: nothing else that stands in the record can be followed', async () => {
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
  it('are listed with what a reader decides by: records, size and hash', async () => {
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

describe.skipIf(!executablePath)('trouble', () => {
  it('with the snapshot is told in words, and trying again helps once it is over', async () => {
    const page = await site.open('/timeline', {});
    await heading(page, 'Timeline').waitFor();
    await page.route(/\/(shards|pages)\//, (route) => route.fulfill({ status: 200, body: 'damaged' }));
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Nominations' })
      .click();
    await page.getByRole('heading', { name: 'The record cannot be read' }).waitFor();
    await page.unroute(/\/(shards|pages)\//);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('table.nominations').waitFor();
  });

  it('without a network is told apart', async () => {
    const page = await site.open('/timeline', {});
    await heading(page, 'Timeline').waitFor();
    await page.context().setOffline(true);
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Nominations' })
      .click();
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  });
});
