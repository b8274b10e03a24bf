/** Promise: the daily work of an editor needs no mouse, and neither another editor nor a broken network costs anything typed. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { executablePath } from './chromium.ts';
import { useEditingSite } from './editing-site.ts';
import { Keyboard } from './keyboard.ts';

const { site, openPage, read, write } = useEditingSite();

type Nomination = ListOf['nominations']['data'][number];
const list = async (query: string): Promise<Nomination[]> =>
  (await read<ListOf['nominations']>(`/api/nominations?${query}`)).data;
const total = async (resource: string): Promise<number> =>
  (await read<{ pagination: { total: number } }>(`/api/${resource}?limit=1`)).pagination.total;

/** The editor with the key, which is typed, too. */
async function begin(): Promise<Keyboard> {
  const page = await openPage(`${site.origin}/edit`);
  const keys = await Keyboard.of(page);
  await keys.tabTo(page.getByLabel('Key for writing'));
  await keys.type(site.accessKey);
  keys.presses = 0;
  return keys;
}

const notice = (page: Page, text: RegExp | string) => page.locator('.notice').getByText(text);
const choose = async (keys: Keyboard, kind: string) => {
  await keys.tabTo(keys.page.getByLabel('What to edit'));
  await keys.type(kind);
};
async function openRecord(keys: Keyboard, id: number): Promise<void> {
  await keys.press('Control+k');
  await keys.pick(String(id), new RegExp(`no\\. ${id}$`));
  await keys.page.waitForURL(`**/${id}`);
}
async function save(keys: Keyboard): Promise<void> {
  await keys.press('Control+s');
  // The notice of the save before may still be there. The new one takes the focus: keys pressed earlier would be lost.
  await keys.page.waitForFunction(() => document.activeElement?.classList.contains('notice'));
  await notice(keys.page, /was saved|was created/).waitFor();
}

const newNomination = async (keys: Keyboard, film: string, person: string): Promise<void> => {
  const { page } = keys;
  await choose(keys, 'Nominations');
  await keys.tabTo(page.getByRole('link', { name: 'New nomination' }));
  await keys.press('Enter');
  const field = (name: string) => page.locator('form').getByLabel(name).first();
  await keys.tabTo(field('Ceremony'));
  await keys.pick('97', /no\. 97$/);
  await keys.tabTo(field('Category'));
  await keys.pick('directing', /^Directing/);
  await keys.tabTo(field('Movie'));
  await keys.pick(film, /^Create film/);
  await keys.tabTo(field('Nominee'));
  await keys.pick(person, /^Create person/);
};

describe.skipIf(!executablePath)('without a mouse', { timeout: 180_000 }, () => {
  it('a person is merged into another by pointing the nominations to the other', async () => {
    const copy = 90_001;
    const [first] = (await list('nominee=Meryl+Streep&limit=1')) as [Nomination];
    await write('POST', '/api/nominees', { id: copy, name: 'Merryl Streeep' });
    const ids = [850_001, 850_002, 850_003];
    for (const [i, id] of ids.entries()) {
      const { ceremony_id, category_id, movie_id } = first;
      const body = { id, ceremony_id: ceremony_id - i - 1, category_id, movie_id, nominee_id: copy };
      expect((await write('POST', '/api/nominations', body)).status).toBe(201);
    }
    const keys = await begin();
    await choose(keys, 'Nominations');
    for (const id of ids) {
      await openRecord(keys, id);
      await keys.tabTo(keys.page.locator('form').getByLabel('Nominee').first());
      await keys.press('Control+a');
      await keys.pick('meryl streep', new RegExp(`^Meryl Streep.*no\\. ${first.nominee_id}$`));
      await save(keys);
    }
    expect(await list(`nominee_ids=${copy}`)).toEqual([]);
    const own = await list(`nominee_ids=${first.nominee_id}&limit=100`);
    expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    await keys.report('a person merged, three nominations');
  });

  it('two editors of one field see each other, and nothing typed is lost', async () => {
    const id = 360;
    const [one, other] = [await begin(), await begin()];
    for (const [keys, text] of [
      [one, 'By one editor'],
      [other, 'By the other editor'],
    ] as const) {
      await openRecord(keys, id);
      await keys.tabTo(keys.page.getByLabel('Tagline'));
      await keys.replace(text);
    }
    await save(one);
    await other.press('Control+s');
    await notice(other.page, 'Another editor changed this record meanwhile').waitFor();
    expect(await other.page.getByRole('alert').textContent()).toContain('is now By one editor');
    expect(await other.page.getByLabel('Tagline').inputValue()).toBe('By the other editor');
    expect(await read(`/api/movies/${id}`)).toMatchObject({ tagline: 'By one editor' });
    await save(other);
    expect(await read(`/api/movies/${id}`)).toMatchObject({ tagline: 'By the other editor' });
    await other.report('two editors of one field');
  });
});

