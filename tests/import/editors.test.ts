/** Changes of editors survive later imports, and no record doubles. */
import { beforeEach, describe, expect, it } from 'vitest';
import { revision } from '../../data/database/changes.ts';
import { type Row, song, useDatabase } from './record-text.ts';

const { connection, imported, edit, nominations, column, counts, expectNoChange } = useDatabase();

const nameless: Row = { Nominees: 'Ortus', NomineeIds: '?' };
const lost: Row = { Film: 'Lost', FilmId: '?' };
const songless: Row = { ...song, Detail: '' };

describe('an id that an editor added and the source does not have', () => {
  it('stays on a nominee, which the source still identifies by name', async () => {
    await imported(nameless);
    edit("UPDATE nominees SET filmindex_id = 'nm777'");
    await expectNoChange(nameless);
    expect(column('nominees', 'filmindex_id')).toEqual(['nm777']);
  });

  it('stays on a film, which the source still identifies by title', async () => {
    await imported(lost);
    edit("UPDATE movies SET filmindex_id = 'tt777', title = 'Found'");
    await expectNoChange(lost);
    expect(column('movies', "filmindex_id || ' ' || title")).toEqual(['tt777 Found']);
  });

  it('stays if an editor created the record before the source named it', async () => {
    edit("INSERT INTO nominees (name) VALUES ('Ortus')");
    await imported(nameless);
    edit("UPDATE nominees SET filmindex_id = 'nm777'");
    await expectNoChange(nameless);
  });

  it('stays if a later source gives another id for the same record', async () => {
    await imported({ ...nameless, ...lost });
    edit("UPDATE nominees SET filmindex_id = 'nm777'; UPDATE movies SET filmindex_id = 'tt777'");
    await imported({ Nominees: 'Ortus', NomineeIds: 'nm1', Film: 'Lost', FilmId: 'tt1' });
    await expectNoChange({ Nominees: 'Ortus', NomineeIds: 'nm1', Film: 'Lost', FilmId: 'tt1' });
    expect(column('nominees', 'filmindex_id')).toEqual(['nm777']);
    expect(column('movies', 'filmindex_id')).toEqual(['tt777']);
    expect(nominations()).toHaveLength(1);
  });

  it('identifies the record in a later source with another name', async () => {
    await imported({ ...nameless, ...lost });
    edit("UPDATE nominees SET filmindex_id = 'nm777'; UPDATE movies SET filmindex_id = 'tt777'");
    await imported({ Nominees: 'O. Ortus', NomineeIds: 'nm777', Film: 'Lost!', FilmId: 'tt777' });
    expect(nominations()).toEqual(['97 Directing: Lost! / O. Ortus*']);
  });

  it('does not merge two nominees that the source distinguishes', async () => {
    await imported(nameless);
    edit("UPDATE nominees SET filmindex_id = 'nm777'");
    const rows = [nameless, { Nominees: 'Ortus', NomineeIds: 'nm777', CanonicalCategory: 'CASTING' }];
    await imported(...rows);
    expect(column('nominees', 'id')).toEqual([1, 2]);
    await expectNoChange(...rows);
  });
});

describe('the song of a nomination without one in the source', () => {
  beforeEach(async () => {
    await imported(songless);
    edit(
      "INSERT INTO songs (id, original_title) VALUES (5, 'Golden'); UPDATE nominations SET song_id = 5, winner = 0",
    );
  });

  it('stays if an editor added it', async () => {
    await expectNoChange(songless);
    expect(nominations()).toEqual(['97 Music (Original Song): Anora / Sean Baker (Golden)']);
  });

  it('matches the song that a later source names', async () => {
    await imported(song);
    await expectNoChange(song);
    expect(column('songs', "id || ' ' || artist_names")).toEqual(['5 Sean Baker']);
    expect(nominations()).toEqual(['97 Music (Original Song): Anora / Sean Baker (Golden)']);
  });
});

