/**
 * Brings the record up to date with what a source says (staging.ts): its things are matched with existing records
 * (matching.ts), fields are derived (derived.ts), what changed is written (merge.ts), and what the source no longer has is
 * retired (retirement.ts). The import and the sample both end here.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import type { Connection } from '../open.ts';
import { refuseBrokenReferences } from '../records.ts';
import { deriveDepartments, deriveEras, deriveNames, deriveOverviews } from './derived.ts';
import { matchHonors, matchRecords } from './matching.ts';
import { mergeRecords, type Tally } from './merge.ts';
import type { ImportReport } from './report.ts';
import { Retirement } from './retirement.ts';
import { sourceFields } from './staging.ts';

interface IngestOptions {
  /** Whether the source has all categories of its ceremonies. */
  isComplete: boolean;
  /** More fields that this source gives. */
  moreFields?: Partial<Record<ResourceName, readonly string[]>>;
  /** Retire any number of records. */
  force: boolean;
}

/**
 * Writes what is staged. Runs in the caller's transaction.
 * @throws UserError if a reference in the database is broken, or too many records would be retired
 */
export function ingest(
  connection: Connection,
  { isComplete, moreFields = {}, force }: IngestOptions,
): Omit<ImportReport, 'leftOut'> {
  refuseBrokenReferences(connection);
  // Nominations are written before the categories and nominees with fields that are derived from them.
  connection.pragma('defer_foreign_keys = ON');
  const merged = (table: ResourceName): Tally =>
    mergeRecords(connection, table, [...sourceFields[table], ...(moreFields[table] ?? [])]);
  deriveNames(connection);
  matchRecords(connection);
  deriveOverviews(connection, isComplete);
  const [ofCeremonies, ofMovies, ofSongs] = [merged('ceremonies'), merged('movies'), merged('songs')];
  const ofNominations = merged('nominations');
  const retirement = new Retirement(connection, force);
  retirement.nominations();
  deriveEras(connection);
  deriveDepartments(connection);
  const [ofCategories, ofNominees] = [merged('categories'), merged('nominees')];
  matchHonors(connection);
  retirement.honors();
  retirement.referenced();
  resolveHonors(connection);
  const ofHonors = merged('honors');
  retirement.ceremonies();
  return {
    resources: {
      nominations: ofNominations,
      ceremonies: ofCeremonies,
      categories: ofCategories,
      movies: ofMovies,
      nominees: ofNominees,
      songs: ofSongs,
      honors: ofHonors,
    },
    retired: retirement.retired,
    needsForce: retirement.needsForce,
    kept: retirement.keptNominations(),
  };
}

/** The film and the nominees of each staged honor that are in the record. */
function resolveHonors(connection: Connection): void {
  const idOf = (table: 'movies' | 'nominees', key: string) =>
    `coalesce((SELECT id FROM source_${table} WHERE key = ${key}), (SELECT min(id) FROM ${table} WHERE filmindex_id = ${key}))`;
  connection.exec(
    `UPDATE source_honors SET
       movie_id = ${idOf('movies', 'movie_key')},
       nominee_ids = (
         SELECT json_group_array(id ORDER BY place) FILTER (WHERE id IS NOT NULL)
         FROM (SELECT key AS place, ${idOf('nominees', 'each.value')} AS id FROM json_each(nominee_keys) AS each)
       )`,
  );
}
