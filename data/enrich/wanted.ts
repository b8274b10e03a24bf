/**
 * What a source can know: fields of films and people with an id in the film index; and how much of it the
 * record has.
 */
import { defaultOf, storedFields } from '../../api/contract/bodies.ts';
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import type { Connection } from '../database/open.ts';

/** Resource → the fields that a source can fill, in document order. */
export const enrichedFields = Object.fromEntries(
  enrichedResources.map((resource) => [
    resource,
    storedFields(resource).filter((field) => !['id', 'title', 'name', 'filmindex_id'].includes(field)),
  ]),
) as Record<EnrichedResource, string[]>;

export interface WantedRecord {
  id: number;
  /** Title of a film, name of a person or company. */
  name: string;
  filmindexId: string;
  /** Whether one of the fields is unset. */
  isIncomplete: 0 | 1;
}

const prefixes: Readonly<Record<EnrichedResource, readonly string[]>> = {
  movies: ['tt'],
  nominees: ['nm', 'co'],
};

/** Whether an id of the film index is that of a company: of these a source knows the picture only. */
export const isOfCompany = (filmindexId: string): boolean => filmindexId.startsWith('co');

/** The resource that an id of the film index belongs to; undefined for no id. */
export const resourceOf = (filmindexId: string): EnrichedResource | undefined =>
  enrichedResources.find((resource) =>
    new RegExp(`^(${prefixes[resource].join('|')})[0-9]+$`).test(filmindexId),
  );

/**
 * The records of a resource with an id in the film index, ascending by id.
 * @param fields that the source can fill
 */
export function wantedRecords(
  connection: Connection,
  resource: EnrichedResource,
  fields: readonly string[] = enrichedFields[resource],
): WantedRecord[] {
  const anyUnset = `(${fields.map(isUnset).join(' OR ')})`;
  const isIncomplete =
    resource === 'movies'
      ? anyUnset
      : `CASE WHEN filmindex_id GLOB 'co*' THEN profile_path IS NULL ELSE ${anyUnset} END`;
  return connection
    .prepare<[string], WantedRecord>(
      `SELECT id, ${resource === 'movies' ? 'title' : 'name'} AS name, filmindex_id AS filmindexId, ${isIncomplete} AS isIncomplete
       FROM ${resource} WHERE substr(filmindex_id, 1, 2) IN (SELECT value FROM json_each(?)) ORDER BY id`,
    )
    .all(JSON.stringify(prefixes[resource]));
}

/** The SQL condition that a field is unset. */
const isUnset = (field: string): string =>
  Array.isArray(defaultOf(field)) ? `${field} = '[]'` : `${field} IS NULL`;

interface FieldCoverage {
  /** Films, or people: companies and countries are not counted. */
  records: number;
  /** Field → records in which it is set, in document order. */
  known: Record<string, number>;
}

/** How much is known of films and of people. */
export function readCoverage(connection: Connection): Record<EnrichedResource, FieldCoverage> {
  const coverage = enrichedResources.map((resource): [EnrichedResource, FieldCoverage] => {
    const fields = ['filmindex_id', ...enrichedFields[resource]];
    const counts = fields.map((field) => `count(*) FILTER (WHERE NOT (${isUnset(field)})) AS ${field}`);
    const isCounted =
      resource === 'movies' ? 'TRUE' : "filmindex_id GLOB 'nm*' OR known_for_department IS NOT NULL";
    const { records, ...known } = connection
      .prepare<[], { records: number } & Record<string, number>>(
        `SELECT count(*) AS records, ${counts.join(', ')} FROM ${resource} WHERE ${isCounted}`,
      )
      .get()!;
    return [resource, { records, known }];
  });
  return Object.fromEntries(coverage) as Record<EnrichedResource, FieldCoverage>;
}
