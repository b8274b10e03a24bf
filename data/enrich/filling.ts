/**
 * Fills unset fields of the record with the values of a source. A value that an editor or another source wrote is never
 * replaced. The values pass the checks of an editor's write, and each changed record gets a receipt. Transactions are short,
 * and the pauses between them are as long as they are, so that editors can write meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import type { EnrichedResource, EnrichmentSource } from '../../api/contract/enrichment.ts';
import { maxBodyBytes } from '../../api/contract/limits.ts';
import { changeRecord, readRecord } from '../edits.ts';
import type { Connection } from '../open.ts';
import { writeTransaction } from '../transaction.ts';
import { checkBody, type RecordFields } from '../validation.ts';
import {
  deleteProvenance,
  olderValues,
  type Provenance,
  readProvenance,
  recordProvenance,
} from './provenance.ts';
import { type EnrichReport, emptyReport } from './report.ts';
import { number } from '../../build/system/numbers.ts';

/** What a source says about one record. */
export interface Candidate {
  resource: EnrichedResource;
  id: number;
  filmindexId: string;
  /** The id of the record in the source. */
  sourceId: string;
  /** ISO 8601 in UTC. */
  retrievedAt: string;
  /** The values that the source knows. */
  values: RecordFields;
}

export interface FillOptions {
  /** Renew the values that this source wrote and that are unchanged since. */
  refresh?: boolean | undefined;
  /** Report, and change nothing. */
  dryRun?: boolean | undefined;
  /** Records to change at most. */
  limit?: number | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Records per transaction: about ten milliseconds. */
const batchSize = 50;

/** What happens to a field. "left": an editor emptied it. */
type Decision = 'fill' | 'renew' | 'confirm' | 'agree' | 'contradict' | 'left';

export class Filling {
  readonly report: EnrichReport;
  readonly #connection: Connection;
  readonly #source: EnrichmentSource;
  readonly #options: FillOptions;
  #changed = 0;

  constructor(connection: Connection, source: EnrichmentSource, options: FillOptions) {
    this.#connection = connection;
    this.#source = source;
    this.#options = options;
    this.report = emptyReport(source, options.dryRun === true);
  }

