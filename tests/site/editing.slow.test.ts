/** Promise: an editor does a night's work with the keyboard; neither another editor nor a broken network costs anything typed. */
import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { cellsIn } from '../../build/site/edit/night.tsx';
import { executablePath, violations } from './chromium.ts';
import { hasFocus, useEditingSite } from './editing-site.ts';

const { site, openPage, opened, read, write } = useEditingSite();
const film = 360;
const title = 'The Shape of Water';

const nominations = async (query: string) =>
  (await read<ListOf['nominations']>(`/api/nominations?limit=100&include=details&${query}`)).data;
const total = async (resource: string): Promise<number> =>
  (await read<{ pagination: { total: number } }>(`/api/${resource}?limit=1`)).pagination.total;
const runtimeNow = async () => (await read<{ runtime: number }>(`/api/movies/${film}`)).runtime;
const receipts = async (query: string) => {
  const { body } = await site.service.ask(`/receipts?${query}`, { headers: { 'x-api-key': site.accessKey } });
  return (JSON.parse(body.toString()) as { data: { id: number; group?: number }[] }).data;
};

const notice = (page: Page) => page.locator('.notice');
const isSaid = (page: Page, text: RegExp | string) => notice(page).getByText(text).first().waitFor();
const undo = (page: Page) => notice(page).getByRole('button', { name: 'Undo' }).click();
const save = (page: Page) => page.keyboard.press('Control+s');
const field = (page: Page, name: string) =>
  page
    .locator('main form')
    .getByLabel(new RegExp(`^${name}`))
    .first();
const accept = (page: Page) => page.on('dialog', (dialog) => void dialog.accept());

async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let tabs = 0; tabs < 150 && !(await hasFocus(control)); tabs += 1) await page.keyboard.press('Tab');
  expect(await hasFocus(control)).toBe(true);
}

/** Pastes into the element that has the focus, as a spreadsheet does. */
const paste = (page: Page, text: string) =>
  page.evaluate(
    `(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`,
  );

it('lines of a spreadsheet become cells, whatever their ends are', () => {
  expect(cellsIn('Anora\tSean Baker\r\n\tNo film \n')).toEqual([
    ['Anora', 'Sean Baker'],
    ['', 'No film'],
  ]);
});

describe.skipIf(!executablePath)('a record', () => {
  it('is found, corrected and taken back with the keyboard', async () => {
    const page = await opened();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shape of water');
    await page.getByRole('link', { name: title }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: title }).waitFor();
    await tabTo(page, page.getByLabel('Runtime'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('long');
    await page.getByText('1 changed field, not saved yet').waitFor();
    await save(page);
    await isSaid(page, 'Runtime: must be a whole number, or stay empty');
    expect(await hasFocus(page.getByLabel('Runtime'))).toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('124');
    await save(page);
    await isSaid(page, `${title}: runtime 123 → 124`);
    expect(await hasFocus(page.getByLabel('Runtime'))).toBe(true);
    expect(await runtimeNow()).toBe(124);
    await undo(page);
    await isSaid(page, 'Taken back.');
    expect(await runtimeNow()).toBe(123);
    expect(await page.getByLabel('Runtime').inputValue()).toBe('123');
    expect(await page.getByRole('link', { name: 'Public page' }).getAttribute('href')).toBe(
      `/movies/${film}`,
    );
  });

  it.each([
    ['movies', 'Title', 'A Film Added'],
    ['nominees', 'Name', 'A Person Added'],
    ['songs', 'Original title', 'A Song Added'],
    ['ceremonies', 'Ceremony year', '2050'],
  ])('of %s is added, deleted, brought back and taken away', async (resource, label, text) => {
    const page = await opened(`/edit/${resource}/new`);
    accept(page);
    await save(page);
    await isSaid(page, `${label}: must be filled in`);
    await field(page, label).fill(text);
    await save(page);
    await isSaid(page, 'was added');
    await page.waitForURL(new RegExp(`/edit/${resource}/[0-9]+$`));
    const path = `/api/${page.url().split('/edit/')[1]}`;
    const status = async () => (await site.service.ask(path)).status;
    await page.getByRole('button', { name: 'Delete' }).click();
    await isSaid(page, 'Deleted.');
    expect(await status()).toBe(404);
    await undo(page);
    await isSaid(page, 'Taken back.');
    expect(await status()).toBe(200);
    expect(await field(page, label).inputValue()).toBe(text);
    await undo(page);
    await expect.poll(status).toBe(404);
  });

  it('that others refer to is not deleted, one that is missing is announced, unsaved changes are not lost unasked', async () => {
    const page = await opened(`/edit/movies/${film}`);
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions += 1;
      void (dialog.type() === 'beforeunload' ? dialog.dismiss() : dialog.accept());
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await isSaid(page, /is still referred to by \d+ nominations/);
    await page.getByLabel('Tagline').fill('Not saved yet');
    await page.getByRole('link', { name: 'Receipts' }).click();
    await expect.poll(() => questions).toBe(2);
    expect(await page.getByLabel('Tagline').inputValue()).toBe('Not saved yet');
    const other = await opened('/edit/movies/999999');
    await isSaid(other, 'There is no such record');
  });

  it('that another editor changed meanwhile shows both, to take theirs or keep mine', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Tagline').fill('Mine');
    await page.getByLabel('Runtime').fill('125');
    await write('PATCH', `/api/movies/${film}`, { tagline: 'Theirs', runtime: 126, overview: 'New' });
    await save(page);
    await isSaid(page, 'Another editor changed this record meanwhile');
    await isSaid(page, 'Tagline: was nothing, is now Theirs');
    expect(await page.getByLabel('Overview').inputValue()).toBe('New');
    expect(await page.getByLabel('Tagline').inputValue()).toBe('Mine');
    await page.locator('.contested').last().getByRole('button', { name: 'Take theirs' }).click();
    expect(await page.getByLabel('Runtime').inputValue()).toBe('126');
    expect(await hasFocus(page.getByLabel('Runtime'))).toBe(true);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await save(page);
    await isSaid(page, 'tagline Theirs → Mine');
    await write('PATCH', `/api/movies/${film}`, { tagline: null, runtime: 123, overview: null });
  });
});

