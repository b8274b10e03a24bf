/** Promise: an editor corrects records with the keyboard; neither another editor nor a broken network costs anything typed. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startService } from '../support/running-service.ts';
import { executablePath, overhangOf, violations } from '../support/chromium.ts';
import {
  answer,
  field,
  hasFocus,
  isSaid,
  notice,
  paste,
  save,
  tabTo,
  undo,
  useEditor,
} from './editor-page.ts';

const editor = useEditor();
const { nominations, total } = editor;
const film = 360;
const title = 'The Shape of Water';
const runtimeNow = async () =>
  (await editor.service.read<{ runtime: number }>(`/api/movies/${film}`)).runtime;

describe.skipIf(!executablePath)('a record', () => {
  it('is found, corrected and taken back with the keyboard', async () => {
    const page = await editor.open();
    await page.locator('#finder').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shape of water');
    const first = page.getByRole('option', { name: title, selected: true });
    await first.waitFor();
    expect(await first.textContent()).toContain('Film');
    // Down to the next hit, and back.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await first.waitFor();
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
    const page = await editor.open();
    for (const [resource, label, text] of [
      ['movies', 'Title', 'A Film Added'],
      ['ceremonies', 'Ceremony year', '2050'],
    ] as const) {
      await page.goto(`${editor.origin}/edit/${resource}/new`);
      // The form is there after the load of the page.
      await field(page, label).waitFor();
      await save(page);
      await isSaid(page, `${label}: must be filled in`);
      await field(page, label).fill(text);
      await save(page);
      await isSaid(page, 'was added');
      await page.waitForURL(new RegExp(`/edit/${resource}/[0-9]+$`));
      const status = async () => (await editor.service.ask(`/api/${page.url().split('/edit/')[1]}`)).status;
      await page.getByRole('button', { name: 'Delete' }).click();
      await answer(page);
      await isSaid(page, 'Deleted:');
      expect(await status()).toBe(404);
      await undo(page);
      expect([await status(), await field(page, label).inputValue()]).toEqual([200, text]);
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await answer(page);
      await expect.poll(status).toBe(404);
    }
  });

  it('goes with the nominations that refer to it, which are named, and comes back with them', async () => {
    const page = await editor.open(`/edit/movies/${film}`);
    const before = await nominations(`movie_ids=${film}`);
    expect(before.length).toBeGreaterThan(1);
    const remove = page.getByRole('button', { name: 'Delete' });
    await remove.click();
    const question = await answer(page, false);
    expect(question).toContain(`Delete the film ${title} with `);
    for (const { nominee } of before) expect(question).toContain(nominee);
    await remove.click();
    await answer(page);
    await isSaid(page, `Deleted: ${title} with ${before.length} references.`);
    expect((await editor.service.ask(`/api/movies/${film}`)).status).toBe(404);
    await undo(page);
    expect(await nominations(`movie_ids=${film}`)).toEqual(before);
    await page.getByLabel('Runtime').waitFor();
  });

  it('that is missing is announced, and unsaved changes outlive a reload and are not lost unasked', async () => {
    const page = await editor.open(`/edit/movies/${film}`);
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions += 1;
      void (questions === 1 ? dialog.dismiss() : dialog.accept());
    });
    await page.getByLabel('Tagline').fill('Not saved yet');
    await page.getByRole('link', { name: 'Receipts' }).click();
    await expect.poll(() => questions).toBe(1);
    expect(await page.getByLabel('Tagline').inputValue()).toBe('Not saved yet');
    await page.reload();
    await page.getByText('1 changed field, not saved yet').waitFor();
    expect(await page.getByLabel('Tagline').inputValue()).toBe('Not saved yet');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Tagline').inputValue()).toBe('');
    await isSaid(await editor.open('/edit/movies/999999'), 'There is no such record');
  });

  it('keeps the note of an edit, which the history shows', async () => {
    const page = await editor.open('/edit/movies/2');
    await page.getByLabel('Tagline').fill('Noted');
    await page.getByLabel('Note for the history').fill('source: the programme');
    await save(page);
    await isSaid(page, 'Saved.');
    expect(await page.getByLabel('Note for the history').inputValue()).toBe('');
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.receipt').getByText('source: the programme').waitFor();
  });

  it('is merged into another: what refers to it moves, a nomination of both stays once, one undo', async () => {
    const { service } = editor;
    const [one, other, own, shared] = [910_001, 910_002, 910_003, 910_004];
    const nominee = (id: number, rest: object) => ({
      method: 'POST',
      path: '/api/nominees',
      body: { id, ...rest },
    });
    const nomination = (id: number, nominee_id: number, category_id: number, winner = false) => ({
      method: 'POST',
      path: '/api/nominations',
      body: { id, ceremony_id: 97, category_id, movie_id: film, nominee_id, winner },
    });
    await editor.batchOfOther([
      nominee(one, { name: 'Merged Person', filmindex_id: 'nm9100001' }),
      nominee(other, { name: 'Merged Persn', birthday: '1970-01-01' }),
      nomination(own, other, 6),
      nomination(shared, other, 9, true),
      nomination(shared + 1, one, 9),
    ]);
    const page = await editor.open(`/edit/nominees/${one}`);
    const before = await nominations(`nominee_ids=${one},${other}`);
    // Four actions: the link, the name, Enter, and the button.
    await page.getByRole('link', { name: 'Merge with another' }).click();
    await expect.poll(() => hasFocus(page.locator('#other'))).toBe(true);
    await page.keyboard.type('Merged Persn');
    await page.getByRole('option', { name: 'Merged Persn', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('There twice, stays once').waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    await isSaid(page, 'Merged: Merged Person, with 2 references moved.');
    expect(await service.read(`/api/nominees/${one}`)).toMatchObject({
      ...{ name: 'Merged Person', filmindex_id: 'nm9100001', birthday: '1970-01-01' },
    });
    expect((await service.ask(`/api/nominees/${other}`)).status).toBe(404);
    const merged = await nominations(`nominee_ids=${one}`);
    expect(merged.map(({ id, winner }) => [id, winner])).toEqual([
      [own, false],
      [shared + 1, true],
    ]);
    await undo(page);
    expect(await nominations(`nominee_ids=${one},${other}`)).toEqual(before);
  });

  it('that another editor changed meanwhile shows both, to take theirs or keep mine', async () => {
    const page = await editor.open(`/edit/movies/${film}`);
    const [tagline, runtime] = [page.getByLabel('Tagline'), page.getByLabel('Runtime')];
    await tagline.fill('Mine');
    await runtime.fill('125');
    const theirs = { tagline: 'Theirs', runtime: 126, overview: 'New' };
    await editor.batchOfOther([{ method: 'PATCH', path: `/api/movies/${film}`, body: theirs }]);
    await save(page);
    await isSaid(page, /^Another editor changed this record meanwhile: bob, today, \d\d:\d\d$/);
    await isSaid(page, 'Tagline: was nothing, is now Theirs');
    const overview = await page.getByLabel('Overview').inputValue();
    expect([overview, await tagline.inputValue()]).toEqual(['New', 'Mine']);
    await page.locator('.contested').last().getByRole('button', { name: 'Take theirs' }).click();
    expect([await runtime.inputValue(), await hasFocus(runtime)]).toEqual(['126', true]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await save(page);
    await isSaid(page, 'tagline Theirs → Mine');
    await editor.service.write('PATCH', `/api/movies/${film}`, {
      tagline: null,
      runtime: 123,
      overview: null,
    });
  });
});

it.skipIf(!executablePath)('receipts tell in words what changed, and take it back', async () => {
  const [first] = await nominations('ids=1');
  await editor.service.write('POST', '/api/batch', [
    { method: 'PATCH', path: '/api/movies/1', body: { tagline: 'Batched' } },
    { method: 'PATCH', path: '/api/nominations/1', body: { movie_id: film, details: { note: 'Batched' } } },
  ]);
  const artists = Array.from({ length: 26 }, (_, i) => ({ artist_names: `Artist ${i}` }));
  await Promise.all(artists.map((artist) => editor.service.write('PATCH', '/api/songs/1', artist)));
  const page = await editor.open('/edit/movies/1');
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Sunrise: tagline nothing → Batched').waitFor();
  await page.getByLabel('Collection').selectOption('nominations');
  await page.getByLabel('Record number').press('Enter');
  await page.getByText(`film Sunrise → ${title}, note nothing → Batched`).waitFor();
  await page.locator('.receipt').first().getByRole('button', { name: 'Undo' }).click();
  await answer(page);
  await isSaid(page, 'Taken back.');
  expect(await editor.service.read('/api/movies/1')).toMatchObject({ tagline: null });
  expect(await nominations('ids=1')).toEqual([first]);
  await page.goto(`${editor.origin}/edit/receipts?resource=songs&key=editor&since=2020-01-01`);
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
    await editor.service.write('POST', '/api/batch', posted);
    await editor.service.write('PATCH', '/api/nominees/900002', { homepage: 'https://example.org/newer' });
    const status = async (id: number) => (await editor.service.ask(`/api/nominees/${id}`)).status;
    const page = await editor.open('/edit/receipts?resource=nominees&record_id=900001');
    const questions: string[] = [];
    const undoWith = async (isConfirmed: boolean) => {
      await page.locator('.receipt').getByRole('button', { name: 'Undo' }).click();
      questions.push(await answer(page, isConfirmed));
    };
    await page.locator('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('Floor 1: added').waitFor();
    await undoWith(false);
    for (const line of [
      ...['Take back 2 changes?', 'Floor 3: is deleted', 'Floor 1: is deleted'],
      'Left as it is: Floor 2: homepage changed since.',
    ])
      expect(questions[0]!.split('\n')).toContain(line);
    expect(await status(900_001)).toBe(200);
    await undoWith(true);
    await isSaid(page, 'Left as it is: Floor 2: homepage changed since.');
    expect(await Promise.all([900_001, 900_002, 900_003].map(status))).toEqual([404, 200, 404]);
    // Between the question and the write: the batch is refused as a whole.
    await editor.service.write('POST', '/api/batch', posted.slice(0, 1));
    await page.goto(`${editor.origin}/edit/receipts?resource=nominees&record_id=900001`);
    await page.locator('.receipt').first().getByRole('button', { name: 'Undo' }).click();
    await page.locator('dialog[open]').waitFor();
    await editor.service.write('PATCH', '/api/nominees/900001', { homepage: 'https://example.org/newest' });
    await answer(page);
    await isSaid(page, 'A record changed at this moment: nothing was taken back.');
    expect(await status(900_001)).toBe(200);
  },
);

it.skipIf(!executablePath)(
  'an honor is added with people by name, corrected, deleted and brought back',
  async () => {
    const page = await editor.open('/edit/honors/new');
    await field(page, 'Ceremony').fill('97');
    await field(page, 'Name of the award').fill('HONORARY AWARD');
    await field(page, 'Recipients').fill('Sean Baker and A New Honoree');
    await field(page, 'People and companies').fill('Sean Baker\nA New Honoree');
    await page.getByText('A New Honoree: a new person or company').waitFor();
    await save(page);
    await isSaid(page, 'The honor was added.');
    await page.waitForURL(/\/edit\/honors\/\d+$/);
    const address = `/api/honors/${page.url().split('/').at(-1)}`;
    const honor = await editor.service.read<{ nominee_ids: number[] }>(address);
    const names = await Promise.all(
      honor.nominee_ids.map(
        async (id) => (await editor.service.read<{ name: string }>(`/api/nominees/${id}`)).name,
      ),
    );
    expect(names).toEqual(['Sean Baker', 'A New Honoree']);
    await field(page, 'Citation').fill('For a lifetime.');
    await save(page);
    await isSaid(page, 'citation nothing → For a lifetime.');
    await page.getByRole('button', { name: 'Delete' }).click();
    await answer(page);
    await isSaid(page, 'Deleted:');
    expect((await editor.service.ask(address)).status).toBe(404);
    await undo(page);
    expect(await editor.service.read(address)).toMatchObject({ ...honor, citation: 'For a lifetime.' });
  },
);

describe.skipIf(!executablePath)('a network that breaks off', () => {
  const isDown = (page: Page) => isSaid(page, /^The service (did not|could not) answer$/);

  it('neither loses nor doubles a record: before it arrives, before the answer, behind a gateway', async () => {
    const page = await editor.open('/edit/nominations/new');
    for (const [i, [isCarriedOut, end]] of [
      [false, (route: Route) => route.abort()] as const,
      [true, (route: Route) => route.abort()] as const,
      [true, (route: Route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' })] as const,
    ].entries()) {
      const before = [await total('movies'), await total('nominations')];
      await page.goto(`${editor.origin}/edit/nominations/new`);
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
    const page = await editor.open(`/edit/movies/${film}`);
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
    await editor.service.write('PATCH', `/api/movies/${film}`, { runtime: 123 });
  });
});

it.skipIf(!executablePath)('the key is kept in the tab, and asked for where it is wrong', async () => {
  const page = await editor.open(`/edit/movies/${film}`);
  const key = page.getByLabel('Key for writing');
  await page.reload();
  expect(await key.inputValue()).toBe(editor.service.key);
  const kept = await page.evaluate('[localStorage.length, document.cookie, location.search].join()');
  expect(kept).toBe('0,,');
  await page.getByText('Signed in as editor').click();
  await page.getByRole('button', { name: 'Forget the key' }).click();
  await page.reload();
  expect(await key.inputValue()).toBe('');
  // At once, and not with the first save.
  await key.fill('fa_wrong');
  await page.getByText('This key is not accepted').waitFor();
  await page.getByText('Key not accepted').click();
  await page.getByLabel('Title').fill('Another title');
  await save(page);
  await isSaid(page, 'The key was not accepted');
  expect(await page.getByLabel('Title').inputValue()).toBe('Another title');
  const readOnly = await startService(editor.service.out);
  const other = await editor.openPage(`http://127.0.0.1:${readOnly.port}/edit/movies/${film}`);
  await other.getByText('This copy of the record is read-only').waitFor();
  expect(await other.getByLabel('Key for writing').count()).toBe(0);
  await other.close();
  await readOnly.stop();
});

it.skipIf(!executablePath)(
  'the desk says who is signed in, what is next, what was changed and what is to do',
  async () => {
    const { service } = editor;
    await service.write('POST', '/api/movies', { id: 920_001, title: 'A Film That Nothing Names' });
    const page = await editor.open();
    await page.getByText('Signed in as editor').waitFor();
    const night = page.locator('.pane.coming');
    await night.getByText(/^\d+ of \d+ categories with nominations$/).waitFor();
    await page.locator('.receipt').getByText('A Film That Nothing Names: added').waitFor();
    const todo = page.locator('.task', { hasText: 'Not nominated' });
    await todo.locator('summary').first().click();
    await todo.getByRole('link', { name: 'A Film That Nothing Names' }).waitFor();
    // What another editor saves is shown without a reload.
    await editor.batchOfOther([{ method: 'DELETE', path: '/api/movies/920001' }]);
    await page.getByText('A Film That Nothing Names: deleted').waitFor();
    await night.getByRole('link', { name: 'Nominations from a sheet' }).click();
    await page.getByLabel('Paste the nominations of the whole night').waitFor();
    await page.keyboard.press('Escape');
  },
);

it.skipIf(!executablePath)('the keys are listed by "?"', async () => {
  const page = await editor.open();
  await page.getByRole('heading', { name: 'Desk' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl+S').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  expect(await hasFocus(page.locator('#finder'))).toBe(true);
});

/** A sheet with a doubt, a new film and several people. */
async function pasteSheet(page: Page): Promise<void> {
  await page.locator('#paste').focus();
  await paste(
    page,
    'Film\tCategory\tName\nAnora\tDirecting\tSean Bakr\nA New Film\tBest Picture\tX Y and Z A',
  );
  await page.locator('.doubt button').first().waitFor();
}

