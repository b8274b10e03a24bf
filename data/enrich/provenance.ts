/** The provenance of enriched fields: the source of each value, as long as nothing else has changed the field. */
import {
  type EnrichedResource,
  type EnrichmentSource,
  enrichmentSources,
} from '../../api/contract/enrichment.ts';
import { type RestrictedShard, toRuns } from '../../api/contract/snapshot.ts';
import type { Connection } from '../open.ts';
import { prepared } from '../statements.ts';

export interface Provenance {
  source: EnrichmentSource;
  /** The id of the record in the source. */
  sourceId: string;
  /** ISO 8601 in UTC. */
  retrievedAt: string;
  /** Whether the field was changed since: the value is not of the source. */
  isEdited: boolean;
}

/** The provenance of a record, by field. */
export function readProvenance(
  connection: Connection,
  resource: EnrichedResource,
  id: number,
): Map<string, Provenance> {
  const rows = prepared<[string, number], Omit<Provenance, 'isEdited'> & { field: string; edited: 0 | 1 }>(
    connection,
    `SELECT field, source, source_id AS sourceId, retrieved_at AS retrievedAt, edited
     FROM provenance WHERE resource = ? AND record_id = ?`,
  ).all(resource, id);
  return new Map(rows.map(({ field, edited, ...row }) => [field, { ...row, isEdited: edited === 1 }]));
}

/** Records the provenance of values that were just written. Runs in the transaction that wrote them. */
export function recordProvenance(
  connection: Connection,
  resource: EnrichedResource,
  id: number,
  fields: readonly string[],
  { source, sourceId, retrievedAt }: Omit<Provenance, 'isEdited'>,
): void {
  const { licence, isRestricted } = enrichmentSources[source];
  const statement = prepared<unknown[]>(
    connection,
    `INSERT OR REPLACE INTO provenance (resource, record_id, field, source, source_id, licence, restricted, retrieved_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const field of fields)
    statement.run(resource, id, field, source, sourceId, licence, Number(isRestricted), retrievedAt);
}

/** The ids of the records with a value of a source. */
export function recordsFrom(
  connection: Connection,
  resource: EnrichedResource,
  source: EnrichmentSource,
): Set<number> {
  const ids = connection
    .prepare<[string, string], number>(
      'SELECT DISTINCT record_id FROM provenance WHERE resource = ? AND source = ? AND NOT edited',
    )
    .pluck()
    .all(resource, source);
  return new Set(ids);
}

/** The records with values of a source that were retrieved before a time (ISO 8601 in UTC), with these fields. */
export function olderValues(
  connection: Connection,
  source: EnrichmentSource,
  before: string,
): { resource: EnrichedResource; id: number; fields: string[] }[] {
  return connection
    .prepare<[string, string], { resource: EnrichedResource; id: number; fields: string }>(
      `SELECT resource, record_id AS id, json_group_array(field) AS fields FROM provenance
       WHERE source = ? AND retrieved_at < ? AND NOT edited GROUP BY resource, record_id`,
    )
    .all(source, before)
    .map((row) => ({ ...row, fields: JSON.parse(row.fields) as string[] }));
}

/** Forgets the provenance of some fields: any source may fill them again. */
export function deleteProvenance(
  connection: Connection,
  resource: EnrichedResource,
  id: number,
  fields: readonly string[],
): void {
  const statement = prepared<unknown[]>(
    connection,
    'DELETE FROM provenance WHERE resource = ? AND record_id = ? AND field = ?',
  );
  for (const field of fields) statement.run(resource, id, field);
}

/** The restricted fields of the records with `from <= id < to`, for the snapshot; undefined if there are none. */
export function restrictedBetween(
  connection: Connection,
  resource: EnrichedResource,
  from: number,
  to: number,
): RestrictedShard | undefined {
  const rows = connection
    .prepare<[string, number, number], { source: string; field: string; ids: string }>(
      `SELECT source, field, json_group_array(record_id ORDER BY record_id) AS ids FROM provenance
       WHERE resource = ? AND record_id >= ? AND record_id < ? AND restricted AND NOT edited
         AND EXISTS (SELECT 1 FROM ${resource} WHERE id = record_id)
       GROUP BY source, field ORDER BY source, field`,
    )
    .all(resource, from, to);
  if (rows.length === 0) return undefined;
  return rows.map(({ source, field, ids }) => [source, field, toRuns(JSON.parse(ids) as number[])]);
}
