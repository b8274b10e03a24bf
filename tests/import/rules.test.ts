/**
 * The rules of the import: rules.txt has histories of imports and edits, each with records at its end. After a change of a rule,
 * review the difference after
 *
 *   AWARDS_UPDATE_GOLDEN=1 npx vitest run tests/import/rules.test.ts && git diff tests/import/rules.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { revision } from '../../data/database/changes.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { type ImportReport, renderReport } from '../../data/import/merge.ts';
import { readRecord } from '../../data/record/edits.ts';
import { listReceipts } from '../../data/record/receipts.ts';
import { countRecords } from '../../data/record/records.ts';
import { ordinal, readReference } from '../../data/reference/reference.ts';
import { column, filmRow, honor, importText, nomineeRow, type Row, recordOf, song } from './record-text.ts';

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
  honors: ['honors', "id, class, category, recipients, 'film ' || movie_id, nominee_ids, citation"],
  categories: [
    '(SELECT * FROM categories WHERE era NOT NULL OR id > 30 OR definition IS NULL OR history IS NULL)',
    'id, category_name, era',
  ],
  ceremonies: [
    'ceremonies',
    'id, ceremony_year, date, show_title, venue, movies_eligible, wikiurl, moment_1_caption',
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
 * Plays the imports and edits of a history. The last rows imported again change no record, and nothing that is remembered of the
 * source: that holds after every history.
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

it('a row without a film, or without nominee and text, is left out; the report names ten, and has all as data', async () => {
  const connection = openDatabase(':memory:');
  const rows: Row[] = [
    {},
    { Film: '', FilmId: '', Detail: 'The Street of Sin' },
    { Film: 'Letter from Livingston', FilmId: '', Name: '' },
    { Nominees: '', NomineeIds: '', Name: '' },
    ...Array.from({ length: 9 }, () => ({ Film: '', FilmId: '' })),
  ];
  const report = await importText(connection, recordOf(...rows));
  expect(countRecords(connection)).toMatchObject({ nominations: 1, movies: 1, categories: 30 });
  expect(report.leftOut).toHaveLength(12);
  const reason = 'it names no film that can be identified';
  const row = '97 DIRECTING: Sean Baker / The Street of Sin';
  expect(report.leftOut[0]).toEqual({ line: 3, row, reason });
  const named = renderReport(report).match(/^left out.*/gm)!;
  expect(named[2]).toBe('left out: line 5, 97 DIRECTING: Anora (it has neither a nominee nor a name)');
  expect(named.slice(10)).toEqual(['left out: 2 more', 'left out in all: 12 rows']);
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
  expect(lines.slice(7)).toEqual([
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
  const receipts = listReceipts(connection, { limit: 10 }).reverse();
  expect(receipts.map(({ resource, record_id }) => `${resource} ${record_id}`)).toEqual(
    report.retired.map(({ resource, id }) => `${resource} ${id}`),
  );
  for (const receipt of receipts)
    expect(receipt).toMatchObject({ key: 'import', action: 'delete', after: null });
  expect(receipts[0]!.before).toMatchObject({ ...nomination, details: { entry: 1 } });
  expect(receipts[2]!.before).toEqual(kept);
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
