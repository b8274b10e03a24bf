/** Random edits of a record with SQL: everything that a database tool can do. */
import fc from 'fast-check';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { writeGiven } from '../../data/record/given.ts';
import { storedRecord } from '../../data/record/records.ts';
import type { Connection } from '../../data/database/open.ts';
import { insertRow, type Row, rowsOf, type TableName, tableNames } from './databases.ts';

/** Ids at the limits of blocks, and far away. */
const anyId: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 120 }),
  fc.constantFrom(
    24,
    25,
    26,
    49,
    50,
    51,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    2047,
    2048,
    4095,
    4096,
    4097,
    8191,
    8192,
  ),
  fc.constantFrom(65_535, 65_536, 131_072, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: 1, max: 10_000 }),
);

/** A text, or the text of an existing record with something added. */
type TextChoice = string | { of: number; more: string };
const words = "the The love amélie Ame\u0301lie O'Brien obrien 1917 7 ΩΣ actor ZZ a".split(' ');
const odd = [
  '…!?',
  '\u0301',
  '🎬',
  'constructor',
  '__proto__',
  'x'.repeat(300),
  ' ',
  'İI',
  'ﬁlm',
  '강남',
  '\u2028',
  '"\\',
];
const anyText: fc.Arbitrary<TextChoice> = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((each) => each.join(' ')),
  fc.constantFrom(...odd),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\0', '0')),
  fc.record({ of: fc.nat(999), more: fc.constantFrom('', '', ' the', ' zz', '…') }),
);

const kinds = [
  'insert',
  'delete',
  'delete with nominations',
  'renumber',
  'set',
  'set and back',
  'exchange',
  'repoint',
  'replace',
  'delete and back',
  'restrict',
] as const;

/** One edit. Numbers select rows modulo their count, so that an edit fits every record. */
interface Edit {
  kind: (typeof kinds)[number];
  table: TableName;
  row: number;
  other: number;
  field: number;
  id: number;
  text: TextChoice;
  count: number;
  stride: number;
}

export const anyEdits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    table: fc.constantFrom(...tableNames),
    row: fc.nat(999),
    other: fc.nat(999),
    field: fc.nat(999),
    id: anyId,
    text: anyText,
    count: fc.constantFrom(1, 1, 2, 40),
    stride: fc.constantFrom(1, 2, 64, 256, 2048, 4096, 8192),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Makes an edit. An edit that a constraint forbids changes nothing. */
export function makeEdit(connection: Connection, edit: Edit): void {
  const row =
    edit.kind === 'repoint'
      ? pick(rowsOf(connection, 'nominations'), edit.row)
      : pick(rowsOf(connection, edit.table), edit.row);
  try {
    connection
      .transaction(() => {
        // SQLite checks references at the end of the transaction.
        connection.pragma('defer_foreign_keys = ON');
        if (edit.kind === 'insert') insertMany(connection, edit);
        else if (row) makers[edit.kind](connection, edit, row);
      })
      .immediate();
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_CONSTRAINT')) throw error;
  }
}

function insertMany(connection: Connection, edit: Edit): void {
  const taken = new Set(rowsOf(connection, edit.table).map((row) => row.id));
  for (let i = 0; i < edit.count; i += 1) {
    const id = edit.id + i * edit.stride;
    if (taken.has(id) || id > Number.MAX_SAFE_INTEGER) continue;
    insertRow(connection, edit.table, newRow(connection, { ...edit, row: edit.row + i }, id));
  }
}

const makers: Record<
  Exclude<Edit['kind'], 'insert'>,
  (connection: Connection, edit: Edit, row: Row) => void
> = {
  delete: (connection, { table }, { id }) => remove(connection, table, id),
  'delete with nominations'(connection, { table }, { id }) {
    const field = referenceTo(table);
    if (field) connection.prepare(`DELETE FROM nominations WHERE ${field} = ?`).run(id);
    remove(connection, table, id);
  },
  renumber(connection, { table, id: newId }, { id }) {
    connection.prepare(`UPDATE ${table} SET id = ? WHERE id = ?`).run(newId, id);
    const field = referenceTo(table);
    if (field) connection.prepare(`UPDATE nominations SET ${field} = ? WHERE ${field} = ?`).run(newId, id);
  },
  set: setField,
  'set and back'(connection, edit, row) {
    setField(connection, edit, row);
    update(connection, edit.table, row);
  },
  exchange(connection, { table, other }, row) {
    const partner = pick(rowsOf(connection, table), other)!;
    update(connection, table, { ...partner, id: row.id });
    update(connection, table, { ...row, id: partner.id });
  },
  repoint(connection, { table, other }, nomination) {
    const field = referenceTo(table) ?? 'movie_id';
    const target = pick(rowsOf(connection, table), other);
    update(connection, 'nominations', { ...nomination, [field]: target?.id ?? null });
  },
  replace: (connection, edit, { id }) =>
    insertRow(connection, edit.table, newRow(connection, edit, id), 'INSERT OR REPLACE'),
  'delete and back'(connection, { table }, row) {
    remove(connection, table, row.id);
    insertRow(connection, table, row);
  },
  restrict(connection, { table, other, field }, { id }) {
    if (table !== 'movies' && table !== 'nominees') return;
    const name = pick(enrichedFields[table], field)!;
    const record = storedRecord(connection, table, id);
    writeGiven(connection, table, id, other % 3 === 0 ? 'wikidata' : 'tmdb', {
      ...{ sourceId: 'x', retrievedAt: '', isAdded: false },
      // A value that an editor has changed since, and none, among them.
      fields: other % 4 === 0 ? {} : { [name]: other % 5 === 0 ? 'other' : record[name]! },
    });
  },
};

