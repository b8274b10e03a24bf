/** An import into a database with records: no record doubles, and changes of editors stay. */
import { beforeEach, describe, expect, it } from 'vitest';
import { renderReport } from '../../data/import/merge.ts';
import { type Row, useDatabase } from './record-text.ts';

const song: Row = { CanonicalCategory: 'MUSIC (Original Song)', Detail: 'Golden', Winner: '' };
const nameless: Row = {
  CanonicalCategory: 'BEST PICTURE',
  FilmId: '?',
  Film: 'Lost',
  Nominees: 'Ortus',
  NomineeIds: '?',
};
const editing: Row = { CanonicalCategory: 'FILM EDITING' };

const { connection, imported, edit, nominations, column, counts, expectNoChange } = useDatabase();

describe('the same record again', () => {
  it('changes nothing and adds no entry to the change log', async () => {
    await imported({}, song, nameless);
    await expectNoChange({}, song, nameless);
  });

  it('keeps all corrections of an editor and adds no second record for a corrected one', async () => {
    const rows = [{}, song, nameless, { Nominees: 'Wrong', NomineeIds: 'nm2' }];
    await imported(...rows);
    edit(`
      UPDATE movies SET title = 'Anora!', filmindex_id = 'tt5', overview = 'A plot.' WHERE title = 'Anora';
      UPDATE movies SET title = 'Found' WHERE title = 'Lost';
      UPDATE nominees SET name = 'S. Baker', known_for_department = NULL WHERE name = 'Sean Baker';
      UPDATE nominees SET name = 'Ortus Films' WHERE name = 'Ortus';
      UPDATE songs SET original_title = 'Golden (Remastered)';
      UPDATE ceremonies SET venue = NULL, overview = 'What a night.';
      UPDATE nominations SET winner = 0 WHERE id = 1;
      UPDATE nominations SET nominee_id = (SELECT id FROM nominees WHERE name = 'S. Baker') WHERE id = 4`);
    const edited = [nominations(), counts()];
    await imported(...rows);
    // Only derived: "Wrong" has no nomination, and no department.
    expect(column('nominees', 'known_for_department')).toEqual([null, null, null]);
    await expectNoChange(...rows);
    expect([nominations(), counts()]).toEqual(edited);
    expect(column('ceremonies', 'overview')).toEqual(['What a night.']);
  });
});

describe('a newer record', () => {
  it('adds its rows, updates winners, keeps the ids and reports it', async () => {
    await imported({ Winner: '' });
    const report = await imported({ Film: 'New', FilmId: 'tt2', Winner: '' }, {});
    expect(nominations()).toEqual(['97 Directing: Anora / Sean Baker*', '97 Directing: New / Sean Baker']);
    expect(report.resources.nominations).toEqual({ added: 1, changed: 1, unchanged: 0 });
    expect(report.resources.movies).toEqual({ added: 1, changed: 0, unchanged: 1 });
    expect(report.resources.nominees).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect(renderReport(report)).toContain('nominations: 1 added, 1 changed, 0 unchanged');
  });

  it('never changes a field that an editor has changed, but all others', async () => {
    await imported({}, song);
    edit(
      "UPDATE movies SET title = 'Anora (edited)' WHERE id = 1; UPDATE nominations SET winner = 1 WHERE id = 2",
    );
    const renamed = { Film: 'Anora (new)', Nominees: 'S. Baker', Winner: '' };
    await imported(renamed, { ...song, ...renamed });
    expect(column('movies', 'title')).toEqual(['Anora (edited)']);
    expect(column('nominees', 'name')).toEqual(['S. Baker']);
    expect(column('nominations', 'winner')).toEqual([0, 1]);
    const again = { Film: 'Anora (newer)', Nominees: 'Baker', Winner: 'True' };
    await imported(again, { ...song, ...again });
    expect(column('movies', 'title')).toEqual(['Anora (edited)']);
    expect(column('nominees', 'name')).toEqual(['Baker']);
    expect(column('nominations', 'winner')).toEqual([1, 1]);
  });

  it('takes back a value that it no longer has, unless an editor has changed it', async () => {
    await imported({ Note: 'One.' }, { ...song, Note: 'Two.' });
    edit("UPDATE nominations SET note = 'Ours.' WHERE id = 2");
    await imported({}, song);
    expect(column('nominations', 'note')).toEqual([null, 'Ours.']);
  });

  it('never replaces the text of an editor by a derived one', async () => {
    await imported({});
    edit("UPDATE ceremonies SET overview = 'What a night.'");
    edit("UPDATE nominees SET known_for_department = 'Writing'");
    await imported({}, song, { ...song, Detail: 'Silver' });
    expect(column('ceremonies', 'overview')).toEqual(['What a night.']);
    expect(column('nominees', 'known_for_department')).toEqual(['Writing']);
  });

  it('gives its id to a nominee without one, instead of adding another', async () => {
    await imported({ NomineeIds: '?' }, { NomineeIds: '?', ...editing });
    await imported({ Ceremony: '1', Year: '1927/28' }, {}, editing);
    expect(column('nominees', 'filmindex_id')).toEqual(['nm0048918']);
    expect(counts().nominations).toBe(3);
  });
});

