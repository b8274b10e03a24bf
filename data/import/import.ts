/** `awards import`: the public award record, from a file or an address, into the database. */
import type { Connection } from '../open.ts';
import { readReference } from '../reference/reference.ts';
import { ingest } from './ingest.ts';
import { datasetOf } from './nominations.ts';
import { decode, parseRecord } from './parse.ts';
import type { ImportReport } from './report.ts';
import { readSource, type SourceLimits } from './source.ts';

/**
 * Reads the record and brings the database up to date with it: all of it or, on a UserError, nothing. What an editor
 * changed stays; a record that an editor deleted comes back, under a new id, if the source still names it.
 * @param source a file, or an http(s) address
 * @throws UserError if the source cannot be read or is malformed, or the database is in use or inconsistent
 */
export async function importRecord(
  connection: Connection,
  source: string,
  limits?: SourceLimits,
): Promise<ImportReport> {
  return importText(connection, decode(await readSource(source, limits)));
}

/** The same for a record that is at hand as text. */
export function importText(connection: Connection, text: string): ImportReport {
  const reference = readReference();
  const { dataset, leftOut } = datasetOf(parseRecord(text, reference), reference);
  const { resources, missing } = ingest(connection, dataset);
  return { resources, leftOut, missing };
}
