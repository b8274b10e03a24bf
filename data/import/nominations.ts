/** The rows of the public record → award entries: which rows count, and what one row stands for. */
import { originalSong, type Reference } from '../reference/reference.ts';
import { Dataset } from './dataset.ts';
import { type Credit, classesLeftOut, type ParsedRecord, type SourceRow } from './parse.ts';

/** Rows that become no nomination, and why. */
export interface LeftOut {
  reason: string;
  rows: number;
}

const reasons = {
  honorary: 'scientific, technical and honorary awards, which are for no film',
  filmless: 'name no film that can be identified',
  nomineeless: 'name neither a nominee nor anyone in their place',
} as const;
type Reason = keyof typeof reasons;

/** What the record says, and what of it was left out. */
export function datasetOf(
  record: ParsedRecord,
  reference: Reference,
): { dataset: Dataset; leftOut: LeftOut[] } {
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

/** One nomination per film and nominee, films outermost. */
function addRow(dataset: Dataset, row: SourceRow, category: number): void {
  // Without nominees the wording stands for one: the country of an international film.
  const credits = row.nominees.length > 0 ? row.nominees : [{ name: row.name, filmindexId: null }];
  for (const { name: titledAs, filmindexId } of row.films) {
    const film = dataset.film(filmindexId, titledAs);
    const isSong = row.sourceCategory === originalSong && row.detail !== '';
    const song = isSong ? dataset.song(film, row.detail, artists(credits)) : null;
    for (const { name: creditedAs, filmindexId: nomineeId } of credits) {
      const nominee = dataset.nominee(nomineeId, creditedAs, nomineeId?.startsWith('nm') ?? false);
      const { ceremony, winner } = row;
      dataset.add({ ceremony, category, film, titledAs, nominee, creditedAs, song, winner });
    }
  }
}

function artists(credits: readonly Credit[]): string {
  return [...new Set(credits.map((credit) => credit.name))].join(', ');
}
