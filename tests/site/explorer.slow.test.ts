/** Promise: readers find, filter, compare and keep with a small script, and everything but the shortcuts works without it. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import { executablePath } from './chromium.ts';
import { type Listed, pictureOrigin, useExplorer } from './explorer-site.ts';

const site = useExplorer();
const phone = { viewport: { width: 390, height: 844 } };
const withoutScript = { javaScriptEnabled: false };

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const searchField = (page: Page) => page.getByLabel('Search films, people, songs and ceremonies');
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name });
const rows = (page: Page) => page.locator('table.nominations tbody tr');
const addressHas = (page: Page, part: string) => page.waitForURL((url) => url.href.includes(part));

/** What the server gives as the options of the search field. */
const options = ['Lion King', 'Lion']
  .map(
    (title, i) =>
      `<a role="option" id="option-${i}" aria-selected="false" href="/movies?title=${title}">${title}</a>`,
  )
  .join('');
async function openWithOptions(): Promise<Page> {
  const page = await site.open('/timeline');
  await page.route('**/search?*part=options', (route) =>
    route.fulfill({ contentType: 'text/html', body: options }),
  );
  return page;
}

describe.skipIf(!executablePath)('the search field', () => {
  it('opens with "/"; arrows choose an option, Escape closes the list and Enter opens the option', async () => {
    const page = await openWithOptions();
    await page.keyboard.press('/');
    await page.keyboard.type('lion');
    const field = page.getByRole('combobox', { name: 'Search films' });
    await page.getByRole('option', { name: 'Lion King' }).waitFor();
    expect([await field.inputValue(), await field.getAttribute('aria-expanded')]).toEqual(['lion', 'true']);
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator('[role=option][aria-selected=true]');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
    // From the field up to the last option, and back over the field to the first.
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    expect(await chosen.textContent()).toBe('Lion King');
    await page.keyboard.press('Enter');
    await addressHas(page, '/movies?title=Lion%20King');
  });

  it('opens with Ctrl+K and replaces its text; the focus elsewhere closes the list', async () => {
    const page = await openWithOptions();
    const field = searchField(page);
    for (const words of ['lion', 'king']) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(words);
      expect(await field.inputValue()).toBe(words);
    }
    await page.getByRole('option').first().waitFor();
    await section(page, 'Films').focus();
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
  });

  it('shows the options of the server: records, and all results at the end', async () => {
    const page = await site.open('/');
    await searchField(page).fill('streep');
    const all = page.getByRole('option').last();
    await all.getByText('All results for “streep”').waitFor();
    await all.click();
    await heading(page, '“streep”').waitFor();
  });

  it('stays closed when the search cannot be asked', async () => {
    const page = await site.open('/');
    let asked = 0;
    await page.route('**/search?*', (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.fulfill({ status: 503, body: '<!doctype html>' });
    });
    for (const words of ['lion', 'king']) {
      await searchField(page).fill(words);
      await expect.poll(() => asked).toBe(words === 'lion' ? 1 : 2);
      expect(await page.getByRole('listbox').isVisible()).toBe(false);
    }
  });

  it.each([{}, withoutScript])('leads to all nominations that the API finds: %j', async (context) => {
    const page = await site.open('/', context);
    await searchField(page).fill('shape water');
    await searchField(page).press('Enter');
    await heading(page, '“shape water”').waitFor();
    expect(await page.title()).toBe('shape water · Search · Film Awards');
    const { data } = await site.api<Listed<Nomination>>('/api/search?q=shape+water');
    expect(await rows(page).locator('td.nominees').allTextContents()).toEqual(
      data.map(({ nominee }) => nominee),
    );
    expect(await searchField(page).inputValue()).toBe('shape water');
  });
});

