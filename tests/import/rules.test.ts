/**
 * The rules of the import: rules.txt has histories of imports and edits, each with records at its end. After
 * a change of a rule, review the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/import/rules.test.ts && git diff tests/import/rules.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../api/contract/names.ts';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import type { ImportOptions } from '../../data/import/import.ts';
import { type ImportReport, renderReport } from '../../data/import/report.ts';
import {
  changeRecord,
  deleteRecord,
  insertRecord,
  readDetails,
  readRecord,
} from '../../data/record/edits.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import { countRecords } from '../../data/record/records.ts';
import type { RecordFields } from '../../data/record/validation.ts';
import { ordinal, readReference } from '../../data/reference/reference.ts';
import { fillWithSample } from '../../data/sample/sample.ts';
import {
  column,
  contentOf,
  filmRow,
  honor,
  importText,
  nomineeRow,
  type Row,
  recordOf,
  song,
} from '../records/record-text.ts';

const golden = new URL('./rules.txt', import.meta.url);
const acting: Row = { CanonicalCategory: 'ACTOR IN A LEADING ROLE', Detail: 'Igor' };
const kinds: Readonly<Record<string, Row>> = { song, acting, honor, '-': {} };

/** A row as rules.txt has it: a kind, and "column: value", with "film" and "nominee" for a name and an id. */
function rowOf(text: string): Row {
  const parts = text.split('; ').map((part): Row => {
    const [, name, value = ''] = /^([^:]+):\s*(.*)$/.exec(part) ?? [];
    const [, title = '', id = ''] = /^(.*) (\S+)$/.exec(value) ?? [];
    if (name === undefined) return kinds[part]!;
    if (name === 'film') return filmRow(title, id);
    if (name === 'nominee') return nomineeRow(title, id);
    if (name === 'category') return { CanonicalCategory: value };
    if (name === 'ceremony') return { Ceremony: value, Year: String(1927 + Number(value)) };
    return { [name]: value };
  });
  return Object.assign({}, ...parts) as Row;
}

/** View → table, and the columns that it shows, parted by "|". Unknown values are left out. */
const views: Readonly<Record<string, [table: string, shown: string]>> = {
  nominations: [
    `(SELECT nominations.id, ceremony_id || ' ' || category_name AS place, title, nominees.id || ' ' || name AS name, original_title, winner
      FROM nominations JOIN categories ON categories.id = category_id JOIN movies ON movies.id = movie_id
      JOIN nominees ON nominees.id = nominee_id LEFT JOIN songs ON songs.id = song_id)`,
    "id, place, title, name, original_title, iif(winner, 'won', NULL)",
  ],
  entries: ['nominations', "id, 'ceremony ' || ceremony_id, 'category ' || category_id, 'entry ' || entry"],
  details: [
    'nominations',
    "id, character, note, iif(official, NULL, 'not official'), historical_category, 'as ' || credited_as",
  ],
  movies: ['movies', 'id, title, filmindex_id, overview, runtime'],
  nominees: ['nominees', 'id, name, filmindex_id, known_for_department, place_of_birth'],
  songs: ['songs', "id, original_title, 'by ' || artist_names"],
  honors: [
    'honors',
    `id, class, iif(winner, 'won', NULL), 'category ' || category_id, category, recipients, 'film ' || movie_id,
      nominee_ids, citation, 'note ' || note`,
  ],
  categories: [
    '(SELECT * FROM categories WHERE era NOT NULL OR id > 30 OR definition IS NULL OR history IS NULL)',
    'id, category_name, era',
  ],
  ceremonies: [
    'ceremonies',
    'id, ceremony_year, date, show_title, venue, movies_eligible, wikiurl, film_years, moment_1_caption',
  ],
  overviews: ['ceremonies', "id, '\n  ' || replace(overview, '. ', '.\n  ')"],
};

/** What a view shows of the record at the end of a history. */
function linesOf(view: string, connection: Connection, report: ImportReport): string[] {
  if (view === 'kept') return [report.kept.join(' ') || 'none'];
  const [table, shown] = views[view]!;
  return column(connection, table, `concat_ws(' | ', ${shown})`).flatMap((text) =>
    String(text).split(/(?: \| )?\n {2}/),
  );
}

/**
 * Plays the imports and edits of a history. The last rows imported again change no record, and nothing that
 * is remembered of the source: that holds after every history.
 */
