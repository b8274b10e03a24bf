/** Honors: honorary, scientific and technical awards. Only imports write them. */
import type { Connection } from './open.ts';

/** The fields in document order. */
export interface Honor {
  id: number;
  ceremony_id: number;
  ceremony_year: number;
  class: 'SciTech' | 'Special';
  /** As it was called at the time. */
  category: string;
  /** The film of the record that the honor names. */
  movie_id: number | null;
  movie: string | null;
  recipients: string | null;
  /** The recipients that are nominees of the record, in the order of the source. */
  nominee_ids: number[];
  citation: string | null;
}

const select = `SELECT honors.id, ceremony_id, ceremony_year, class, category, movie_id, title AS movie, recipients, nominee_ids, citation
  FROM honors LEFT JOIN ceremonies ON ceremonies.id = ceremony_id LEFT JOIN movies ON movies.id = movie_id`;

type Row = Omit<Honor, 'nominee_ids'> & { nominee_ids: string };
const parsed = (row: Row): Honor => ({ ...row, nominee_ids: JSON.parse(row.nominee_ids) as number[] });

/** An honor; undefined if there is none. */
export function readHonor(connection: Connection, id: number): Honor | undefined {
  const row = connection.prepare<[number], Row>(`${select} WHERE honors.id = ?`).get(id);
  return row && parsed(row);
}

/** Honors with `from <= id < to`, by id. */
export function honorsBetween(connection: Connection, from: number, to: number): Honor[] {
  return connection
    .prepare<[number, number], Row>(`${select} WHERE honors.id >= ? AND honors.id < ? ORDER BY honors.id`)
    .all(from, to)
    .map(parsed);
}
