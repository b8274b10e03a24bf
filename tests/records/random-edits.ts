/** Random edits of every resource in SQLite, as numbers that fit every record. */
import fc from 'fast-check';
import type { Connection } from '../../data/database/open.ts';
import { enrichedFields } from '../../data/enrich/wanted.ts';
import { writeGiven } from '../../data/record/given.ts';
import { storedRecord } from '../../data/record/records.ts';
import { referencedResources } from '../../api/contract/names.ts';
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

const all = tableNames;
const named = ['categories', 'movies', 'nominees', 'songs'] as const;
const inHonors = ['ceremonies', 'categories', 'movies', 'nominees'] as const;
const withId = ['movies', 'nominees'] as const;

/** Kind of edit → the tables that it can be made in; of "repoint" and "repoint honors", those referred to. */
const tablesOf = {
  ...{ insert: all, delete: all, renumber: all, set: all, 'set and back': all, exchange: all },
  ...{ replace: all, 'delete and back': all, batch: all, undo: all },
  ...{ 'delete with references': referencedResources, merge: referencedResources },
  ...{ repoint: referencedResources, 'repoint honors': inHonors },
  ...{ 'copy a text': named, 'copy an id': withId, restrict: withId },
} satisfies Record<string, readonly TableName[]>;
type Kind = keyof typeof tablesOf;
const places = (Object.keys(tablesOf) as Kind[]).flatMap((kind) =>
  tablesOf[kind].map((table) => ({ kind, table: table as TableName })),
);

/** One edit. Numbers select rows modulo their count, so that an edit fits every record. */
export interface Edit {
  kind: Kind;
  table: TableName;
  row: number;
  other: number;
  field: number;
  id: number;
  text: string;
  count: number;
  stride: number;
}

const editAt = (own: readonly (typeof places)[number][]): fc.Arbitrary<Edit> =>
  fc
    .record({
      place: fc.constantFrom(...own),
      row: fc.nat(999),
      other: fc.nat(999),
      field: fc.nat(999),
      id: anyId,
      text: anyText,
      count: fc.constantFrom(1, 1, 2, 40),
      stride: fc.constantFrom(1, 2, 64, 2048, 4096, 8192),
    })
    .map(({ place, ...numbers }) => ({ ...place, ...numbers }));
export const anyEdits = fc.array(editAt(places), { minLength: 1, maxLength: 6 });
/** Of each kind of record. */
export const editsOfAll: fc.Arbitrary<Edit[]> = fc.tuple(
  ...tableNames.map((name) => editAt(places.filter(({ table }) => table === name))),
);
/** For every kind of edit in every table some edits, in any order: not each of them changes a record. */
export const editsOfEveryKind: fc.Arbitrary<Edit[][]> = fc
  .tuple(...places.map((place) => fc.array(editAt([place]), { minLength: 40, maxLength: 40 })))
  .chain((edits) => fc.shuffledSubarray(edits, { minLength: edits.length, maxLength: edits.length }));

/** How often edits were made, by kind and by table. */
export class EditCounts {
  readonly #kinds = new Map<string, number>(Object.keys(tablesOf).map((kind) => [kind, 0]));
  readonly #tables = new Map<string, number>(tableNames.map((table) => [table, 0]));

  add({ kind, table }: Edit): void {
    this.#kinds.set(kind, this.#kinds.get(kind)! + 1);
    this.#tables.set(table, this.#tables.get(table)! + 1);
  }

