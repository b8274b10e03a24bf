/**
 * Replays the receipts over the record as it was at first. A write and its receipt are one transaction, so the replay gives the
 * record that is stored: no write without a receipt, none half made, none lost.
 */
import { derivedFrom } from '../../api/contract/bodies.ts';
import { resourceNames } from '../../api/contract/names.ts';
import { recordPath } from '../../api/contract/routes.ts';
import { readRecord } from '../../data/record/edits.ts';
import type { Connection } from '../../data/database/open.ts';
import { readReceipt } from '../../data/record/receipts.ts';
import { type Acknowledgement, batchSize, writesOf } from './writes.ts';

type Fields = Record<string, unknown>;

export class HistoryReplay {
  /** Path → the stored fields of the record, but for those that are derived from others. */
  readonly #replayed: Map<string, Fields>;
  #receipts: number;

  /** Starts from the record as it is. */
  constructor(connection: Connection) {
    this.#replayed = recordsOf(connection);
    this.#receipts = latestReceipt(connection);
  }

  /** Replays the receipts that are new since the last call. @returns faults of the database, a line each */
  follow(connection: Connection): string[] {
    const faults = faultsOfGroups(connection);
    for (const latest = latestReceipt(connection); this.#receipts < latest; ) {
      this.#receipts += 1;
      const receipt = readReceipt(connection, this.#receipts);
      // Ids have no gaps: a refused write is rolled back with its receipt.
      if (receipt === undefined) return [`there is no receipt ${this.#receipts}`];
      const path = `${receipt.resource}/${receipt.record_id}`;
      const known = this.#replayed.get(path);
      const [before, after] = [receipt.before, receipt.after].map((fields) => stored(path, fields as Fields));
      const isOfKnown = Object.entries(before!).every(([field, value]) => isSame(value, known?.[field]));
      if (!isOfKnown || (known === undefined) !== (receipt.action === 'create'))
        faults.push(`${JSON.stringify(receipt)} is about another record than ${JSON.stringify(known)}`);
      if (receipt.action === 'delete') this.#replayed.delete(path);
      else this.#replayed.set(path, { ...known, ...after });
    }
    const records = recordsOf(connection);
    for (const path of new Set([...records.keys(), ...this.#replayed.keys()])) {
      const [is, replayed] = [JSON.stringify(records.get(path)), JSON.stringify(this.#replayed.get(path))];
      if (is !== replayed) faults.push(`${path} is ${is}, its receipts say ${replayed}`);
    }
    return faults;
  }
}

/** Acknowledged writes whose receipt is missing or differs from what was sent, a line each. */
export function faultsOfAcknowledged(
  connection: Connection,
  acknowledgements: readonly Acknowledgement[],
): string[] {
  return acknowledgements.flatMap(writesOf).flatMap(({ body, done: { path, receipt: id } }) => {
    const receipt = id === null ? undefined : readReceipt(connection, id);
    const after = (receipt?.after ?? {}) as Fields;
    const isIt =
      receipt &&
      recordPath(receipt.resource, receipt.record_id) === path &&
      (receipt.action === 'delete') === (body === undefined) &&
      Object.entries((body ?? {}) as Fields).every(
        ([field, value]) => !(field in after) || isSame(after[field], value),
      );
    return id === null || isIt
      ? []
      : [`${path} was acknowledged with receipt ${id}: ${JSON.stringify(receipt)}`];
  });
}

const isSame = (value: unknown, other: unknown): boolean => JSON.stringify(value) === JSON.stringify(other);

/** Groups of receipts that are not whole batches, a line each. */
const faultsOfGroups = (connection: Connection): string[] =>
  connection
    .prepare<[number], string>(
      `SELECT 'group ' || group_id || ' has ' || count(*) || ' receipts' FROM receipts
       WHERE group_id IS NOT NULL GROUP BY group_id HAVING count(*) <> ? OR min(id) <> group_id`,
    )
    .pluck()
    .all(batchSize);

function recordsOf(connection: Connection): Map<string, Fields> {
  const records = new Map<string, Fields>();
  for (const resource of resourceNames)
    for (const id of connection.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().all()) {
      const path = `${resource}/${id}`;
      records.set(path, stored(path, readRecord(connection, resource, id) as Fields | undefined));
    }
  return records;
}

/** The receipt of a deletion has details, too. */
const stored = (path: string, fields: Fields | null | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).filter(
      ([field]) => !path.startsWith('nominations/') || (field !== 'details' && !(field in derivedFrom)),
    ),
  );

const latestReceipt = (connection: Connection): number =>
  connection.prepare<[], number>('SELECT coalesce(max(id), 0) FROM receipts').pluck().get()!;
