/** Rows of the SQL alternative: which columns make up a record, and how SQLite's values become JSON's. */
import type { ReferencedResource } from '../../api/contract/names.ts';
import { resourceSchemas } from '../../api/contract/resources.ts';

export type SqlRow = Record<string, unknown>;

/** The columns of a record, in document order. */
export const fields = (resource: ReferencedResource): string =>
  Object.keys(resourceSchemas[resource].properties).join(', ');

/** A nomination as a list shows it. */
export const nominationColumns = `n.id, n.ceremony_id, e.ceremony_year, n.category_id, c.category_name AS category, n.movie_id,
  m.title AS movie, n.nominee_id, p.name AS nominee, n.song_id, s.original_title AS song_title,
  n.song_id IS NOT NULL AS is_song, n.winner`;
export const nominationJoins = `JOIN ceremonies e ON e.id = n.ceremony_id JOIN categories c ON c.id = n.category_id
  JOIN movies m ON m.id = n.movie_id JOIN nominees p ON p.id = n.nominee_id LEFT JOIN songs s ON s.id = n.song_id`;

/** SQLite has no booleans. */
export function asNomination(row: SqlRow): SqlRow {
  row.is_song = row.is_song === 1;
  row.winner = row.winner === 1;
  return row;
}

/** SQLite has no arrays. */
export function complete(row: SqlRow): SqlRow {
  if (typeof row.genres === 'string') {
    row.genres = JSON.parse(row.genres);
    row.origin_country = JSON.parse(row.origin_country as string);
  }
  return row;
}
