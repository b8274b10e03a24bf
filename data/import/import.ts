/**
 * `awards import`: brings the database up to date with the public award record. The source is read (read.ts),
 * its things are matched with records, and what to do is planned (plan.ts); then the plan is carried out
 * (apply.ts).
 */
import { createHash } from 'node:crypto';
import type { Connection } from '../database/open.ts';
import { readTransaction, writeTransaction } from '../database/transaction.ts';
import { isStated, noteImport, type StatedSource, unchangedImport } from '../record/sources.ts';
import { readReference } from '../reference/reference.ts';
import { removeUntouchedSample, unmarkSample } from '../sample/sample.ts';
import { applyPlan } from './apply.ts';
import { planImport } from './plan.ts';
import { readSource } from './read.ts';
import { type ImportReport, refuseToRemoveMany, reportOf } from './report.ts';
import { readRecord } from './source-record.ts';

export interface ImportOptions extends StatedSource {
  /** Report what an import would do, and change nothing. */
  dryRun?: boolean | undefined;
  /** Also remove more than 2 % of a resource, and read a source that is unchanged since the last import. */
  force?: boolean | undefined;
  /** Replace a sample that has no change, so that ids count from 1. */
  replaceSample?: boolean | undefined;
  /** Fingerprint of the program. Without it, a source is always read. */
  program?: string | undefined;
}

/**
 * Brings the database up to date with the record, in one transaction. What editors changed stays, and what
 * they deleted is not added again. What the source no longer has is removed, see plan.ts: importing an
 * earlier and then a later file ends in the records of the later file alone. A source is not read again as
 * long as it, the program and the database are unchanged.
 * @param source a file, or an http(s) address
 * @throws UserError if the source cannot be read or is malformed, the database is in use or inconsistent, or
 *   too much would be removed
 */
export async function importRecord(
  connection: Connection,
  source: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importBytes(connection, await readSource(source), options, source);
}

/** Imports the record from its bytes, see importRecord(). @param name of the source, to be noted */
export async function importBytes(
  connection: Connection,
  bytes: Uint8Array,
  { dryRun = false, force = false, replaceSample = false, program, ...stated }: ImportOptions = {},
  name = '',
): Promise<ImportReport> {
  const digest = createHash('sha256')
    .update(program ?? '')
    .update(bytes)
    .digest('hex');
  const note = () => noteImport(connection, name, digest, stated);
  const last = unchangedImport(connection, digest);
  if (last !== undefined && program !== undefined && !force) {
    // A copy of the source has another name.
    if ((last !== name || isStated(stated)) && !dryRun) writeTransaction(connection, note);
    return reportOf(undefined, []);
  }
  const { source, leftOut } = readRecord(bytes, readReference());
  if (dryRun)
    return readTransaction(connection, async () => reportOf(planImport(connection, source, true), leftOut));
  return writeTransaction(connection, () => {
    if (replaceSample) removeUntouchedSample(connection);
    unmarkSample(connection);
    const plan = planImport(connection, source, true);
    if (!force) refuseToRemoveMany(plan);
    applyPlan(connection, plan);
    note();
    return reportOf(plan, leftOut);
  });
}