describe('a correction that a later source also has', () => {
  it('changes nothing: the record is found by its current values', async () => {
    await imported({ Nominees: 'Wrong', NomineeIds: 'nm1', FilmId: 'tt1' }, { CanonicalCategory: 'CASTING' });
    edit('UPDATE nominations SET nominee_id = 2 WHERE id = 1');
    edit("UPDATE movies SET filmindex_id = 'tt2' WHERE id = 1");
    const rows = [{ FilmId: 'tt2' }, { CanonicalCategory: 'CASTING' }];
    await imported(...rows);
    // Nothing refers to the wrong nominee any more.
    expect(counts()).toMatchObject({ movies: 2, nominees: 1, nominations: 2 });
    await expectNoChange(...rows);
  });
});

describe('a record that an editor deleted', () => {
  it('is added under a new id if the source still names it, and passes its identity on to no other record', async () => {
    await imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    edit('DELETE FROM nominations WHERE id = 2; DELETE FROM nominees WHERE id = 2');
    edit("INSERT INTO nominees (name) VALUES ('Somebody else')");
    await imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    expect(column('nominees', "id || ' ' || name || ' ' || ifnull(filmindex_id, '-')")).toEqual([
      '1 Sean Baker nm0048918',
      '3 Somebody else -',
      '4 B nm2',
    ]);
    expect(column('nominations', 'id')).toEqual([1, 3]);
    // Also if an editor gives the id again.
    edit('DELETE FROM nominations WHERE nominee_id = 4; DELETE FROM nominees WHERE id = 4');
    edit("INSERT INTO nominees (id, name) VALUES (4, 'Yet another')");
    await imported({}, { CanonicalCategory: 'CASTING', Nominees: 'B', NomineeIds: 'nm2' });
    expect(column('nominees', "id || ' ' || name").slice(2)).toEqual(['4 Yet another', '5 B']);
  });

  it('as a duplicate keeps its nominations at the other record', async () => {
    const rows = [nameless, { Nominees: 'Ortus Films', NomineeIds: 'co5', CanonicalCategory: 'CASTING' }];
    await imported(...rows);
    edit('UPDATE nominations SET nominee_id = 1; DELETE FROM nominees WHERE id = 2');
    const joined = nominations();
    await imported(...rows);
    expect(nominations()).toEqual(joined);
    expect(column('nominees', 'id')).toEqual([1, 3]);
    await expectNoChange(...rows);
  });

  it('leaves its nomination without a song, if it is a song', async () => {
    await imported(song);
    edit('UPDATE nominations SET song_id = NULL; DELETE FROM songs');
    await imported(song);
    expect(nominations()).toEqual(['97 Music (Original Song): Anora / Sean Baker*']);
    await expectNoChange(song);
  });

  it('is added under its old id, if it is a category or ceremony', async () => {
    await imported({});
    edit('DELETE FROM nominations; DELETE FROM ceremonies; DELETE FROM categories WHERE id = 6');
    await imported({});
    expect(nominations()).toEqual(['97 Directing: Anora / Sean Baker*']);
    expect(column('nominations', "ceremony_id || ' ' || category_id")).toEqual(['97 6']);
  });
});

it('a record with an id changed by an editor still matches the source', async () => {
  const row = { ...nameless, ...song };
  await imported(row, lost);
  connection().pragma('foreign_keys = OFF');
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
  connection().pragma('foreign_keys = ON');
  await expectNoChange(row, lost);
  await imported(row, lost, { Film: 'New', FilmId: 'tt2' });
  expect(column('movies', 'id')).toEqual([2, 501, 502]);
});

it('a broken reference is refused, and nothing is imported', async () => {
  await imported({});
  const before = revision(connection());
  connection().pragma('foreign_keys = OFF');
  edit('DELETE FROM movies');
  await expect(imported({}, lost)).rejects.toThrow(
    'the database is inconsistent: nominations 1 refers to a record of movies that is not there',
  );
  expect(revision(connection())).toBe(before + 1);
});
