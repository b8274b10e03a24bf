/** Promise: an editor finds a record, corrects it in a form, sees the outcome and can undo it, on every device. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../api/contract/resources.ts';
import { executablePath, violations } from './chromium.ts';
import { hasFocus, useEditingSite } from './editing-site.ts';
import { Keyboard } from './keyboard.ts';

const { site, openPage, opened, read, write } = useEditingSite();
/** "The Shape of Water" in the sample. */
const film = 360;
const title = 'The Shape of Water';

const titleNow = async (): Promise<unknown> => (await read<{ title: string }>(`/api/movies/${film}`)).title;

const firstNomination = async () => (await read<{ data: [Nomination] }>('/api/nominations?limit=1')).data[0];

type References = Pick<Nomination, 'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id'>;

/** Picks the records of a nomination by their ids. */
async function pickAll(page: Page, references: References): Promise<void> {
  for (const label of ['Ceremony', 'Category', 'Movie', 'Nominee'] as const) {
    const id = references[`${label.toLowerCase()}_id` as keyof References];
    await page.getByLabel(label).first().fill(String(id));
    await page
      .getByRole('option', { name: new RegExp(`no\\. ${id}$`) })
      .first()
      .click();
  }
}

const undo = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Undo this change' }).click();
  await page.getByText('The change was undone').waitFor();
};
const receiptShown = (page: Page) => page.getByRole('heading', { name: /^Receipt/ }).waitFor();

const save = (page: Page) => page.getByRole('button', { name: /^(Save|Create)$/ }).click();