  /** The kinds and tables without an edit. */
  missing(): string[] {
    return [...this.#kinds, ...this.#tables].filter(([, count]) => count === 0).map(([name]) => name);
  }

  toString(): string {
    return [this.#kinds, this.#tables]
      .map((counts) => [...counts].map(([name, count]) => `${name} ${count}`).join(', '))
      .join('; ');
  }
}

/** All rows of a database. */
type Rows = ReadonlyMap<TableName, Row[]>;
const allRows = (connection: Connection): Rows =>
  new Map(tableNames.map((table) => [table, rowsOf(connection, table)]));
/** The rows before the last edit of each database, for an undo. */
const rowsBefore = new WeakMap<Connection, Rows>();

/** Makes an edit. An edit that a constraint forbids changes nothing. @returns whether it wrote anything */
export function makeEdit(connection: Connection, edit: Edit): boolean {
  const { n: start } = connection.prepare<[], { n: number }>('SELECT total_changes() AS n').get()!;
  const before = allRows(connection);
  const row = pick(before.get(edit.table)!, edit.row);
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
    return false;
  }
  const { n: end } = connection.prepare<[], { n: number }>('SELECT total_changes() AS n').get()!;
  if (end > start) rowsBefore.set(connection, before);
  return end > start;
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
  'delete with references'(connection, { table }, { id }) {
    for (const { of, id: referring } of referencesTo(connection, table, id))
      remove(connection, of, referring);
    remove(connection, table, id);
  },
  renumber(connection, { table, id: newId }, { id }) {
    connection.prepare(`UPDATE ${table} SET id = ? WHERE id = ?`).run(newId, id);
    moveReferences(connection, table, id, newId);
  },
  merge(connection, { table, other }, { id }) {
    const target = pick(rowsOf(connection, table), other)!;
    if (target.id === id) return;
    moveReferences(connection, table, id, target.id);
    remove(connection, table, id);
  },
  // Several writes as one change.
  batch(connection, edit, row) {
    setField(connection, edit, row);
    insertMany(connection, { ...edit, count: 2 });
    const nomination = pick(rowsOf(connection, 'nominations'), edit.other);
    if (nomination && edit.table !== 'nominations')
      setField(connection, { ...edit, table: 'nominations' }, nomination);
  },
  // Takes the edit before it back.
  undo(connection) {
    for (const [table, before] of rowsBefore.get(connection) ?? []) {
      const known = new Set(before.map(({ id }) => id));
      const now = new Map(rowsOf(connection, table).map((own) => [own.id, own]));
      for (const id of now.keys()) if (!known.has(id)) remove(connection, table, id);
      for (const own of before)
        if (!now.has(own.id)) insertRow(connection, table, own);
        else if (JSON.stringify(now.get(own.id)) !== JSON.stringify(own)) update(connection, table, own);
    }
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
  repoint(connection, edit, target) {
    const nomination = pick(rowsOf(connection, 'nominations'), edit.other);
    if (nomination)
      update(connection, 'nominations', { ...nomination, [referenceTo(edit.table)!]: target.id });
  },
  'repoint honors'(connection, { table, other, field }, target) {
    const honor = pick(rowsOf(connection, 'honors'), other);
    if (!honor) return;
    const reference =
      table === 'nominees'
        ? { nominee_ids: JSON.stringify([target.id]) }
        : { [referenceTo(table)!]: target.id };
    // A record can lose its honor, too.
    const none = table === 'nominees' ? { nominee_ids: '[]' } : { movie_id: null };
    update(connection, 'honors', { ...honor, ...(field % 4 ? reference : none) });
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

/** The nominations and honors that refer to a record. */
function referencesTo(connection: Connection, table: TableName, id: number) {
  const field = referenceTo(table)!;
  return (['nominations', 'honors'] as const).flatMap((of) =>
    rowsOf(connection, of)
      .filter((row) => row[field] === id || (table === 'nominees' && nomineesIn(row).includes(id)))
      .map((row) => ({ ...row, of })),
  );
}
const nomineesIn = (row: Row): number[] => JSON.parse(String(row.nominee_ids ?? '[]')) as number[];

/** Lets what refers to a record refer to another one. */
function moveReferences(connection: Connection, table: TableName, from: number, to: number): void {
  const field = referenceTo(table);
  if (field === undefined) return;
  for (const { of, ...row } of referencesTo(connection, table, from)) {
    const ids = nomineesIn(row).map((id) => (id === from ? to : id));
    const isList = of === 'honors' && table === 'nominees';
    update(connection, of, {
      ...row,
      ...(isList ? { nominee_ids: JSON.stringify([...new Set(ids)]) } : { [field]: to }),
    });
  }
}

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
  if (field === 'genres' || field === 'origin_country' || field === 'other_names')
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
