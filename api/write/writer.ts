/**
 * Carries out one write: checks it against the record, commits it with its receipt, and waits for the snapshot that shows it.
 * What it acknowledges is durable, whatever becomes of the snapshot.
 */

import { revision } from '../../data/changes.ts';
import {
  deriveFields,
  insertRecord,
  nextId,
  readRecord,
  recordExists,
  updateRecord,
} from '../../data/edits.ts';
import { touchKey } from '../../data/keys.ts';
import type { Connection } from '../../data/open.ts';
import { addReceipt } from '../../data/receipts.ts';
import type { WritableResource } from '../contract/bodies.ts';
import { matchesStrongly } from '../contract/etag.ts';
import { type PointerFault, type ProblemCode, summaryOf } from '../contract/problems.ts';
import type { SnapshotQueue, Shown } from './snapshot-queue.ts';
import { checkRules, type RecordLookup } from './rules.ts';
import { writeErrorOf } from './storage-errors.ts';
import type { JsonValue } from './strict-json.ts';
import { checkBody, type RecordFields } from './validation.ts';

export interface WriteOrder {
  resource: WritableResource;
  /** The id in the address of a PATCH; undefined for a POST. */
  id: number | undefined;
  body: JsonValue;
  ifMatch: string | undefined;
  /** Name of the key it came with. */
  key: string;
}

export interface WriteError {
  problem: ProblemCode;
  detail: string;
  faults?: PointerFault[];
}

export interface WriteDone {
  created: boolean;
  resource: WritableResource;
  id: number;
  /** As a list shows it. */
  record: object;
  /** Id of the receipt; undefined where nothing was changed. */
  receipt: number | undefined;
  /**
   * What GET answers from by now; undefined if the rebuild failed. The write is safe all the same. Without ETag where another
   * write changed the record again meanwhile.
   */
  shown: Shown | undefined;
}

export type WriteOutcome = WriteError | WriteDone;

type Committed = Omit<WriteDone, 'shown'>;

/** The record's page as a client may know it, and the revision of the database it was made from. */
interface KnownPage {
  etag: string | undefined;
  revision: number;
}

/** Somebody else wrote since the page was looked at. */
const outdated = Symbol('outdated');

/** Looks at a page that other processes' writes may outdate. */
const maxLooks = 5;

/** Milliseconds between two attempts to undo a transaction. */
const undoPause = 100;

