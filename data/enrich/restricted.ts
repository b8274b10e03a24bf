/**
 * Values that may not be passed on: where they are, and their removal when they may not be kept any longer.
 */
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import {
  type EnrichedResource,
  enrichedResources,
  enrichmentSources,
  restrictedSource,
} from '../../api/contract/enrichment.ts';
import { type RestrictedShard, toRuns } from '../../api/contract/snapshot.ts';
import { byCodeUnit } from '../../api/contract/text.ts';
import { updateRecord } from '../record/edits.ts';
import { mergeFields, readGiven, writeGiven } from '../record/given.ts';
import { type Connection, prepared } from '../database/open.ts';
import { addReceipt } from '../record/receipts.ts';
import { type Columns, defaultColumn, storedRecord } from '../record/records.ts';
import { writeTransaction } from '../database/transaction.ts';

/** Values from before this time may not be kept. ISO 8601 in UTC. */
export const oldestAllowed = (now: Date): string =>
  new Date(now.getTime() - enrichmentSources[restrictedSource].maxAgeDays * 24 * 60 * 60_000).toISOString();

type JsonRecord = Record<string, JsonValue>;

interface RestrictedRecord {
  id: number;
  retrievedAt: string;
  /** The fields that still have the value of the source. */
  fields: string[];
}

/** The records with `from <= id < to` that have restricted values, by id. */
function restrictedRecords(
  connection: Connection,
  resource: EnrichedResource,
  from: number,
  to: number,
): RestrictedRecord[] {
  const rows = prepared<[string, string, number, number], { id: number; at: string; given: string }>(
    connection,
    `SELECT r.*, g.retrieved_at AS at, g.fields AS given FROM given AS g JOIN ${resource} AS r ON r.id = g.record_id
     WHERE g.resource = ? AND g.source = ? AND g.record_id >= ? AND g.record_id < ? ORDER BY r.id`,
  ).all(resource, restrictedSource, from, to);
  return rows.flatMap(({ at: retrievedAt, given, ...record }) => {
    const columns: Columns = record;
    const fields = Object.entries(JSON.parse(given) as Columns).flatMap(([field, value]) =>
      columns[field] === value && value !== defaultColumn(field) ? [field] : [],
    );
    return fields.length > 0 ? [{ id: record.id, retrievedAt, fields }] : [];
  });
}

/**
 * The restricted fields of the records with `from <= id < to`, for the snapshot; undefined if there are none.
 */
export function restrictedBetween(
  connection: Connection,
  resource: EnrichedResource,
  from: number,
  to: number,
): RestrictedShard | undefined {
  const ids = new Map<string, number[]>();
  for (const { id, fields } of restrictedRecords(connection, resource, from, to))
    for (const field of fields) ids.set(field, [...(ids.get(field) ?? []), id]);
  if (ids.size === 0) return undefined;
  const fields = [...ids].sort(([a], [b]) => byCodeUnit(a, b));
  return fields.map(([field, own]) => [restrictedSource, field, toRuns(own)]);
}

/** The number of restricted values by the day when they were retrieved, ascending. */
export function restrictedDays(connection: Connection): RestrictedDay[] {
  const days = new Map<string, number>();
  for (const resource of enrichedResources)
    for (const { retrievedAt, fields } of restrictedRecords(
      connection,
      resource,
      0,
      Number.MAX_SAFE_INTEGER,
    )) {
      const day = retrievedAt.slice(0, 10);
      days.set(day, (days.get(day) ?? 0) + fields.length);
    }
  return [...days].sort(([a], [b]) => byCodeUnit(a, b)).map(([day, values]) => ({ day, values }));
}

interface RestrictedDay {
  day: string;
  values: number;
}

/** Resource → field → number of removed values. */
type Removed = Record<EnrichedResource, Record<string, number>>;

/** Whether a record has values, or a receipt, of the source from before a time. */
const hasExpired = (connection: Connection, time: string): boolean =>
  connection
    .prepare(
      `SELECT 1 FROM given WHERE source = ? AND retrieved_at < ? UNION ALL
       SELECT 1 FROM receipts WHERE key_name = ? AND at < ? AND (before <> '{}' OR after <> '{}') LIMIT 1`,
    )
    .get(restrictedSource, time, `enrich:${restrictedSource}`, time) !== undefined;

/**
 * Removes the values that may not be kept any longer, from the records and from the receipts. Where there are
 * none, the database is only read.
 * @param dryRun only count them @throws DatabaseBusy
 */
