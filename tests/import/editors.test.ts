/** What an editor made of imported records, and what a later import makes of that: nothing doubles, no edit is undone. */
import { beforeEach, describe, expect, it } from 'vitest';
import { revision } from '../../data/changes.ts';
import { importText } from '../../data/import/import.ts';
import { type Connection, openDatabase } from '../../data/open.ts';
import { countRecords } from '../../data/records.ts';
import { column, nominations, type Row, recordOf } from './record-text.ts';

let connection: Connection;
beforeEach(() => {
  connection = openDatabase(':memory:');
});
const edit = (sql: string) => connection.exec(sql);
const imported = (...rows: Row[]) => importText(connection, recordOf(...rows));

/** Fails if importing these rows, and then again, changes any record. */
function expectNoChange(...rows: Row[]): void {
  const before = revision(connection);
  imported(...rows);
  const remembered = connection.prepare('SELECT * FROM imported').all();
  imported(...rows);
  expect(revision(connection)).toBe(before);
  expect(connection.prepare('SELECT * FROM imported').all()).toEqual(remembered);
}

const nameless: Row = { Nominees: 'Ortus', NomineeIds: '?' };
const lost: Row = { Film: 'Lost', FilmId: '?' };
const song: Row = { CanonicalCategory: 'MUSIC (Original Song)', Detail: 'Golden' };
const songless: Row = { ...song, Detail: '' };

describe('an id that the source does not know and an editor filled in', () => {
  it('of a nominee stays, and the nominee is still known by the name', () => {
    imported(nameless);
    edit("UPDATE nominees SET filmindex_id = 'nm777'");
    expectNoChange(nameless);
    expect(column(connection, 'nominees', 'filmindex_id')).toEqual(['nm777']);
  });

  it('of a film stays, and the film is still known by the title', () => {
    imported(lost);
    edit("UPDATE movies SET filmindex_id = 'tt777', title = 'Found'");
    expectNoChange(lost);
    expect(column(connection, 'movies', "filmindex_id || ' ' || title")).toEqual(['tt777 Found']);
  });

  it('stays too where an editor had made the record before the source named it', () => {
    edit("INSERT INTO nominees (name) VALUES ('Ortus')");
    imported(nameless);
    edit("UPDATE nominees SET filmindex_id = 'nm777'");
    expectNoChange(nameless);
  });

  it('is not overwritten by the id of a later source, which means the same record all the same', () => {
    imported({ ...nameless, ...lost });
    edit("UPDATE nominees SET filmindex_id = 'nm777'; UPDATE movies SET filmindex_id = 'tt777'");
    imported({ Nominees: 'Ortus', NomineeIds: 'nm1', Film: 'Lost', FilmId: 'tt1' });
    expectNoChange({ Nominees: 'Ortus', NomineeIds: 'nm1', Film: 'Lost', FilmId: 'tt1' });
    expect(column(connection, 'nominees', 'filmindex_id')).toEqual(['nm777']);
    expect(column(connection, 'movies', 'filmindex_id')).toEqual(['tt777']);
    expect(nominations(connection)).toHaveLength(1);
  });

  it('is where a later source finds the record, whatever it calls it', () => {
    imported({ ...nameless, ...lost });
    edit("UPDATE nominees SET filmindex_id = 'nm777'; UPDATE movies SET filmindex_id = 'tt777'");
    imported({ Nominees: 'O. Ortus', NomineeIds: 'nm777', Film: 'Lost!', FilmId: 'tt777' });
    expect(nominations(connection)).toEqual(['97 Directing: Lost! / O. Ortus*']);
  });

  it('makes no one of two whom the source tells apart', () => {
    imported(nameless);
    edit("UPDATE nominees SET filmindex_id = 'nm777'");
    const rows = [nameless, { Nominees: 'Ortus', NomineeIds: 'nm777', CanonicalCategory: 'CASTING' }];
    imported(...rows);
    expect(column(connection, 'nominees', 'id')).toEqual([1, 2]);
    expectNoChange(...rows);
  });
});

describe('the song of a nomination that has none in the source', () => {
  beforeEach(() => {
    imported(songless);
    edit(
      "INSERT INTO songs (id, original_title) VALUES (5, 'Golden'); UPDATE nominations SET song_id = 5, winner = 0",
    );
  });

  it('stays where an editor put it', () => {
    expectNoChange(songless);
    expect(nominations(connection)).toEqual(['97 Music (Original Song): Anora / Sean Baker (Golden)']);
  });

  it('is the one that a later source names', () => {
    imported(song);
    expectNoChange(song);
    expect(column(connection, 'songs', "id || ' ' || artist_names")).toEqual(['5 Sean Baker']);
    expect(nominations(connection)).toEqual(['97 Music (Original Song): Anora / Sean Baker (Golden)']);
  });
});

