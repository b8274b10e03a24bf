/**
 * What sources gave (table `given`), and the one rule by which imports and enrichment merge it into the
 * record: a field follows a source as long as the record has what that source gave last, or the default where
 * it gave nothing. Any other value is that of an editor or of another source, and stays. An import goes on
 * when the source changes such a field, and remembers the value that was replaced (`replaced`): with it the
 * change of the editor is undone, and the field follows the source again.
 *
 * The import's values of a deleted record move to the table `deleted`, by a trigger.
 */
import type { EnrichmentSource } from '../../api/contract/enrichment.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { type Connection, prepared } from '../database/open.ts';
import { type Columns, defaultColumn } from './records.ts';

export type GivenSource = 'import' | EnrichmentSource;

/** What a source gave of one record. */
export interface Given {
  fields: Columns;
  /** Field that does not follow the source → the value that it had from the source last. Imports only. */
  replaced?: Columns;
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
 * @param replaced see Given
 */
export function mergeFields(record: Columns, before: Columns, now: Columns, replaced: Columns = {}): Columns {
  const changes: Record<string, Columns[string]> = {};
  for (const [field, value] of Object.entries(now)) {
    const last = before[field] ?? null;
    const has = (given: Columns[string] | undefined) =>
      given !== undefined && record[field] === (given ?? defaultColumn(field));
    const wanted = value ?? defaultColumn(field);
    const follows = (value !== last && has(last)) || has(replaced[field]);
    if (follows && record[field] !== wanted) changes[field] = wanted;
  }
  return changes;
}

/**
 * The values that the record had from a source before an editor replaced them, and that the source does not
 * give now.
 * @param record as it is after mergeFields(), whose other parameters are the same
 */
export function replacedFields(
  record: Columns,
  before: Columns,
  now: Columns,
  replaced: Columns,
): Record<string, Columns[string]> {
  const found: Record<string, Columns[string]> = {};
  for (const [field, value] of Object.entries(now)) {
    if (record[field] === (value ?? defaultColumn(field))) continue;
    const followed = replaced[field] === undefined ? before[field] : replaced[field];
    if (followed !== undefined && followed !== value) found[field] = followed;
  }
  return found;
}

interface Row {
  id: number;
  source: GivenSource;
  source_id: string | null;
  retrieved_at: string | null;
  fields: string;
  replaced: string;
  added: 0 | 1;
}

const columns = 'record_id AS id, source, source_id, retrieved_at, fields, replaced, added';

const parsed = ({ source_id, retrieved_at, fields, replaced, added }: Row): Given => ({
  fields: JSON.parse(fields) as Columns,
  replaced: replaced === '{}' ? {} : (JSON.parse(replaced) as Columns),
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
  { fields, replaced = {}, sourceId, retrievedAt, isAdded }: Given,
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
    `INSERT INTO given (resource, record_id, source, source_id, retrieved_at, fields, replaced, added)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET source_id = excluded.source_id, retrieved_at = excluded.retrieved_at,
       fields = excluded.fields, replaced = excluded.replaced`,
  ).run(
    ...[resource, id, source, sourceId, retrievedAt, JSON.stringify(fields), JSON.stringify(replaced)],
    Number(isAdded),
  );
}

/**
 * What imports gave of the deleted records of a resource, by id, in the order of their deletion. The id is
 * negative where another record has it.
 */
export function allDeleted(connection: Connection, resource: ResourceName): Map<number, Given> {
  const rows = prepared<[string], Row>(
    connection,
    `SELECT iif(EXISTS (SELECT 1 FROM ${resource} WHERE id = record_id), -deleted.id, record_id) AS id, NULL AS source_id,
       NULL AS retrieved_at, fields, replaced, added
     FROM deleted WHERE resource = ? ORDER BY deleted.id`,
  ).all(resource);
  return new Map(rows.map((row) => [row.id, parsed(row)]));
}

/** Stores what imports give now of a deleted record. @param id as allDeleted() has it */
export function writeDeleted(
  connection: Connection,
  resource: ResourceName,
  id: number,
  { fields, replaced = {} }: Given,
): void {
  prepared<unknown[]>(
    connection,
    `UPDATE deleted SET fields = ?, replaced = ? WHERE resource = ? AND ${id < 0 ? '-id' : 'record_id'} = ?`,
  ).run(JSON.stringify(fields), JSON.stringify(replaced), resource, id);
}

/**
 * Notes that a record has the id of a deleted one that imports gave: the undo of the deletion makes it known
 * again as what they gave; of another record, only the id is forgotten.
 * @param isUndo asked only if there is such a deleted record
 */
export function noteReturn(
  connection: Connection,
  resource: ResourceName,
  id: number,
  isUndo: () => boolean,
): void {
  const own = 'FROM deleted WHERE resource = ? AND record_id = ?';
  if (prepared<[string, number]>(connection, `SELECT 1 ${own}`).get(resource, id) === undefined) return;
  if (isUndo()) {
    prepared<[string, number]>(
      connection,
      `INSERT INTO given (resource, record_id, source, fields, replaced, added)
       SELECT resource, record_id, 'import', fields, replaced, added ${own} ORDER BY id DESC LIMIT 1`,
    ).run(resource, id);
    prepared<[string, number]>(connection, `DELETE ${own}`).run(resource, id);
  } else
    prepared<[string, number]>(
      connection,
      'UPDATE deleted SET record_id = -id WHERE resource = ? AND record_id = ?',
    ).run(resource, id);
}

/** Deletes what sources gave of a record, before the record itself: its deletion leaves no trace. */
export function forgetGiven(connection: Connection, resource: ResourceName, id: number): void {
  prepared<unknown[]>(connection, 'DELETE FROM given WHERE resource = ? AND record_id = ?').run(resource, id);
}