it.skipIf(!executablePath)('every view is accessible and fits a desktop and a phone', async () => {
  const [desk, phone] = [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ];
  // A receipt to show.
  await editor.service.write('PATCH', '/api/songs/1', { artist_names: 'Another Artist' });
  const page = await editor.open('/edit', { viewport: desk });
  const faults: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text());
  });
  for (const [address, prepare] of [
    ['/edit', () => page.locator('#finder').fill('the')],
    ['/edit/movies/360', () => page.getByLabel('Runtime').fill('long')],
    ['/edit/nominations/new', () => field(page, 'Film').fill('the')],
    ['/edit/ceremonies/97/winners', () => page.locator('.choice input').first().click()],
    ['/edit/ceremonies/97/categories/23', () => page.locator('[id="0-film"]').fill('the')],
    ['/edit/ceremonies/97/sheet', () => pasteSheet(page)],
    ['/edit/nominees/1/merge?with=2', () => page.getByText('What moves').waitFor()],
    ['/edit/receipts', () => page.locator('.receipt').first().waitFor()],
  ] as const) {
    await page.goto(editor.origin + address);
    await prepare();
    if (address === '/edit/movies/360') await save(page);
    for (const [colorScheme, viewport, options] of [
      ['light', desk, { runOnly: { type: 'rule', values: ['color-contrast'] as string[] } }],
      ['dark', phone, { rules: { 'target-size': { enabled: true } } }],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      // At its place, the bar covers no control.
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      const found = await violations(page, options);
      faults.push(...found.map((fault) => `${address} ${colorScheme}: ${fault}`));
      expect([address, await overhangOf(page)]).toEqual([address, 0]);
    }
    await page.evaluate("document.querySelector('form.unsaved')?.remove()");
  }
  expect(faults).toEqual([]);
});
