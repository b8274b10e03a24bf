/** Promise: an editor enters a night from one sheet or by hand, chooses its winners, and loses nothing to others or the network. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListOf } from '../../api/contract/answers.ts';
import { executablePath } from '../support/chromium.ts';
import { cell, hasFocus, isSaid, notice, paste, save, tabTo, undo, useEditor } from './editor-page.ts';

const editor = useEditor();
const { newCeremony, nominations, total } = editor;
const film = 360;

const post = (resource: string, body: object) => ({ method: 'POST', path: `/api/${resource}`, body });

const question = (page: Page, text: string) => page.locator('.question', { hasText: text });

describe.skipIf(!executablePath)('a night', () => {
  it('is saved from one sheet: columns by their header, categories by any name, doubts asked, duplicates left out', async () => {
    const address = await newCeremony(99);
    await editor.batchOfOther([
      post('movies', { id: 930_001, title: 'The Doorway' }),
      post('nominations', {
        ...{ id: 930_001, ceremony_id: 20, category_id: 1, movie_id: 930_001, nominee_id: 1 },
      }),
      ...[930_002, 930_003].map((id) => post('nominees', { id, name: 'Twin Name' })),
    ]);
    const before = [await total('movies'), await total('nominees'), await total('nominations')];
    const page = await editor.open(`${address}/sheet`);
    await page.locator('#paste').waitFor();
    expect(await hasFocus(page.locator('#paste'))).toBe(true);
    await paste(
      page,
      [
        'Film\tCategory\tNominee\tas\tWinner\tRemarks',
        'The Salted Road\tBest Picture\tFirst Maker and Second Maker\t\tx\t',
        'The Doorway\tBest Picture\tTwin Name\t\t\t',
        'The Salted Road\tdirecting\tSean Bakre\tHimself\tx\t',
        'Glass Harbour\tBest Actor\tRalph Fiennes\tThe Captain\tx\t',
        'Glass Harbour\tActor in a Leading Role\tRalph Fiennes\tThe Captain\t\t',
        'The Salted Road\tOriginal Song\tFirst Maker; "Salt"\t\t\t',
      ].join('\r\n'),
    );
    await page
      .getByText('The first row is the header: Film, Category, Nominee, as, Winner; not read: Remarks')
      .waitFor();
    await page.getByText(/^6 rows, 3 to be looked at, 1 there already and left out\.$/).waitFor();
    const group = (name: string) => page.locator('.sheet-group', { hasText: name });
    // A category without characters keeps none.
    await group('Directing').getByText('Left out: Himself').waitFor();
    await group('Actor in a Leading Role').getByText('2 rows').waitFor();
    // Nothing is saved before the doubts are answered; the first one has the focus.
    await save(page);
    await isSaid(page, 'Row 1, name: one or several people: choose');
    expect(await total('nominations')).toBe(before[2]);
    const choose = (name: string, option: number | RegExp) => {
      const buttons = page.getByRole('group', { name }).getByRole('button');
      return (typeof option === 'number' ? buttons.nth(option) : buttons.filter({ hasText: option })).click();
    };
    await choose('First Maker and Second Maker: one or several', /2 people/);
    // The answer moves the focus to the next question.
    expect(await page.evaluate(() => document.activeElement?.closest('fieldset')?.ariaLabel)).toMatch(
      /^Record/,
    );
    await choose('Record named The Doorway', /New film/);
    await choose('Record named Twin Name', 1);
    await choose('Record named Sean Bakre', /Sean Baker/);
    await page.getByText(/^6 rows, all clear/).waitFor();
    await save(page);
    await isSaid(
      page,
      /^Saved: 5 nominations, 6 rows, 3 new films, 2 new people and companies, 1 new song\.$/,
    );
    const saved = await nominations('ceremony_ids=99');
    expect(
      saved.map(({ category, movie, nominee, song_title, winner, details }) =>
        [category, movie, nominee, song_title, winner, details!.character].join(' | '),
      ),
    ).toEqual([
      'Best Picture | The Salted Road | First Maker |  | true | ',
      'Best Picture | The Salted Road | Second Maker |  | true | ',
      'Best Picture | The Doorway | Twin Name |  | false | ',
      'Directing | The Salted Road | Sean Baker |  | true | ',
      'Actor in a Leading Role | Glass Harbour | Ralph Fiennes |  | true | The Captain',
      'Music (Original Song) | The Salted Road | First Maker | Salt | false | ',
    ]);
    expect(saved[2]!.movie_id).not.toBe(930_001);
    expect(saved[2]!.nominee_id).toBe(930_003);
    await undo(page);
    expect([await total('movies'), await total('nominees'), await total('nominations')]).toEqual(before);
  });

  it('of 24 categories with 5 nominations takes two actions with a sheet', async () => {
    const address = await newCeremony(100);
    const categories = (
      await editor.service.read<{ data: { category_name: string }[] }>('/api/categories')
    ).data
      .map((one) => one.category_name)
      .filter((name) => !/Song/.test(name))
      .slice(0, 24);
    const lines = categories.flatMap((category, i) =>
      Array.from({ length: 5 }, (_, j) =>
        [category, `Picture ${i} Number ${j}`, `Worker ${i}x${j}`].join('\t'),
      ),
    );
    const page = await editor.open(`${address}/sheet`);
    await page.locator('#paste').waitFor();
    await paste(page, ['Category\tFilm\tName', ...lines].join('\n'));
    await page.getByText('120 rows, all clear').waitFor();
    await save(page);
    await isSaid(page, 'Saved: 120 nominations, 120 rows, 120 new films, 120 new people and companies.');
    // A page has 100.
    expect(await nominations('ceremony_ids=100')).toHaveLength(100);
  });

  it('is read without a header by its columns, and a row that is a category alone is asked about', async () => {
    const address = await newCeremony(101);
    const page = await editor.open(`${address}/sheet`);
    await page.locator('#paste').waitFor();
    await paste(
      page,
      'Directing\nA Film by Position\tA Person by Position\nAnother Film by Position\tSean Baker',
    );
    await question(page, 'Row 1 has only “Directing”').getByRole('button', { name: 'Yes' }).click();
    await page.locator('.sheet-group', { hasText: 'Directing' }).getByText('2 rows').waitFor();
    // A reload loses nothing.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.locator('.sheet-group', { hasText: 'Directing' }).getByText('2 rows').waitFor();
    await save(page);
    await isSaid(page, 'Saved: 2 nominations, 2 rows, 2 new films, 1 new person or company.');
  });

  it('is typed into the grid of a category, where saved rows are corrected, and a second winner is questioned', async () => {
    const address = await newCeremony(102);
    const page = await editor.open(`${address}/categories/2`);
    await cell(page, 'Film', 1).fill('A Typed Film');
    await cell(page, 'Person or company', 1).fill('Ralph Fiennes');
    await cell(page, 'Character', 1).fill('The Typed One');
    await page.getByRole('checkbox', { name: 'Won, row 1' }).check();
    await save(page);
    await isSaid(page, 'Saved: 1 nomination, 1 row, 1 new film.');
    const character = page.getByRole('textbox', { name: 'Character: Ralph Fiennes, A Typed Film' });
    await character.fill('The Corrected One');
    await cell(page, 'Film', 1).fill('A Typed Film');
    await cell(page, 'Person or company', 1).fill('Ralph Fiennes');
    await page.getByText('There already: left out').waitFor();
    await cell(page, 'Person or company', 1).fill('Adrien Brody');
    await page.getByRole('checkbox', { name: 'Won, row 1' }).check();
    await save(page);
    await isSaid(page, 'Two winners: say whether it is a tie');
    await question(page, 'Two winners').getByRole('button', { name: 'Yes, a tie' }).click();
    await save(page);
    await isSaid(page, 'Saved: 1 nomination, 1 row, 1 changed row.');
    const saved = await nominations('ceremony_ids=102');
    expect(saved.map(({ nominee, winner, details }) => [nominee, winner, details!.character])).toEqual([
      ['Ralph Fiennes', true, 'The Corrected One'],
      ['Adrien Brody', true, null],
    ]);
    await page.getByRole('button', { name: 'Delete Adrien Brody, A Typed Film' }).click();
    await save(page);
    await isSaid(page, 'Saved: 1 deleted row.');
    await page.getByRole('link', { name: 'Edit A Typed Film' }).click();
    await page.waitForURL(/\/edit\/movies\/\d+$/);
  });

  it('has its honors pasted, corrected and deleted as rows, one save a batch, with people linked where the record knows them', async () => {
    const address = await newCeremony(105);
    await editor.batchOfOther([
      post('honors', {
        ...{ id: 990_001, ceremony_id: 105, category: 'HONORARY AWARD', recipients: 'Sean Bakre' },
        ...{ class: 'Special', nominee_ids: [], note: 'Old note.' },
      }),
    ]);
    const before = [await total('movies'), await total('nominees'), await total('honors')];
    const page = await editor.open(`${address}/honors`);
    const honorCell = (column: string, row: string) => page.getByLabel(`${column}, ${row}`, { exact: true });
    await honorCell('Award', 'row 1').focus();
    await paste(
      page,
      [
        'Citation\tAward\tRecipients\tFilm',
        'For all of it.\tHonorary Award\tAdrien Brody and Nobody Of Any Record\t',
        'For a film.\tHonorary Award\t\tA Film That Only An Honor Names',
        'To him.\tScientific and Technical Award (Class II)\tRalph Fienes\t',
        'Again.\tHonorary award\tSean Bakre\t',
      ].join('\n'),
    );
    const saved = 'HONORARY AWARD, Sean Bakre';
    await honorCell('Recipients', saved).fill('Sean Baker');
    await honorCell('Note', saved).fill('New note.');
    await page.getByText('There already: left out').waitFor();
    await save(page);
    await isSaid(page, 'Row 3, Recipients: must name one record: choose which');
    await page
      .getByRole('group', { name: 'Record named Ralph Fienes' })
      .getByRole('button', { name: /Ralph Fiennes/ })
      .click();
    // Another editor writes into a cell that is typed over: nothing is lost, and the save asks once.
    await editor.batchOfOther([
      { method: 'PATCH', path: '/api/honors/990001', body: { note: 'Note of another editor.' } },
    ]);
    await page.getByText(/HONORARY AWARD: Sean Bakre was changed \(bob, today/).waitFor({ timeout: 2000 });
    await save(page);
    await isSaid(page, 'HONORARY AWARD, Sean Baker: Note is now “Note of another editor.”');
    expect(await honorCell('Note', saved).inputValue()).toBe('New note.');
    await save(page);
    await isSaid(page, 'Saved: 3 new honors, 1 changed honor and 1 new film.');
    const honors = async () =>
      (await editor.service.read<ListOf['honors']>('/api/honors?limit=100&yearStart=2034')).data
        .sort((a, b) => a.id - b.id)
        .map((one) => [one.class, one.recipients, one.movie, one.citation, one.note, one.nominee_ids.length]);
    expect(await honors()).toEqual([
      ['Special', 'Sean Baker', null, null, 'New note.', 1],
      ['Special', 'Adrien Brody and Nobody Of Any Record', null, 'For all of it.', null, 1],
      ['Special', null, 'A Film That Only An Honor Names', 'For a film.', null, 0],
      ['SciTech', 'Ralph Fienes', null, 'To him.', null, 1],
    ]);
    await undo(page);
    expect([await total('movies'), await total('nominees'), await total('honors')]).toEqual(before);
    expect(await honors()).toEqual([['Special', 'Sean Bakre', null, null, 'Note of another editor.', 0]]);
    await page.getByRole('button', { name: `Delete ${saved}` }).click();
    await save(page);
    await isSaid(page, 'Saved: 1 deleted honor.');
    expect(await honors()).toEqual([]);
  });

  it('shows what another editor saves within two seconds, and keeps what is typed', async () => {
    const page = await editor.open('/edit/ceremonies/97/categories/3');
    await cell(page, 'Film', 1).fill('A Film Beside Others');
    const body = { id: 940_001, ceremony_id: 97, category_id: 3, movie_id: film, nominee_id: 940_001 };
    await editor.batchOfOther([
      post('nominees', { id: 940_001, name: 'Person of Another Editor' }),
      post('nominations', { ...body, winner: true }),
    ]);
    await page
      .getByText(
        /Actress in a Leading Role: Person of Another Editor, The Shape of Water was added as a winner \(bob, today, \d\d:\d\d\)/,
      )
      .waitFor({ timeout: 2000 });
    expect(await page.getByRole('checkbox', { name: 'Won: Person of Another Editor' }).isChecked()).toBe(
      true,
    );
    expect(await cell(page, 'Film', 1).inputValue()).toBe('A Film Beside Others');
    await page.getByRole('button', { name: 'Discard' }).click();
    await editor.batchOfOther([
      { method: 'DELETE', path: '/api/nominations/940001' },
      { method: 'DELETE', path: '/api/nominees/940001' },
    ]);
    await page.getByText('The Shape of Water was deleted').waitFor({ timeout: 2000 });
  });

  it('has its winners chosen with the keyboard, an action each, saved and taken back as one, with no change of another editor lost', async () => {
    const page = await editor.open('/edit/ceremonies/97/winners');
    const winners = async () => (await nominations('ceremony_ids=97&winner=true')).map(({ id }) => id);
    const before = await winners();
    const group = page.getByRole('group', { name: 'Best Picture' });
    await group.getByRole('checkbox').first().waitFor();
    for (const box of await group.getByRole('checkbox').all()) {
      await tabTo(page, box);
      await page.keyboard.press('Space');
    }
    const own = await nominations('ceremony_ids=97&category_ids=1');
    await save(page);
    await isSaid(page, 'Best Picture has two winners: say whether it is a tie');
    await question(page, 'Two winners').getByRole('button', { name: 'Yes, a tie' }).click();
    const [other] = await nominations('ceremony_ids=97&category_ids=3&winner=false');
    // Between the last look and the save.
    await page.route('**/manifest.json', (route: Route) => route.abort());
    await editor.batchOfOther([
      { method: 'PATCH', path: `/api/nominations/${other!.id}`, body: { winner: true } },
    ]);
    await page.unroute('**/manifest.json');
    await save(page);
    await page
      .getByText(new RegExp(`${other!.nominee}.*now wins \\(bob`))
      .first()
      .waitFor();
    await save(page);
    await isSaid(page, /^Saved: \d+ winners chosen or taken back, \d+ rows\.$/);
    // All people of an entry have won together.
    const won = (await winners()).filter((id) => own.some((one) => one.id === id));
    expect(won).toEqual(own.filter(({ id }) => !before.includes(id)).map(({ id }) => id));
    await undo(page);
    await editor.batchOfOther([
      { method: 'PATCH', path: `/api/nominations/${other!.id}`, body: { winner: false } },
    ]);
    expect(await winners()).toEqual(before);
  });

  it('is neither lost nor doubled without a network: the sheet stays, and is saved once when it is back', async () => {
    const address = await newCeremony(104);
    const page = await editor.open(`${address}/sheet`);
    await page.locator('#paste').waitFor();
    await paste(page, 'Film\tCategory\tName\nA Film Offline\tDirecting\tA Person Offline');
    await page.getByText('1 row, all clear').waitFor();
    await page.route('**/api/batch', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await isSaid(page, 'The service did not answer');
    await page.unroute('**/api/batch');
    await page.getByText('1 row, ').first().waitFor();
    await save(page);
    await expect.poll(async () => (await nominations('ceremony_ids=104')).length).toBe(1);
    await expect.poll(() => notice(page).textContent()).toMatch(/Saved|had been saved/);
    expect((await nominations('movie=A+Film+Offline')).length).toBe(1);
  });
});
