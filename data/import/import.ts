/** `awards import`: reads the public award record from a file or an address into the database. */
import type { Connection } from '../open.ts';
import { originalSong, type Reference, readReference } from '../reference/reference.ts';
import { Dataset } from './dataset.ts';
import { ingest } from './ingest.ts';
import { classesLeftOut, decode, type ParsedRecord, parseRecord, type SourceRow } from './parse.ts';
import type { ImportReport, LeftOut } from './report.ts';
import { readSource, type SourceLimits } from './source.ts';

/**
 * Brings the database up to date with the record, in one transaction. Changes made by editors stay. A record that an editor
 * deleted comes back under a new id, if the source still names it.
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

/** Imports the record from its text, see importRecord(). */
export function importText(connection: Connection, text: string): ImportReport {
  const reference = readReference();
  const { dataset, leftOut } = datasetOf(parseRecord(text, reference), reference);
  const { resources, missing } = ingest(connection, dataset);
  return { resources, leftOut, missing };
}

/** The reasons to leave out a row, in the order of the report. */
const reasons = {
  honorary: 'scientific, technical and honorary awards, which are for no film',
  filmless: 'name no film that can be identified',
  nomineeless: 'name neither a nominee nor anyone in their place',
} as const;
type Reason = keyof typeof reasons;

function datasetOf(record: ParsedRecord, reference: Reference): { dataset: Dataset; leftOut: LeftOut[] } {
  const dataset = new Dataset(record.ceremonies, true);
  const counts: Record<Reason, number> = { honorary: 0, filmless: 0, nomineeless: 0 };
  for (const row of record.rows) {
    const reason = reasonToLeaveOut(row);
    if (reason) counts[reason] += 1;
    else addRow(dataset, row, reference.categoryOfSource.get(row.sourceCategory)!);
  }
  const leftOut = (Object.keys(reasons) as Reason[])
    .filter((reason) => counts[reason] > 0)
    .map((reason) => ({ reason: reasons[reason], rows: counts[reason] }));
  return { dataset, leftOut };
}

function reasonToLeaveOut(row: SourceRow): Reason | undefined {
  if (classesLeftOut.has(row.awardClass)) return 'honorary';
  if (row.films.length === 0) return 'filmless';
  if (row.nominees.length === 0 && row.name === '') return 'nomineeless';
  return undefined;
}

/** Adds one entry per film and nominee, films outermost. */
function addRow(dataset: Dataset, row: SourceRow, category: number): void {
  const { ceremony, winner } = row;
  // Without nominees the text stands for one: the country of an international film.
  const credits = row.nominees.length > 0 ? row.nominees : [{ name: row.name, filmindexId: null }];
  const artists = [...new Set(credits.map((credit) => credit.name))].join(', ');
  const isSong = row.sourceCategory === originalSong && row.detail !== '';
  for (const { name: titledAs, filmindexId } of row.films) {
    const film = dataset.film(filmindexId, titledAs);
    const song = isSong ? dataset.song(film, row.detail, artists) : null;
    for (const { name: creditedAs, filmindexId: nomineeId } of credits) {
      const nominee = dataset.nominee(nomineeId, creditedAs, nomineeId?.startsWith('nm') ?? false);
      dataset.add({ ceremony, category, film, titledAs, nominee, creditedAs, song, winner });
    }
  }
}