describe.skipIf(!executablePath)('filters', () => {
  it('take effect when they change, have an address, and stay in step with the back button', async () => {
    const page = await site.open('/nominations');
    const total = page.locator('.total');
    const all = await total.textContent();
    await page.getByLabel('Outcome').selectOption('true');
    await addressHas(page, '/nominations?winner=true');
    await page.getByLabel('Film', { exact: true }).fill('god');
    await page.getByLabel('Film', { exact: true }).press('Enter');
    await addressHas(page, 'movie=god');
    const { search } = new URL(page.url());
    expect([...new URLSearchParams(search).keys()].sort()).toEqual(['movie', 'winner']);
    const shown = await page.locator('.request code').textContent();
    const { data, pagination } = (await (await fetch(shown!)).json()) as Listed<Nomination>;
    expect(await rows(page).locator('td.film .title').allTextContents()).toEqual(
      data.map(({ movie }) => movie),
    );
    expect(await total.textContent()).toMatch(new RegExp(`\\b${pagination.total} (rows|nominations)`));
    await page.goBack();
    await page.goBack();
    await expect.poll(() => total.textContent()).toBe(all);
    expect(await page.getByLabel('Outcome').inputValue()).toBe('');
    await page.getByLabel('Outcome').selectOption('false');
    await addressHas(page, 'winner=false');
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await expect.poll(() => total.textContent()).toBe(all);
  });

  it('are a form that works on a phone without a script', async () => {
    const page = await site.open('/movies', { ...phone, ...withoutScript });
    await page.getByText('Filters and order').click();
    await page.getByText('More filters').click();
    await page.getByLabel('Film years from').fill('1990');
    await page.getByLabel('Film years to').fill('1994');
    await page.getByRole('button', { name: 'Apply' }).click();
    await addressHas(page, 'filmYearEnd=1994');
    const { pagination } = await site.api<Listed<unknown>>('/api/movies?filmYearStart=1990&filmYearEnd=1994');
    expect(await page.locator('.total').textContent()).toBe(`${pagination.total} films`);
    await page.getByText('Filters and order (2 set)').click();
    expect(await page.getByLabel('Film years from').inputValue()).toBe('1990');
  });

  it('that are wrong are open on a phone, and say why beside the field', async () => {
    const page = await site.open('/nominations?year=x', phone);
    await page.getByText('Ceremony year must be a whole number').waitFor();
    expect(await page.getByLabel('Ceremony year').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await rows(page).first().waitFor();
  });

  it('that match nothing name the reason and lead on', async () => {
    const page = await site.open('/movies?title=zzzz');
    await page.getByText('No films match these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all films' }).click();
    await page.locator('.rows a').first().waitFor();
  });
});

describe.skipIf(!executablePath)('a list', () => {
  it('is sorted as the API sorts it, turns its pages, and is saved as a file', async () => {
    const page = await site.open('/movies?yearStart=1995');
    await page.getByLabel('Order by').selectOption('Wins');
    await addressHas(page, 'sort=-wins');
    const titles = () => page.locator('.rows a').allTextContents();
    const { data } = await site.api<Listed<{ title: string }>>('/api/movies?yearStart=1995&sort=-wins');
    expect(await titles()).toEqual(data.map(({ title }) => title));
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText(/^Page 2 of /).waitFor();
    expect((await titles()).filter((title) => data.some((film) => film.title === title))).toEqual([]);
    await page.getByText('Get this list as JSON, CSV or NDJSON').click();
    const csv = await page.getByRole('link', { name: 'Save as CSV' }).getAttribute('href');
    const { headers } = await fetch(site.origin + csv);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.csv"/);
  });

  it('copies the address of its request, and says so', async () => {
    const page = await site.open('/movies?title=the', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText('Get this list as JSON').click();
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.locator('.request code').textContent());
    await page.getByRole('button', { name: 'Copy address' }).waitFor();
  });
});

describe.skipIf(!executablePath)('a ranking', () => {
  it('of acting since 1980 is one question of the home page, and its first are compared', async () => {
    const page = await site.open('/');
    await page.getByRole('link', { name: 'Who has the most acting nominations since 1980?' }).click();
    const { data } = await site.api<Listed<{ nominee: string }>>(
      '/api/stats/top-nominees?category_group=Acting&yearStart=1980',
    );
    const names = await page.locator('.bars a').allTextContents();
    expect(names).toEqual(data.map(({ nominee }) => nominee));
    await page.getByRole('link', { name: 'Compare the first three' }).click();
    await page.locator('table.compare').first().waitFor();
    expect(await page.locator('table.compare').first().locator('thead th').allTextContents()).toEqual(
      names.slice(0, 3),
    );
  });
});

describe.skipIf(!executablePath)('a comparison', () => {
  it('has the totals of the API, and records are added and removed', async () => {
    const page = await site.open('/compare/nominees?ids=244,331');
    await heading(page, 'Meryl Streep and Frances McDormand').waitFor();
    const { data } = await site.api<Listed<{ counts: { entries: number; wins: number } }>>(
      '/api/nominees?ids=244,331&include=counts',
    );
    const cells = (name: RegExp) => page.getByRole('row', { name }).getByRole('cell').allTextContents();
    expect((await cells(/^Nominations/)).map(Number)).toEqual(data.map(({ counts }) => counts.entries));
    expect((await cells(/^Wins/)).map(Number)).toEqual(data.map(({ counts }) => counts.wins));
    await page.getByRole('link', { name: 'Remove Meryl Streep' }).click();
    await heading(page, 'Compare people').waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?ids=331$/);
    await page.getByLabel('Add a person').fill('zzzz');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('No person on record has a name like “zzzz”.').waitFor();
    expect(await page.getByRole('link', { name: 'Frances McDormand' }).first().isVisible()).toBe(true);
  });
});

