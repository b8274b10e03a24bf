/** The record that "start" serves. */
import { sampleNotice } from '../../api/contract/sample.ts';
import type { Connection } from '../../data/database/open.ts';
import { countRecords, isEmpty } from '../../data/record/records.ts';
import { isSample } from '../../data/sample/sample.ts';
import { isThere } from '../../data/system/files.ts';
import { UserError, number } from '../../data/system/messages.ts';
import { type CommandOptions, print, withDatabase } from './command.ts';
import { importSource, sample } from './fill-commands.ts';
import type { ServeSettings } from './serve-settings.ts';

/**
 * Imports the source; without one, fills a database that is missing or empty with the sample.
 * @throws UserError if the source cannot be imported and there is no record of another import, or if the
 *   sample would replace the snapshot of another record
 */
export async function fillRecord(source: string | undefined, settings: ServeSettings): Promise<void> {
  const { db } = settings;
  // An interrupted fill leaves an empty database.
  const found = isThere(db) ? await withDatabase(settings, true, recordIn) : 'none';
  if (source === undefined) {
    if (found !== 'whole') refuseSample(settings, found);
    if (found === 'none') await sample({ ...settings, quiet: true });
    return;
  }
  try {
    await importSource(source, { ...settings, replaceSample: true });
  } catch (error) {
    // A restart must not depend on a host far away.
    if (found !== 'whole' || !(error instanceof UserError)) throw error;
    process.stderr.write(`awards: ${error.message}; serving the record that is in ${db}\n`);
  }
}

type Found = 'none' | 'sample' | 'whole';

const recordIn = (connection: Connection): Found => {
  if (isEmpty(connection)) return 'none';
  return isSample(connection) ? 'sample' : 'whole';
};

/**
 * A volume that is not mounted, or a mistyped name, must not replace the snapshot of another record by the
 * sample.
 */
function refuseSample({ db, out, folder }: ServeSettings, found: Found): void {
  const manifest = folder.manifest();
  if (manifest === undefined || manifest.sample) return;
  const place = found === 'none' ? `there is no record in ${db}` : `${db} holds the sample`;
  throw new UserError(
    `${out} holds the snapshot of another record, and ${place}: name its database with --db, or put it back with "awards restore"; to serve the sample, remove ${out}`,
  );
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
