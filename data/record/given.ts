/**
 * What sources gave (table `given`), and the one rule by which imports and enrichment merge it into the
 * record: a field follows a source as long as the record has what that source gave last, or the default where
 * it gave nothing. Any other value is that of an editor or of another source, and stays.
 */
import type { EnrichmentSource } from '../../api/contract/enrichment.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { type Connection, prepared } from '../database/open.ts';
import { type Columns, defaultColumn } from './records.ts';

export type GivenSource = 'import' | EnrichmentSource;

/** What a source gave of one record. */
export interface Given {
  fields: Columns;
  /** Id of the record in the source; null for imports. */
  sourceId: string | null;
  /** When the oldest of the values was retrieved, ISO 8601 in UTC; null for imports. */
  retrievedAt: string | null;
  /** Whether the source added the record. */
  isAdded: boolean;
}

/**
 * The fields that follow a source, with their new values. Fields that the source does not name are left out.
 * @param record as its columns are now
 * @param before what the source gave last @param now what it gives now; null stands for the default
 */
export function mergeFields(record: Columns, before: Columns, now: Columns): Columns {
  const changes: Record<string, Columns[string]> = {};
  for (const [field, value] of Object.entries(now)) {
    const [expected, wanted] = [before[field] ?? defaultColumn(field), value ?? defaultColumn(field)];
    if (record[field] === expected && wanted !== expected) changes[field] = wanted;
  }
  return changes;
}

interface Row {
  id: number;
  source: GivenSource;
  source_id: string | null;
  retrieved_at: string | null;
  fields: string;
  added: 0 | 1;
}

const columns = 'record_id AS id, source, source_id, retrieved_at, fields, added';

const parsed = ({ source_id, retrieved_at, fields, added }: Row): Given => ({
  fields: JSON.parse(fields) as Columns,
  sourceId: source_id,
  retrievedAt: retrieved_at,
  isAdded: added === 1,
});

export type GivenBySource = ReadonlyMap<GivenSource, Given>;

/** What all sources gave of the records of a resource, by id. */
export function allGiven(connection: Connection, resource: ResourceName): Map<number, GivenBySource> {
  const all = new Map<number, Map<GivenSource, Given>>();
  const statement = connection.prepare<[string], Row>(`SELECT ${columns} FROM given WHERE resource = ?`);
  for (const row of statement.iterate(resource)) {
    const own = all.get(row.id) ?? new Map<GivenSource, Given>();
    all.set(row.id, own.set(row.source, parsed(row)));
  }
  return all;
}

/** What a source gave of one record; undefined if it gave nothing. */
export function readGiven(
  connection: Connection,
  resource: ResourceName,
  id: number,
  source: GivenSource,
): Given | undefined {
  const row = prepared<[string, number, string], Row>(
    connection,
    `SELECT ${columns} FROM given WHERE resource = ? AND record_id = ? AND source = ?`,
  ).get(resource, id, source);
  return row && parsed(row);
}

/**
 * Stores what a source gave of a record, in place of what it gave before. Without fields, nothing is stored.
 */
export function writeGiven(
  connection: Connection,
  resource: ResourceName,
  id: number,
  source: GivenSource,
  { fields, sourceId, retrievedAt, isAdded }: Given,
): void {
  if (Object.keys(fields).length === 0) {
    prepared<unknown[]>(
      connection,
      'DELETE FROM given WHERE resource = ? AND record_id = ? AND source = ?',
    ).run(resource, id, source);
    return;
  }
  prepared<unknown[]>(
    connection,
    `INSERT INTO given (resource, record_id, source, source_id, retrieved_at, fields, added) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET source_id = excluded.source_id, retrieved_at = excluded.retrieved_at, fields = excluded.fields`,
  ).run(resource, id, source, sourceId, retrievedAt, JSON.stringify(fields), Number(isAdded));
}
