/** Random edits of a record with SQL: everything that a database tool can do. */
import fc from 'fast-check';
import type { Connection } from '../../data/open.ts';
import { insertRow, type Row, rowsOf, type TableName, tableNames } from './databases.ts';
import { anyId, anyText, fieldValue, resolveText, type TextChoice } from './random-values.ts';

const kinds = [
  'insert',
  'insert many',
  'delete',
  'delete with nominations',
  'renumber',
  'set',
  'exchange',
  'repoint',
  'flip',
  'replace',
  'touch',
  'set and back',
  'delete and back',
] as const;

/** One edit. Numbers select rows modulo their count, so that an edit fits every record. */
export interface Edit {
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

export const anyEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...kinds),
  table: fc.constantFrom(...tableNames),
  row: fc.nat(999),
  other: fc.nat(999),
  field: fc.nat(999),
  id: anyId,
  text: anyText,
  count: fc.integer({ min: 2, max: 40 }),
  stride: fc.constantFrom(1, 2, 64, 256, 2048),
});

/** Makes an edit. An edit that a constraint forbids changes nothing. */
export function makeEdit(connection: Connection, edit: Edit): void {
  try {
    connection
      .transaction(() => {
        // SQLite checks references at the end of the transaction.
        connection.pragma('defer_foreign_keys = ON');
        makers[edit.kind](connection, edit);
      })
      .immediate();
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_CONSTRAINT')) throw error;
  }
}

type Maker = (connection: Connection, edit: Edit) => void;

const makers: Record<Edit['kind'], Maker> = {
  insert: (connection, edit) => insertRow(connection, edit.table, newRow(connection, edit, edit.id)),
  'insert many'(connection, edit) {
    const taken = new Set(rowsOf(connection, edit.table).map((row) => row.id));
    for (let i = 0; i < edit.count; i += 1) {
      const id = edit.id + i * edit.stride;
      if (taken.has(id) || id > Number.MAX_SAFE_INTEGER) continue;
      insertRow(connection, edit.table, newRow(connection, { ...edit, row: edit.row + i }, id));
    }
  },
  delete: (connection, edit) => withRow(connection, edit, ({ id }) => remove(connection, edit.table, id)),
  'delete with nominations': (connection, edit) =>
    withRow(connection, edit, ({ id }) => {
      const field = referenceTo(edit.table);
      if (field) connection.prepare(`DELETE FROM nominations WHERE ${field} = ?`).run(id);
      remove(connection, edit.table, id);
    }),
  renumber: (connection, edit) =>
    withRow(connection, edit, ({ id }) => {
      connection.prepare(`UPDATE ${edit.table} SET id = ? WHERE id = ?`).run(edit.id, id);
      const field = referenceTo(edit.table);
      if (field)
        connection.prepare(`UPDATE nominations SET ${field} = ? WHERE ${field} = ?`).run(edit.id, id);
    }),
  set: (connection, edit) => withRow(connection, edit, (row) => set(connection, edit, row)),
  exchange: (connection, edit) =>
    withRow(connection, edit, (row) => {
      const other = pick(rowsOf(connection, edit.table), edit.other)!;
      update(connection, edit.table, { ...other, id: row.id });
      update(connection, edit.table, { ...row, id: other.id });
    }),
  repoint: (connection, edit) =>
    withRow(connection, { ...edit, table: 'nominations' }, (nomination) => {
      const field = referenceTo(edit.table);
      const target = pick(rowsOf(connection, edit.table), edit.other);
      if (field) update(connection, 'nominations', { ...nomination, [field]: target?.id ?? null });
    }),
  flip: (connection, edit) =>
    withRow(connection, { ...edit, table: 'nominations' }, ({ id }) =>
      connection.prepare('UPDATE nominations SET winner = 1 - winner WHERE id = ?').run(id),
    ),
  replace: (connection, edit) =>
    withRow(connection, edit, ({ id }) =>
      insertRow(connection, edit.table, newRow(connection, edit, id), 'INSERT OR REPLACE'),
    ),
  touch: (connection, edit) => withRow(connection, edit, (row) => update(connection, edit.table, row)),
  'set and back': (connection, edit) =>
    withRow(connection, edit, (row) => {
      set(connection, edit, row);
      update(connection, edit.table, row);
    }),
  'delete and back': (connection, edit) =>
    withRow(connection, edit, (row) => {
      remove(connection, edit.table, row.id);
      insertRow(connection, edit.table, row);
    }),
};

function withRow(connection: Connection, edit: Edit, work: (row: Row) => void): void {
  const row = pick(rowsOf(connection, edit.table), edit.row);
  if (row) work(row);
}

const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];

function newRow(connection: Connection, edit: Edit, id: number): Row {
  const text = resolveText(connection, edit.text);
  const target = (table: TableName, number: number) => pick(rowsOf(connection, table), number)?.id ?? 1;
  switch (edit.table) {
    case 'movies':
      return { id, title: text, genres: '["Drama","Fresh"]', runtime: edit.row };
    case 'nominees':
      return { id, name: text, known_for_department: edit.row % 2 ? 'Fresh acting' : null };
    case 'songs':
      return { id, original_title: text, artist_names: text };
    case 'ceremonies':
      return { id, ceremony_year: 1 + (edit.row % 9999) };
    case 'categories':
      return { id, category_name: text, category_group: edit.row % 2 ? text : null };
    case 'nominations':
      return {
        id,
        ceremony_id: target('ceremonies', edit.row),
        category_id: target('categories', edit.other),
        movie_id: target('movies', edit.row + edit.other),
        nominee_id: target('nominees', edit.row * 3 + edit.field),
        song_id: edit.field % 3 === 0 ? target('songs', edit.other) : null,
        winner: edit.field % 2,
      };
  }
}

function set(connection: Connection, edit: Edit, row: Row): void {
  const fields = Object.keys(row).filter((field) => field !== 'id');
  const field = pick(fields, edit.field)!;
  update(connection, edit.table, { ...row, [field]: fieldValue(connection, edit, field) });
}

function update(connection: Connection, table: TableName, row: Row): void {
  const assignments = Object.keys(row).map((field) => `${field} = @${field}`);
  connection.prepare(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = @id`).run(row);
}

function remove(connection: Connection, table: TableName, id: number): void {
  connection.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
}

/** Table → the field of nominations that refers to it. */
export const referenceFields = {
  ceremonies: 'ceremony_id',
  categories: 'category_id',
  movies: 'movie_id',
  nominees: 'nominee_id',
  songs: 'song_id',
} as const;

function referenceTo(table: TableName): string | undefined {
  return table === 'nominations' ? undefined : referenceFields[table];
}
