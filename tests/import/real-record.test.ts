/** The import of the whole public award record. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { revision } from '../../data/database/changes.ts';
import { importRecord } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/merge.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { allDetails, countEntries, honorsOf } from '../support/entries.ts';
import { column, nominations, type Row } from './record-text.ts';

describeWithRealRecord('the real record', () => {
  let connection: Connection;
  let report: ImportReport;
  /** The raw rows, by column. No cell of the record is quoted. */
  const rows = () => {
    const [head, ...lines] = readFileSync(realRecordPath, 'utf8').trimEnd().split('\n');
    const columns = head!.split('\t');
    return lines.map((line) => {
      const cells = line.split('\t');
      return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) as Required<Row>;
    });
  };
  const isHonor = ({ Class }: Row) => Class === 'SciTech' || Class === 'Special';
  const isKept = (row: Required<Row>) =>
    !isHonor(row) && row.FilmId !== '' && (row.Nominees !== '' || row.Name !== '');
  beforeAll(async () => {
    connection = openDatabase(':memory:');
    report = await importRecord(connection, realRecordPath);
  });

  it('gives the expected number of records', () => {
    expect(countRecords(connection)).toEqual({
      nominations: 16609,
      ceremonies: 98,
      categories: 30,
      movies: 5247,
      nominees: 7878,
      songs: 486,
      honors: 1303,
    });
    expect(report.resources.nominations).toEqual({ added: 16609, changed: 0, unchanged: 0 });
  });

  it('leaves out the expected number of rows', () => {
    const reasons = report.leftOut.map(({ reason }) => reason);
    expect(reasons).toHaveLength(38);
    expect(reasons.filter((reason) => reason.includes('no film'))).toHaveLength(31);
    expect(rows()).toHaveLength(12_137);
  });

  it('gives every resource ids from 1 without a gap', () => {
    for (const [resource, count] of Object.entries(countRecords(connection)))
      expect(
        connection.prepare(`SELECT min(id) AS least, max(id) AS most FROM ${resource}`).get(),
        resource,
      ).toEqual({ least: 1, most: count });
  });

  it('derives the overviews, departments, songs and eras', () => {
    const count = (sql: string) =>
      connection.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get();
    expect(count("ceremonies WHERE overview NOT LIKE '% won Best Picture at the %'")).toBe(0);
    expect(count("nominees WHERE filmindex_id LIKE 'nm%' AND known_for_department IS NULL")).toBe(0);
    expect(
      count("nominees WHERE ifnull(filmindex_id, '') NOT LIKE 'nm%' AND known_for_department NOTNULL"),
    ).toBe(0);
    expect(count('nominations WHERE (category_id = 23) <> (song_id NOTNULL)')).toBe(0);
    expect(count('categories WHERE era IS NULL')).toBe(0);
    expect(nominations(connection)).toContain(
      '98 Music (Original Song): KPop Demon Hunters / EJAE (Golden)*',
    );
  });

  it('has no escape in any text', () => {
    const texts: [table: string, columns: string[]][] = [
      ['movies', ['title']],
      ['nominees', ['name']],
      ['songs', ['original_title', 'artist_names']],
      ['nominations', ['character', 'note', 'historical_category']],
      ['honors', ['category', 'recipients', 'citation']],
    ];
    for (const [table, columns] of texts)
      for (const name of columns)
        expect(column(connection, table, name).join('\n'), name).not.toContain('\\');
    expect(column(connection, 'nominees', 'name')).toContain('Ahmir "Questlove" Thompson');
    expect(column(connection, 'movies', 'title')).toContain('Maggie Simpson in "The Longest Daycare"');
  });

  it('gives the entries of every film as the rows of the file count them', () => {
    const expected = new Map<string, { entries: number; wins: number }>();
    for (const row of rows().filter(isKept))
      for (const film of row.FilmId.split('|')) {
        const own = expected.get(film) ?? { entries: 0, wins: 0 };
        own.entries += 1;
        if (row.Winner === 'True') own.wins += 1;
        expected.set(film, own);
      }
    const ids = new Map(
      connection
        .prepare<[], { id: number; filmindex_id: string }>('SELECT id, filmindex_id FROM movies')
        .all()
        .map(({ id, filmindex_id }) => [id, filmindex_id]),
    );
    const counts = countEntries(connection, 'movie_id');
    const found = [...counts].map(([id, { entries, wins }]) => [ids.get(id), { entries, wins }] as const);
    expect(new Map(found)).toEqual(expected);
    expect(expected.size).toBe(5247);
    const entries = [...countEntries(connection, 'ceremony_id').values()];
    expect(entries.reduce((sum, count) => sum + count.entries, 0)).toBe(rows().filter(isKept).length);
    expect(rows().filter(isKept)).toHaveLength(10_796);
  });

  it('gives the numbers that the press knows', () => {
    const counts = countEntries(connection, 'movie_id');
    const film = (title: string, year: number) => {
      const id = connection
        .prepare<[string, number], number>(
          `SELECT DISTINCT movie_id FROM nominations JOIN movies ON movies.id = movie_id
           JOIN ceremonies ON ceremonies.id = ceremony_id WHERE title = ? AND ceremony_year = ?`,
        )
        .pluck()
        .get(title, year)!;
      return [counts.get(id)!.entries, counts.get(id)!.wins];
    };
    expect(film('All about Eve', 1951)).toEqual([14, 6]);
    expect(film('La La Land', 2017)).toEqual([14, 6]);
    expect(film('Titanic', 1998)).toEqual([14, 11]);
    expect(film('From Here to Eternity', 1954)).toEqual([13, 8]);
    expect(film('The Turning Point', 1978)).toEqual([11, 0]);
    expect(film('The Color Purple', 1986)).toEqual([11, 0]);
  });

  it('has the details and honors of the file', () => {
    const all = allDetails(connection);
    const unofficial = rows().filter((row) => /NOT AN OFFICIAL NOMINATION/.test(row.Note));
    expect(unofficial).toHaveLength(90);
    const entries = connection
      .prepare('SELECT DISTINCT ceremony_id, category_id, entry FROM nominations WHERE NOT official')
      .all();
    expect(entries).toHaveLength(unofficial.filter(isKept).length);
    expect(all.every(({ historical_category }) => historical_category !== null)).toBe(true);
    expect(new Set(all.map(({ historical_category }) => historical_category)).size).toBe(
      new Set(
        rows()
          .filter(isKept)
          .map((row) => row.Category),
      ).size,
    );
    const known = honorsOf(connection);
    expect(known).toHaveLength(rows().filter(isHonor).length);
    expect(known).toHaveLength(1303);
    expect(known.map(({ category }) => category)).toEqual(
      rows()
        .filter(isHonor)
        .map((row) => row.Category),
    );
  });

  it('imported again changes nothing', async () => {
    const before = revision(connection);
    const again = await importRecord(connection, realRecordPath);
    expect(revision(connection)).toBe(before);
    expect(again.resources.nominations).toEqual({ added: 0, changed: 0, unchanged: 16609 });
    expect(again).toMatchObject({ retired: [], kept: [] });
  });
});