describe.skipIf(!executablePath)('a night', () => {
  it('is typed with "Save and add another", in at most four actions a nomination', async () => {
    const page = await opened('/edit/nominations/new');
    await field(page, 'Ceremony').fill('97');
    await field(page, 'Category').fill('best actor');
    await page
      .getByRole('option', { name: /^Actor in a Leading Role.*/, selected: true })
      .waitFor({ state: 'attached' });
    const before = await total('nominations');
    await tabTo(page, field(page, 'Film'));
    for (const [own, person] of [
      ['A Film of One Night', 'First Person of One Night'],
      ['a film of one night', 'Second Person of One Night'],
    ] as const) {
      await page.keyboard.type(own);
      await page.keyboard.press('Tab');
      if (await page.evaluate("document.activeElement.tagName === 'SELECT'"))
        await page.keyboard.press('Tab');
      await field(page, 'Person or company').fill(person);
      await page.getByRole('button', { name: 'Save and add another' }).click();
      await isSaid(page, `${person}, A Film of One Night, Actor in a Leading Role · 2025: added`);
      expect(await hasFocus(field(page, 'Film'))).toBe(true);
      expect(await field(page, 'Film').inputValue()).toBe('');
      expect(await field(page, 'Category').inputValue()).toBe('best actor');
    }
    expect(await total('nominations')).toBe(before + 2);
    expect((await nominations('movie=A+Film+of+One+Night')).map(({ nominee }) => nominee)).toHaveLength(2);
    await undo(page);
    await isSaid(page, 'Taken back.');
    expect(await total('nominations')).toBe(before + 1);
  });

  it('is pasted into the grid of a category, with new films and people, and a fault at its row, as one batch', async () => {
    await write('POST', '/api/nominees', { name: 'Sam Same', known_for_department: 'Acting' });
    await write('POST', '/api/nominees', { name: 'Sam Same' });
    const page = await opened('/edit/ceremonies/97');
    await page.getByRole('link', { name: 'Nominations and winners' }).click();
    await page.getByRole('link', { name: 'Actress in a Leading Role' }).click();
    await page.getByText('Mikey Madison, Anora').waitFor();
    const cell = (name: string, row: number) =>
      page.getByRole('group', { name: `row ${row}` }).getByRole('textbox', { name });
    const before = await total('nominations');
    await cell('Film', 1).focus();
    await paste(page, 'Anora\tA New Person\tA. Person\r\nA Pasted Film\tSam Same\r\na pasted film\t\r\n');
    expect(await cell('Credited as', 1).inputValue()).toBe('A. Person');
    await save(page);
    await isSaid(page, 'Row 3, Person or company: must be filled in');
    await isSaid(page, 'Row 2, Person or company: must name one record: choose which');
    expect(await hasFocus(cell('Person or company', 2))).toBe(true);
    expect(await page.locator('.row .fault', { hasText: 'must be filled in' }).count()).toBe(1);
    expect(await total('nominations')).toBe(before);
    await page.getByRole('combobox', { name: 'Record named Sam Same' }).selectOption({ index: 2 });
    await cell('Person or company', 3).fill('Another New Person');
    await save(page);
    await isSaid(page, '3 nominations saved as one batch');
    expect(await cell('Film', 1).inputValue()).toBe('');
    expect(await hasFocus(cell('Person or company', 3))).toBe(true);
    await page.getByText('Another New Person, A Pasted Film').first().waitFor();
    const added = (await nominations('ceremony_ids=97&category_ids=3')).slice(-3);
    expect(added.map(({ movie, nominee, details }) => [movie, nominee, details!.credited_as])).toEqual([
      ['Anora', 'A New Person', 'A. Person'],
      ['A Pasted Film', 'Sam Same', null],
      ['A Pasted Film', 'Another New Person', null],
    ]);
    expect(added[1]!.movie_id).toBe(added[2]!.movie_id);
    const groups = (await receipts('limit=6')).map(({ group }) => group);
    expect(new Set(groups).size).toBe(1);
    await undo(page);
    await isSaid(page, 'Taken back.');
    expect(await total('nominations')).toBe(before);
    await page.goto(`${site.origin}/edit/ceremonies/97/categories/23`);
    await cell('Song', 1).waitFor();
  });

  it('has its winners chosen with the keyboard, saved and taken back as one, with no change of another editor lost', async () => {
    const page = await opened('/edit/ceremonies/97/winners');
    const winners = async () => (await nominations('ceremony_ids=97&winner=true')).map(({ id }) => id);
    const before = await winners();
    const group = page.getByRole('group', { name: 'Best Picture' });
    await group.getByRole('checkbox').first().waitFor();
    for (const box of await group.getByRole('checkbox').all()) {
      await tabTo(page, box);
      await page.keyboard.press('Space');
    }
    const own = await nominations('ceremony_ids=97&category_ids=1');
    await page.getByText(`${own.length} nominations, not saved yet`).waitFor();
    const [other] = await nominations('ceremony_ids=97&category_ids=3&winner=false');
    await write('PATCH', `/api/nominations/${other!.id}`, { winner: true });
    await save(page);
    await isSaid(page, 'The record of this night changed meanwhile');
    await isSaid(page, new RegExp(other!.nominee));
    await save(page);
    await isSaid(page, `${own.length} nominations saved as one batch.`);
    // All people of an entry have won together.
    expect((await winners()).filter((id) => own.some((one) => one.id === id))).toEqual(
      own.filter(({ id }) => !before.includes(id)).map(({ id }) => id),
    );
    await undo(page);
    await isSaid(page, 'Taken back.');
    await write('PATCH', `/api/nominations/${other!.id}`, { winner: false });
    expect(await winners()).toEqual(before);
    await page.goto(`${site.origin}/edit/ceremonies/4242/winners`);
    await isSaid(page, 'There is no such record');
  });
});

