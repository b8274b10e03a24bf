/**
 * Replays the receipts over the record as it was at first. A write and its receipt are one transaction, so the replay gives the
 * record that is stored: no write without a receipt, none half made, none lost.
 */
import { derivedFrom } from '../../api/contract/bodies.ts';
import { type ResourceName, resourceNames, type WritableResource } from '../../api/contract/names.ts';
import { recordPath } from '../../api/contract/routes.ts';
import { readRecord } from '../../data/record/edits.ts';
import type { Connection } from '../../data/database/open.ts';
import { readReceipt } from '../../data/record/receipts.ts';
import { type Acknowledgement, batchSize, writesOf } from './writes.ts';

type Fields = Record<string, unknown>;

export class HistoryReplay {
  readonly #replayed: Map<string, Fields>;
  #receipts: number;

  /** Starts from the record as it is. */
  constructor(connection: Connection) {
    this.#replayed = recordsOf(connection);
    this.#receipts = latestReceipt(connection);
  }

  /** Replays the receipts that are new since the last call. @returns faults of the database, a line each */
  follow(connection: Connection): string[] {
    const faults = [...damageOf(connection), ...faultsOfGroups(connection)];
    for (const latest = latestReceipt(connection); this.#receipts < latest; ) {
      this.#receipts += 1;
      faults.push(...this.#replay(connection, this.#receipts));
    }
    const records = recordsOf(connection);
    for (const path of new Set([...records.keys(), ...this.#replayed.keys()])) {
      const [is, replayed] = [JSON.stringify(records.get(path)), JSON.stringify(this.#replayed.get(path))];
      if (is !== replayed) faults.push(`${path} is ${is}, its receipts say ${replayed}`);
    }
    return faults;
  }

  #replay(connection: Connection, id: number): string[] {
    const receipt = readReceipt(connection, id);
    // Ids have no gaps: a refused write is rolled back with its receipt.
    if (receipt === undefined) return [`there is no receipt ${id}`];
    const resource = receipt.resource as ResourceName;
    const path = `${receipt.resource}/${receipt.record_id}`;
    const before = this.#replayed.get(path);
    const faults: string[] = [];
    if ((before === undefined) !== (receipt.action === 'create'))
      faults.push(`receipt ${id} is of a ${receipt.action}, and ${path} was ${JSON.stringify(before)}`);
    for (const [field, value] of Object.entries(stored(resource, receipt.before as Fields | null)))
      if (JSON.stringify(value) !== JSON.stringify(before?.[field]))
        faults.push(`receipt ${id} begins from another ${field} of ${path}`);
    if (receipt.action === 'delete') this.#replayed.delete(path);
    else this.#replayed.set(path, { ...before, ...stored(resource, receipt.after as Fields) });
    return faults;
  }
}

/** Acknowledged writes whose receipt is missing or differs from what was sent, a line each. */
export function faultsOfAcknowledged(
  connection: Connection,
  acknowledgements: readonly Acknowledgement[],
): string[] {
  return acknowledgements.flatMap(writesOf).flatMap(({ body, done }) => {
    const { path, record } = done;
    if (done.receipt === null) return [];
    const receipt = readReceipt(connection, done.receipt);
    if (receipt === undefined)
      return [`the write of ${path} was acknowledged with receipt ${done.receipt}: lost`];
    if (body === undefined) {
      const isDeletion = receipt.action === 'delete' && receipt.record_id === record.id;
      return isDeletion ? [] : [`receipt ${done.receipt} is not of the deletion of ${path}`];
    }
    const after = receipt.after as Fields;
    const kept = Object.entries(body as Fields).every(
      ([field, value]) =>
        !Object.hasOwn(after, field) || JSON.stringify(after[field]) === JSON.stringify(value),
    );
    const isIt = recordPath(receipt.resource, receipt.record_id) === path && kept;
    return isIt ? [] : [`receipt ${done.receipt} is not of the write of ${path}: ${JSON.stringify(receipt)}`];
  });
}

/** Groups of receipts that are not whole batches, a line each. */
function faultsOfGroups(connection: Connection): string[] {
  return connection
    .prepare<[number], string>(
      `SELECT 'group ' || group_id || ' has ' || count(*) || ' receipts' FROM receipts
       WHERE group_id IS NOT NULL GROUP BY group_id HAVING count(*) <> ? OR min(id) <> group_id`,
    )
    .pluck()
    .all(batchSize);
}

function damageOf(connection: Connection): string[] {
  const integrity = connection.pragma('integrity_check', { simple: true }) as string;
  const broken = connection.pragma('foreign_key_check') as object[];
  return [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
    ...broken.map((row) => `foreign_key_check: ${JSON.stringify(row)}`),
  ];
}

/** Path of each record → its stored fields. */
function recordsOf(connection: Connection): Map<string, Fields> {
  const ids = (resource: ResourceName) =>
    connection.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().all();
  return new Map(
    resourceNames.flatMap((resource) =>
      ids(resource).map((id): [string, Fields] => [
        `${resource}/${id}`,
        stored(resource, readRecord(connection, resource, id) as Fields | undefined),
      ]),
    ),
  );
}

const stored = (resource: ResourceName | WritableResource, fields: Fields | null | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).filter(
      // The receipt of a deletion has details, too.
      ([field]) => resource !== 'nominations' || (field !== 'details' && !Object.hasOwn(derivedFrom, field)),
    ),
  );

const latestReceipt = (connection: Connection): number =>
  connection.prepare<[], number>('SELECT coalesce(max(id), 0) FROM receipts').pluck().get()!;
