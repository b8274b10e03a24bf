/** Answers of single records: the record itself with what belongs to it. */
import type { ResourceName } from '../contract/names.ts';
import type { Postings } from './columns.ts';
import { nominationPageText, nominationText, recordPageText } from './documents.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable } from './tables.ts';

/** The text of a record's page; undefined if there is no such record. */
export async function answerRecord(
  snapshot: Snapshot,
  resource: ResourceName,
  id: number,
): Promise<string | undefined> {
  if (resource === 'nominations') return answerNomination(snapshot, id);
  const record = await snapshot.record(resource, id);
  if (record === undefined) return undefined;
  if (resource === 'ceremonies') return `${record}\n`;
  const table = await snapshot.nominations();
  const [postings, row]: [Postings, number] =
    resource === 'movies'
      ? [table.movie.postings, table.titles.row(id)]
      : resource === 'nominees'
        ? [table.nominee.postings, table.names.row(id)]
        : resource === 'songs'
          ? [table.song.postings, table.songs.row(id)]
          : [table.category.postings, table.categories.row(id)];
  return recordPageText(record, nominationTexts(table, postings.of(row)));
}

function nominationTexts(table: NominationTable, rows: Int32Array): string[] {
  return Array.from(rows, (row) => nominationText(table, row));
}

async function answerNomination(snapshot: Snapshot, id: number): Promise<string | undefined> {
  const table = await snapshot.nominations();
  const row = table.row(id);
  if (row < 0) return undefined;
  const { ceremonies, categories, titles, names, songs } = table;
  const song = table.song.rows[row]!;
  const [ceremony, category, movie, nominee, songRecord] = await Promise.all([
    snapshot.existing('ceremonies', ceremonies.id(table.ceremony.rows[row]!)),
    snapshot.existing('categories', categories.id(table.category.rows[row]!)),
    snapshot.existing('movies', titles.id(table.movie.rows[row]!)),
    snapshot.existing('nominees', names.id(table.nominee.rows[row]!)),
    song < 0 ? undefined : snapshot.existing('songs', songs.id(song)),
  ]);
  return nominationPageText(table, row, { ceremony, category, movie, nominee, song: songRecord });
}