describe.skipIf(!executablePath)('a network that breaks off', () => {
  const isDown = (page: Page) => notice(page, /^The service (did not|could not) answer$/).waitFor();
  const broken = (route: Route) => route.abort();
  const byGateway = (route: Route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });

  it.each([
    ['before the request arrives', false, broken],
    ['before the answer arrives', true, broken],
    ['behind a gateway', true, byGateway],
  ] as const)('%s neither loses nor doubles new records', async (name, isCarriedOut, end) => {
    const counts = async () => [await total('movies'), await total('nominees'), await total('nominations')];
    const before = await counts();
    const keys = await begin();
    const { page } = keys;
    await newNomination(keys, `A Film Lost ${name}`, `A Person Lost ${name}`);
    await page.route('**/api/batch', async (route) => {
      if (isCarriedOut) await route.fetch();
      await end(route);
    });
    await keys.press('Control+s');
    await isDown(page);
    expect(
      await page
        .getByRole('group', { name: /new film/ })
        .getByLabel('Title')
        .inputValue(),
    ).toBe(`A Film Lost ${name}`);
    expect(await counts()).toEqual(before.map((count) => count + (isCarriedOut ? 1 : 0)));
    await page.unroute('**/api/batch');
    await keys.press('Control+s');
    await page.waitForURL(/\/edit\/nominations\/[0-9]+$/);
    expect(await counts()).toEqual(before.map((count) => count + 1));
    await keys.report(`a network that breaks off ${name}`);
  });

  it('before the answer arrives neither loses nor doubles a single new record', async () => {
    const before = await total('movies');
    const keys = await begin();
    const { page } = keys;
    await choose(keys, 'Films');
    await keys.tabTo(page.getByRole('link', { name: 'New film' }));
    await keys.press('Enter');
    await keys.tabTo(page.getByLabel('Title (required)'));
    await keys.type('A Film Sent Twice');
    await page.route('**/api/movies', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await keys.press('Control+s');
    await isDown(page);
    await page.unroute('**/api/movies');
    await keys.press('Control+s');
    await page.waitForURL(/\/edit\/movies\/[0-9]+$/);
    expect(await total('movies')).toBe(before + 1);
  });

  it('before a new record has a number: the form says so, and can be saved later', async () => {
    const before = await total('movies');
    const keys = await begin();
    const { page } = keys;
    await page.goto(`${site.origin}/edit/movies/new`);
    await keys.tabTo(page.getByLabel('Title (required)'));
    await keys.type('A Film Without a Number');
    await page.context().setOffline(true);
    await keys.press('Control+s');
    await isDown(page);
    expect(await page.getByLabel('Title (required)').inputValue()).toBe('A Film Without a Number');
    await page.context().setOffline(false);
    await keys.press('Control+s');
    await page.waitForURL(/\/edit\/movies\/[0-9]+$/);
    expect(await total('movies')).toBe(before + 1);
  });

  it('before the answer to a change: saving again says that it had been saved', async () => {
    const keys = await begin();
    const { page } = keys;
    await openRecord(keys, 360);
    await keys.tabTo(page.getByLabel('Runtime'));
    await keys.replace('125');
    await page.route('**/api/movies/360', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await keys.press('Control+s');
    await isDown(page);
    await page.unroute('**/api/movies/360');
    await keys.press('Control+s');
    await notice(page, 'The change had been saved before the network broke off').waitFor();
    await page.getByText('Nothing changed yet').waitFor();
    expect(await read('/api/movies/360')).toMatchObject({ runtime: 125 });
  });
});
