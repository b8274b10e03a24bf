/** The details of nominations, honors, and the entries that the press counts, by rules 12 to 16 of the record. */
import { describe, expect, it } from 'vitest';
import type { Honor } from '../../api/contract/resources.ts';
import { countRecords } from '../../data/record/records.ts';
import { allDetails, countEntries, honorsOf } from '../support/entries.ts';
import { honor, type Row, song, useDatabase } from './record-text.ts';

const { connection, imported, edit, column, expectNoChange } = useDatabase();
const details = () => allDetails(connection());
const honors = () => honorsOf(connection());

const acting: Row = { CanonicalCategory: 'ACTOR IN A LEADING ROLE', Detail: 'Igor' };

describe('an entry', () => {
  it('is a row, counted within ceremony and category, also where rows are left out', async () => {
    await imported(
      { Nominees: 'A|B', NomineeIds: 'nm1|nm2' },
      { Film: '', FilmId: '' },
      { Film: 'C|D', FilmId: 'tt3|tt4' },
      acting,
      { Ceremony: '98', Year: '2025' },
    );
    expect(column('nominations', "ceremony_id || ' ' || category_id || ' ' || entry")).toEqual([
      ...['97 6 1', '97 6 1', '97 6 3', '97 6 3', '97 2 1', '98 6 1'],
    ]);
  });

  it('is counted over all source categories that are one category', async () => {
    await imported(
      { CanonicalCategory: 'CINEMATOGRAPHY (Color)' },
      { CanonicalCategory: 'CINEMATOGRAPHY (Black-and-White)', Film: 'B', FilmId: 'tt2' },
    );
    expect(column('nominations', 'entry')).toEqual([1, 2]);
  });

  it('follows a newer file, and is unknown where an editor moved the nomination', async () => {
    const second = { Film: 'B', FilmId: 'tt2' };
    await imported({}, second);
    edit('UPDATE nominations SET category_id = 1 WHERE id = 2');
    expect(column('nominations', 'entry')).toEqual([1, null]);
    await imported({ Film: 'C', FilmId: 'tt3' }, {}, second);
    expect(column('nominations', 'entry')).toEqual([2, null, 1]);
    await expectNoChange({ Film: 'C', FilmId: 'tt3' }, {}, second);
  });
});

describe('the details of a nomination', () => {
  it('are the character, in each of several films its own', async () => {
    await imported(acting, { ...acting, Film: 'B|C', FilmId: 'tt2|tt3', Detail: 'One|Two' }, song);
    expect(details().map(({ character }) => character)).toEqual(['Igor', 'One', 'Two', null]);
  });

  it('are a note without its marks, or else the detail of other categories', async () => {
    await imported(
      { Note: 'NOTE: A remark. "Quoted."', Detail: 'Ignored' },
      { Film: 'D', FilmId: 'tt4', Note: 'NOTE: NOTE: A tie.' },
      { Film: 'E', FilmId: 'tt5', Note: 'NOTE:One.|NOTE: Two. |three| NOTE:' },
      { Film: 'B', FilmId: 'tt2', Detail: 'A dance' },
      { ...acting, Note: 'came in 3rd' },
      song,
    );
    expect(details().map(({ note }) => note)).toEqual([
      ...['A remark. "Quoted."', 'A tie.', 'One. Two. three', 'A dance', 'came in 3rd', null],
    ]);
  });

  it('are the spelling of the row where it is not the name of the nominee', async () => {
    const row: Row = { Nominees: 'Ann Doe', NomineeIds: 'nm1' };
    await imported(
      { ...row, Ceremony: '95', Year: '2022' },
      { ...row, Ceremony: '96', Year: '2023' },
      { ...row, Nominees: 'X.Y. Alias' },
    );
    expect(column('nominees', 'name')).toEqual(['Ann Doe']);
    expect(details().map(({ credited_as }) => credited_as)).toEqual([null, null, 'X.Y. Alias']);
  });

  it('are whether it is official, and the category as it was called', async () => {
    const note = 'came in 2nd|NOTE: THIS IS NOT AN OFFICIAL NOMINATION. Write-in candidate.';
    await imported({ Category: 'DIRECTOR' }, { ...acting, Note: note, Category: '' });
    expect(details()).toMatchObject([
      { official: true, historical_category: 'DIRECTOR', note: null },
      {
        ...{ official: false, historical_category: null },
        note: 'came in 2nd THIS IS NOT AN OFFICIAL NOMINATION. Write-in candidate.',
      },
    ]);
  });
});