export class Writer {
  readonly #connection: Connection;
  readonly #rebuilds: SnapshotQueue;
  readonly #onError: (error: unknown) => void;
  readonly #lookup: RecordLookup;
  /** The commits in order: one with If-Match holds up the others while it looks at the page. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param connection for this writer alone
   * @param onError told of everything that keeps the database from taking a write
   */
  constructor(connection: Connection, rebuilds: SnapshotQueue, onError: (error: unknown) => void) {
    this.#connection = connection;
    this.#rebuilds = rebuilds;
    this.#onError = onError;
    this.#lookup = {
      exists: (resource, id) => recordExists(connection, resource, id),
      derive: (references) => deriveFields(connection, references),
    };
  }

  /** Carries out a write. Rejects only where the failure is this program's own. */
  async write(order: WriteOrder): Promise<WriteOutcome> {
    const committing = this.#turn.then(() => this.#commitInTurn(order));
    this.#turn = committing.catch(() => {});
    const committed = await committing;
    if ('problem' in committed) return committed;
    const shown = await this.#rebuilds.show(committed.resource, committed.id);
    if (shown === undefined || this.#isStill(committed)) return { ...committed, shown };
    return { ...committed, shown: { ...shown, etag: undefined } };
  }

  /**
   * Whether a record is still as a write left it. If not, the snapshot may show the later write, of this service or another,
   * whose ETag would let the earlier editor overwrite, with If-Match, what that editor never saw.
   */
  #isStill({ resource, id, record }: Committed): boolean {
    try {
      return JSON.stringify(readRecord(this.#connection, resource, id)) === JSON.stringify(record);
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  async #commitInTurn(order: WriteOrder): Promise<Committed | WriteError> {
    try {
      this.#noteUse(order.key);
      for (let looks = 0; looks < maxLooks; looks += 1) {
        const page = await this.#pageToMatch(order);
        if (page && 'problem' in page) return page;
        const committed = this.#inTransaction(() => this.#commit(order, page));
        if (committed !== outdated) return committed;
      }
      return { problem: 'writing-unavailable', detail: 'others keep writing; send it again in a moment' };
    } catch (error) {
      this.#undoSoon();
      const refusal = writeErrorOf(error);
      if (refusal === undefined) throw error;
      this.#onError(error);
      return refusal;
    }
  }

  /** In a transaction of its own: within one that could neither be ended nor undone, the work would be lost with that. */
  #inTransaction<T>(work: () => T): T {
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
    return this.#connection.transaction(work).immediate();
  }

  /** A transaction that could not even be undone keeps everybody else from writing, until that works. */
  #undoSoon(): void {
    if (!this.#connection.open || !this.#connection.inTransaction) return;
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      setTimeout(() => this.#undoSoon(), undoPause).unref();
    }
  }

  /** A key that cannot be noted as used is still good. */
  #noteUse(key: string): void {
    try {
      touchKey(this.#connection, key, new Date());
    } catch {
      // Whatever stands in the way will stand in the way of the write, which tells of it.
    }
  }

  /** The page that an If-Match is about: of the snapshot that holds all that is committed. */
  async #pageToMatch({ resource, id, ifMatch }: WriteOrder): Promise<KnownPage | WriteError | undefined> {
    if (ifMatch === undefined || id === undefined) return undefined;
    const known = revision(this.#connection);
    const shown = await this.#rebuilds.show(resource, id);
    return shown
      ? { etag: shown.etag, revision: known }
      : {
          problem: 'writing-unavailable',
          detail: 'If-Match cannot be checked while the snapshot cannot be rebuilt; nothing was changed',
        };
  }

  #commit(order: WriteOrder, page: KnownPage | undefined): Committed | WriteError | typeof outdated {
    const { resource, id } = order;
    const checked = checkBody(resource, id === undefined ? 'create' : 'update', order.body);
    const before =
      id === undefined ? undefined : (readRecord(this.#connection, resource, id) as RecordFields);
    const rules = checkRules(resource, id, checked.record, before, this.#lookup);
    const faults = [...checked.faults, ...rules];
    if (faults.length > 0) return { problem: 'invalid-record', detail: summaryOf(faults), faults };
    if (id === undefined) return this.#create(order, checked.record);
    if (before === undefined) return { problem: 'no-such-record', detail: `there is no record ${id}` };
    if (page !== undefined && order.ifMatch !== undefined) {
      if (page.revision !== revision(this.#connection)) return outdated;
      if (page.etag === undefined || !matchesStrongly(order.ifMatch, page.etag))
        return {
          problem: 'precondition-failed',
          detail: 'the record is not what If-Match says; read it again and decide anew',
        };
    }
    return this.#update(order, id, before, checked.record);
  }

  #create({ resource, key, ifMatch }: WriteOrder, record: RecordFields): Committed | WriteError {
    const id = (record.id as number | undefined) ?? nextId(this.#connection, resource);
    if (recordExists(this.#connection, resource, id))
      return { problem: 'record-exists', detail: `there is a record ${id} already; PATCH changes it` };
    if (ifMatch !== undefined)
      return { problem: 'precondition-failed', detail: 'If-Match was sent, and there is no record yet' };
    insertRecord(this.#connection, resource, { ...record, id });
    const after = readRecord(this.#connection, resource, id)!;
    const receipt = this.#receipt({ key, action: 'create', resource, id, before: null, after });
    return { created: true, resource, id, record: after, receipt };
  }

  #update({ resource, key }: WriteOrder, id: number, before: RecordFields, sent: RecordFields): Committed {
    const changes = Object.fromEntries(
      Object.entries(sent).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
      ),
    );
    if (Object.keys(changes).length === 0)
      return { created: false, resource, id, record: before, receipt: undefined };
    updateRecord(this.#connection, resource, id, changes);
    const after = readRecord(this.#connection, resource, id)! as RecordFields;
    // A reference brings what is derived from it along.
    const changed = Object.keys(after).filter(
      (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
    );
    const only = (record: RecordFields) => Object.fromEntries(changed.map((field) => [field, record[field]]));
    const receipt = this.#receipt({
      key,
      action: 'update',
      resource,
      id,
      before: only(before),
      after: only(after),
    });
    return { created: false, resource, id, record: after, receipt };
  }

  #receipt({
    id,
    ...write
  }: {
    key: string;
    action: 'create' | 'update';
    resource: WritableResource;
    id: number;
    before: object | null;
    after: object;
  }): number {
    return addReceipt(this.#connection, { ...write, recordId: id, at: new Date() });
  }
}
