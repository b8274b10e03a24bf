/** What a source can know: fields of films and people with an id in the film index. */
import { defaultOf } from '../../api/contract/bodies.ts';
import type { EnrichedResource } from '../../api/contract/enrichment.ts';
import type { Connection } from '../open.ts';

/** Resource → the fields that a source can fill, in document order. */
export const enrichedFields = {
  movies: [
    'tagline',
    'overview',
    'release_date',
    'runtime',
    'genres',
    'origin_country',
    'moviedb_id',
    'poster_path',
    'backdrop_path',
  ],
  nominees: [
    'biography',
    'birthday',
    'deathday',
    'place_of_birth',
    'known_for_department',
    'homepage',
    'moviedb_person_id',
    'profile_path',
  ],
} as const satisfies Record<EnrichedResource, readonly string[]>;

export interface WantedRecord {
  id: number;
  filmindexId: string;
  /** Whether one of the fields is unset. */
  isIncomplete: 0 | 1;
}

const prefixes: Readonly<Record<EnrichedResource, string>> = { movies: 'tt', nominees: 'nm' };

/** The resource that an id of the film index belongs to; undefined for that of a company, or no id. */
export function resourceOf(filmindexId: string): EnrichedResource | undefined {
  if (/^tt[0-9]+$/.test(filmindexId)) return 'movies';
  return /^nm[0-9]+$/.test(filmindexId) ? 'nominees' : undefined;
}

/** The records of a resource with an id in the film index, ascending by id. @param fields that the source can fill */
export function wantedRecords(
  connection: Connection,
  resource: EnrichedResource,
  fields: readonly string[] = enrichedFields[resource],
): WantedRecord[] {
  return connection
    .prepare<[string], WantedRecord>(
      `SELECT id, filmindex_id AS filmindexId, (${fields.map(isUnset).join(' OR ')}) AS isIncomplete
       FROM ${resource} WHERE filmindex_id GLOB ? || '*' ORDER BY id`,
    )
    .all(prefixes[resource]);
}

/** The SQL condition that a field is unset. */
export const isUnset = (field: string): string =>
  Array.isArray(defaultOf(field)) ? `${field} = '[]'` : `${field} IS NULL`;
