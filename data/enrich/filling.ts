/**
 * Fills unset fields of the record with the values of a source. A value that an editor or another source
 * wrote is never replaced. The values pass the checks of an editor's write, and each changed record gets a
 * receipt. Transactions are short, and the pauses between them are as long as they are, so that editors can
 * write meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { defaultOf, type JsonValue } from '../../api/contract/bodies.ts';
import type { EnrichedResource, EnrichmentSource } from '../../api/contract/enrichment.ts';
import { changeRecord, readRecord, withDetails } from '../record/edits.ts';
import { type Given, mergeFields, readGiven, writeGiven } from '../record/given.ts';
import type { Connection } from '../database/open.ts';
import { type Columns, storedColumns, storedValue } from '../record/records.ts';
import { writeTransaction } from '../database/transaction.ts';
import { checkBody, type RecordFields } from '../record/validation.ts';
import { type EnrichReport, emptyReport } from './report.ts';

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
  /** Whether these are all values of the source: a refresh removes the others that it gave. */
  isWhole?: boolean;
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
    const all = candidates[Symbol.iterator]();
    let isDone = false;
    for (let done = 0; !isDone && !this.report.isLimited; ) {
      const batch: Candidate[] = [];
      while (batch.length < batchSize && !isDone) {
        const { value, done: isLast } = all.next();
        if (isLast) isDone = true;
        else batch.push(value);
      }
      const work = () => {
        for (const candidate of batch) if (!this.report.isLimited) this.#fillRecord(candidate);
      };
      const began = performance.now();
      if (this.#options.dryRun) work();
      else writeTransaction(this.#connection, work);
      await pause(this.#options.dryRun ? 0 : performance.now() - began);
      done += batch.length;
      if (!isDone) onProgress?.(done);
    }
  }

  /** Notes a part of the source that is not used. */
  skip(what: string, reason: string): void {
    this.report.skipped.push({ what, reason });
  }

  #fillRecord(candidate: Candidate): void {
    const { resource, id, filmindexId, values, retrievedAt, sourceId } = candidate;
    const { refresh = false, dryRun, limit = Number.POSITIVE_INFINITY } = this.#options;
    const listed = readRecord(this.#connection, resource, id) as RecordFields | undefined;
    // An editor may have changed it since the source was asked.
    if (listed?.filmindex_id !== filmindexId) return;
    const record = withDetails(this.#connection, resource, listed);
    const given = readGiven(this.#connection, resource, id, this.#source);
    const before = given?.fields ?? {};
    const valid = Object.entries(values).filter(([field, value]) => this.#isValid(candidate, field, value));
    // Without a refresh, a field that the source gave before is not offered again: an editor may have emptied
    // it.
    const gone = refresh && candidate.isWhole ? Object.keys(before).map((field) => [field, null]) : [];
    const offered = valid.flatMap(([field, value]) =>
      refresh || before[field] === undefined ? [[field, storedValue(value)]] : [],
    );
    const now = Object.fromEntries([...gone, ...offered]) as Columns;
    const changes = mergeFields(storedColumns(record), before, now);
    if (Object.keys(changes).length > 0 && this.#changed >= limit) {
      this.report.isLimited = true;
      return;
    }
    this.#count(candidate, Object.keys(changes), before, now);
    for (const [field, value] of valid)
      if (changes[field] === undefined && !isUnset(record[field]!) && !isEqual(record[field]!, value))
        this.report.contradicted.push({
          resource,
          id,
          field,
          record: short(record[field]!),
          source: short(value),
        });
    if (dryRun) return;
    const fields = Object.fromEntries(
      Object.keys(changes).map((field) => [field, now[field] === null ? defaultOf(field) : values[field]!]),
    );
    const change = { resource, id, before: record, fields, key: `enrich:${this.#source}`, at: new Date() };
    changeRecord(this.#connection, change);
    const isRenewed = refresh && Object.keys(before).every((field) => now[field] !== undefined);
    const oldest = given?.retrievedAt ?? retrievedAt;
    const after: Given = {
      fields: Object.fromEntries(
        Object.entries({ ...before, ...changes }).filter(
          ([field]) => changes[field] === undefined || now[field] !== null,
        ),
      ),
      sourceId,
      retrievedAt: isRenewed || retrievedAt < oldest ? retrievedAt : oldest,
      isAdded: false,
    };
    if (isRenewed || Object.keys(changes).length > 0)
      writeGiven(this.#connection, resource, id, this.#source, after);
  }

  #count({ resource }: Candidate, changed: readonly string[], before: Columns, now: Columns): void {
    const report = this.report.resources[resource];
    const countsOf = (field: string) => {
      if (now[field] === null) return report.removed;
      return before[field] === undefined ? report.filled : report.renewed;
    };
    for (const field of changed) {
      const counts = countsOf(field);
      counts[field] = (counts[field] ?? 0) + 1;
    }
    if (changed.length === 0) return;
    report.changed += 1;
    this.#changed += 1;
  }

  /** Checks a value as that of an editor, and notes why it is not used. */
  #isValid({ resource, id, filmindexId }: Candidate, field: string, value: JsonValue): boolean {
    const fault = faultOf(resource, field, value);
    if (fault !== undefined) this.skip(`${resource} ${id} (${filmindexId}) ${field}`, fault);
    return fault === undefined;
  }
}

/** Control characters other than line breaks and tabs, and halves of characters. */
const unfit = /(?![\t\n\r])\p{Cc}|\p{Surrogate}/u;

function faultOf(resource: EnrichedResource, field: string, value: JsonValue): string | undefined {
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
