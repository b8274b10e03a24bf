/** The whole public award record, compared with its rows, read here in another way. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { categoryNamed } from '../../api/contract/category-names.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { importRecord } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/report.ts';
import { countRecords } from '../../data/record/records.ts';
import { fillWithSample, isSample } from '../../data/sample/sample.ts';
import { describeWithRealRecord, realRecordPath } from '../records/real-record.ts';
import { column, contentOf, type Row } from '../records/record-text.ts';

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
      ...{ nominations: 16609, ceremonies: 98, categories: 30, movies: 5251, nominees: 7896 },
      ...{ songs: 486, honors: 1341 },
    };
    expect(countRecords(connection)).toEqual(counts);
    for (const [resource, most] of Object.entries(counts))
      expect([
        resource,
        ...[Math.min, Math.max].map((each) => each(...(column(connection, resource, 'id') as number[]))),
      ]).toEqual([resource, 1, most]);
    expect(report.resources.nominations).toEqual({ added: 16609, changed: 0, unchanged: 0 });
    expect(report.leftOut).toEqual([]);
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
    // Rows of other classes without a film or without a recipient come last.
    const honors = [...rows.filter(isHonor), ...rows.filter((row) => !isHonor(row) && !isKept(row))];
    expect(column(connection, 'honors', 'category')).toEqual(honors.map((row) => row.Category));
    const unofficial = rows.filter((row) => /NOT AN OFFICIAL NOMINATION/.test(row.Note));
    expect(unofficial).toHaveLength(90);
    expect(
      count('(SELECT DISTINCT ceremony_id, category_id, entry FROM nominations WHERE NOT official)'),
    ).toBe(unofficial.filter(isKept).length);
    expect(new Set(column(connection, 'nominations', 'historical_category'))).toEqual(
      new Set(rows.filter(isKept).map((row) => row.Category)),
    );
  });

  it('says of every row what it says: film, names, outcome, note and year, as a nomination or an honor', () => {
    /** All records of a ceremony and category, as text; a row takes its own out of it. */
    const found = new Map<string, number>();
    const keyOf = (...parts: unknown[]) => JSON.stringify(parts.map((part) => part ?? ''));
    const nominations = connection.prepare<[], unknown[]>(
      `SELECT ceremony_id, film_years, historical_category, ifnull(m.filmindex_id, title),
         ifnull(p.filmindex_id, name), ifnull(original_title, ''), max(winner), max(note), max(official)
       FROM nominations AS x JOIN ceremonies AS c ON c.id = ceremony_id JOIN movies AS m ON m.id = movie_id
       JOIN nominees AS p ON p.id = nominee_id LEFT JOIN songs AS s ON s.id = song_id GROUP BY x.id`,
    );
    for (const row of nominations.raw().iterate()) {
      const key = keyOf('nomination', ...row);
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    const honors = connection.prepare<[], unknown[]>(
      `SELECT ceremony_id, film_years, class, x.category, recipients, citation, winner, note,
         ifnull(m.filmindex_id, title),
         (SELECT group_concat(ifnull(filmindex_id, name), '|' ORDER BY each.key)
          FROM json_each(nominee_ids) AS each JOIN nominees ON nominees.id = value),
         c.category_name
       FROM honors AS x JOIN ceremonies ON ceremonies.id = ceremony_id LEFT JOIN movies AS m ON m.id = movie_id
       LEFT JOIN categories AS c ON c.id = category_id`,
    );
    for (const row of honors.raw().iterate()) found.set(keyOf('honor', ...row), 1);
    const known = {
      movies: new Set(column(connection, 'movies', 'filmindex_id')),
      nominees: new Set(column(connection, 'nominees', 'filmindex_id')),
    };
    const plain = (text: string) => text.replaceAll(/\\(.)/g, '$1').trim();
    const job = /^Screenplay - /;
    const take = (key: string, row: Row) => {
      expect(found.has(key), `${JSON.stringify(row)}\n${key}`).toBe(true);
      found.delete(key);
    };
    for (const row of rows) {
      const [names, ids] = [row.Nominees.split('|').filter(Boolean), row.NomineeIds.split('|')];
      const people = names.map((name, at) =>
        /^(nm|co)\d+$/.test(ids[at] ?? '') ? ids[at]! : plain(name).replace(job, ''),
      );
      const category = categoryNamed(row.CanonicalCategory);
      const hasOtherDetail = row.Class === 'Acting' || row.CanonicalCategory === 'MUSIC (Original Song)';
      const notes = plain(row.Note)
        .split(/\||NOTE:/)
        .map((part) => part.trim());
      const note = notes.filter(Boolean).join(' ') || (hasOtherDetail ? '' : plain(row.Detail));
      const winner = Number(row.Winner === 'True');
      if (isKept(row)) {
        const films = row.FilmId.split('|').map((id, at) =>
          /^tt\d+$/.test(id) ? id : plain(row.Film.split('|')[at]!),
        );
        const nominees = new Set(people.length > 0 ? people : [plain(row.Name)]);
        const song = row.CanonicalCategory === 'MUSIC (Original Song)' ? plain(row.Detail) : '';
        const official = Number(!/NOT AN OFFICIAL NOMINATION/i.test(row.Note));
        for (const film of films)
          for (const nominee of nominees)
            take(
              keyOf(
                ...['nomination', Number(row.Ceremony), row.Year, row.Category, film, nominee, song, winner],
                note,
                official,
              ),
              row,
            );
        continue;
      }
      const isCompetitive = !isHonor(row);
      const films = row.FilmId.split('|').filter((id) => isCompetitive || known.movies.has(id));
      const film = films.find(Boolean) ?? (isCompetitive ? plain(row.Film) : '');
      const own = people.filter((id) => isCompetitive || known.nominees.has(id));
      const recipients =
        plain(row.Name) || [...new Set(names.map((name) => plain(name).replace(job, '')))].join(', ');
      take(
        keyOf(
          ...['honor', Number(row.Ceremony), row.Year, isCompetitive ? 'Competitive' : row.Class],
          ...[row.Category || row.CanonicalCategory, recipients, plain(row.Citation), winner, note, film],
          ...[[...new Set(own)].join('|'), isCompetitive ? category : ''],
        ),
        row,
      );
    }
    // Nothing else is in the record.
    expect([...found.keys()]).toEqual([]);
  });

  it('has the entries and winners of each ceremony and category as the rows say', () => {
    const expected = new Map<string, [rows: number, won: number]>();
    for (const row of rows.filter((each) => !isHonor(each))) {
      const key = `${row.Ceremony} ${categoryNamed(row.CanonicalCategory)}`;
      const [all, won] = expected.get(key) ?? [0, 0];
      expected.set(key, [all + 1, won + Number(row.Winner === 'True')]);
    }
    const counted = connection.prepare<[], [string, number, number]>(
      `SELECT ceremony_id || ' ' || category_name, count(*), sum(winner) FROM (
         SELECT ceremony_id, category_id, max(winner) AS winner FROM nominations GROUP BY ceremony_id, category_id, entry
         UNION ALL SELECT ceremony_id, category_id, winner FROM honors WHERE class = 'Competitive'
       ) JOIN categories ON categories.id = category_id GROUP BY ceremony_id, category_id`,
    );
    const found = counted
      .raw()
      .all()
      .map(([key, ...counts]) => [key, counts] as const);
    expect(new Map(found)).toEqual(expected);
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
