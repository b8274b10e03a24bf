/** How much is known of the films and people of a record, and which values may not be passed on. */
import { type EnrichedResource, enrichedResources } from '../../api/contract/enrichment.ts';
import { enrichedFields, isUnset } from './wanted.ts';
import type { Connection } from '../open.ts';

export interface FieldCoverage {
  /** Films, or people: companies and countries are not counted. */
  records: number;
  /** Field → records in which it is set, in document order. */
  known: Record<string, number>;
}

export interface RestrictedValues {
  source: string;
  values: number;
  /** The times when the values were retrieved, ascending, and how many there are of each day. */
  days: { day: string; values: number }[];
}

export interface Coverage {
  resources: Record<EnrichedResource, FieldCoverage>;
  /** Ascending by source. */
  restricted: RestrictedValues[];
}

const isCounted: Readonly<Record<EnrichedResource, string>> = {
  movies: 'TRUE',
  nominees: "filmindex_id GLOB 'nm*' OR known_for_department IS NOT NULL",
};

export function readCoverage(connection: Connection): Coverage {
  const resources = enrichedResources.map((resource): [EnrichedResource, FieldCoverage] => {
    const fields = ['filmindex_id', ...enrichedFields[resource]];
    const counts = fields.map((field) => `count(*) FILTER (WHERE NOT (${isUnset(field)})) AS ${field}`);
    const { records, ...known } = connection
      .prepare<[], { records: number } & Record<string, number>>(
        `SELECT count(*) AS records, ${counts.join(', ')} FROM ${resource} WHERE ${isCounted[resource]}`,
      )
      .get()!;
    return [resource, { records, known }];
  });
  return {
    resources: Object.fromEntries(resources) as Coverage['resources'],
    restricted: restrictedValues(connection),
  };
}

function restrictedValues(connection: Connection): RestrictedValues[] {
  const rows = connection
    .prepare<[], { source: string; day: string; own: number }>(
      `SELECT source, substr(retrieved_at, 1, 10) AS day, count(*) AS own FROM provenance
       WHERE restricted AND NOT edited GROUP BY source, day ORDER BY source, day`,
    )
    .all();
  const bySource = new Map<string, RestrictedValues>();
  for (const { source, day, own } of rows) {
    const values = bySource.get(source) ?? { source, values: 0, days: [] };
    bySource.set(source, values);
    values.values += own;
    values.days.push({ day, values: own });
  }
  return [...bySource.values()];
}
