/** Random edits of every resource in SQLite, as numbers that fit every record. */
import fc from 'fast-check';
import type { Connection } from '../../data/database/open.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { writeGiven } from '../../data/record/given.ts';
import { storedRecord } from '../../data/record/records.ts';
import { anyCharacter } from './characters.ts';
import { insertRow, referenceTo, type Row, rowsOf, type TableName, tableNames } from './databases.ts';

/** Ids at the limits of pages and blocks, and far away. */
const limits = [25, 50, 64, 2048, 4096, 8192, 65_536].flatMap((limit) => [limit - 1, limit, limit + 1]);
const anyId: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 120 }),
  fc.constantFrom(...limits, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: 1, max: 10_000 }),
);

const words = "the The love amélie Ame\u0301lie O'Brien obrien 1917 7 ΩΣ actor ZZ a Drama".split(' ');
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
  '"\\',
];
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((each) => each.join(' ')),
  fc.constantFrom(...odd),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\0', '0')),
);

const kinds = [
  ...(['insert', 'delete', 'delete with nominations', 'renumber', 'set', 'set and back'] as const),
  ...(['exchange', 'repoint', 'replace', 'delete and back', 'restrict'] as const),
  ...(['copy a text', 'copy an id'] as const),
];

/** One edit. Numbers select rows modulo their count, so that an edit fits every record. */
export interface Edit {
  kind: (typeof kinds)[number];
  table: TableName;
  row: number;
  other: number;
  field: number;
  id: number;
  text: string;
  count: number;
  stride: number;
}

const editOf = (...tables: TableName[]): fc.Arbitrary<Edit> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    table: fc.constantFrom(...tables),
    row: fc.nat(999),
    other: fc.nat(999),
    field: fc.nat(999),
    id: anyId,
    text: anyText,
    count: fc.constantFrom(1, 1, 2, 40),
    stride: fc.constantFrom(1, 2, 64, 2048, 4096, 8192),
  });
export const anyEdits = fc.array(editOf(...tableNames), { minLength: 1, maxLength: 6 });
/** Of each kind of record. */
export const editsOfAll: fc.Arbitrary<Edit[]> = fc.tuple(...tableNames.map((table) => editOf(table)));

/** Makes an edit. An edit that a constraint forbids changes nothing. */
export function makeEdit(connection: Connection, edit: Edit): void {
  const table = edit.kind === 'repoint' ? 'nominations' : edit.table;
  const row = pick(rowsOf(connection, table), edit.row);
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

type Maker = (connection: Connection, edit: Edit, row: Row) => void;

const setField: Maker = (connection, edit, row) => {
  const fields = Object.keys(row).filter((name) => name !== 'id');
  const field = pick(fields, edit.field)!;
  update(connection, edit.table, { ...row, [field]: fieldValue(edit, field, row[field]!) });
};

const makers: Record<Exclude<Edit['kind'], 'insert'>, Maker> = {
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
    const value = storedRecord(connection, table, id)[name]!;
    writeGiven(connection, table, id, other % 3 === 0 ? 'wikidata' : 'tmdb', {
      ...{ sourceId: 'x', retrievedAt: '', isAdded: false },
      // A value that an editor has changed since, and none, among them.
      fields: other % 4 === 0 ? {} : { [name]: other % 5 === 0 ? 'other' : value },
    });
  },
  'copy a text'(connection, { table, other, text }, row) {
    const field = Object.keys(row).find((name) => /^(title|name|original_title|category_name)$/.test(name));
    const from = field && pick(rowsOf(connection, table), other)![field];
    if (field) update(connection, table, { ...row, [field]: `${from}${text.length % 2 ? '' : ` ${text}`}` });
  },
  'copy an id'(connection, { table, other, field }, row) {
    const from = pick(rowsOf(connection, table), other)!;
    if (from.filmindex_id === undefined) return;
    update(connection, table, { ...row, filmindex_id: from.filmindex_id });
    // Or the id moves.
    if (field % 2 && from.id !== row.id) update(connection, table, { ...from, filmindex_id: null });
  },
};

const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];

function newRow(connection: Connection, { table, row, other, field, text }: Edit, id: number): Row {
  const target = (of: TableName, number: number) => pick(rowsOf(connection, of), number)?.id ?? 1;
  const ceremony_id = target('ceremonies', row);
  const movie_id = target('movies', row + other);
  const nominee_id = target('nominees', row * 3 + field);
  const rows: Record<TableName, Omit<Row, 'id'>> = {
    movies: { title: text, genres: '["Drama","Fresh"]', runtime: row },
    nominees: { name: text, known_for_department: row % 2 ? 'Fresh acting' : null },
    songs: { original_title: text, artist_names: text },
    ceremonies: { ceremony_year: 1 + (row % 9999) },
    categories: { category_name: text, category_group: row % 2 ? text : null },
    honors: {
      ...{ ceremony_id, category: text, class: ['SciTech', 'Special', 'Competitive'][row % 3]! },
      ...{ category_id: row % 3 === 2 ? target('categories', other) : null, winner: field % 2 },
      ...{ movie_id: field % 3 === 0 ? movie_id : null, nominee_ids: JSON.stringify([nominee_id]) },
    },
    nominations: {
      ...{ ceremony_id, category_id: target('categories', other), movie_id, nominee_id },
      ...{ song_id: field % 3 === 0 ? target('songs', other) : null, winner: field % 2 },
    },
  };
  return { id, ...rows[table] };
}

/** A value for a field, of the kind of the present one, mostly a valid one. */
function fieldValue({ other, id, text, table }: Edit, field: string, now: string | number | null) {
  const isOptional = other % 5 === 0 && !/^(title|name|winner|official)$/.test(field);
  if (isOptional) return null;
  if (field === 'genres' || field === 'origin_country')
    return JSON.stringify([text, 'Drama', words[other % words.length]].slice(0, other % 4));
  if (field === 'nominee_ids') return JSON.stringify([id, 1].slice(0, other % 3));
  if (field === 'winner' || field === 'official') return other % 2;
  if (field === 'class') return ['SciTech', 'Special', 'Competitive'][other % 3]!;
  if (field === 'film_years') return other % 2 ? '1927/28' : '2020';
  if (field === 'filmindex_id') return `${table === 'movies' ? 'tt' : other % 2 ? 'nm' : 'co'}${other % 50}`;
  if (/date$|day$/.test(field)) return other % 2 ? '1929-05-16' : '2024-02-29';
  if (field.endsWith('_path')) return `https://example.org/${id}`;
  if (/_year$|^runtime$|^entry$/.test(field)) return 1 + other;
  return /_id$/.test(field) || typeof now === 'number' ? id : text;
}

function update(connection: Connection, table: TableName, row: Row): void {
  const assignments = Object.keys(row).map((field) => `${field} = @${field}`);
  connection.prepare(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = @id`).run(row);
}

function remove(connection: Connection, table: TableName, id: number): void {
  connection.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
}