export function removeExpired(connection: Connection, now: Date, dryRun = false): Removed {
  const removed: Removed = { movies: {}, nominees: {} };
  if (!hasExpired(connection, oldestAllowed(now))) return removed;
  const work = () => {
    const expired = connection
      .prepare<[string, string], { resource: EnrichedResource; id: number }>(
        `SELECT resource, record_id AS id FROM given
         WHERE source = ? AND retrieved_at < ? AND resource IN ('movies', 'nominees') ORDER BY resource, record_id`,
      )
      .all(restrictedSource, oldestAllowed(now));
    for (const { resource, id } of expired)
      for (const field of expire(connection, resource, id, now, dryRun))
        removed[resource][field] = (removed[resource][field] ?? 0) + 1;
    const keys = new Set(expired.map(({ resource, id }) => `${resource} ${id}`));
    if (!dryRun) redactReceipts(connection, oldestAllowed(now), keys);
  };
  if (dryRun) work();
  else {
    writeTransaction(connection, work);
    // The log still has pages with the values. While another program reads, it keeps them until its next
    // restart.
    connection.pragma('wal_checkpoint(TRUNCATE)');
  }
  return removed;
}

/** Sets the values of one record to unknown. The receipt does not keep them. @returns the fields */
function expire(
  connection: Connection,
  resource: EnrichedResource,
  id: number,
  now: Date,
  dryRun: boolean,
): string[] {
  const given = readGiven(connection, resource, id, restrictedSource)!;
  const nothing = Object.fromEntries(Object.keys(given.fields).map((field) => [field, null]));
  const fields = Object.keys(mergeFields(storedRecord(connection, resource, id), given.fields, nothing));
  if (dryRun) return fields;
  writeGiven(connection, resource, id, restrictedSource, { ...given, fields: {} });
  if (fields.length === 0) return fields;
  const after = Object.fromEntries(fields.map((field) => [field, defaultOf(field)]));
  updateRecord(connection, resource, id, after);
  addReceipt(connection, {
    key: `enrich:${restrictedSource}`,
    at: now,
    action: 'update',
    resource,
    recordId: id,
    before: {},
    after,
  });
  return fields;
}

/**
 * Whether no build holds the last removal of expired values yet. "enrich tmdb" removes them as well as a
 * build.
 */
export const isRemovalPending = (connection: Connection): boolean =>
  connection
    .prepare("SELECT 1 FROM receipts WHERE key_name = ? AND before = '{}' AND rebuild_id IS NULL LIMIT 1")
    .get(`enrich:${restrictedSource}`) !== undefined;

interface Receipt {
  id: number;
  before: string | null;
  after: string | null;
}

interface SourceReceipt {
  at: string;
  resource: string;
  record_id: number;
  before: string;
  after: string;
}

/**
 * Removes values that the source wrote from all receipts of a record: those from before a time, and all of
 * expired records.
 */
function redactReceipts(connection: Connection, time: string, expired: ReadonlySet<string>): void {
  const written = connection
    .prepare<[string], SourceReceipt>(
      `SELECT at, resource, record_id, before, after FROM receipts
       WHERE key_name = ? AND (before <> '{}' OR after <> '{}') ORDER BY id`,
    )
    .all(`enrich:${restrictedSource}`);
  const values = new Map<string, Set<string>>();
  for (const { at, resource, record_id, before, after } of written) {
    const key = `${resource} ${record_id}`;
    if (at >= time && !expired.has(key)) continue;
    const own = values.get(key) ?? new Set<string>();
    values.set(key, own);
    for (const [field, value] of [before, after].flatMap((each) =>
      Object.entries(JSON.parse(each) as JsonRecord),
    ))
      if (!isDefault(field, value)) own.add(JSON.stringify([field, value]));
  }
  const receipts = connection.prepare<[string, number], Receipt>(
    'SELECT id, before, after FROM receipts WHERE resource = ? AND record_id = ?',
  );
  const update = connection.prepare('UPDATE receipts SET before = ?, after = ? WHERE id = ?');
  for (const [key, own] of values) {
    const [resource, id] = key.split(' ') as [string, string];
    for (const { id: receipt, before, after } of receipts.all(resource, Number(id))) {
      const kept = [before, after].map((text) => text && redacted(text, own));
      if (kept[0] !== before || kept[1] !== after) update.run(...kept, receipt);
    }
  }
}

const isDefault = (field: string, value: JsonValue) =>
  JSON.stringify(value) === JSON.stringify(defaultOf(field));

/**
 * A part of a receipt without some values: a change of fields without these, a whole record with their
 * defaults.
 */
function redacted(text: string, values: ReadonlySet<string>): string {
  const record = JSON.parse(text) as JsonRecord;
  const isWhole = record.id !== undefined;
  for (const [field, value] of Object.entries(record)) {
    if (!values.has(JSON.stringify([field, value]))) continue;
    if (isWhole) record[field] = defaultOf(field);
    else delete record[field];
  }
  return JSON.stringify(record);
}