describe.skipIf(!executablePath)('a chart', () => {
  it('is one stop of the Tab key, the arrows move in it, and Enter opens the nominations of a year', async () => {
    const { data } = await site.api<Listed<{ key: string; entries: number; wins: number }>>(
      '/api/stats/counts?by=year&category=directing',
    );
    const page = await site.open('/years?category=directing');
    const columns = page.locator('figure.chart svg a');
    expect(await columns.count()).toBe(data.length);
    await columns.last().focus();
    const readout = page.locator('figure.chart output');
    await readout.getByText(data.at(-1)!.key).waitFor();
    await page.keyboard.press('ArrowLeft');
    await readout.getByText(data.at(-2)!.key).waitFor();
    await page.keyboard.press('Home');
    await readout.getByText(data[0]!.key).waitFor();
    expect(await columns.and(page.locator('[tabindex="0"]')).count()).toBe(1);
    await page.getByText('The numbers as a table').click();
    const numbers = page.locator('table.numbers tbody tr');
    expect(await numbers.first().getByRole('cell').allTextContents()).toEqual(
      [data.at(-1)!.entries, data.at(-1)!.wins].map(String),
    );
    await columns.first().focus();
    await page.keyboard.press('Enter');
    await addressHas(page, `/nominations?category=directing&year=${data[0]!.key}`);
  });
});

describe.skipIf(!executablePath)('a ceremony on a phone', () => {
  it.each([{}, withoutScript])('shows its winners, and all nominations when asked: %j', async (context) => {
    const page = await site.open('/ceremonies/67-1995', { ...phone, ...context });
    const award = page.getByRole('region', { name: 'Music (Original Song)' });
    await page.getByRole('region', { name: 'Winners' }).waitFor();
    expect(await award.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Show all nominations' }).click();
    await award.getByText('Hakuna Matata').waitFor();
  });

  it('shows the category that a link leads to', async () => {
    const page = await site.open('/movies/900001-first-film', phone);
    await page.getByRole('link', { name: 'Won', exact: true }).click();
    await addressHas(page, '/ceremonies/67-1995#category-3');
    const title = page.getByRole('heading', { level: 3, name: 'Actress in a Leading Role' });
    await title.waitFor();
    expect((await title.boundingBox())!.y).toBeLessThan(phone.viewport.height / 2);
  });
});

describe.skipIf(!executablePath)('every page', () => {
  it('reaches all sections on a phone without sideways scrolling, and the content by the first Tab', async () => {
    const page = await site.open('/years', phone);
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    expect(await links.count()).toBe(8);
    for (const link of await links.all()) {
      const { x, width } = (await link.boundingBox())!;
      expect([x >= 0, x + width <= phone.viewport.width]).toEqual([true, true]);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await section(page, 'Songs').click();
    await heading(page, 'Songs').waitFor();
    expect(await section(page, 'Songs').getAttribute('aria-current')).toBe('page');
  });

  it.each([
    ['that is loaded is shown, and the host does not learn the page', true],
    ['that fails leaves its card', false],
  ])('has posters: one %s', async (_name, isLoaded) => {
    const page = await site.open('/downloads');
    const asked: (string | undefined)[] = [];
    const body = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.route(`${pictureOrigin}/**`, async (route) => {
      asked.push((await route.request().allHeaders()).referer);
      await (isLoaded ? route.fulfill({ body, contentType: 'image/png' }) : route.abort());
    });
    await page.goto(`${site.origin}/movies/900001`);
    await expect.poll(() => page.locator('img.picture').count()).toBe(isLoaded ? 1 : 0);
    expect(await page.locator('.portrait svg').isVisible()).toBe(!isLoaded);
    expect(asked).toEqual([undefined]);
  });
});

describe.skipIf(!executablePath)('the hits of the search', () => {
  it('come while the reader types, despite a typo, the film itself first', async () => {
    const page = await site.open('/timeline');
    await searchField(page).pressSequentially('lion kin');
    await page.locator('[role=option]').first().getByText('The Lion King', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'The Lion King').waitFor();
  });

  it.each([
    ['merryl streep', 'People', /^Meryl Streep/],
    ['hakuna', 'Songs', /Hakuna Matata/],
    ['honored person', 'Honors', /Honored Person/],
    ['best picture 2018', 'Categories', /Best Picture/],
  ])('for “%s” are on the page of the search among the %s', async (words, group, name) => {
    const page = await site.open(`/search?${new URLSearchParams({ q: words })}`, withoutScript);
    await page.getByRole('region', { name: group }).getByRole('link', { name }).first().waitFor();
  });

  it('add a person to a comparison, without a script too', async () => {
    const page = await site.open('/compare/nominees?ids=331', withoutScript);
    await page.getByLabel('Add a person').fill('meryl streep');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'Meryl Streep' }).first().click();
    await heading(page, 'Frances McDormand and Meryl Streep').waitFor();
  });

  it('are proposed where there is no such record', async () => {
    const page = await site.open('/movies/999999-the-lion-king');
    const near = page.getByRole('region', { name: 'Records with a similar name' });
    await near.getByRole('link', { name: 'The Lion King' }).first().click();
    await heading(page, 'The Lion King').waitFor();
  });
});