  /**
   * Fills some records, in batches. What is committed stays if a later batch fails.
   * @param candidates made as they are needed
   * @throws DatabaseBusy if another program keeps the database locked
   */
  async fill(candidates: Iterable<Candidate>, onProgress?: (done: number) => void): Promise<void> {
    let done = 0;
    await this.#inBatches(candidates, (candidate) => {
      this.#fillRecord(candidate);
      done += 1;
      if (done % batchSize === 0) onProgress?.(done);
    });
  }

  /**
   * Sets the values of this source that were retrieved before a time to unknown. After a refresh these are the ones that the
   * source does not give any more.
   */
  async removeOlder(time: string): Promise<void> {
    await this.#inBatches(olderValues(this.#connection, this.#source, time), ({ resource, id, fields }) => {
      const { removed } = this.report.resources[resource];
      for (const field of fields) removed[field] = (removed[field] ?? 0) + 1;
      if (this.#options.dryRun) return;
      const before = readRecord(this.#connection, resource, id) as RecordFields;
      this.#change(
        resource,
        id,
        before,
        Object.fromEntries(fields.map((field) => [field, defaultOf(field)])),
      );
      deleteProvenance(this.#connection, resource, id, fields);
    });
  }

  /** Does the work for each item, in short transactions. */
  async #inBatches<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    for (const batch of batchesOf(items)) {
      const workBatch = () => {
        for (const item of batch) if (!this.report.isLimited) work(item);
      };
      const began = performance.now();
      if (this.#options.dryRun) workBatch();
      else writeTransaction(this.#connection, workBatch);
      await pause(this.#options.dryRun ? 0 : performance.now() - began);
      if (this.report.isLimited) return;
    }
  }

  /** Notes a part of the source that is not used. */
  skip(what: string, reason: string): void {
    this.report.skipped.push({ what, reason });
  }

  #fillRecord(candidate: Candidate): void {
    const { resource, id, filmindexId, values } = candidate;
    const before = readRecord(this.#connection, resource, id) as RecordFields | undefined;
    // An editor may have changed it since the source was asked.
    if (before?.filmindex_id !== filmindexId) return;
    const provenance = readProvenance(this.#connection, resource, id);
    const decided = Object.entries(values)
      .filter(([field, value]) => this.#isValid(candidate, field, value))
      .map(([field, value]) => {
        const decision = this.#decide(before[field]!, value, provenance.get(field));
        return { field, value, decision };
      });
    const fieldsWith = (...decisions: Decision[]) =>
      decided.filter(({ decision }) => decisions.includes(decision));
    const changes = fieldsWith('fill', 'renew');
    const { limit = Number.POSITIVE_INFINITY } = this.#options;
    if (changes.length > 0 && this.#changed >= limit) {
      this.report.isLimited = true;
      return;
    }
    for (const { field, value } of fieldsWith('contradict'))
      this.report.contradicted.push({
        resource,
        id,
        field,
        record: short(before[field]!),
        source: short(value),
      });
    this.#count(resource, decided);
    if (this.#options.dryRun) return;
    const fields = Object.fromEntries(changes.map(({ field, value }) => [field, value]));
    this.#change(resource, id, before, fields);
    const written = fieldsWith('fill', 'renew', 'confirm').map(({ field }) => field);
    recordProvenance(this.#connection, resource, id, written, { ...candidate, source: this.#source });
  }

  #change(resource: EnrichedResource, id: number, before: RecordFields, fields: RecordFields): void {
    const change = { resource, id, before, fields, key: `enrich:${this.#source}`, at: new Date() };
    changeRecord(this.#connection, change);
  }

  #decide(current: JsonValue, value: JsonValue, own: Provenance | undefined): Decision {
    const isOurs = own?.source === this.#source;
    if (isUnset(current)) return isOurs && own.isEdited ? 'left' : 'fill';
    const isRenewed = isOurs && !own.isEdited && this.#options.refresh === true;
    if (isEqual(current, value)) return isRenewed ? 'confirm' : 'agree';
    return isRenewed ? 'renew' : 'contradict';
  }

  #count(resource: EnrichedResource, decided: readonly { field: string; decision: Decision }[]): void {
    const own = this.report.resources[resource];
    for (const { field, decision } of decided) {
      if (decision === 'fill') own.filled[field] = (own.filled[field] ?? 0) + 1;
      if (decision === 'renew') own.renewed[field] = (own.renewed[field] ?? 0) + 1;
    }
    if (!decided.some(({ decision }) => decision === 'fill' || decision === 'renew')) return;
    own.changed += 1;
    this.#changed += 1;
  }

  /** Checks a value as that of an editor, and notes why it is not used. */
  #isValid({ resource, id, filmindexId }: Candidate, field: string, value: JsonValue): boolean {
    const fault = faultOf(resource, field, value);
    if (fault !== undefined) this.skip(`${resource} ${id} (${filmindexId}) ${field}`, fault);
    return fault === undefined;
  }
}

function* batchesOf<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Control characters other than line breaks and tabs, and halves of characters. */
const unfit = /(?![\t\n\r])\p{Cc}|\p{Surrogate}/u;

function faultOf(resource: EnrichedResource, field: string, value: JsonValue): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > maxBodyBytes)
    return `has ${number(Math.ceil(bytes / 1024))} KB, more than the ${maxBodyBytes / 1024} KB of a write`;
  const texts = Array.isArray(value) ? value : [value];
  if (texts.some((text) => typeof text === 'string' && unfit.test(text))) return 'has control characters';
  const [fault] = checkBody(resource, 'update', { [field]: value }).faults;
  return fault?.message;
}

/** Whether a field has its default, which stands for unknown. */
const isUnset = (value: JsonValue): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** The order of a list does not count. */
function isEqual(a: JsonValue, b: JsonValue): boolean {
  const comparable = (value: JsonValue) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return comparable(a) === comparable(b);
}

/** A value for the report. */
const short = (value: JsonValue): JsonValue =>
  typeof value === 'string' && value.length > 100 ? `${value.slice(0, 99)}…` : value;