describe('records that an editor created before the record named them', () => {
  const addNomination = (values: string) =>
    edit(`INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (${values})`);
  const first: Row = { Ceremony: '96', Year: '2023', FilmId: 'tt1', NomineeIds: 'nm1' };
  beforeEach(async () => {
    await imported(first);
    edit("INSERT INTO ceremonies (id, ceremony_year, venue) VALUES (97, 2025, 'Our own word')");
    edit("INSERT INTO movies (id, title, runtime) VALUES (70, 'Anora', 139)");
    edit("INSERT INTO nominees (id, name) VALUES (80, 'Sean Baker')");
    addNomination('90, 97, 6, 70, 80');
  });

  it('are adopted: film and nominee of the same nomination by title and name', async () => {
    await imported(first, {});
    expect(column('movies', "id || ' ' || filmindex_id")).toEqual(['1 tt1', '70 tt28607951']);
    expect(column('nominees', "id || ' ' || filmindex_id")).toEqual(['1 nm1', '80 nm0048918']);
    expect(nominations()).toHaveLength(2);
    expect(nominations()[1]).toBe('97 Directing: Anora / Sean Baker*');
  });

  it('keep the values of the editor and get the missing ones', async () => {
    await imported(first, {});
    expect(connection().prepare('SELECT venue, date FROM ceremonies WHERE id = 97').get()).toEqual({
      venue: 'Our own word',
      date: '2025-03-02',
    });
  });

  it('are not adopted for the same name at another ceremony', async () => {
    await imported(first, { Ceremony: '98', Year: '2025' });
    expect(counts()).toMatchObject({ movies: 3, nominees: 3, nominations: 3 });
  });

  it('are distinguished by their nominee if two films of a ceremony have one title', async () => {
    await imported(first, { FilmId: 'tt7', NomineeIds: 'nm7', Nominees: 'Somebody' }, {});
    expect(column('movies', "id || ' ' || filmindex_id")).toEqual(['1 tt1', '70 tt28607951', '71 tt7']);
  });

  it('are split if one name is two people, and merged if two names are one person', async () => {
    addNomination('91, 97, 1, 70, 80');
    edit("INSERT INTO nominees (id, name) VALUES (81, 'S. Baker')");
    addNomination('92, 97, 14, 70, 81');
    const rows = [
      first,
      {},
      { CanonicalCategory: 'BEST PICTURE', NomineeIds: 'nm5' },
      { ...editing, Nominees: 'S. Baker' },
    ];
    await imported(...rows);
    expect(column('nominations', "id || ' ' || nominee_id")).toEqual(['1 1', '90 80', '91 82', '92 80']);
    await expectNoChange(...rows);
  });
});

it('a category whose id in the reference is taken gets another, and all others get theirs', async () => {
  edit("INSERT INTO categories (id, category_name) VALUES (1, 'Mine'), (6, 'Ours'), (7, 'Best Picture')");
  const rows = [{}, { CanonicalCategory: 'BEST PICTURE' }];
  await imported(...rows);
  const ids = column('categories', "id || ' ' || category_name");
  expect(ids).toHaveLength(32);
  expect(ids).toEqual(expect.arrayContaining(['1 Mine', '6 Ours', '7 Best Picture', '8 Dance Direction']));
  expect(ids.slice(-2)).toEqual(['31 Directing', '32 Assistant Director']);
  expect(column('nominations', 'category_id')).toEqual([31, 7]);
  await expectNoChange(...rows);
});

it('an import uses the lowest free ids, if the highest possible one is taken', async () => {
  edit("INSERT INTO movies (id, title) VALUES (9007199254740991, 'Last'), (1, 'First')");
  await imported({}, { Film: 'B', FilmId: 'tt2' });
  expect(column('movies', "id || ' ' || title")).toEqual([
    '1 First',
    '2 Anora',
    '3 B',
    '9007199254740991 Last',
  ]);
});
