/** The promise: an editor finds a record, corrects it in a form, learns what came of it and takes it back, with any device. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { executablePath, useEditor } from './editor-site.ts';

const site = useEditor();
/** "The Shape of Water" in the sample. */
const film = 371;
const title = 'The Shape of Water';

const titleNow = async (): Promise<unknown> =>
  (JSON.parse((await site.service.ask(`/api/movies/${film}`)).body.toString()) as { title: string }).title;

async function opened(address = '/edit', options?: BrowserContextOptions): Promise<Page> {
  const page = await site.open(site.origin + address, options);
  await page.getByLabel('Key for writing').fill(site.key);
  return page;
}

const save = (page: Page) => page.getByRole('button', { name: /^(Save|Create)$/ }).click();

if (!executablePath)
  it('skipped: there is no Chromium here; CHROMIUM names one', (context) => context.skip());
else {
  it('a typo is found, corrected, told of and taken back, with the keyboard alone', async () => {
    const page = await opened();
    await page.getByLabel('Find it by name or number').focus();
    await page.keyboard.type('shape of');
    await page.getByRole('option', { name: /^The Shape of Water/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/edit/movies/${film}`);
    await page.getByLabel('Title').fill('The Shape of Watre');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('heading', { name: /^Receipt/ }).waitFor();
    expect(await page.locator('.notice').evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await page.locator('.receipt').textContent()).toMatch(
      /key “editor”.*Title ?The Shape of Water ?The Shape of Watre/,
    );
    expect(await titleNow()).toBe('The Shape of Watre');
    await page.getByText(/files were rewritten/).click();
    expect(await page.locator('.files').textContent()).toContain(`api/movies/${film}.json`);
    await page.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByText('The change was taken back').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe(title);
    expect(await titleNow()).toBe(title);
  });

  it('what the service finds wrong stands beside the field, and is summed up where the focus is', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Poster path').fill('not an address');
    await page.getByLabel('Runtime').fill('two hours');
    await save(page);
    const summary = page.getByRole('alert');
    await summary.waitFor();
    expect(await summary.evaluate((box) => box === document.activeElement)).toBe(true);
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
    expect(await poster.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('a wrong key is explained, and what was typed stays', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Key for writing').fill('fa_wrong');
    await page.getByLabel('Title').fill('Another title');
    await save(page);
    await page.getByRole('heading', { name: 'The key was not accepted' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
    expect(await page.getByLabel('Key for writing').isVisible()).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('after an answer that breaks off, what was typed can be saved once more', async () => {
    const page = await opened(`/edit/movies/${film}`);
    const address = `${site.origin}/api/movies/${film}`;
    await page.getByLabel('Title').fill('Another title');
    await page.route(address, (route) => route.fulfill({ status: 200, body: '{"id": 371, "tit' }));
    await save(page);
    await page.getByRole('heading', { name: 'Nothing was reached' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
    expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('what somebody else changed meanwhile is shown, and not overwritten unseen', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Runtime').fill('124');
    const other = (tagline: string | null) =>
      site.service.ask(`/api/movies/${film}`, {
        method: 'PATCH',
        headers: { 'x-api-key': site.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ tagline }),
      });
    await other('By another hand');
    await save(page);
    await page.getByRole('heading', { name: /Somebody else changed/ }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain(
      'Tagline: was nothing, is now By another hand',
    );
    expect(await page.getByLabel('Tagline').inputValue()).toBe('By another hand');
    await save(page);
    await page.getByRole('heading', { name: /^Receipt/ }).waitFor();
    expect(await page.locator('.receipt').textContent()).not.toContain('Tagline');
    await page.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByText('The change was taken back').waitFor();
    await other(null);
  });

  it('what is not saved is not lost by going to another record, or back, without a question', async () => {
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

  it('a record of each kind can be created, with what it refers to found by name', async () => {
    const page = await opened('/edit/songs/new');
    await page.getByLabel('Original title').fill('A New Song');
    await save(page);
    await page.waitForURL(/\/edit\/songs\/[0-9]+$/);
    const song = page.url().split('/').at(-1)!;
    await page.getByRole('heading', { name: /^Receipt/ }).waitFor();
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
    await save(page);
    await page.waitForURL('**/edit/nominations/900001');
    const { body } = await site.service.ask('/api/nominations?ids=900001');
    expect(JSON.parse(body.toString())).toMatchObject({
      data: [{ movie: title, song_title: 'A New Song', is_song: true, winner: true }],
    });
    for (const [kind, field, value] of [
      ['movies', 'Title (required)', 'A New Film'],
      ['nominees', 'Name (required)', 'A New Person'],
      ['ceremonies', 'Ceremony year (required)', '2050'],
    ] as const) {
      await page.goto(`${site.origin}/edit/${kind}/new`);
      await page.getByLabel('Key for writing').fill(site.key);
      await page.getByLabel(field).fill(value);
      await save(page);
      await page.waitForURL(new RegExp(`/edit/${kind}/[0-9]+$`));
    }
  });

  describe('the key', () => {
    it('is gone with the page, unless it is to be kept, and then with the tab', async () => {
      const page = await opened();
      await page.reload();
      expect(await page.getByLabel('Key for writing').inputValue()).toBe('');
      await page.getByLabel('Key for writing').fill(site.key);
      await page.getByText('Keep it until this tab is closed').click();
      await page.reload();
      expect(await page.getByLabel('Key for writing').inputValue()).toBe(site.key);
      const kept = await page.evaluate(
        '({ local: localStorage.length, cookies: document.cookie, path: location.href })',
      );
      expect(kept).toEqual({ local: 0, cookies: '', path: `${site.origin}/edit` });
      const other = await page.context().newPage();
      await other.goto(`${site.origin}/edit`);
      expect(await other.getByLabel('Key for writing').inputValue()).toBe('');
    });
  });

  it('where nothing can be written, the page says so kindly before anything is typed', async () => {
    const page = await site.open(`${site.readingOrigin}/edit/movies/${film}`);
    await page.getByRole('heading', { name: 'Here the record can only be read' }).waitFor();
  });

  it('an address that leads nowhere, and a record that is not there, are told apart', async () => {
    const page = await site.open(`${site.origin}/edit/movies/999999`);
    await page.getByText('There is no film no. 999999').waitFor();
    await page.goto(`${site.origin}/edit/films/1`);
    await page.getByText('There is nothing to edit at this address').waitFor();
  });

  it.each([
    ['desktop, light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const)('it is accessible, and nothing is cut off: %s', async (_name, options) => {
    const page = await opened('/edit', options);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) complaints.push(message.text());
    });
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Find it by name or number').fill('the');
    const option = page.locator('.options [role=option]').first();
    await option.waitFor();
    expect(await violations(page)).toEqual([]);
    await option.click();
    await page.getByLabel('Runtime').fill('long');
    await save(page);
    await page.getByRole('alert').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Runtime').fill('99');
    await save(page);
    await page.getByRole('heading', { name: /^Receipt/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByText('The change was taken back').waitFor();
  });
}