describe('an honor', () => {
  it('that an earlier source gave without its citation is the same record', async () => {
    await imported({}, { ...honor, Citation: '' });
    await imported({}, honor);
    expect(honors().map(({ id, citation }) => [id, citation])).toEqual([[1, 'To Walt Disney.']]);
  });

  const plain: Honor = {
    ...{ id: 1, ceremony_id: 97, ceremony_year: 2025, class: 'Special', category: 'SPECIAL AWARD' },
    ...{
      movie_id: null,
      movie: null,
      recipients: 'Walt Disney',
      nominee_ids: [],
      citation: 'To Walt Disney.',
    },
  };

  it('is a row of a class of honors, with its historical category', async () => {
    const { resources } = await imported({}, honor, {
      ...honor,
      Class: 'SciTech',
      Category: '',
      Citation: '',
    });
    expect(resources.honors).toEqual({ added: 2, changed: 0, unchanged: 0 });
    expect(honors()).toEqual([
      plain,
      { ...plain, id: 2, class: 'SciTech', category: 'HONORARY AWARD', citation: null },
    ]);
  });

  it('has its name as recipients, or else the nominees', async () => {
    await imported(
      {},
      { ...honor, Name: 'Walt Disney, for Fantasia' },
      { ...honor, Nominees: 'A|B|A', NomineeIds: '?|?|?' },
      { ...honor, Nominees: '', NomineeIds: '' },
    );
    const recipients = ['Walt Disney, for Fantasia', 'A, B', null];
    expect(honors().map((each) => each.recipients)).toEqual(recipients);
  });

  it('has the film and the nominees that are in the record, and adds none', async () => {
    const ids = { FilmId: 'tt28607951', Nominees: 'X|Baker|X', NomineeIds: 'nm5|nm0048918|nm5' };
    await imported({}, { ...honor, ...ids, Film: 'Anora' }, { ...honor, Film: 'Gone', FilmId: 'tt9' });
    expect(honors()).toMatchObject([
      { movie_id: 1, movie: 'Anora', nominee_ids: [1], recipients: 'X, Baker' },
      { movie_id: null, movie: null },
    ]);
    expect(countRecords(connection())).toMatchObject({ movies: 1, nominees: 1, nominations: 1 });
    await expectNoChange({}, { ...honor, ...ids, Film: 'Anora' }, { ...honor, Film: 'Gone', FilmId: 'tt9' });
  });

  it('is identified by ceremony, category, recipients and citation', async () => {
    await imported({}, honor, { ...honor, Citation: 'Another.' }, honor);
    expect(honors().map(({ id }) => id)).toEqual([1, 2]);
    await imported({}, { ...honor, Citation: 'Another.' }, { ...honor, Class: 'SciTech' });
    expect(honors().map(({ id, class: own }) => `${id} ${own}`)).toEqual(['1 SciTech', '2 Special']);
  });
});

describe('counting', () => {
  it('counts an entry once, and nominations without a number by film and song, in acting also by nominee', () => {
    edit(`
      INSERT INTO ceremonies (id, ceremony_year) VALUES (1, 2025);
      INSERT INTO categories (id, category_name, category_group) VALUES (1, 'Actor', 'Acting'), (2, 'Song', 'Music');
      INSERT INTO movies (id, title) VALUES (1, 'Anora'), (2, 'B');
      INSERT INTO nominees (id, name) VALUES (1, 'A'), (2, 'B');
      INSERT INTO songs (id, original_title) VALUES (1, 'S'), (2, 'T');
      INSERT INTO nominations (ceremony_id, category_id, movie_id, nominee_id, song_id, entry, winner) VALUES
        (1, 1, 1, 1, NULL, NULL, 1), (1, 1, 1, 2, NULL, NULL, 0), (1, 1, 2, 2, NULL, 1, 0), (1, 1, 1, 2, NULL, 1, 0),
        (1, 2, 1, 1, 1, NULL, 1), (1, 2, 1, 2, 1, NULL, 1), (1, 2, 1, 2, 2, NULL, 0), (1, 2, 2, 1, NULL, 1, 0);
    `);
    expect([...countEntries(connection(), 'movie_id')]).toEqual([
      [1, { entries: 5, wins: 2, nominations: 6 }],
      [2, { entries: 2, wins: 0, nominations: 2 }],
    ]);
    expect([...countEntries(connection(), 'nominee_id')]).toEqual([
      [1, { entries: 3, wins: 2, nominations: 3 }],
      [2, { entries: 4, wins: 1, nominations: 5 }],
    ]);
    expect([...countEntries(connection(), 'ceremony_id')]).toEqual([
      [1, { entries: 6, wins: 2, nominations: 8 }],
    ]);
  });
});
