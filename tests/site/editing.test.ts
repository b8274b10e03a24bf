/** Promise: an editor finds a record, corrects it in a form, sees the outcome and can undo it, on every device. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWriting } from '../../api/serve/writing.ts';
import { createKey } from '../../data/keys.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { builtFolder, type RunningService, startService } from '../service/running-service.ts';
import { removeTemporaryFolders } from '../service/temporary-folder.ts';
import { executablePath, useBrowser, violations } from './chromium.ts';

removeTemporaryFolders();
/** "The Shape of Water" in the sample. */
const film = 371;
const title = 'The Shape of Water';

const openPage = useBrowser();
let service: RunningService;
let origin: string;
/** The same snapshot on a service that takes no writes. */
let readOnlyOrigin: string;
let accessKey: string;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  if (!executablePath) return;
  const { connection, out } = await builtFolder(fillWithSample, ['pages', 'site']);
  accessKey = createKey(connection, 'editor', new Date());
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const writing = await openWriting({ db: connection.name, out, writeLimit: 0, onError });
  service = await startService(out, { writing, onError });
  const readOnly = await startService(out);
  origin = `http://127.0.0.1:${service.port}`;
  readOnlyOrigin = `http://127.0.0.1:${readOnly.port}`;
  stops.push(
    () => service.stop(),
    () => readOnly.stop(),
    () => writing.close(),
    async () => connection.close(),
    async () => expect(failures).toEqual([]),
  );
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const titleNow = async (): Promise<unknown> =>
  (JSON.parse((await service.ask(`/api/movies/${film}`)).body.toString()) as { title: string }).title;

async function opened(address = '/edit', options?: BrowserContextOptions): Promise<Page> {
  const page = await openPage(origin + address, options);
  await page.getByLabel('Key for writing').fill(accessKey);
  return page;
}

const undo = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Undo this change' }).click();
  await page.getByText('The change was undone').waitFor();
};
const receiptShown = (page: Page) => page.getByRole('heading', { name: /^Receipt/ }).waitFor();
const hasFocus = (element: Locator) => element.evaluate((own) => own === document.activeElement);

const save = (page: Page) => page.getByRole('button', { name: /^(Save|Create)$/ }).click();

describe.skipIf(!executablePath)('the editor', () => {
  it('a typo can be found, corrected and restored with the keyboard alone, with a receipt of each step', async () => {
    const page = await opened();
    await page.getByLabel('Find it by name or number').focus();
    await page.keyboard.type('shape of');
    await page.getByRole('option', { name: /^The Shape of Water/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/edit/movies/${film}`);
    await page.getByLabel('Title').fill('The Shape of Watre');
    await page.getByLabel('Title').press('Enter');
    await receiptShown(page);
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
      JSON.parse((await service.ask('/api/nominations/1?include=details')).body.toString()).details as object;
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

  it('a wrong key is explained and the form keeps its entries', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Key for writing').fill('fa_wrong');
    await page.getByLabel('Title').fill('Another title');
    await save(page);
    await page.getByRole('heading', { name: 'The key was not accepted' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
    expect(await page.getByLabel('Key for writing').isVisible()).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('after an incomplete answer the form can be saved again', async () => {
    const page = await opened(`/edit/movies/${film}`);
    const address = `${origin}/api/movies/${film}`;
    await page.getByLabel('Title').fill('Another title');
    await page.route(address, (route) => route.fulfill({ status: 200, body: '{"id": 371, "tit' }));
    await save(page);
    await page.getByRole('heading', { name: 'The service did not answer' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
    expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    expect(await titleNow()).toBe(title);
  });

  it('a change by another editor is shown before it is overwritten', async () => {
    const page = await opened(`/edit/movies/${film}`);
    await page.getByLabel('Runtime').fill('124');
    const other = (tagline: string | null) =>
      service.ask(`/api/movies/${film}`, {
        method: 'PATCH',
        headers: { 'x-api-key': accessKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ tagline }),
      });
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
    await save(page);
    await page.waitForURL('**/edit/nominations/900001');
    const { body } = await service.ask('/api/nominations?ids=900001');
    expect(JSON.parse(body.toString())).toMatchObject({
      data: [{ movie: title, song_title: 'A New Song', is_song: true, winner: true }],
    });
    for (const [kind, field, value] of [
      ['movies', 'Title (required)', 'A New Film'],
      ['nominees', 'Name (required)', 'A New Person'],
      ['ceremonies', 'Ceremony year (required)', '2050'],
    ] as const) {
      await page.goto(`${origin}/edit/${kind}/new`);
      await page.getByLabel('Key for writing').fill(accessKey);
      await page.getByLabel(field).fill(value);
      await save(page);
      await page.waitForURL(new RegExp(`/edit/${kind}/[0-9]+$`));
    }
  });

  it('the key is forgotten on reload, or on request when the tab closes', async () => {
    const page = await opened();
    await page.reload();
    expect(await page.getByLabel('Key for writing').inputValue()).toBe('');
    await page.getByLabel('Key for writing').fill(accessKey);
    await page.getByText('Keep it until this tab is closed').click();
    await page.reload();
    expect(await page.getByLabel('Key for writing').inputValue()).toBe(accessKey);
    const kept = await page.evaluate(
      '({ local: localStorage.length, cookies: document.cookie, path: location.href })',
    );
    expect(kept).toEqual({ local: 0, cookies: '', path: `${origin}/edit` });
    const other = await page.context().newPage();
    await other.goto(`${origin}/edit`);
    expect(await other.getByLabel('Key for writing').inputValue()).toBe('');
  });

  it('a service that takes no writes is announced before anything is typed', async () => {
    const page = await openPage(`${readOnlyOrigin}/edit/movies/${film}`);
    await page.getByRole('heading', { name: 'This copy of the record is read-only' }).waitFor();
  });

  it('an unknown address and a missing record have different messages', async () => {
    const page = await openPage(`${origin}/edit/movies/999999`);
    await page.getByText('There is no film no. 999999').waitFor();
    await page.goto(`${origin}/edit/films/1`);
    await page.getByText('There is nothing to edit at this address').waitFor();
  });

  it.each([
    ['desktop, light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const)('the editor is accessible and fits the window: %s', async (_name, options) => {
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
    await receiptShown(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    await undo(page);
  });
});