describe.skipIf(!executablePath)('the editor', () => {
  it('a typo can be found, corrected and restored with the keyboard, with a receipt of each step', async () => {
    const page = await opened();
    const keys = await Keyboard.of(page);
    await keys.tabTo(page.getByLabel('Find it by name or number'));
    await keys.pick('shape of', /^The Shape of Water/);
    await page.waitForURL(`**/edit/movies/${film}`);
    await page.getByRole('heading', { name: `Edit ${title}` }).waitFor();
    await keys.tabTo(page.getByLabel('Title'));
    await keys.replace('The Shape of Watre');
    await keys.press('Enter');
    await receiptShown(page);
    await page.getByRole('heading', { name: 'Edit The Shape of Watre' }).waitFor();
    expect(await hasFocus(page.locator('.notice'))).toBe(true);
    expect(await page.locator('.receipt').textContent()).toMatch(
      /key “editor”.*Title ?The Shape of Water ?The Shape of Watre/,
    );
    expect(await titleNow()).toBe('The Shape of Watre');
    await page.getByText(/files were rewritten/).click();
    expect(await page.locator('.files').textContent()).toContain('shards/records/movies/');
    await undo(page);
    expect(await page.getByLabel('Title').inputValue()).toBe(title);
    expect(await titleNow()).toBe(title);
  });

  it('a fault is shown beside its field and in a summary that takes the focus', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Poster path').fill('not an address');
    await page.getByLabel('Runtime').fill('two hours');
    await save(page);
    const summary = page.getByRole('alert');
    await summary.waitFor();
    expect(await hasFocus(summary)).toBe(true);
    expect(await summary.getByRole('listitem').count()).toBe(2);
    const poster = page.getByLabel('Poster path');
    expect(await poster.getAttribute('aria-invalid')).toBe('true');
    const described = await poster.evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    );
    expect(described.join(' ')).toContain('must be an https address');
    await summary.getByRole('link', { name: 'Poster path' }).click();
    expect(await hasFocus(poster)).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('the details of a nomination are fields, with faults and undo like the others', async () => {
    const detailsNow = async () =>
      JSON.parse((await site.service.ask('/api/nominations/1?include=details')).body.toString())
        .details as object;
    const before = await detailsNow();
    const page = await opened('/edit/nominations/1');
    await page.getByLabel('Character').fill('x'.repeat(501));
    await save(page);
    await page.getByRole('alert').getByRole('link', { name: 'Character' }).waitFor();
    await page.getByLabel('Character').fill('The Lead');
    await page.getByLabel('Official').uncheck();
    await page.getByLabel('Note').fill('A remark.');
    await save(page);
    await receiptShown(page);
    expect(await page.locator('.receipt').textContent()).toMatch(
      /Character.*The Lead.*Note.*A remark\.Official ?yes ?no/,
    );
    expect(await detailsNow()).toEqual({
      ...before,
      character: 'The Lead',
      note: 'A remark.',
      official: false,
    });
    await undo(page);
    expect(await detailsNow()).toEqual(before);
  });

  it.each([
    ['of another service', 'fa_wrong'],
    ['with a character that no key has', 'fa_wrong\u200b'],
  ])('a key %s is explained and the form keeps its entries', async (_name, key) => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Key for writing').fill(key);
    await page.getByLabel('Title').fill('Another title');
    await save(page);
    await page.getByRole('heading', { name: 'The key was not accepted' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
    expect(await page.getByLabel('Key for writing').isVisible()).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('after an incomplete answer the form can be saved again', async () => {
    const page = await opened(`/edit/movies/${film}`);
    const address = `${site.origin}/api/movies/${film}`;
    await page.getByLabel('Title').fill('Another title');
    await page.route(address, (route) => route.fulfill({ status: 200, body: '{"id": 360, "tit' }));
    await save(page);
    await page.getByRole('heading', { name: 'The service did not answer' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
    expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('a change that the service cannot publish is not called visible', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.route(`**/api/movies/${film}`, async (route) => {
      const response = await route.fetch();
      const pending = route.request().method() === 'PATCH' ? { 'snapshot-pending': '?1' } : undefined;
      await route.fulfill({ response, headers: { ...response.headers(), ...pending } });
    });
    await page.route('**/receipts/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), snapshot: null, files: null } });
    });
    await page.getByLabel('Title').fill('Another title');
    await save(page);
    await receiptShown(page);
    const text = await page.locator('main').textContent();
    expect(text).toContain('Saved. No page shows it yet');
    expect(text).not.toContain('veryone sees');
    await page.unrouteAll();
    await undo(page);
    expect(await titleNow()).toBe(title);
  });

  it('a new record that the service cannot publish is announced as saved', async () => {
    const page = await opened('/edit/movies/new');
    await page.getByLabel('Title').fill('A Film That Waits');
    await page.route('**/api/movies/*', (route) =>
      route.fulfill({
        status: 404,
        json: { title: 'No such record', detail: 'there is no movie with id 1' },
      }),
    );
    await save(page);
    await receiptShown(page);
    const text = await page.locator('main').textContent();
    expect(text).toContain('Saved. No page shows it yet');
    expect(text).toContain('A Film That Waits');
    expect(text).not.toContain('There is no film');
  });

  it('a change by another editor is shown before it is overwritten', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Runtime').fill('124');
    const other = (tagline: string | null) => write('PATCH', `/api/movies/${film}`, { tagline });
    await other('By another hand');
    await save(page);
    await page.getByRole('heading', { name: /Another editor changed/ }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain(
      'Tagline: was nothing, is now By another hand',
    );
    expect(await page.getByLabel('Tagline').inputValue()).toBe('By another hand');
    await save(page);
    await receiptShown(page);
    expect(await page.locator('.receipt').textContent()).not.toContain('Tagline');
    await undo(page);
    await other(null);
  });

  it('unsaved changes are not lost without a question, on links and on going back', async () => {
    const page = await opened('/edit');
    await page.getByRole('link', { name: 'New film' }).click();
    await page.getByLabel('Title (required)').fill('Not saved yet');
    const questions: string[] = [];
    let isLeaving = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (isLeaving ? dialog.accept() : dialog.dismiss());
    });
    await page.getByLabel('What to edit').selectOption('songs');
    await page.getByRole('link', { name: 'New song' }).click();
    await page.goBack();
    await page.waitForURL('**/edit/movies/new');
    expect(await page.getByLabel('Title (required)').inputValue()).toBe('Not saved yet');
    isLeaving = true;
    await page.getByRole('link', { name: 'New song' }).click();
    await page.getByLabel('Original title').waitFor();
    expect(questions).toEqual(Array(3).fill('Leave without saving what you changed here?'));
  });

  it.each(['movies', 'nominees', 'songs'])(
    'an empty form of new %s is not unsaved, and reports its required field',
    async (resource) => {
      const page = await opened(`/edit/${resource}/new`);
      await page.getByRole('button', { name: 'Create' }).waitFor();
      expect(await page.title()).not.toMatch(/^• /);
      await save(page);
      await page.getByRole('alert').getByRole('listitem').waitFor();
      expect(await page.getByLabel('(required)').getAttribute('aria-invalid')).toBe('true');
      page.on('dialog', (dialog) => void dialog.dismiss());
      await page.getByRole('link', { name: 'Receipts' }).click();
      await page.waitForURL('**/edit/receipts');
    },
  );

  it('the form of a film asks for codes of countries, as the API does', async () => {
    const page = await opened(`/edit/movies/${film}`);
    const countries = page.getByLabel('Origin country');
    await countries.waitFor();
    const hint = (await countries.getAttribute('aria-describedby'))!.split(' ')[0]!;
    expect(await page.locator(`[id="${hint}"]`).textContent()).toContain('codes');
  });

  it('a record of each kind can be created, with references found by name', async () => {
    const page = await opened('/edit/songs/new');
    await page.getByLabel('Original title').fill('A New Song');
    await save(page);
    await page.waitForURL(/\/edit\/songs\/[0-9]+$/);
    const song = page.url().split('/').at(-1)!;
    await receiptShown(page);
    expect(await page.locator('.receipt').textContent()).toMatch(/Original title ?nothing ?A New Song/);
    await page.getByLabel('What to edit').selectOption('nominations');
    await page.getByRole('link', { name: 'New nomination' }).click();
    await page.getByLabel('ID (required)').fill('900001');
    for (const [field, words, option] of [
      ['Ceremony', '90th', /90th/],
      ['Category', 'picture', /picture/i],
      ['Movie', 'shape of', /^The Shape of Water/],
      ['Nominee', 'guillermo', /Guillermo/],
      ['Song', song, /^A New Song/],
    ] as const) {
      await page
        .getByLabel(field, { exact: field === 'Song' })
        .first()
        .fill(words);
      await page.getByRole('option', { name: option }).first().click();
    }
    await page.getByLabel('Winner').check();
    await page.getByLabel('Note').fill('For the ages.');
    await page.getByLabel('Historical category').fill('HONORARY AWARD');
    await save(page);
    await page.waitForURL('**/edit/nominations/900001');
    const { body } = await site.service.ask('/api/nominations?ids=900001&include=details');
    const details = { note: 'For the ages.', historical_category: 'HONORARY AWARD' };
    expect(JSON.parse(body.toString())).toMatchObject({
      data: [{ movie: title, song_title: 'A New Song', is_song: true, winner: true, details }],
    });
    for (const [kind, field, value] of [
      ['movies', 'Title (required)', 'A New Film'],
      ['nominees', 'Name (required)', 'A New Person'],
      ['ceremonies', 'Ceremony year (required)', '2050'],
    ] as const) {
      await page.goto(`${site.origin}/edit/${kind}/new`);
      await page.getByLabel(field).fill(value);
      await save(page);
      await page.waitForURL(new RegExp(`/edit/${kind}/[0-9]+$`));
    }
  });

  it('the key is kept until the tab closes, or forgotten on request', async () => {
    const page = await opened();
    await page.reload();
    expect(await page.getByLabel('Key for writing').inputValue()).toBe(site.accessKey);
    const kept = await page.evaluate(
      '({ local: localStorage.length, cookies: document.cookie, path: location.href })',
    );
    expect(kept).toEqual({ local: 0, cookies: '', path: `${site.origin}/edit` });
    const other = await page.context().newPage();
    await other.goto(`${site.origin}/edit`);
    expect(await other.getByLabel('Key for writing').inputValue()).toBe('');
    await page.getByText('Your key').first().click();
    await page.getByText('Keep it until this tab is closed').click();
    expect(await page.getByLabel('Key for writing').inputValue()).toBe(site.accessKey);
    await page.reload();
    expect(await page.getByLabel('Key for writing').inputValue()).toBe('');
  });

  it('a film, a person and their nomination are one form and one click, with the keyboard', async () => {
    const page = await opened('/edit/nominations/new');
    const highest = async () =>
      (await read<{ pagination: { total: number } }>('/api/nominations')).pagination.total;
    const before = await highest();
    const keys = await Keyboard.of(page);
    const choose = async (field: string, words: string, option: RegExp) => {
      await keys.tabTo(page.getByLabel(field).first());
      await keys.pick(words, option);
    };
    await choose('Ceremony', '90th', /90th/);
    await choose('Category', 'directing', /^Directing/);
    await choose('Movie', 'A Film of One Click', /^Create film “A Film of One Click”/);
    await choose('Nominee', 'A Person of One Click', /^Create person or company/);
    const created = page.getByRole('group', { name: /new film/ });
    expect(await created.getByLabel('Title').inputValue()).toBe('A Film of One Click');
    await created.getByLabel('IMDb ID').fill('imdb 7');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').getByRole('link', { name: 'IMDb ID' }).click();
    expect(await hasFocus(created.getByLabel('IMDb ID'))).toBe(true);
    expect(await highest()).toBe(before);
    await created.getByLabel('IMDb ID').fill('tt0000007');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/edit\/nominations\/[0-9]+$/);
    const id = page.url().split('/').at(-1)!;
    expect(await read(`/api/nominations/${id}`)).toMatchObject({
      movie: { title: 'A Film of One Click', filmindex_id: 'tt0000007' },
      nominee: { name: 'A Person of One Click' },
    });
    expect(await highest()).toBe(before + 1);
  });

  it('a free number is proposed, and another one if it was taken meanwhile', async () => {
    const page = await opened('/edit/nominations/new');
    const field = page.getByLabel('ID (required)');
    const proposed = Number(await field.inputValue());
    expect((await site.service.ask(`/api/nominations/${proposed}`)).status).toBe(404);
    expect((await site.service.ask(`/api/nominations/${proposed - 1}`)).status).toBe(200);
    const { ceremony_id, category_id, movie_id, nominee_id } = await firstNomination();
    const taken = { id: proposed, ceremony_id, category_id, movie_id, nominee_id };
    expect((await write('POST', '/api/nominations', taken)).status).toBe(201);
    await pickAll(page, taken);
    await save(page);
    await page.getByRole('heading', { name: 'There is a record with this number already' }).waitFor();
    await expect.poll(() => field.inputValue()).toBe(String(proposed + 1));
    await save(page);
    await page.waitForURL(`**/edit/nominations/${proposed + 1}`);
  });

  it('a record that would repeat another one is announced', async () => {
    const page = await opened('/edit/movies/new');
    await page.getByLabel('Title (required)').fill('the shape of WATER');
    const notice = page.locator('.notice', { hasText: 'has this name already' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(`nominated 2018 · no. ${film}`);
    await page.getByLabel('Title (required)').fill('The Shape of Something Else');
    await notice.waitFor({ state: 'detached' });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${site.origin}/edit/nominations/new`);
    await pickAll(page, await firstNomination());
    await page.getByText('This nomination is in the record already').waitFor();
  });

  it('marks unsaved values, saves with Ctrl+S, and links to the public page', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Tagline').fill('Marked');
    await expect.poll(() => page.title()).toMatch(/^• /);
    await page.getByText('1 field changed, not saved yet').waitFor();
    await page.keyboard.press('Control+s');
    await receiptShown(page);
    await expect.poll(() => page.title()).not.toMatch(/^• /);
    expect(await page.getByRole('link', { name: 'Public page' }).getAttribute('href')).toBe(
      `/movies/${film}`,
    );
    await undo(page);
  });

  it.each([
    { width: 1280, height: 600 },
    { width: 390, height: 700 },
  ])('no field that has the focus is below the save bar: %o', async (viewport) => {
    const page = await opened(`/edit/nominees/1`, { viewport });
    await page.getByLabel('Name (required)').waitFor();
    const hidden: string[] = [];
    const fields = await page.locator('form .field :is(input, textarea)').count();
    await page.locator('form .field :is(input, textarea)').first().focus();
    for (let i = 0; i < fields; i += 1) {
      const found = await page.evaluate(`(() => {
          const own = document.activeElement.getBoundingClientRect();
          const bar = document.querySelector('.save-bar').getBoundingClientRect();
          const name = document.activeElement.id;
          return own.bottom > bar.top + 1 && own.height < bar.top ? name : '';
        })()`);
      if (found !== '' && found !== 'undefined') hidden.push(String(found));
      await page.keyboard.press('Tab');
    }
    expect(hidden).toEqual([]);
    expect(fields).toBeGreaterThan(8);
  });

  it('a service that takes no writes is announced before anything is typed', async () => {
    const page = await openPage(`${site.readOnlyOrigin}/edit/movies/${film}`);
    await page.getByRole('heading', { name: 'This copy of the record is read-only' }).waitFor();
    expect(await page.getByLabel('Key for writing').count()).toBe(0);
  });

  it('a service that does not say whether it takes writes does not keep the editor from its page', async () => {
    const page = await opened();
    await page.route('**/api/movies', () => {});
    await page.reload();
    await page.getByLabel('Key for writing').waitFor({ state: 'attached' });
  });

  it('an unknown address and a missing record have different messages', async () => {
    const page = await openPage(`${site.origin}/edit/movies/999999`);
    await page.getByText('There is no film no. 999999').waitFor();
    await page.goto(`${site.origin}/edit/films/1`);
    await page.getByText('There is nothing to edit at this address').waitFor();
  });
});
