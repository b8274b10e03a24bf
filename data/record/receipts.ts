/**
 * Receipts: the audit record of each write. The first build that holds the write completes it: recordBuild()
 * in changes.ts.
 */
import type { RebuiltFile, ReceiptDocument } from '../../api/contract/answers.ts';
import type { ResourceName } from '../../api/contract/names.ts';
import { revision as currentRevision } from '../database/changes.ts';
import { type Connection, prepared } from '../database/open.ts';
import type { RecordFields } from './validation.ts';

/** A write, before its build. */
export interface NewReceipt
  extends Pick<ReceiptDocument, 'key' | 'action' | 'resource' | 'before' | 'after'> {
  at: Date;
  recordId: number;
  note?: string | undefined;
}

/** Adds a receipt, in the transaction of its write. @returns its id */
export function addReceipt(connection: Connection, receipt: NewReceipt): number {
  const { at, key, action, resource, recordId, before, after, note } = receipt;
  const { lastInsertRowid } = prepared<unknown[]>(
    connection,
    `INSERT INTO receipts (at, key_name, action, resource, record_id, before, after, note, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    at.toISOString(),
    key,
    action,
    resource,
    recordId,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    note ?? null,
    currentRevision(connection),
  );
  return Number(lastInsertRowid);
}

/**
 * Makes receipts of one transaction a group.
 * @returns its number, the lowest of their ids; undefined for no receipts
 */
export function groupReceipts(connection: Connection, ids: readonly number[]): number | undefined {
  if (ids.length === 0) return undefined;
  const group = Math.min(...ids);
  const statement = prepared<[number, number]>(connection, 'UPDATE receipts SET group_id = ? WHERE id = ?');
  for (const id of ids) statement.run(group, id);
  return group;
}

interface Row extends Omit<ReceiptDocument, 'group' | 'before' | 'after' | 'note' | 'files'> {
  group_id: number | null;
  note: string | null;
  before: string | null;
  after: string | null;
}

const columns =
  'receipts.id, at, key_name AS key, action, resource, record_id, group_id, before, after, note, snapshot';

function parsed({ id, at, key, action, resource, record_id, group_id, before, after, note, snapshot }: Row) {
  return {
    id,
    at,
    key,
    action,
    resource,
    record_id,
    ...(group_id !== null && { group: group_id }),
    before: before === null ? null : (JSON.parse(before) as RecordFields),
    after: after === null ? null : (JSON.parse(after) as RecordFields),
    ...(note !== null && { note }),
    snapshot,
  };
}

/** A receipt; undefined if there is none. */
export function readReceipt(connection: Connection, id: number): ReceiptDocument | undefined {
  const row = connection
    .prepare<[number], Row & { files: string | null }>(
      `SELECT ${columns}, files FROM receipts LEFT JOIN rebuilds ON rebuilds.id = rebuild_id WHERE receipts.id = ?`,
    )
    .get(id);
  return (
    row && { ...parsed(row), files: row.files === null ? null : (JSON.parse(row.files) as RebuiltFile[]) }
  );
}

/** Which receipts a list has: those that match all given values. */
export interface ReceiptFilter {
  /** Lower ids. */
  before?: number | undefined;
  resource?: ResourceName | undefined;
  record_id?: number | undefined;
  /** Name of the API key. */
  key?: string | undefined;
  /** First and last time, ISO 8601 in UTC with milliseconds. */
  since?: string | undefined;
  until?: string | undefined;
  group?: number | undefined;
}

const conditions = {
  before: 'receipts.id < ?',
  resource: 'resource = ?',
  record_id: 'record_id = ?',
  key: 'key_name = ?',
  since: 'at >= ?',
  until: 'at <= ?',
  group: 'group_id = ?',
} as const satisfies Record<keyof ReceiptFilter, string>;

/** At most `limit` receipts, newest first. */
export function listReceipts(
  connection: Connection,
  { limit, ...filter }: ReceiptFilter & { limit: number },
): Omit<ReceiptDocument, 'files'>[] {
  const names = Object.keys(conditions) as (keyof ReceiptFilter)[];
  const given = names.filter((name) => filter[name] !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map((name) => conditions[name]).join(' AND ')}`;
  return prepared<unknown[], Row>(
    connection,
    `SELECT ${columns} FROM receipts ${where} ORDER BY receipts.id DESC LIMIT ?`,
  )
    .all(...given.map((name) => filter[name]), limit)
    .map(parsed);
}