describe('a correction that a later source makes as well', () => {
  it('is no news: the record is found by what the editor made of it', () => {
    imported({ Nominees: 'Wrong', NomineeIds: 'nm1', FilmId: 'tt1' }, { CanonicalCategory: 'CASTING' });
    edit('UPDATE nominations SET nominee_id = 2 WHERE id = 1');
    edit("UPDATE movies SET filmindex_id = 'tt2' WHERE id = 1");
    const rows = [{ FilmId: 'tt2' }, { CanonicalCategory: 'CASTING' }];
    imported(...rows);
    expect(countRecords(connection)).toMatchObject({ movies: 2, nominees: 2, nominations: 2 });
    expectNoChange(...rows);
  });
});

describe('a record that an editor deleted', () => {
  it('comes back under a new id if the source still names it', () => {
    imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    edit('DELETE FROM nominations WHERE id = 2; DELETE FROM nominees WHERE id = 2');
    imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    expect(column(connection, 'nominees', "id || ' ' || name")).toEqual(['1 Sean Baker', '3 B']);
    expect(column(connection, 'nominations', 'id')).toEqual([1, 3]);
  });

  it('leaves its identity to no other record', () => {
    imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    edit('DELETE FROM nominations WHERE id = 2; DELETE FROM nominees WHERE id = 2');
    edit("INSERT INTO nominees (name) VALUES ('Somebody else')");
    imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    expect(column(connection, 'nominees', "id || ' ' || name || ' ' || ifnull(filmindex_id, '-')")).toEqual([
      '1 Sean Baker nm0048918',
      '3 Somebody else -',
      '4 B nm2',
    ]);
    // Even under an id that an editor gives anew.
    edit('DELETE FROM nominations WHERE nominee_id = 4; DELETE FROM nominees WHERE id = 4');
    edit("INSERT INTO nominees (id, name) VALUES (4, 'Yet another')");
    imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    expect(column(connection, 'nominees', "id || ' ' || name").slice(2)).toEqual(['4 Yet another', '5 B']);
  });

  it('because it was another one twice does not double the nominations that were moved to that one', () => {
    const rows = [nameless, { Nominees: 'Ortus Films', NomineeIds: 'co5', CanonicalCategory: 'CASTING' }];
    imported(...rows);
    edit('UPDATE nominations SET nominee_id = 1; DELETE FROM nominees WHERE id = 2');
    const joined = nominations(connection);
    imported(...rows);
    expect(nominations(connection)).toEqual(joined);
    expect(column(connection, 'nominees', 'id')).toEqual([1, 3]);
    expectNoChange(...rows);
  });

  it('if it is a song leaves its nomination without one', () => {
    imported(song);
    edit('UPDATE nominations SET song_id = NULL; DELETE FROM songs');
    imported(song);
    expect(nominations(connection)).toEqual(['97 Music (Original Song): Anora / Sean Baker*']);
    expectNoChange(song);
  });

  it('if it is a category or ceremony comes back under its own id', () => {
    imported({});
    edit('DELETE FROM nominations; DELETE FROM ceremonies; DELETE FROM categories WHERE id = 6');
    imported({});
    expect(nominations(connection)).toEqual(['97 Directing: Anora / Sean Baker*']);
    expect(column(connection, 'nominations', "ceremony_id || ' ' || category_id")).toEqual(['97 6']);
  });
});

it('a record to which an editor gave another id is still the same to the source', () => {
  const row = { ...nameless, ...song };
  imported(row, lost);
  connection.pragma('foreign_keys = OFF');
  for (const [table, field] of [
    ['movies', 'movie_id'],
    ['nominees', 'nominee_id'],
    ['songs', 'song_id'],
  ])
    edit(
      `UPDATE ${table} SET id = id + 500 WHERE id = 1; UPDATE nominations SET ${field} = 501 WHERE ${field} = 1`,
    );
  edit("UPDATE nominees SET filmindex_id = 'nm777'; UPDATE songs SET original_title = 'Golden (Remastered)'");
  edit('UPDATE nominations SET id = 900, winner = 0 WHERE id = 1');
  connection.pragma('foreign_keys = ON');
  expectNoChange(row, lost);
  imported(row, lost, { Film: 'New', FilmId: 'tt2' });
  expect(column(connection, 'movies', 'id')).toEqual([2, 501, 502]);
});

it('a reference to a record that is not there is refused, and nothing is imported', () => {
  imported({});
  const before = revision(connection);
  connection.pragma('foreign_keys = OFF');
  edit('DELETE FROM movies');
  expect(() => imported({}, lost)).toThrow(
    'the database is inconsistent: nominations 1 refers to a record of movies that is not there',
  );
  expect(revision(connection)).toBe(before + 1);
});