describe.skipIf(!executablePath)('receipts', () => {
  it('tell in words what changed, for a record and a batch, page by page, and take it back', async () => {
    const patch = (path: string, body: object) => ({ method: 'PATCH', path, body });
    const [first] = await nominations('ids=1');
    await write('POST', '/api/batch', [
      patch('/api/movies/1', { tagline: 'Batched' }),
      patch('/api/nominations/1', { movie_id: film, details: { note: 'Batched' } }),
    ] as never);
    for (let i = 0; i < 30; i += 1) await write('PATCH', '/api/songs/1', { artist_names: `Artist ${i}` });
    const page = await opened('/edit/movies/1');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Sunrise: tagline nothing → Batched').waitFor();
    await page.getByLabel('Collection').selectOption('nominations');
    await page.getByLabel('Record number').press('Enter');
    await page.getByText(`film Sunrise → ${title}, note nothing → Batched`).waitFor();
    await page.locator('.receipt').first().getByRole('button', { name: 'Undo' }).click();
    await isSaid(page, 'Taken back.');
    expect(await read('/api/movies/1')).toMatchObject({ tagline: null });
    expect(await nominations('ids=1')).toEqual([first]);
    await page.goto(`${site.origin}/edit/receipts?resource=songs&key=editor&since=2020-01-01`);
    await expect.poll(() => page.locator('.receipt').count()).toBe(25);
    await page.getByRole('link', { name: 'Older receipts' }).click();
    await expect.poll(() => page.locator('.receipt').count()).toBeLessThan(25);
    await page.goto(`${site.origin}/edit/receipts?key=nobody`);
    await page.getByText('No receipt matches.').waitFor();
  });
});