async function played(steps: readonly string[]): Promise<{ connection: Connection; report: ImportReport }> {
  const connection = openDatabase(':memory:');
  // The records are small, so that a single row is more than 2 %.
  const imported = (step: string) =>
    importText(connection, recordOf(...step.split('\n  ').slice(1).map(rowOf)), { force: true });
  let report: ImportReport;
  for (const step of steps)
    if (step.startsWith('edit ')) connection.exec(step.slice(5));
    else report = await imported(step);
  const state = () => [revision(connection), connection.prepare('SELECT * FROM given').all()];
  const before = state();
  await imported(steps.at(-1)!);
  expect(state()).toEqual(before);
  return { connection, report: report! };
}

const [head, ...histories] = readFileSync(golden, 'utf8').split(/^== /m);
const renewed: string[] = [];
afterAll(() => {
  if (process.env.AWARDS_UPDATE_GOLDEN && renewed.length === histories.length)
    writeFileSync(golden, [head, ...renewed].join('== '));
});

it.each(histories.map((text) => [text.split('\n', 1)[0]!, text]))('%s', async (_promise, text) => {
  const [, body, comment = ''] = /^(.*?\n)(\n(?:#.*\n\n)?)?$/s.exec(text)!;
  const parts = body!
    .trimEnd()
    .split(/\n(?! )/)
    .slice(1);
  const isStep = (part: string) => /^(import|edit) ?/.test(part);
  const { connection, report } = await played(parts.filter(isStep));
  const lines = parts.map((part) => {
    const view = part.split('\n', 1)[0]!;
    return isStep(part) ? part : [view, ...linesOf(view, connection, report)].join('\n  ');
  });
  const found = `${[_promise, ...lines].join('\n')}\n${comment}`;
  renewed.push(found);
  if (!process.env.AWARDS_UPDATE_GOLDEN) expect(found).toBe(text);
});

it('a row that repeats others is left out; the report names ten, and has all as data', async () => {
  const rows: Row[] = [{}, { ...honor }, { ...honor }, { Film: '', FilmId: '' }];
  rows.push(...Array.from({ length: 10 }, () => ({ Film: '', FilmId: '' })), {});
  const connection = openDatabase(':memory:');
  const report = await importText(connection, recordOf(...rows));
  expect(countRecords(connection)).toMatchObject({ nominations: 1, honors: 2, movies: 1 });
  const reason = 'it repeats earlier rows';
  expect(report.leftOut).toHaveLength(12);
  expect(report.leftOut[0]).toEqual({ line: 4, row: '97 HONORARY AWARD: Walt Disney', reason });
  const named = renderReport(report).match(/^left out.*/gm)!;
  expect(named[1]).toBe(`left out: line 6, 97 DIRECTING: Sean Baker (${reason})`);
  expect(named.slice(10)).toEqual(['left out: 2 more', 'left out in all: 12 rows']);
});

it('an import before outcomes, notes and film years were kept gets them with the next one', async () => {
  const connection = openDatabase(':memory:');
  const text = recordOf(
    {},
    { ...honor, Winner: '', Note: 'NOTE: Did not win.' },
    { ...honor, Citation: 'Another.', Note: 'NOTE: Given later.' },
    { Film: '', FilmId: '', Name: 'Ann Doe (Fox)', Nominees: 'Ann Doe', NomineeIds: 'nm1' },
  );
  await importText(connection, text);
  const before = contentOf(connection);
  // As migration 003 leaves the record of an earlier version, and an edit since.
  connection.exec(`
    UPDATE ceremonies SET film_years = NULL;
    DELETE FROM honors WHERE class = 'Competitive';
    DELETE FROM nominees WHERE filmindex_id = 'nm1';
    DELETE FROM deleted;
    UPDATE honors SET winner = 1, note = NULL;
    UPDATE given SET fields = json_remove(fields, '$.film_years', '$.note', '$.category_id');
    UPDATE given SET fields = json_set(fields, '$.winner', 1) WHERE resource = 'honors';
    UPDATE honors SET note = 'Ours' WHERE citation = 'Another.'`);
  const { resources } = await importText(connection, text);
  expect(resources).toMatchObject({ honors: { added: 1, changed: 1 }, ceremonies: { changed: 1 } });
  const ours = before.map((line) => line.replace('Given later.', 'Ours'));
  expect(contentOf(connection)).toEqual(ours);
});

it('a source that first gives what an editor entered changes no record, defaults included', async () => {
  const connection = openDatabase(':memory:');
  const text = recordOf({ Winner: '' }, { ...song, Winner: '' });
  await importText(connection, text);
  // As if an editor had entered all of it.
  connection.exec('DELETE FROM given');
  const before = revision(connection);
  const { resources } = await importText(connection, text);
  expect(Object.values(resources).filter(({ added, changed }) => added + changed > 0)).toEqual([]);
  expect(revision(connection)).toBe(before);
});

it('what goes takes along what only it referred to, is reported by name, and its receipts keep it', async () => {
  const connection = openDatabase(':memory:');
  const [casting, earlier] = [{ CanonicalCategory: 'CASTING' }, { Ceremony: '96', Year: '2023' }];
  const old = { ...song, ...filmRow('B', 'tt2'), ...nomineeRow('Someone', 'nm2'), ...earlier };
  await importText(connection, recordOf({}, old, honor, { ...casting, ...nomineeRow('Cy', 'nm3') }));
  const [nomination, kept] = [2, 1].map((id, at) =>
    readRecord(connection, at === 0 ? 'nominations' : 'honors', id),
  );
  const report = await importText(
    connection,
    recordOf({ ...filmRow('C', 'tt3'), ...nomineeRow('New', 'nm4') }, {}),
    {
      force: true,
    },
  );
  const counts = { nominations: 2, ceremonies: 1, movies: 2, nominees: 2, songs: 0, honors: 0 };
  expect(countRecords(connection)).toMatchObject(counts);
  expect(report.resources.nominations).toEqual({ added: 1, changed: 1, unchanged: 0 });
  const lines = renderReport(report).split('\n');
  expect(lines[0]).toBe('nominations: 1 added, 1 changed, 0 unchanged');
  expect(lines.slice(8)).toEqual([
    'changed: nominations 1 (2025 Directing: Anora / Sean Baker): entry',
    'changed: ceremonies 97 (97th Academy Awards): overview',
    'changed: categories 21 (Casting): era',
    'changed: categories 23 (Music (Original Song)): era',
    'changed in all: 4 records; receipts keep the old values',
    'removed: nominations 2 (2024 Music (Original Song): B / Someone)',
    'removed: nominations 3 (2025 Casting: Anora / Cy)',
    'removed: honors 1 (2025 SPECIAL AWARD: Walt Disney)',
    'removed: movies 2 (B)',
    'removed: nominees 2 (Someone)',
    'removed: nominees 3 (Cy)',
    'removed: songs 1 (Golden)',
    'removed: ceremonies 96 (96th Academy Awards)',
    'removed in all: 8 records that the source no longer has; receipts keep them',
  ]);
  const receipts = listReceipts(connection, { limit: 8 }).reverse();
  expect(receipts.map(({ resource, record_id }) => `${resource} ${record_id}`)).toEqual(
    report.retired.map(({ resource, id }) => `${resource} ${id}`),
  );
  for (const receipt of receipts)
    expect(receipt).toMatchObject({ key: 'import', action: 'delete', after: null });
  expect(receipts[0]!.before).toMatchObject({ ...nomination, details: { entry: 1 } });
  expect(receipts[2]!.before).toEqual(kept);
});

it('each record that an import changes has a receipt with what changes, and is named; a dry run names all of them', async () => {
  const connection = openDatabase(':memory:');
  const films = Array.from({ length: 12 }, (_, at) => ({
    ...filmRow(`Film ${at}`, `tt${at + 1}`),
    Winner: '',
  }));
  await importText(connection, recordOf(...films));
  const details = () => readDetails(connection, 3)!;
  const before = { ...readRecord(connection, 'nominations', 3), details: details() };
  const newer = recordOf(
    ...films.map((row, at) => ({
      ...row,
      Film: `${row.Film}!`,
      ...(at === 2 && { Winner: 'True', Note: 'A tie.' }),
    })),
  );
  const dry = await importText(connection, newer, { dryRun: true });
  expect(listReceipts(connection, { limit: 1 })).toEqual([]);
  expect(renderReport(dry, { dryRun: true })).toContain('\nchanged: movies 12 (Film 11!): title\n');
  const report = await importText(connection, newer);
  expect(report).toEqual(dry);
  expect(renderReport(report)).toMatch(
    /\nchanged: nominations 3 \(2025 Directing: Film 2! \/ Sean Baker\): winner, note\nchanged: movies 1 .*\nchanged: 4 more\nchanged in all: 14 records/s,
  );
  const receipts = listReceipts(connection, { limit: 100 }).reverse();
  expect(receipts.map(({ resource, record_id }) => `${resource} ${record_id}`)).toEqual(
    report.changed.map(({ resource, id }) => `${resource} ${id}`),
  );
  expect(receipts[0]).toMatchObject({
    ...{ key: 'import', action: 'update', resource: 'nominations', record_id: 3 },
    before: { winner: before.winner, details: { note: before.details.note } },
    after: { winner: true, details: { note: 'A tie.' } },
  });
  expect(receipts[1]).toMatchObject({ before: { title: 'Film 0' }, after: { title: 'Film 0!' } });
});

describe('what an editor deleted', () => {
  const film = { ...filmRow('B', 'tt2'), ...nomineeRow('Ann', 'nm2') };
  const text = recordOf({}, film, honor);
  /** Deletes a record as an editor does. @returns the receipt's `before` */
  const remove = (connection: Connection, resource: ResourceName, id: number) =>
    deleteRecord(connection, { resource, id, key: 'ann', at: new Date(0) }).record;
  const imported = async () => {
    const connection = openDatabase(':memory:');
    await importText(connection, text);
    return connection;
  };
  const winnerOf = (connection: Connection, id: number) => readRecord(connection, 'nominations', id)!.winner;

  it('is not added again, nor what needs it, and the report names both', async () => {
    const connection = await imported();
    for (const [resource, id] of [
      ['nominations', 2],
      ['movies', 2],
      ['honors', 1],
    ] as const)
      remove(connection, resource, id);
    const casting = { ...film, ...nomineeRow('Cy', 'nm3'), CanonicalCategory: 'CASTING' };
    const report = await importText(connection, recordOf({}, film, casting, honor));
    expect(renderReport(report).split('\n').slice(-6)).toEqual([
      'not added again: nominations 2 (2025 Directing: B / Ann)',
      'not added again: honors 1 (2025 SPECIAL AWARD: Walt Disney)',
      'not added again: movies 2 (B)',
      'not added again, because an editor deleted them: 3',
      'not added: nominations (2025 Casting: B / Cy)',
      'not added, because they would refer to what an editor deleted: 1',
    ]);
    expect(report.deleted.map(({ resource, id }) => `${resource} ${id}`)).toEqual([
      'nominations 2',
      'honors 1',
      'movies 2',
    ]);
    expect(countRecords(connection)).toMatchObject({ nominations: 1, movies: 1, nominees: 2, honors: 0 });
    const again = await importText(connection, recordOf({}, film, casting, honor));
    expect([again.deleted, again.withheld]).toEqual([report.deleted, report.withheld]);
  });

  it('is as before when the deletion is undone: it follows the source but for what an editor changed', async () => {
    const connection = await imported();
    const edit = { resource: 'movies', id: 2, key: 'ann', at: new Date(0) } as const;
    const titled = (title: string) =>
      changeRecord(connection, {
        ...{ ...edit, before: readRecord(connection, 'movies', 2)! as unknown as RecordFields },
        fields: { title },
      });
    titled('Ours');
    const deleted = (['nominations', 'movies'] as const).map(
      (name) => [name, remove(connection, name, 2)] as const,
    );
    await importText(connection, text);
    for (const [resource, record] of deleted.toReversed()) insertRecord(connection, resource, record);
    const newer = { ...film, Film: 'B!', Winner: '', Note: 'A remark.' };
    const report = await importText(connection, recordOf({}, newer, honor));
    expect([report.deleted, report.resources.nominations]).toEqual([
      [],
      { added: 0, changed: 1, unchanged: 1 },
    ]);
    expect(readRecord(connection, 'nominations', 2)).toMatchObject({ movie: 'Ours', winner: false });
    titled('B');
    await importText(connection, recordOf({}, honor), { force: true });
    expect(countRecords(connection)).toMatchObject({ nominations: 1, movies: 1, nominees: 1 });
  });

  it('is what a nomination that was added meanwhile refers to, once the deletion is undone', async () => {
    const connection = openDatabase(':memory:');
    await importText(connection, recordOf(song));
    const nomination = remove(connection, 'nominations', 1);
    const deleted = remove(connection, 'songs', 1);
    const newer = recordOf({ ...song, ...nomineeRow('Sean Baker|Ann', 'nm0048918|nm2') });
    await importText(connection, newer);
    expect(readRecord(connection, 'nominations', 2)).toMatchObject({ nominee: 'Ann', song_id: null });
    insertRecord(connection, 'songs', deleted);
    insertRecord(connection, 'nominations', nomination);
    await importText(connection, newer);
    expect(column(connection, 'nominations', 'song_id')).toEqual([1, 1]);
  });

  it('stays deleted where another record gets its id, also when that one is deleted and comes back', async () => {
    const connection = await imported();
    const other = { ...remove(connection, 'nominations', 2), category_id: 1 };
    insertRecord(connection, 'nominations', other);
    const without = { ...film, Winner: '' };
    await importText(connection, recordOf({}, without, honor));
    expect(winnerOf(connection, 2)).toBe(true);
    insertRecord(connection, 'nominations', remove(connection, 'nominations', 2));
    const report = await importText(connection, recordOf({}, without, honor));
    expect([winnerOf(connection, 2), report.deleted.length, report.resources.nominations.added]).toEqual([
      true,
      1,
      0,
    ]);
  });

  it('is not what an import replaced: an untouched sample leaves nothing deleted', async () => {
    const connection = openDatabase(':memory:');
    fillWithSample(connection);
    await importText(connection, recordOf({}), { replaceSample: true });
    expect(connection.prepare('SELECT * FROM deleted').all()).toEqual([]);
  });
});

it('a source is not read again while it, the program and the database are unchanged; --force reads it', async () => {
  const connection = openDatabase(':memory:');
  const text = recordOf({}, filmRow('B', 'tt2'));
  const imported = (source = text, options: ImportOptions = {}) =>
    importText(connection, source, { program: 'one', ...options });
  await imported();
  const before = revision(connection);
  const again = await imported();
  expect(renderReport(again)).toMatch(/^unchanged: [^\n]* not read; --force reads it$/);
  expect([again.isUnread, again.resources.movies, revision(connection)]).toEqual([
    ...[true, { added: 0, changed: 0, unchanged: 0 }, before],
  ]);
  for (const options of [{ force: true }, { program: 'two' }, { program: undefined }, { program: 'one' }])
    expect((await imported(text, options)).isUnread, JSON.stringify(options)).toBe(false);
  expect((await imported(text, { dryRun: true })).isUnread).toBe(true);
  expect((await imported(recordOf({}), { dryRun: true })).isUnread).toBe(false);
  // The era of a category follows the nominations of editors.
  connection.exec(`INSERT INTO ceremonies (id, ceremony_year) VALUES (5, 1932);
    INSERT INTO nominations (ceremony_id, category_id, movie_id, nominee_id) VALUES (5, 6, 1, 1)`);
  expect((await imported()).isUnread).toBe(false);
  expect(column(connection, 'categories', 'era')[5]).toBe('1932–2025');
  expect((await imported()).isUnread).toBe(true);
});

it('more than 2 % of a resource goes only with --force; a dry run reports it, and changes nothing', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => filmRow(`Film ${at}`, `tt${at + 1}`));
  const connection = openDatabase(':memory:');
  await importText(connection, recordOf(...rows, honor));
  const imported = (from: number, options: object, ...more: Row[]) =>
    importText(connection, recordOf(...rows.slice(from), ...more), options);
  await imported(2, {}, honor);
  const before = revision(connection);
  const last = listReceipts(connection, { limit: 1 });
  await expect(imported(4, {}, honor)).rejects.toThrow(
    /^the source no longer has 2 of 98 nominations, more than 2 %, so nothing was imported;.*--dry-run.*--force/,
  );
  await expect(imported(2, {})).rejects.toThrow(/no longer has 1 of 1 honors, more than 2 %/);
  const dry = await imported(20, { dryRun: true }, honor);
  expect([revision(connection), listReceipts(connection, { limit: 1 })]).toEqual([before, last]);
  const text = renderReport(dry, { dryRun: true });
  expect(text).toMatch(/so many records would be removed that .*--force\na dry run: nothing was changed$/);
  expect(text.match(/^removed: /gm)).toHaveLength(36);
  expect(await imported(20, { force: true }, honor)).toEqual(dry);
  expect(renderReport(dry)).toContain('\nremoved: 26 more\n');
  expect(countRecords(connection)).toMatchObject({ nominations: 80, movies: 80, honors: 1 });
});

it('the reference has 98 ceremonies, none in 1933 and two in 1930, and 30 categories, known by their names', () => {
  const { ceremonies, categories, categoryOfSource } = readReference();
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  expect([...ceremonies.keys()]).toEqual(upTo(98));
  const years = [...ceremonies.values()].map(({ ceremony_year }) => ceremony_year);
  expect(years.slice(0, 6)).toEqual([1929, 1930, 1930, 1931, 1932, 1934]);
  expect([...categories.keys()]).toEqual(upTo(30));
  for (const { id, category_name } of categories.values()) expect(categoryOfSource(category_name)).toBe(id);
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111].map(ordinal).join(' ')).toBe(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 111th',
  );
});
