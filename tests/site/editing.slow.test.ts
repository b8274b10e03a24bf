/** Promise: an editor does a night's work with the keyboard; neither another editor nor a broken network costs anything typed. */
import type { BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { startService } from '../http/running-service.ts';
import { startWritingService, type WritingService } from '../http/writing-service.ts';
import { executablePath, overhangOf, useBrowser, violations } from './chromium.ts';

const openPage = useBrowser();
let service: WritingService;
const originOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`;
beforeAll(async () => {
  if (executablePath) service = await startWritingService([fillWithSample, ['site']]);
});
afterAll(async () => {
  await service?.stop();
  service?.connection.close();
});

const film = 360;
const title = 'The Shape of Water';

/** A page of the editor that has the key. */
async function opened(address = '/edit', options?: BrowserContextOptions): Promise<Page> {
  const page = await openPage(originOf(service) + address, options);
  await page.getByLabel('Key for writing').fill(service.key);
  return page;
}
const nominations = async (query: string) =>
  (await service.read<ListOf['nominations']>(`/api/nominations?limit=100&include=details&${query}`)).data;
const total = async (resource: string): Promise<number> =>
  (await service.read<{ pagination: { total: number } }>(`/api/${resource}?limit=1`)).pagination.total;
const runtimeNow = async () => (await service.read<{ runtime: number }>(`/api/movies/${film}`)).runtime;

const notice = (page: Page) => page.locator('.notice');
const isSaid = (page: Page, text: RegExp | string) => notice(page).getByText(text).first().waitFor();
/** Confirms the next question. */
const confirmNext = (page: Page) => page.once('dialog', (dialog) => void dialog.accept());
/** Takes the last write back. */
async function undo(page: Page): Promise<void> {
  confirmNext(page);
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await isSaid(page, 'Taken back.');
}
const save = (page: Page) => page.keyboard.press('Control+s');
const field = (page: Page, name: string) =>
  page
    .locator('main form')
    .getByLabel(new RegExp(`^${name}`))
    .first();
const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((own) => own === document.activeElement);

async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let tabs = 0; tabs < 150 && !(await hasFocus(control)); tabs += 1) await page.keyboard.press('Tab');
  expect(await hasFocus(control)).toBe(true);
}

describe.skipIf(!executablePath)('a record', () => {
  it('is found, corrected and taken back with the keyboard', async () => {
    const page = await opened();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shape of water');
    await page.getByRole('link', { name: title }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: title }).waitFor();
    const runtime = page.getByLabel('Runtime');
    await tabTo(page, runtime);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('long');
    await page.getByText('1 changed field, not saved yet').waitFor();
    await save(page);
    await isSaid(page, 'Runtime: must be a whole number, or stay empty');
    expect(await hasFocus(runtime)).toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('124');
    await save(page);
    await isSaid(page, `${title}: runtime 123 → 124`);
    expect([await hasFocus(runtime), await runtimeNow()]).toEqual([true, 124]);
    await undo(page);
    expect([await runtime.inputValue(), await runtimeNow()]).toEqual(['123', 123]);
  });

  it('is added, deleted, brought back and taken away', async () => {
    const page = await opened();
    for (const [resource, label, text] of [
      ['movies', 'Title', 'A Film Added'],
      ['ceremonies', 'Ceremony year', '2050'],
    ] as const) {
      await page.goto(`${originOf(service)}/edit/${resource}/new`);
      // The form is there after the load of the page.
      await field(page, label).waitFor();
      await save(page);
      await isSaid(page, `${label}: must be filled in`);
      await field(page, label).fill(text);
      await save(page);
      await isSaid(page, 'was added');
      await page.waitForURL(new RegExp(`/edit/${resource}/[0-9]+$`));
      const status = async () => (await service.ask(`/api/${page.url().split('/edit/')[1]}`)).status;
      confirmNext(page);
      await page.getByRole('button', { name: 'Delete' }).click();
      await isSaid(page, 'Deleted.');
      expect(await status()).toBe(404);
      await undo(page);
      expect([await status(), await field(page, label).inputValue()]).toEqual([200, text]);
      confirmNext(page);
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await expect.poll(status).toBe(404);
    }
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
    await isSaid(await opened('/edit/movies/999999'), 'There is no such record');
  });

  it('that another editor changed meanwhile shows both, to take theirs or keep mine', async () => {
    const page = await opened(`/edit/movies/${film}`);
    const [tagline, runtime] = [page.getByLabel('Tagline'), page.getByLabel('Runtime')];
    await tagline.fill('Mine');
    await runtime.fill('125');
    const theirs = { tagline: 'Theirs', runtime: 126, overview: 'New' };
    await service.write('PATCH', `/api/movies/${film}`, theirs);
    await save(page);
    await isSaid(page, 'Another editor changed this record meanwhile');
    await isSaid(page, 'Tagline: was nothing, is now Theirs');
    const overview = await page.getByLabel('Overview').inputValue();
    expect([overview, await tagline.inputValue()]).toEqual(['New', 'Mine']);
    await page.locator('.contested').last().getByRole('button', { name: 'Take theirs' }).click();
    expect([await runtime.inputValue(), await hasFocus(runtime)]).toEqual(['126', true]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await save(page);
    await isSaid(page, 'tagline Theirs → Mine');
    await service.write('PATCH', `/api/movies/${film}`, { tagline: null, runtime: 123, overview: null });
  });
});

describe.skipIf(!executablePath)('a night', () => {
  it('is typed with "Save and add another", in at most four actions a nomination', async () => {
    const page = await opened('/edit/nominations/new');
    await field(page, 'Ceremony').fill('97');
    await field(page, 'Category').fill('best actor');
    const option = page.getByRole('option', { name: /^Actor in a Leading Role.*/, selected: true });
    await option.waitFor({ state: 'attached' });
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
      const kept = [await field(page, 'Film').inputValue(), await field(page, 'Category').inputValue()];
      expect(kept).toEqual(['', 'best actor']);
    }
    expect(await total('nominations')).toBe(before + 2);
    expect(await nominations('movie=A+Film+of+One+Night')).toHaveLength(2);
    await undo(page);
    expect(await total('nominations')).toBe(before + 1);
  });

  it('is pasted into the grid of a category, with new films and people, and a fault at its row, as one batch', async () => {
    await service.write('POST', '/api/nominees', { name: 'Sam Same', known_for_department: 'Acting' });
    await service.write('POST', '/api/nominees', { name: 'Sam Same' });
    const page = await opened('/edit/ceremonies/97');
    await page.getByRole('link', { name: 'Nominations and winners' }).click();
    await page.getByRole('link', { name: 'Actress in a Leading Role' }).click();
    await page.getByText('Mikey Madison, Anora').waitFor();
    const cell = (name: string, row: number) =>
      page.getByRole('group', { name: `row ${row}` }).getByRole('textbox', { name });
    const before = await total('nominations');
    await cell('Film', 1).focus();
    // As a spreadsheet pastes into the element that has the focus.
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(paste);
    }, 'Anora\tA New Person\tA. Person\r\nA Pasted Film\tSam Same\r\na pasted film\t\r\n');
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
    await page.getByText('Another New Person, A Pasted Film').first().waitFor();
    const added = (await nominations('ceremony_ids=97&category_ids=3')).slice(-3);
    expect(added.map(({ movie, nominee, details }) => [movie, nominee, details!.credited_as])).toEqual([
      ['Anora', 'A New Person', 'A. Person'],
      ['A Pasted Film', 'Sam Same', null],
      ['A Pasted Film', 'Another New Person', null],
    ]);
    expect(added[1]!.movie_id).toBe(added[2]!.movie_id);
    await undo(page);
    expect(await total('nominations')).toBe(before);
  });

  it('shows the rows that another editor added, and asks before a save beside a winner of theirs', async () => {
    const page = await opened('/edit/ceremonies/97/categories/3');
    const winners = page.getByRole('group', { name: 'Winners' });
    await winners.getByRole('checkbox', { name: 'Mikey Madison, Anora' }).waitFor();
    const add = async (number: number, winner: boolean) => {
      const [id, name] = [910_000 + number, `Person ${number} of Another Editor`];
      const body = { id, ceremony_id: 97, category_id: 3, movie_id: film, nominee_id: id, winner };
      const { status } = await service.write('POST', '/api/batch', [
        { method: 'POST', path: '/api/nominees', body: { id, name } },
        { method: 'POST', path: '/api/nominations', body },
      ]);
      expect(status).toBe(200);
      return { id, label: `${name}, ${title}` };
    };
    const box = ({ label }: { label: string }) => winners.getByRole('checkbox', { name: label });
    const before = await total('nominations');
    await page.locator('[id="0-movie_id"]').fill('A Film Beside Others');
    await page.locator('[id="0-nominee_id"]').fill('A Person Beside Others');
    const [won, lost] = [await add(1, true), await add(2, false)];
    await save(page);
    await isSaid(page, 'The record of this night changed meanwhile');
    // The row that did not win is shown without a word.
    expect(await notice(page).textContent()).toContain(won.label);
    expect(await notice(page).textContent()).not.toContain(lost.label);
    expect([await box(won).isChecked(), await box(lost).isChecked()]).toEqual([true, false]);
    expect(await total('nominations')).toBe(before + 2);
    expect(await page.locator('[id="0-movie_id"]').inputValue()).toBe('A Film Beside Others');
    // Beside rows that did not win alone, the first save is one.
    const late = await add(3, false);
    await save(page);
    await isSaid(page, '1 nomination saved as one batch');
    expect(await box(late).isChecked()).toBe(false);
    await winners.getByRole('checkbox', { name: 'A Person Beside Others' }).waitFor();
    await undo(page);
    for (const { id } of [won, lost, late]) await service.remove(`/api/nominations/${id}`);
    expect(await total('nominations')).toBe(before);
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
    await service.write('PATCH', `/api/nominations/${other!.id}`, { winner: true });
    await save(page);
    await isSaid(page, 'The record of this night changed meanwhile');
    await isSaid(page, new RegExp(other!.nominee));
    await save(page);
    await isSaid(page, `${own.length} nominations saved as one batch.`);
    // All people of an entry have won together.
    const won = (await winners()).filter((id) => own.some((one) => one.id === id));
    expect(won).toEqual(own.filter(({ id }) => !before.includes(id)).map(({ id }) => id));
    await undo(page);
    await service.write('PATCH', `/api/nominations/${other!.id}`, { winner: false });
    expect(await winners()).toEqual(before);
  });
});

it.skipIf(!executablePath)('receipts tell in words what changed, and take it back', async () => {
  const [first] = await nominations('ids=1');
  await service.write('POST', '/api/batch', [
    { method: 'PATCH', path: '/api/movies/1', body: { tagline: 'Batched' } },
    { method: 'PATCH', path: '/api/nominations/1', body: { movie_id: film, details: { note: 'Batched' } } },
  ]);
  const artists = Array.from({ length: 26 }, (_, i) => ({ artist_names: `Artist ${i}` }));
  await Promise.all(artists.map((artist) => service.write('PATCH', '/api/songs/1', artist)));
  const page = await opened('/edit/movies/1');
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Sunrise: tagline nothing → Batched').waitFor();
  await page.getByLabel('Collection').selectOption('nominations');
  await page.getByLabel('Record number').press('Enter');
  await page.getByText(`film Sunrise → ${title}, note nothing → Batched`).waitFor();
  confirmNext(page);
  await page.locator('.receipt').first().getByRole('button', { name: 'Undo' }).click();
  await isSaid(page, 'Taken back.');
  expect(await service.read('/api/movies/1')).toMatchObject({ tagline: null });
  expect(await nominations('ids=1')).toEqual([first]);
  await page.goto(`${originOf(service)}/edit/receipts?resource=songs&key=editor&since=2020-01-01`);
  const receipts = page.locator('.receipt');
  await expect.poll(() => receipts.count()).toBe(25);
  await page.getByRole('link', { name: 'Older receipts' }).click();
  await expect.poll(() => receipts.count()).toBeLessThan(25);
});

it.skipIf(!executablePath)(
  'an undo in a history asks, names the whole batch, and leaves what was changed since',
  async () => {
    const posted = [1, 2, 3].map((number) => ({
      method: 'POST',
      path: '/api/nominees',
      body: { id: 900_000 + number, name: `Floor ${number}` },
    }));
    await service.write('POST', '/api/batch', posted);
    await service.write('PATCH', '/api/nominees/900002', { homepage: 'https://example.org/newer' });
    const status = async (id: number) => (await service.ask(`/api/nominees/${id}`)).status;
    const page = await opened('/edit/receipts?resource=nominees&record_id=900001');
    const questions: string[] = [];
    const undoWith = async (isConfirmed: boolean, said: string | RegExp) => {
      page.once('dialog', (dialog) => {
        questions.push(dialog.message());
        void (isConfirmed ? dialog.accept() : dialog.dismiss());
      });
      await page.locator('.receipt').getByRole('button', { name: 'Undo' }).click();
      if (said) await isSaid(page, said);
      else await expect.poll(() => questions.length).toBe(1);
    };
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Floor 1: added').waitFor();
    await undoWith(false, '');
    expect(questions).toEqual([
      'Take back 2 changes?\nFloor 3: is deleted\nFloor 1: is deleted\nLeft as it is: Floor 2: homepage changed since.',
    ]);
    expect(await status(900_001)).toBe(200);
    await undoWith(true, 'Left as it is: Floor 2: homepage changed since.');
    expect(await Promise.all([900_001, 900_002, 900_003].map(status))).toEqual([404, 200, 404]);
    // Between the question and the write: the batch is refused as a whole.
    await service.write('POST', '/api/batch', posted.slice(0, 1));
    await page.goto(`${originOf(service)}/edit/receipts?resource=nominees&record_id=900001`);
    page.once('dialog', async (dialog) => {
      await service.write('PATCH', '/api/nominees/900001', { homepage: 'https://example.org/newest' });
      await dialog.accept();
    });
    await page.locator('.receipt').first().getByRole('button', { name: 'Undo' }).click();
    await isSaid(page, 'A record changed at this moment: nothing was taken back.');
    expect(await status(900_001)).toBe(200);
  },
);

describe.skipIf(!executablePath)('a network that breaks off', () => {
  const isDown = (page: Page) => isSaid(page, /^The service (did not|could not) answer$/);

  it('neither loses nor doubles a record: before it arrives, before the answer, behind a gateway', async () => {
    const page = await opened('/edit/nominations/new');
    for (const [i, [isCarriedOut, end]] of [
      [false, (route: Route) => route.abort()] as const,
      [true, (route: Route) => route.abort()] as const,
      [true, (route: Route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' })] as const,
    ].entries()) {
      const before = [await total('movies'), await total('nominations')];
      await page.goto(`${originOf(service)}/edit/nominations/new`);
      await field(page, 'Ceremony').fill('97');
      await field(page, 'Category').fill('directing');
      await field(page, 'Film').fill(`A Film Lost ${i}`);
      await field(page, 'Person or company').fill('Sean Baker');
      await page.route('**/api/batch', async (route) => {
        if (isCarriedOut) await route.fetch();
        await end(route);
      });
      await save(page);
      await isDown(page);
      expect(await field(page, 'Film').inputValue()).toBe(`A Film Lost ${i}`);
      await page.unroute('**/api/batch');
      await save(page);
      await isSaid(page, 'was added');
      await page.waitForURL(/\/edit\/nominations\/[0-9]+$/);
      const after = [await total('movies'), await total('nominations')];
      expect(after).toEqual(before.map((count) => count + 1));
    }
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
    await service.write('PATCH', `/api/movies/${film}`, { runtime: 123 });
  });
});

it.skipIf(!executablePath)('the key is kept in the tab, and asked for where it is wrong', async () => {
  const page = await opened(`/edit/movies/${film}`);
  const key = page.getByLabel('Key for writing');
  await page.reload();
  expect(await key.inputValue()).toBe(service.key);
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
  expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
  const readOnly = await startService(service.out);
  const other = await openPage(`${originOf(readOnly)}/edit/movies/${film}`);
  await other.getByText('This copy of the record is read-only').waitFor();
  expect(await other.getByLabel('Key for writing').count()).toBe(0);
  await other.close();
  await readOnly.stop();
});

it.skipIf(!executablePath)('every view is accessible and fits a desktop and a phone', async () => {
  const [desk, phone] = [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ];
  // A receipt to show.
  await service.write('PATCH', '/api/songs/1', { artist_names: 'Another Artist' });
  const page = await opened('/edit', { viewport: desk });
  const faults: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text());
  });
  for (const [address, prepare] of [
    ['/edit', () => page.getByLabel(/^Find a record/).fill('the')],
    ['/edit/movies/360', () => page.getByLabel('Runtime').fill('long')],
    ['/edit/nominations/new', () => field(page, 'Film').fill('the')],
    ['/edit/ceremonies/97/winners', () => page.locator('.choice input').first().click()],
    ['/edit/ceremonies/97/categories/23', () => page.locator('[id="0-movie_id"]').fill('the')],
    ['/edit/receipts', () => page.locator('.receipt').first().waitFor()],
  ] as const) {
    await page.goto(originOf(service) + address);
    await prepare();
    if (address === '/edit/movies/360') await save(page);
    for (const [colorScheme, viewport, options] of [
      ['light', desk, { runOnly: { type: 'rule', values: ['color-contrast'] as string[] } }],
      ['dark', phone, { rules: { 'target-size': { enabled: true } } }],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      const found = await violations(page, options);
      faults.push(...found.map((fault) => `${address} ${colorScheme}: ${fault}`));
      expect([address, await overhangOf(page)]).toEqual([address, 0]);
    }
    await page.evaluate("document.querySelector('form.unsaved')?.remove()");
  }
  expect(faults).toEqual([]);
});