describe.skipIf(!executablePath)('a network that breaks off', () => {
  const isDown = (page: Page) => isSaid(page, /^The service (did not|could not) answer$/);
  const byGateway = (route: Route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  it.each([
    ['before the request arrives', false, (route: Route) => route.abort()],
    ['before the answer arrives', true, (route: Route) => route.abort()],
    ['behind a gateway', true, byGateway],
    ['in the answer', true, (route: Route) => route.fulfill({ status: 200, body: '{"data": [' })],
  ] as const)('%s neither loses nor doubles a record', async (name, isCarriedOut, end) => {
    const counts = async () => [await total('movies'), await total('nominations')];
    const before = await counts();
    const page = await opened('/edit/nominations/new');
    await field(page, 'Ceremony').fill('97');
    await field(page, 'Category').fill('directing');
    await field(page, 'Film').fill(`A Film Lost ${name}`);
    await field(page, 'Person or company').fill('Sean Baker');
    await page.route('**/api/batch', async (route) => {
      if (isCarriedOut) await route.fetch();
      await end(route);
    });
    await save(page);
    await isDown(page);
    expect(await field(page, 'Film').inputValue()).toBe(`A Film Lost ${name}`);
    await page.unroute('**/api/batch');
    await save(page);
    await isSaid(page, 'was added');
    await page.waitForURL(/\/edit\/nominations\/[0-9]+$/);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  it('before the answer to a change: saving again says that it had been saved', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Runtime').fill('127');
    await page.route('**/api/batch', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await isDown(page);
    await page.unroute('**/api/batch');
    await save(page);
    await isSaid(page, 'The change had been saved before the network broke off');
    expect(await runtimeNow()).toBe(127);
    await write('PATCH', `/api/movies/${film}`, { runtime: 123 });
  });
});

describe.skipIf(!executablePath)('the key', () => {
  it('is kept until the tab closes, forgotten on request, and asked for where it is wrong', async () => {
    const page = await opened(`/edit/movies/${film}`);
    const key = page.getByLabel('Key for writing');
    await page.reload();
    expect(await key.inputValue()).toBe(site.accessKey);
    const kept = await page.evaluate('[localStorage.length, document.cookie, location.search].join()');
    expect(kept).toBe('0,,');
    await page.getByText('Your key').first().click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.reload();
    expect(await key.inputValue()).toBe('');
    await key.fill('fa_wrong');
    await page.getByText('Your key').first().click();
    await page.getByLabel('Title').fill('Another title');
    await save(page);
    await isSaid(page, 'The key was not accepted');
    expect(await key.isVisible()).toBe(true);
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
  });

  it('is not asked for on a host that takes no writes', async () => {
    const page = await openPage(`${site.readOnlyOrigin}/edit/movies/${film}`);
    await page.getByText('This copy of the record is read-only').waitFor();
    expect(await page.getByLabel('Key for writing').count()).toBe(0);
  });
});

describe.skipIf(!executablePath)('every view', () => {
  const views: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
    ['/edit', (page) => page.getByLabel(/^Find a record/).fill('the')],
    [
      '/edit/movies/360',
      (page) =>
        page
          .getByLabel('Runtime')
          .fill('long')
          .then(() => save(page)),
    ],
    ['/edit/nominations/new', (page) => field(page, 'Film').fill('the')],
    ['/edit/ceremonies/97/winners', (page) => page.locator('.choice input').first().click()],
    ['/edit/ceremonies/97/categories/23', (page) => page.locator('[id="0-movie_id"]').fill('the')],
    ['/edit/receipts', (page) => page.locator('.receipt').first().waitFor()],
  ];
  it.each([
    ['a desktop, light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['a desktop, dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
    ['a phone, light', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
    ['a phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const)('is accessible and fits the window on %s', { timeout: 60_000 }, async (_name, options) => {
    const page = await opened('/edit', options);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) complaints.push(message.text());
    });
    for (const [address, prepare] of views) {
      await page.goto(site.origin + address);
      await prepare(page);
      await page.waitForTimeout(400);
      expect(await violations(page, { rules: { 'target-size': { enabled: true } } }), address).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true);
      await page.evaluate("document.querySelector('form.unsaved')?.remove()");
    }
    expect(complaints).toEqual([]);
  });
});
