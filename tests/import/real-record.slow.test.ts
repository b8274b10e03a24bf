/** The whole public award record, compared with its rows, read here in another way. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { importRecord } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/report.ts';
import { countRecords } from '../../data/record/records.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import { isSample } from '../../data/sample/state.ts';
import { describeWithRealRecord, realRecordPath } from '../support/real-record.ts';
import { column, contentOf, type Row } from './record-text.ts';

describeWithRealRecord('the real record', () => {
  let connection: Connection;
  let report: ImportReport;
  let rows: Required<Row>[];
  const isHonor = ({ Class }: Row) => Class === 'SciTech' || Class === 'Special';
  const isKept = (row: Required<Row>) =>
    !isHonor(row) && row.FilmId !== '' && (row.Nominees !== '' || row.Name !== '');
  const count = (sql: string) => connection.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get();
  beforeAll(async () => {
    // No cell of the record is quoted.
    const [head, ...lines] = readFileSync(realRecordPath, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    rows = lines.map(
      (cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at] ?? ''])) as Required<Row>,
    );
    connection = openDatabase(':memory:');
    report = await importRecord(connection, realRecordPath);
  });

  it('has the expected number of records, with ids from 1 without a gap', () => {
    const counts = {
      ...{ nominations: 16609, ceremonies: 98, categories: 30, movies: 5247, nominees: 7878 },
      ...{ songs: 486, honors: 1303 },
    };
    expect(countRecords(connection)).toEqual(counts);
    for (const [resource, most] of Object.entries(counts))
      expect([
        resource,
        ...[Math.min, Math.max].map((each) => each(...(column(connection, resource, 'id') as number[]))),
      ]).toEqual([resource, 1, most]);
    expect(report.resources.nominations).toEqual({ added: 16609, changed: 0, unchanged: 0 });
    expect(report.leftOut).toHaveLength(38);
  });

  it('has an overview, era, department or song wherever there should be one, and no escape in a name', () => {
    expect(count("ceremonies WHERE overview NOT LIKE '% won Best Picture at the %'")).toBe(0);
    expect(count('categories WHERE era IS NULL')).toBe(0);
    const isPerson = "ifnull(filmindex_id, '') LIKE 'nm%'";
    expect(count(`nominees WHERE (${isPerson}) <> (known_for_department NOTNULL)`)).toBe(0);
    expect(count('nominations WHERE (category_id = 23) <> (song_id NOTNULL)')).toBe(0);
    expect(column(connection, 'nominees', 'name')).toContain('Ahmir "Questlove" Thompson');
    expect(column(connection, 'movies', 'title')).toContain('Maggie Simpson in "The Longest Daycare"');
  });

  it('counts the entries of every film as its rows do, and as the press does', () => {
    const expected = new Map<unknown, [entries: number, wins: number]>();
    for (const row of rows.filter(isKept))
      for (const film of row.FilmId.split('|')) {
        const [entries, wins] = expected.get(film) ?? [0, 0];
        expected.set(film, [entries + 1, wins + Number(row.Winner === 'True')]);
      }
    const entry = "concat_ws(' ', ceremony_id, category_id, entry)";
    const counted = connection.prepare<[], [string, number, number]>(
      `SELECT filmindex_id, count(DISTINCT ${entry}), count(DISTINCT iif(winner, ${entry}, NULL))
       FROM nominations JOIN movies ON movies.id = movie_id GROUP BY movie_id`,
    );
    const found = new Map(
      counted
        .raw()
        .all()
        .map(([film, ...counts]) => [film, counts]),
    );
    expect(found).toEqual(expected);
    expect(count(`(SELECT DISTINCT ${entry} FROM nominations)`)).toBe(rows.filter(isKept).length);
    expect(rows.filter(isKept)).toHaveLength(10_796);
    const press = { tt0042192: [14, 6], tt3783958: [14, 6], tt0120338: [14, 11], tt0045793: [13, 8] };
    for (const [film, known] of Object.entries(press)) expect(found.get(film), film).toEqual(known);
  });

  it('has the honors, the unofficial nominations and the historical names of categories of the file', () => {
    expect(column(connection, 'honors', 'category')).toEqual(rows.filter(isHonor).map((row) => row.Category));
    const unofficial = rows.filter((row) => /NOT AN OFFICIAL NOMINATION/.test(row.Note));
    expect(unofficial).toHaveLength(90);
    expect(
      count('(SELECT DISTINCT ceremony_id, category_id, entry FROM nominations WHERE NOT official)'),
    ).toBe(unofficial.filter(isKept).length);
    expect(new Set(column(connection, 'nominations', 'historical_category'))).toEqual(
      new Set(rows.filter(isKept).map((row) => row.Category)),
    );
  });

  it('imported again changes nothing', async () => {
    const before = revision(connection);
    const again = await importRecord(connection, realRecordPath, { force: true });
    expect(revision(connection)).toBe(before);
    expect(again.resources.nominations).toEqual({ added: 0, changed: 0, unchanged: 16609 });
    expect(again).toMatchObject({ retired: [], kept: [] });
  });

  it('holds the sample: the last three ceremonies, and the winners of six categories of all others', () => {
    const sample = openDatabase(':memory:');
    fillWithSample(sample);
    /** Facts of the nominations as text. Entries are numbered within what a source has, and notes are in own words. */
    const nominations = (database: Connection, condition: string) =>
      database
        .prepare(
          `SELECT concat_ws(' | ', x.ceremony_id, category_name, m.filmindex_id, ifnull(p.filmindex_id, p.name), winner,
             original_title, artist_names, character, official, historical_category)
           FROM nominations AS x JOIN categories AS c ON c.id = category_id JOIN movies AS m ON m.id = movie_id
           JOIN nominees AS p ON p.id = nominee_id LEFT JOIN songs AS s ON s.id = song_id
           WHERE ${condition} ORDER BY 1`,
        )
        .pluck()
        .all();
    const part = 'ceremony_id > 95 OR (winner AND category_id <= 6)';
    expect(nominations(sample, 'true')).toEqual(nominations(connection, part));
    const honors = '(SELECT * FROM honors WHERE ceremony_id > 95 ORDER BY category, recipients, citation)';
    const recipients = (database: Connection) =>
      column(database, honors, 'class || category || recipients').sort();
    expect(recipients(sample)).toEqual(recipients(connection));
  });

  it('ends in the same records when it is imported into the sample, whose ids and facts stay', async () => {
    const sample = openDatabase(':memory:');
    fillWithSample(sample);
    const before = resourceNames.map((table) => column(sample, table, 'id'));
    await importRecord(sample, realRecordPath);
    expect(isSample(sample)).toBe(false);
    expect(contentOf(sample)).toEqual(contentOf(connection));
    for (const [at, table] of resourceNames.entries()) {
      const after = new Set(column(sample, table, 'id'));
      expect(before[at]!.filter((id) => !after.has(id))).toEqual([]);
    }
  });
});
