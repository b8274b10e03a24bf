/**
 * The sample of the project: the latest three ceremonies with all categories, songs and honors, and the
 * winners of six categories of all others. record.tsv has it in the format of the public record, and is read
 * as that is, so that a later import of the whole record updates its records instead of doubling them.
 * films.tsv has facts that the public record lacks, by external id.
 */
import { readFileSync } from 'node:fs';
import { revision } from '../database/changes.ts';
import type { Connection } from '../database/open.ts';
import { writeTransaction } from '../database/transaction.ts';
import { applyPlan } from '../import/apply.ts';
import { planImport } from '../import/plan.ts';
import { type ImportReport, reportOf } from '../import/report.ts';
import { readRecord, type SourceRecord } from '../import/source-record.ts';
import { isEmpty, storedColumns } from '../record/records.ts';
import { readReference, readTable } from '../reference/reference.ts';
import { UserError } from '../system/messages.ts';

const fileNamed = (name: string) => new URL(name, import.meta.url);

/**
 * Fills an empty database with the sample.
 * @returns the report of an import
 * @throws UserError if the database is not empty, or another program keeps it locked
 */
export function fillWithSample(connection: Connection): ImportReport {
  const { source, leftOut } = readRecord(readFileSync(fileNamed('record.tsv')), readReference());
  addFilmFacts(source);
  return writeTransaction(connection, () => {
    if (!isEmpty(connection))
      throw new UserError('the database has records already; the sample only fills an empty one');
    const plan = planImport(connection, source, false);
    applyPlan(connection, plan);
    connection.prepare('INSERT INTO sample (revision) VALUES (?)').run(revision(connection));
    return reportOf(plan, leftOut);
  });
}

/** Gives each film its facts. Those that are unknown are null, as all films have the same columns. */
function addFilmFacts({ movies }: SourceRecord): void {
  const facts = new Map(readTable(fileNamed('films.tsv')).map((row) => [row.id, row]));
  const listOf = (text = '') => text.split('|').filter(Boolean);
  for (const { columns } of movies.values()) {
    const { genres, countries, release_date, runtime } = facts.get(String(columns.filmindex_id)) ?? {};
    Object.assign(
      columns,
      storedColumns({
        release_date: release_date || null,
        runtime: runtime ? Number(runtime) : null,
        genres: listOf(genres),
        origin_country: listOf(countries),
      }),
    );
  }
}

/** Whether the record is the sample, perhaps changed by editors. An import of the public record ends it. */
export const isSample = (connection: Connection): boolean =>
  connection.prepare('SELECT 1 FROM sample').get() !== undefined;

/** Notes that the record is the whole record. */
export function unmarkSample(connection: Connection): void {
  connection.exec('DELETE FROM sample');
}

/** The tables of records, those that refer to others first. */
const tables = ['honors', 'nominations', 'songs', 'nominees', 'movies', 'categories', 'ceremonies'] as const;

/**
 * Removes the sample, so that new records get ids from 1. Does nothing if a record was changed since the
 * fill, by anyone. Runs in the caller's transaction.
 */
export function removeUntouchedSample(connection: Connection): void {
  const filled = connection.prepare<[], number>('SELECT revision FROM sample').pluck().get();
  if (filled === undefined || filled !== revision(connection)) return;
  // Else the records would be known as deleted by an editor.
  connection.exec('DELETE FROM given');
  for (const table of tables) {
    connection.exec(`DELETE FROM ${table}`);
    connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  }
}
