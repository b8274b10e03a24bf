/** Tiny hand-made records in the format of the real one, and looks into what became of them. */
import type { Connection } from '../../data/open.ts';

const columns = [
  'Ceremony',
  'Year',
  'Class',
  'CanonicalCategory',
  'Category',
  'Film',
  'FilmId',
  'Name',
  'Nominees',
  'NomineeIds',
  'Winner',
  'Detail',
  'Note',
  'Citation',
] as const;

export type Row = Partial<Record<(typeof columns)[number], string>>;

/** The rule-abiding row that a test changes in the columns it is about. */
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

/** A record of these rows, each `anora` but for what it says itself. */
export function recordOf(...rows: Row[]): string {
  const lines = rows.map((row) => columns.map((column) => ({ ...anora, ...row })[column] ?? '').join('\t'));
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
}

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
