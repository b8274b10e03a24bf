/** Importing into a database that holds something already: nothing doubles, and an editor's work stays. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { revision } from '../../data/changes.ts';
import { importText } from '../../data/import/import.ts';
import { renderReport } from '../../data/import/report.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { countRecords } from '../../data/records.ts';
import { UserError } from '../../data/user-error.ts';
import { column, nominations, type Row, recordOf } from './record-text.ts';

const song: Row = { CanonicalCategory: 'MUSIC (Original Song)', Detail: 'Golden', Winner: '' };
const nameless: Row = {
  CanonicalCategory: 'BEST PICTURE',
  FilmId: '?',
  Film: 'Lost',
  Nominees: 'Ortus',
  NomineeIds: '?',
};

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});
const edit = (sql: string) => connection.prepare(sql).run();

/** Imports and answers with how many change-log entries that made. */
function changesBy(text: string): number {
  const before = revision(connection);
  importText(connection, text);
  return revision(connection) - before;
}

describe('the same record again', () => {
  it('changes nothing and leaves no entry in the change log', () => {
    const text = recordOf({}, song, nameless);
    importText(connection, text);
    const before = connection.prepare('SELECT * FROM imported').all();
    expect(changesBy(text)).toBe(0);
    expect(connection.prepare('SELECT * FROM imported').all()).toEqual(before);
  });

  it('keeps every correction of an editor and adds no second record for the corrected one', () => {
    const text = recordOf({}, song, nameless, { Nominees: 'Wrong', NomineeIds: 'nm2' });
    importText(connection, text);
    edit(
      "UPDATE movies SET title = 'Anora!', filmindex_id = 'tt5', overview = 'A plot.' WHERE title = 'Anora'",
    );
    edit("UPDATE movies SET title = 'Found' WHERE title = 'Lost'");
    edit("UPDATE nominees SET name = 'S. Baker', known_for_department = NULL WHERE name = 'Sean Baker'");
    edit("UPDATE nominees SET name = 'Ortus Films' WHERE name = 'Ortus'");
    edit("UPDATE songs SET original_title = 'Golden (Remastered)'");
    edit("UPDATE ceremonies SET venue = NULL, overview = 'What a night.'");
    edit('UPDATE nominations SET winner = 0 WHERE id = 1');
    edit(
      "UPDATE nominations SET nominee_id = (SELECT id FROM nominees WHERE name = 'S. Baker') WHERE id = 4",
    );
    const edited = [nominations(connection), countRecords(connection)];
    expect(changesBy(text)).toBe(0);
    expect([nominations(connection), countRecords(connection)]).toEqual(edited);
    expect(column(connection, 'ceremonies', 'overview')).toEqual(['What a night.']);
  });
});

describe('a newer record', () => {
  it('adds its rows, updates winners, keeps the ids and says what it did', () => {
    importText(connection, recordOf({ Winner: '' }));
    const report = importText(connection, recordOf({ Film: 'New', FilmId: 'tt2', Winner: '' }, {}));
    expect(nominations(connection)).toEqual([
      '97 Directing: Anora / Sean Baker*',
      '97 Directing: New / Sean Baker',
    ]);
    expect(report.resources.nominations).toEqual({ added: 1, changed: 1, unchanged: 0 });
    expect(report.resources.movies).toEqual({ added: 1, changed: 0, unchanged: 1 });
    expect(report.resources.nominees).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect(renderReport(report)).toContain('nominations: 1 added, 1 changed, 0 unchanged');
  });

  it('changes a field that an editor corrected only where it says something new itself', () => {
    importText(connection, recordOf({}));
    edit("UPDATE movies SET title = 'Anora (edited)'");
    edit("UPDATE nominees SET name = 'Baker (edited)'");
    importText(connection, recordOf({ Film: 'Anora (new)' }));
    expect(column(connection, 'movies', 'title')).toEqual(['Anora (new)']);
    expect(column(connection, 'nominees', 'name')).toEqual(['Baker (edited)']);
  });

  it('never puts its own composed words over those of an editor', () => {
    importText(connection, recordOf({}));
    edit("UPDATE ceremonies SET overview = 'What a night.'");
    edit("UPDATE nominees SET known_for_department = 'Writing'");
    importText(connection, recordOf({}, song, { ...song, Detail: 'Silver' }));
    expect(column(connection, 'ceremonies', 'overview')).toEqual(['What a night.']);
    expect(column(connection, 'nominees', 'known_for_department')).toEqual(['Writing']);
  });

  it('keeps a nomination it no longer has, and reports it', () => {
    importText(connection, recordOf({}, song, { Ceremony: '98', Year: '2025' }));
    const report = importText(connection, recordOf({}));
    expect(report.missing).toEqual([2]);
    expect(renderReport(report)).toContain(
      'kept although the source no longer has them: 1 nomination (id 2)',
    );
    expect(countRecords(connection).nominations).toBe(3);
  });

  it('gives its id to a nominee who had none, instead of adding another', () => {
    importText(
      connection,
      recordOf({ NomineeIds: '?' }, { NomineeIds: '?', CanonicalCategory: 'FILM EDITING' }),
    );
    importText(
      connection,
      recordOf({ Ceremony: '1', Year: '1927/28' }, {}, { CanonicalCategory: 'FILM EDITING' }),
    );
    expect(column(connection, 'nominees', 'filmindex_id')).toEqual(['nm0048918']);
    expect(countRecords(connection).nominations).toBe(3);
  });
});

