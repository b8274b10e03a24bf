/** Receipts: who wrote what and when, and which files of the snapshot came of it once a build held the write. */
import type { ResourceName } from '../api/contract/names.ts';
import { revision as currentRevision } from './changes.ts';
import type { Connection } from './open.ts';

/** What a build did to one file, and why. */
export interface RebuiltFile {
  path: string;
  action: 'written' | 'removed';
  cause: string;
}

export interface Receipt {
  id: number;
  /** ISO 8601 in UTC. */
  at: string;
  /** Name of the key it was written with. */
  key: string;
  action: 'create' | 'update';
  resource: ResourceName;
  record_id: number;
  /** The record before the write; null for a new one. */
  before: object | null;
  after: object;
  /** The snapshot that first held the write; null until there is one. */
  snapshot: string | null;
  /** All files that the build of that snapshot touched, for this write or others; null until then. */
  files: RebuiltFile[] | null;
}

/** What is known of a write when it is made. */
export interface NewReceipt extends Pick<Receipt, 'key' | 'action' | 'resource' | 'before' | 'after'> {
  at: Date;
  recordId: number;
}

/** Adds a receipt, inside the transaction of its write and after it. @returns its id */
export function addReceipt(connection: Connection, receipt: NewReceipt): number {
  const { at, key, action, resource, recordId, before, after } = receipt;
  const { lastInsertRowid } = connection
    .prepare(
      `INSERT INTO receipts (at, key_name, action, resource, record_id, before, after, revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      at.toISOString(),
      key,
      action,
      resource,
      recordId,
      before && JSON.stringify(before),
      JSON.stringify(after),
      currentRevision(connection),
    );
  return Number(lastInsertRowid);
}

/**
 * Notes what a finished build made of the writes it is the first to hold: those up to its revision. All of them share what
 * it did. Inside the caller's transaction.
 */
export function completeReceipts(
  connection: Connection,
  revision: number,
  snapshot: string,
  files: readonly RebuiltFile[],
): void {
  const isPending = 'rebuild_id IS NULL AND revision <= ?';
  const isAny = connection
    .prepare<[number]>(`SELECT 1 FROM receipts WHERE ${isPending} LIMIT 1`)
    .get(revision);
  if (!isAny) return;
  const { lastInsertRowid } = connection
    .prepare('INSERT INTO rebuilds (snapshot, files) VALUES (?, ?)')
    .run(snapshot, JSON.stringify(files));
  connection.prepare(`UPDATE receipts SET rebuild_id = ? WHERE ${isPending}`).run(lastInsertRowid, revision);
}

type Row = Omit<Receipt, 'before' | 'after' | 'files'> & { before: string | null; after: string };

const columns = 'receipts.id, at, key_name AS key, action, resource, record_id, before, after, snapshot';
const joined = 'receipts LEFT JOIN rebuilds ON rebuilds.id = rebuild_id';

const parsed = <R extends Row>(row: R) => ({
  ...row,
  before: row.before === null ? null : (JSON.parse(row.before) as object),
  after: JSON.parse(row.after) as object,
});

/** A receipt; undefined if there is none. */
export function readReceipt(connection: Connection, id: number): Receipt | undefined {
  const row = connection
    .prepare<[number], Row & { files: string | null }>(
      `SELECT ${columns}, files FROM ${joined} WHERE receipts.id = ?`,
    )
    .get(id);
  return (
    row && { ...parsed(row), files: row.files === null ? null : (JSON.parse(row.files) as RebuiltFile[]) }
  );
}

/** Receipts, newest first, at most `limit` of them; those with ids below `before` where it is given. */
export function listReceipts(
  connection: Connection,
  { before, limit }: { before?: number | undefined; limit: number },
): Omit<Receipt, 'files'>[] {
  return connection
    .prepare<[number, number], Row>(
      `SELECT ${columns} FROM ${joined} WHERE receipts.id < ? ORDER BY receipts.id DESC LIMIT ?`,
    )
    .all(before ?? Number.MAX_SAFE_INTEGER, limit)
    .map(parsed);
}