const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];

function setField(connection: Connection, edit: Edit, row: Row): void {
  const field = pick(
    Object.keys(row).filter((name) => name !== 'id'),
    edit.field,
  )!;
  update(connection, edit.table, { ...row, [field]: fieldValue(connection, edit, field) });
}

function newRow(connection: Connection, edit: Edit, id: number): Row {
  const { table, row, other, field } = edit;
  const text = resolveText(connection, edit.text);
  const target = (of: TableName, number: number) => pick(rowsOf(connection, of), number)?.id ?? 1;
  if (table === 'movies') return { id, title: text, genres: '["Drama","Fresh"]', runtime: row };
  if (table === 'nominees') return { id, name: text, known_for_department: row % 2 ? 'Fresh acting' : null };
  if (table === 'songs') return { id, original_title: text, artist_names: text };
  if (table === 'ceremonies') return { id, ceremony_year: 1 + (row % 9999) };
  if (table === 'categories') return { id, category_name: text, category_group: row % 2 ? text : null };
  if (table === 'honors')
    return {
      id,
      ceremony_id: target('ceremonies', row),
      class: row % 2 ? 'SciTech' : 'Special',
      category: text,
      movie_id: field % 3 === 0 ? target('movies', other) : null,
      recipients: other % 2 ? text : null,
      nominee_ids: JSON.stringify([target('nominees', other)]),
    };
  return {
    id,
    ceremony_id: target('ceremonies', row),
    category_id: target('categories', other),
    movie_id: target('movies', row + other),
    nominee_id: target('nominees', row * 3 + field),
    song_id: field % 3 === 0 ? target('songs', other) : null,
    winner: field % 2,
  };
}

/** A value for a field of a record, mostly a valid one. */
function fieldValue(connection: Connection, edit: Edit, field: string): string | number | null {
  const { other, id } = edit;
  const text = () => resolveText(connection, edit.text);
  if (field === 'ceremony_year') return 1 + (other % 40) + (other % 2 ? 1900 : 0);
  if (field === 'runtime' || field.endsWith('_year')) return other % 5 === 0 ? null : 1 + other;
  if (/^moviedb_|(ceremony|category|movie|nominee|song)_id$/.test(field)) return other % 5 === 0 ? null : id;
  if (field === 'winner' || field === 'official') return other % 2;
  if (field === 'entry') return other % 3 === 0 ? null : 1 + (other % 9);
  if (field === 'class') return other % 2 ? 'SciTech' : 'Special';
  if (field === 'nominee_ids') return JSON.stringify([id, 1].slice(0, other % 3));
  if (field === 'filmindex_id') {
    const prefix = edit.table === 'movies' ? 'tt' : other % 2 ? 'nm' : 'co';
    return other % 3 === 0 ? null : `${prefix}${other % 50}`;
  }
  if (field === 'genres' || field === 'origin_country')
    return JSON.stringify([text(), 'Drama', text()].slice(0, other % 4));
  if (/date$|day$/.test(field)) return ['1929-05-16', '2024-02-29', null][other % 3]!;
  if (field.endsWith('_path')) return other % 2 ? `https://example.org/${id}` : null;
  return /^(title|name|original_title|category_name)$/.test(field) || other % 4 !== 0 ? text() : null;
}

function resolveText(connection: Connection, choice: TextChoice): string {
  if (typeof choice === 'string') return choice;
  const texts = [
    ...rowsOf(connection, 'movies').map((row) => row.title),
    ...rowsOf(connection, 'nominees').map((row) => row.name),
    ...rowsOf(connection, 'categories').map((row) => row.category_name),
  ] as string[];
  return `${texts[choice.of % texts.length] ?? 'no record'}${choice.more}`;
}

function update(connection: Connection, table: TableName, row: Row): void {
  const assignments = Object.keys(row).map((field) => `${field} = @${field}`);
  connection.prepare(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = @id`).run(row);
}

function remove(connection: Connection, table: TableName, id: number): void {
  connection.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
}

/** The field of nominations that refers to a table. */
export const referenceTo = (table: TableName): string | undefined =>
  table === 'nominations' || table === 'honors'
    ? undefined
    : `${table.replace('movies', 'movie').replace(/ies$/, 'y').replace(/s$/, '')}_id`;
