/** Promise: the daily work of an editor needs no mouse, and neither another editor nor a broken network costs anything typed. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { executablePath } from './chromium.ts';
import { useEditingSite } from './editing-site.ts';
import { Keyboard } from './keyboard.ts';

const { site, openPage, read, write } = useEditingSite();
const ceremony = 97;

type Nomination = ListOf['nominations']['data'][number];
const list = async (query: string): Promise<Nomination[]> =>
  (await read<ListOf['nominations']>(`/api/nominations?${query}`)).data;
const total = async (resource: string): Promise<number> =>
  (await read<{ pagination: { total: number } }>(`/api/${resource}?limit=1`)).pagination.total;
const latestReceipts = async (count: number) => {
  const { body } = await site.service.ask(`/receipts?limit=${count}`, {
    headers: { 'x-api-key': site.accessKey },
  });
  return (JSON.parse(body.toString()) as { data: { id: number; group?: number; record_id: number }[] }).data;
};

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
const choose = async (keys: Keyboard, kind: string, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
  await keys.tabTo(keys.page.getByLabel('What to edit'), key);
  await keys.type(kind);
};
async function openRecord(keys: Keyboard, id: number): Promise<void> {
  await keys.press('Control+k');
  await keys.pick(String(id), new RegExp(`no\\. ${id}$`));
  await keys.page.waitForURL(`**/${id}`);
}
async function save(keys: Keyboard): Promise<void> {
  await keys.press('Control+s');
  await notice(keys.page, /was saved|was created/).waitFor();
}

const newNomination = async (
  keys: Keyboard,
  film: string,
  person: string,
  [words, category]: [words: string, option: RegExp] = ['directing', /^Directing/],
): Promise<void> => {
  const { page } = keys;
  await choose(keys, 'Nominations');
  await keys.tabTo(page.getByRole('link', { name: 'New nomination' }));
  await keys.press('Enter');
  const field = (name: string) => page.locator('form').getByLabel(name).first();
  await keys.tabTo(field('Ceremony'));
  await keys.pick('97', /no\. 97$/);
  await keys.tabTo(field('Category'));
  await keys.pick(words, category);
  await keys.tabTo(field('Movie'));
  await keys.pick(film, /^Create film/);
  await keys.tabTo(field('Nominee'));
  await keys.pick(person, /^Create person/);
};

describe.skipIf(!executablePath)('without a mouse', { timeout: 180_000 }, () => {
  it('twenty typos of a ceremony are corrected', async () => {
    const nominations = await list(`ceremony_ids=${ceremony}&limit=100`);
    const films = new Map(nominations.map(({ movie_id, movie }) => [movie_id, movie]));
    const people = new Map(nominations.map(({ nominee_id, nominee }) => [nominee_id, nominee]));
    const typos = [
      ...[...films].slice(0, 10).map(([id, text]) => ({ kind: 'movies', field: 'title', id, text })),
      ...[...people].slice(0, 10).map(([id, text]) => ({ kind: 'nominees', field: 'name', id, text })),
    ];
    expect(typos).toHaveLength(20);
    for (const { kind, field, id, text } of typos) {
      const reply = await write('PATCH', `/api/${kind}/${id}`, {
        [field]: `${text.slice(1)}${text.slice(0, 1)}`,
      });
      expect(reply.status).toBe(200);
    }
    const keys = await begin();
    const { page } = keys;
    for (const { kind, field, id, text } of typos) {
      if (id === typos[10]!.id && kind === 'nominees') await choose(keys, 'People', 'Shift+Tab');
      await openRecord(keys, id);
      await keys.tabTo(page.getByLabel(field === 'title' ? 'Title (required)' : 'Name (required)'));
      await keys.replace(text);
      await save(keys);
    }
    for (const { kind, field, id, text } of typos)
      expect(await read(`/api/${kind}/${id}`)).toMatchObject({ [field]: text });
    expect((await latestReceipts(20)).map(({ record_id }) => record_id).reverse()).toEqual(
      typos.map(({ id }) => id),
    );
    await keys.report('twenty typos');
  });

  it('the 24 winners of a night are set in one view, as one batch', async () => {
    const [{ movie_id, nominee_id }] = (await list('limit=1')) as [Nomination];
    const others = [movie_id + 1, movie_id + 2];
    const night = 150;
    const patches = Array.from({ length: 24 }, (_, category) =>
      [movie_id, ...others].map((film, i) => ({
        method: 'POST',
        path: '/api/nominations',
        body: {
          id: 800_000 + 10 * category + i,
          ceremony_id: night,
          category_id: category + 1,
          movie_id: film,
          nominee_id,
        },
      })),
    );
    const added = { method: 'POST', path: '/api/ceremonies', body: { id: night, ceremony_year: 2150 } };
    expect((await write('POST', '/api/batch', [added, ...patches.flat()] as never)).status).toBe(200);
    const keys = await begin();
    const { page } = keys;
    await choose(keys, 'Ceremonies');
    await openRecord(keys, night);
    await keys.tabTo(page.getByRole('link', { name: 'Winners of the night' }), 'Shift+Tab');
    await keys.press('Enter');
    await page.waitForURL('**/winners');
    await page.locator('.night fieldset').nth(23).waitFor();
    for (const group of await page.locator('.night fieldset').all()) {
      await keys.tabTo(group.getByRole('checkbox').first());
      await keys.press('Space');
    }
    await keys.press('Control+s');
    await notice(page, '24 nominations saved as one batch').waitFor();
    const won = await list(`ceremony_ids=${night}&winner=true&limit=100`);
    expect(new Set(won.map(({ category_id }) => category_id)).size).toBe(24);
    expect(won).toHaveLength(24);
    expect(new Set((await latestReceipts(24)).map(({ group }) => group)).size).toBe(1);
    await keys.report("a night's 24 winners");
  });

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

  it('a film, a person and their nomination are added by one form', async () => {
    const before = [await total('movies'), await total('nominees'), await total('nominations')];
    const keys = await begin();
    await newNomination(keys, 'A Film by Keys', 'A Person by Keys');
    await save(keys);
    await keys.page.waitForURL(/\/edit\/nominations\/[0-9]+$/);
    const after = [await total('movies'), await total('nominees'), await total('nominations')];
    expect(after).toEqual(before.map((count) => count + 1));
    await keys.report('a film, a person and their nomination');
  });

  // The API only reads honors and categories. An honorary award to a film is a nomination that won, with the name of the award.
  it('an honorary award is added, with its name at the time and its citation', async () => {
    const keys = await begin();
    const field = (name: string) => keys.page.locator('form').getByLabel(name).first();
    await newNomination(keys, 'A Film from Abroad', 'A Country by Keys', ['international', /^International/]);
    await keys.tabTo(field('Winner'));
    await keys.press('Space');
    await keys.tabTo(field('Note'));
    await keys.type('The most outstanding film from abroad.');
    await keys.tabTo(field('Historical category'));
    await keys.type('Honorary Foreign Language Film Award');
    await save(keys);
    const [added] = await list('nominee=A+Country+by+Keys&include=details');
    expect(added).toMatchObject({
      movie: 'A Film from Abroad',
      winner: true,
      details: {
        note: 'The most outstanding film from abroad.',
        historical_category: 'Honorary Foreign Language Film Award',
      },
    });
    await keys.report('an honorary award');
  });

  it('two editors of one field see each other, and nothing typed is lost', async () => {
    const id = 371;
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

  it.each([
    ['before the answer arrives', broken],
    ['behind a gateway', byGateway],
  ] as const)('%s neither loses nor doubles a single new record', async (_name, end) => {
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
      await end(route);
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
    await openRecord(keys, 371);
    await keys.tabTo(page.getByLabel('Runtime'));
    await keys.replace('125');
    await page.route('**/api/movies/371', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await keys.press('Control+s');
    await isDown(page);
    await page.unroute('**/api/movies/371');
    await keys.press('Control+s');
    await notice(page, 'The change had been saved before the network broke off').waitFor();
    await page.getByText('Nothing changed yet').waitFor();
    expect(await read('/api/movies/371')).toMatchObject({ runtime: 125 });
  });
});
