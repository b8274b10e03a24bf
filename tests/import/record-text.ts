/** Small records in the format of the real one, and a database to import them into. */
import { beforeEach, expect } from 'vitest';
import { revision } from '../../data/database/changes.ts';
import { type ImportOptions, importBytes } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/merge.ts';
import { type Connection, openDatabase } from '../../data/database/open.ts';
import { countRecords } from '../../data/record/records.ts';

const columns = [
  ...(['Ceremony', 'Year', 'Class', 'CanonicalCategory', 'Category', 'Film', 'FilmId', 'Name'] as const),
  ...(['Nominees', 'NomineeIds', 'Winner', 'Detail', 'Note', 'Citation'] as const),
];

export type Row = Partial<Record<(typeof columns)[number], string>>;

/** A valid row. Tests replace some of its columns. */
const anora: Row = {
  Ceremony: '97',
  Year: '2024',
  Class: 'Directing',
  CanonicalCategory: 'DIRECTING',
  Category: 'DIRECTING',
  Film: 'Anora',
  FilmId: 'tt28607951',
  Name: 'Sean Baker',
  Nominees: 'Sean Baker',
  NomineeIds: 'nm0048918',
  Winner: 'True',
};

/** What makes it the row of a song. */
export const song: Row = { CanonicalCategory: 'MUSIC (Original Song)', Detail: 'Golden' };
/** What makes it the row of an honor. */
export const honor: Row = {
  ...{
    Class: 'Special',
    CanonicalCategory: 'HONORARY AWARD',
    Category: 'SPECIAL AWARD',
    Film: '',
    FilmId: '',
  },
  ...{ Name: '', Nominees: 'Walt Disney', NomineeIds: 'nm370', Citation: 'To Walt Disney.' },
};

/** A record of these rows. Missing columns are those of `anora`. */
export function recordOf(...rows: Row[]): string {
  const escaped = (cell: string) => cell.replace(/["\\]/g, '\\$&');
  const lines = rows.map((row) =>
    columns.map((column) => escaped({ ...anora, ...row }[column] ?? '')).join('\t'),
  );
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
}

/** Imports a record from its text. */
export const importText = (
  connection: Connection,
  text: string,
  options?: ImportOptions,
): Promise<ImportReport> => importBytes(connection, Buffer.from(text), options);

/** "ceremony category: film / nominee (song)*" of every nomination by ascending id; * for winners. */
export function nominations(connection: Connection): string[] {
  return connection
    .prepare<[], string>(
      `SELECT ceremony_id || ' ' || category_name || ': ' || movies.title || ' / ' || nominees.name
         || coalesce(' (' || original_title || ')', '') || iif(winner, '*', '')
       FROM nominations
       JOIN categories ON categories.id = category_id
       JOIN movies ON movies.id = movie_id
       JOIN nominees ON nominees.id = nominee_id
       LEFT JOIN songs ON songs.id = song_id
       ORDER BY nominations.id`,
    )
    .pluck()
    .all();
}

/** One field of all records of a table, by ascending id. */
export function column(connection: Connection, table: string, field: string): unknown[] {
  return connection.prepare(`SELECT ${field} FROM ${table} ORDER BY id`).pluck().all();
}

/** A new database in memory for each test, and what the tests do with it. */
export function useDatabase() {
  let connection: Connection;
  beforeEach(() => {
    connection = openDatabase(':memory:');
  });
  // The records are small, so that a single row is more than 2 %.
  const imported = (...rows: Row[]) => importText(connection, recordOf(...rows), { force: true });
  const remembered = () => connection.prepare("SELECT * FROM given WHERE source = 'import'").all();
  return {
    connection: () => connection,
    imported,
    edit: (sql: string) => connection.exec(sql),
    nominations: () => nominations(connection),
    column: (table: string, field: string) => column(connection, table, field),
    counts: () => countRecords(connection),
    /** Imports the rows twice, and expects no change of a record, and none of the memory by the second import. */
    async expectNoChange(...rows: Row[]): Promise<void> {
      const before = revision(connection);
      await imported(...rows);
      const first = remembered();
      await imported(...rows);
      expect(revision(connection)).toBe(before);
      expect(remembered()).toEqual(first);
    },
  };
}
