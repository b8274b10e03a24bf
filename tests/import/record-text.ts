/** Small records in the format of the real one. */
import type { Connection } from '../../data/database/open.ts';
import { type ImportOptions, importBytes } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/merge.ts';

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

/** What makes it the row of a song, or of an honor. */
export const song: Row = { CanonicalCategory: 'MUSIC (Original Song)', Detail: 'Golden' };
export const honor: Row = {
  ...{ Class: 'Special', CanonicalCategory: 'HONORARY AWARD', Category: 'SPECIAL AWARD' },
  ...{ Film: '', FilmId: '', Name: '', Nominees: 'Walt Disney', NomineeIds: 'nm370' },
  Citation: 'To Walt Disney.',
};

/** The columns of another film, or of another nominee. */
export const filmRow = (Film: string, FilmId: string): Row => ({ Film, FilmId });
export const nomineeRow = (Nominees: string, NomineeIds: string): Row => ({ Nominees, NomineeIds });

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

/** One column, or SQL over the columns, of all records of a table, by ascending id. */
export function column(connection: Connection, table: string, field: string): unknown[] {
  return connection.prepare(`SELECT ${field} FROM ${table} ORDER BY id`).pluck().all();
}
