/** Small records in the format of the real one. */
import type { Connection } from '../../data/database/open.ts';
import { type ImportOptions, importBytes } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/report.ts';

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

/** The record without its ids: a line for each record, sorted. */
export function contentOf(database: Connection): string[] {
  const queries = [
    `SELECT 'nomination', ceremony_id, category_name, movies.title, movies.filmindex_id, nominees.name, nominees.filmindex_id,
       original_title, winner, entry, character, note, official, historical_category
     FROM nominations JOIN categories ON categories.id = category_id JOIN movies ON movies.id = movie_id
     JOIN nominees ON nominees.id = nominee_id LEFT JOIN songs ON songs.id = song_id`,
    `SELECT 'honor', ceremony_id, class, winner, category_id, category, recipients, citation, note,
       movies.filmindex_id, movies.title,
       (SELECT group_concat(name, '|' ORDER BY each.key) FROM json_each(nominee_ids) AS each JOIN nominees ON nominees.id = value)
     FROM honors LEFT JOIN movies ON movies.id = movie_id`,
    "SELECT 'movie', title, filmindex_id FROM movies",
    "SELECT 'nominee', name, filmindex_id, known_for_department FROM nominees",
    `SELECT DISTINCT 'song', original_title, artist_names, title, filmindex_id
     FROM songs LEFT JOIN nominations ON song_id = songs.id LEFT JOIN movies ON movies.id = movie_id`,
    "SELECT 'category', id, category_name, era FROM categories",
    "SELECT 'ceremony', * FROM ceremonies",
  ];
  return queries.flatMap((sql) =>
    database
      .prepare(sql)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .sort(),
  );
}
