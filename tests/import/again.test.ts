/** An import into a database with records: no record doubles, and changes of editors stay. */
import { beforeEach, describe, expect, it } from 'vitest';
import { renderReport } from '../../data/import/report.ts';
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
  it('changes nothing and adds no entry to the change log', () => {
    imported({}, song, nameless);
    expectNoChange({}, song, nameless);
  });

  it('keeps all corrections of an editor and adds no second record for a corrected one', () => {
    const rows = [{}, song, nameless, { Nominees: 'Wrong', NomineeIds: 'nm2' }];
    imported(...rows);
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
    expectNoChange(...rows);
    expect([nominations(), counts()]).toEqual(edited);
    expect(column('ceremonies', 'overview')).toEqual(['What a night.']);
  });
});

describe('a newer record', () => {
  it('adds its rows, updates winners, keeps the ids and reports it', () => {
    imported({ Winner: '' });
    const report = imported({ Film: 'New', FilmId: 'tt2', Winner: '' }, {});
    expect(nominations()).toEqual(['97 Directing: Anora / Sean Baker*', '97 Directing: New / Sean Baker']);
    expect(report.resources.nominations).toEqual({ added: 1, changed: 1, unchanged: 0 });
    expect(report.resources.movies).toEqual({ added: 1, changed: 0, unchanged: 1 });
    expect(report.resources.nominees).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect(renderReport(report)).toContain('nominations: 1 added, 1 changed, 0 unchanged');
  });

  it('changes a field that an editor corrected only if its own value changed', () => {
    imported({});
    edit("UPDATE movies SET title = 'Anora (edited)'; UPDATE nominees SET name = 'Baker (edited)'");
    imported({ Film: 'Anora (new)' });
    expect(column('movies', 'title')).toEqual(['Anora (new)']);
    expect(column('nominees', 'name')).toEqual(['Baker (edited)']);
  });

  it('never replaces the text of an editor by a derived one', () => {
    imported({});
    edit("UPDATE ceremonies SET overview = 'What a night.'");
    edit("UPDATE nominees SET known_for_department = 'Writing'");
    imported({}, song, { ...song, Detail: 'Silver' });
    expect(column('ceremonies', 'overview')).toEqual(['What a night.']);
    expect(column('nominees', 'known_for_department')).toEqual(['Writing']);
  });

  it('keeps and reports a nomination that it no longer has', () => {
    imported({}, song, { Ceremony: '98', Year: '2025' });
    const report = imported({});
    expect(report.missing).toEqual([2]);
    expect(renderReport(report)).toContain(
      'kept although the source no longer has them: 1 nomination (id 2)',
    );
    expect(counts().nominations).toBe(3);
  });

  it('gives its id to a nominee without one, instead of adding another', () => {
    imported({ NomineeIds: '?' }, { NomineeIds: '?', ...editing });
    imported({ Ceremony: '1', Year: '1927/28' }, {}, editing);
    expect(column('nominees', 'filmindex_id')).toEqual(['nm0048918']);
    expect(counts().nominations).toBe(3);
  });
});

describe('records that an editor created before the record named them', () => {
  const addNomination = (values: string) =>
    edit(`INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (${values})`);
  beforeEach(() => {
    imported({ Ceremony: '96', Year: '2023', FilmId: 'tt1', NomineeIds: 'nm1' });
    edit("INSERT INTO ceremonies (id, ceremony_year, venue) VALUES (97, 2025, 'Our own word')");
    edit("INSERT INTO movies (id, title, runtime) VALUES (70, 'Anora', 139)");
    edit("INSERT INTO nominees (id, name) VALUES (80, 'Sean Baker')");
    addNomination('90, 97, 6, 70, 80');
  });

  it('are adopted: film and nominee of the same nomination by title and name', () => {
    imported({});
    expect(column('movies', "id || ' ' || filmindex_id")).toEqual(['1 tt1', '70 tt28607951']);
    expect(column('nominees', "id || ' ' || filmindex_id")).toEqual(['1 nm1', '80 nm0048918']);
    expect(nominations()).toHaveLength(2);
    expect(nominations()[1]).toBe('97 Directing: Anora / Sean Baker*');
  });

  it('keep the values of the editor and get the missing ones', () => {
    imported({});
    expect(connection().prepare('SELECT venue, date FROM ceremonies WHERE id = 97').get()).toEqual({
      venue: 'Our own word',
      date: '2025-03-02',
    });
  });

  it('are not adopted for the same name at another ceremony', () => {
    imported({ Ceremony: '98', Year: '2025' });
    expect(counts()).toMatchObject({ movies: 3, nominees: 3, nominations: 3 });
  });

  it('are distinguished by their nominee if two films of a ceremony have one title', () => {
    imported({ FilmId: 'tt7', NomineeIds: 'nm7', Nominees: 'Somebody' }, {});
    expect(column('movies', "id || ' ' || filmindex_id")).toEqual(['1 tt1', '70 tt28607951', '71 tt7']);
  });

  it('are split if one name is two people, and merged if two names are one person', () => {
    addNomination('91, 97, 1, 70, 80');
    edit("INSERT INTO nominees (id, name) VALUES (81, 'S. Baker')");
    addNomination('92, 97, 14, 70, 81');
    const rows = [
      {},
      { CanonicalCategory: 'BEST PICTURE', NomineeIds: 'nm5' },
      { ...editing, Nominees: 'S. Baker' },
    ];
    imported(...rows);
    expect(column('nominations', "id || ' ' || nominee_id")).toEqual(['1 1', '90 80', '91 82', '92 80']);
    expectNoChange(...rows);
  });
});

it('an import uses the ids below the highest possible id, if that is taken', () => {
  edit("INSERT INTO movies (id, title) VALUES (9007199254740991, 'Last'), (1, 'First')");
  imported({}, { Film: 'B', FilmId: 'tt2' });
  expect(column('movies', "id || ' ' || title")).toEqual([
    '1 First',
    '9007199254740989 B',
    '9007199254740990 Anora',
    '9007199254740991 Last',
  ]);
});