describe('records an editor made before the record knew of them', () => {
  beforeEach(() => {
    importText(connection, recordOf({ Ceremony: '96', Year: '2023', FilmId: 'tt1', NomineeIds: 'nm1' }));
    edit("INSERT INTO ceremonies (id, ceremony_year, venue) VALUES (97, 2025, 'Our own word')");
    edit("INSERT INTO movies (id, title, runtime) VALUES (70, 'Anora', 139)");
    edit("INSERT INTO nominees (id, name) VALUES (80, 'Sean Baker')");
    edit(
      'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (90, 97, 6, 70, 80)',
    );
  });

  it('are adopted: film and nominee of the same nomination by title and name', () => {
    importText(connection, recordOf({}));
    expect(column(connection, 'movies', "id || ' ' || filmindex_id")).toEqual(['1 tt1', '70 tt28607951']);
    expect(column(connection, 'nominees', "id || ' ' || filmindex_id")).toEqual(['1 nm1', '80 nm0048918']);
    expect(nominations(connection)).toHaveLength(2);
    expect(nominations(connection)[1]).toBe('97 Directing: Anora / Sean Baker*');
  });

  it('keep what the editor said and gain what the editor left open', () => {
    importText(connection, recordOf({}));
    expect(connection.prepare('SELECT venue, date FROM ceremonies WHERE id = 97').get()).toEqual({
      venue: 'Our own word',
      date: '2025-03-02',
    });
  });

  it('are not adopted by a namesake of another film or ceremony', () => {
    importText(connection, recordOf({ Ceremony: '98', Year: '2025' }));
    expect(countRecords(connection)).toMatchObject({ movies: 3, nominees: 3, nominations: 3 });
  });

  it('are told apart by their nominee where two films of one title stand at one ceremony', () => {
    importText(connection, recordOf({ FilmId: 'tt7', NomineeIds: 'nm7', Nominees: 'Somebody' }, {}));
    expect(column(connection, 'movies', "id || ' ' || filmindex_id")).toEqual([
      '1 tt1',
      '70 tt28607951',
      '71 tt7',
    ]);
  });

  it('are separated and joined where one name turns out to be two people, or two names one', () => {
    edit(
      'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (91, 97, 1, 70, 80)',
    );
    edit("INSERT INTO nominees (id, name) VALUES (81, 'S. Baker')");
    edit(
      'INSERT INTO nominations (id, ceremony_id, category_id, movie_id, nominee_id) VALUES (92, 97, 14, 70, 81)',
    );
    const text = recordOf(
      {},
      { CanonicalCategory: 'BEST PICTURE', NomineeIds: 'nm5' },
      { CanonicalCategory: 'FILM EDITING', Nominees: 'S. Baker' },
    );
    importText(connection, text);
    expect(column(connection, 'nominations', "id || ' ' || nominee_id")).toEqual([
      '1 1',
      '90 80',
      '91 82',
      '92 80',
    ]);
    expect(changesBy(text)).toBe(0);
  });
});

describe('an import', () => {
  it('finds room below where the last id there is has been taken', () => {
    edit("INSERT INTO movies (id, title) VALUES (9007199254740991, 'Last'), (1, 'First')");
    importText(connection, recordOf({}, { Film: 'B', FilmId: 'tt2' }));
    expect(column(connection, 'movies', "id || ' ' || title")).toEqual([
      '1 First',
      '9007199254740989 B',
      '9007199254740990 Anora',
      '9007199254740991 Last',
    ]);
  });

  it('is refused while another program is writing, and then changes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'awards-import-'));
    const [one, other] = [openDatabase(join(folder, 'a.db')), openDatabase(join(folder, 'a.db'))];
    other.pragma('busy_timeout = 0');
    one.exec('BEGIN IMMEDIATE');
    expect(() => importText(other, recordOf({}))).toThrow(
      new UserError(`the database ${other.name} is in use by another writer; try again`),
    );
    one.exec('ROLLBACK');
    expect(countRecords(other).nominations).toBe(0);
    one.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
});
