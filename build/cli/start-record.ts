/** The record that "start" serves. */
import { sampleNotice } from '../../api/contract/sample.ts';
import { countRecords, isEmpty } from '../../data/record/records.ts';
import { isSample } from '../../data/sample/state.ts';
import { isThere } from '../system/files.ts';
import { number } from '../system/messages.ts';
import { type CommandOptions, print, withDatabase } from './command.ts';
import { importSource, sample } from './fill-commands.ts';

/** Imports the source; without one, fills a database that is missing or empty with the sample. */
export async function fillRecord(source: string | undefined, options: CommandOptions): Promise<void> {
  if (source !== undefined) await importSource(source, { ...options, replaceSample: true });
  // An interrupted fill leaves an empty database.
  else if (!isThere(options.db) || (await withDatabase(options, true, isEmpty)))
    await sample({ ...options, quiet: true });
}

/** Says what the record is. */
export async function printRecord(options: CommandOptions): Promise<void> {
  const [counts, isOfSample] = await withDatabase(options, true, (connection) => [
    countRecords(connection),
    isSample(connection),
  ]);
  const listed = Object.entries(counts).map(([resource, count]) => `${number(count)} ${resource}`);
  const advice = isOfSample ? `\n${sampleNotice}` : '';
  print(options, { sample: isOfSample, counts }, `${listed.join(', ')}${advice}`);
}
