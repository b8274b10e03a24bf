/** Whether the record holds together: SQLite's own shell does not enforce foreign keys, so a reference may be broken. */
import type { Change } from './changes.ts';
import type { Connection } from './open.ts';
import { UserError } from './user-error.ts';

export interface BrokenReference {
  table: string;
  rowid: number;
  parent: string;
}

/**
 * @param changes what changed since the references were last found whole; undefined looks at all of them
 * @throws UserError naming the first record that refers to one that is not there
 */
export function refuseBrokenReferences(connection: Connection, changes?: readonly Change[]): void {
  const broken = changes ? brokenSince(connection, changes) : findBrokenReference(connection);
  if (broken === undefined) return;
  const { table, rowid, parent } = broken;
  throw new UserError(
    `the database is inconsistent: ${table} ${rowid} refers to a record of ${parent} that is not there`,
  );
}

/** The first of all broken references. */
export function findBrokenReference(connection: Connection): BrokenReference | undefined {
  return connection
    .prepare<[], BrokenReference>('SELECT "table", rowid, parent FROM pragma_foreign_key_check')
    .get();
}

/** Of one nomination; and of the nominations that refer to one record, by resource. */
const ofNomination = `
  SELECT 'nominations' AS "table", nomination.id AS rowid, reference.parent
  FROM nominations AS nomination, (
    SELECT 'ceremonies' AS parent UNION ALL SELECT 'categories' UNION ALL SELECT 'movies' UNION ALL SELECT 'nominees'
    UNION ALL SELECT 'songs'
  ) AS reference
  WHERE nomination.id = ? AND CASE reference.parent
    WHEN 'ceremonies' THEN NOT EXISTS (SELECT 1 FROM ceremonies WHERE id = nomination.ceremony_id)
    WHEN 'categories' THEN NOT EXISTS (SELECT 1 FROM categories WHERE id = nomination.category_id)
    WHEN 'movies' THEN NOT EXISTS (SELECT 1 FROM movies WHERE id = nomination.movie_id)
    WHEN 'nominees' THEN NOT EXISTS (SELECT 1 FROM nominees WHERE id = nomination.nominee_id)
    ELSE nomination.song_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM songs WHERE id = nomination.song_id)
  END
  LIMIT 1`;

const referenceTo = {
  ceremonies: 'ceremony_id',
  categories: 'category_id',
  movies: 'movie_id',
  nominees: 'nominee_id',
  songs: 'song_id',
} as const;

function brokenSince(connection: Connection, changes: readonly Change[]): BrokenReference | undefined {
  const nomination = connection.prepare<[number], BrokenReference>(ofNomination);
  for (const { resource, id } of changes) {
    const broken =
      resource === 'nominations'
        ? nomination.get(id)
        : connection
            .prepare<[{ id: number }], BrokenReference>(
              `SELECT 'nominations' AS "table", id AS rowid, '${resource}' AS parent FROM nominations
               WHERE ${referenceTo[resource]} = @id AND NOT EXISTS (SELECT 1 FROM ${resource} WHERE id = @id) LIMIT 1`,
            )
            .get({ id });
    if (broken) return broken;
  }
  return undefined;
}
