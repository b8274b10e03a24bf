/** Nominations as lists show them, with or without their details. */
import type { Details, Nomination } from '../contract/resources.ts';
import { blockSpans } from '../contract/snapshot.ts';
import { IdColumn } from './columns.ts';
import type { Snapshot } from './snapshot.ts';
import { type NominationTable, type Table, yearAt } from './tables.ts';

/** Nominations with the texts that they show. */
interface NominationTexts {
  table: NominationTable;
  titles: Table<'titles'>;
  names: Table<'names'>;
  songs: Table<'songs'>;
}

export async function textsOf(snapshot: Snapshot): Promise<NominationTexts> {
  const [table, titles, names, songs] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('titles'),
    snapshot.table('names'),
    snapshot.table('songs'),
  ]);
  return { table, titles, names, songs };
}

export type ListedNomination = Nomination & { details?: Details };

/** Nominations in the form of a list. @param rows of the table */
export async function nominationRecords(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  withDetails: boolean,
): Promise<ListedNomination[]> {
  const { table, titles, names, songs } = await textsOf(snapshot);
  const { ceremony, category, movie, nominee, song, categories } = table;
  const ids = Array.from(rows, (row) => table.id(row));
  const details = withDetails ? await detailsOf(snapshot, table, ids) : undefined;
  return ids.map((id, i) => {
    const row = rows[i]!;
    const isSong = song.has(row);
    const record: ListedNomination = {
      id,
      ceremony_id: ceremony.idAt(row),
      ceremony_year: yearAt(table, row),
      category_id: category.idAt(row),
      category: categories.name.values[category.rowAt(row)]!,
      movie_id: movie.idAt(row),
      movie: titles.text.values[movie.rowAt(row)]!,
      nominee_id: nominee.idAt(row),
      nominee: names.text.values[nominee.rowAt(row)]!,
      song_id: isSong ? song.idAt(row) : null,
      song_title: isSong ? songs.title.values[song.rowAt(row)]! : null,
      is_song: isSong,
      winner: table.winner[row] === 1,
    };
    // Not by spreading: thousands are made for one answer.
    if (details) record.details = details[i]!;
    return record;
  });
}

/** The details of nominations that exist, in the order of the ids. */
async function detailsOf(
  snapshot: Snapshot,
  table: NominationTable,
  ids: readonly number[],
): Promise<Details[]> {
  const keyOf = (id: number) => Math.floor(id / blockSpans.details);
  const keys = [...new Set(ids.map(keyOf))];
  const shards = await Promise.all(keys.map((key) => snapshot.block('details', key)));
  const blocks = new Map(
    keys.map((key, i) => [key, { columns: shards[i]!, rows: new IdColumn([shards[i]!]) }]),
  );
  return ids.map((id) => {
    const { columns, rows } = blocks.get(keyOf(id))!;
    const row = rows.row(id);
    return {
      entry: table.entry[table.row(id)]!,
      character: columns.character[row]!,
      note: columns.note[row]!,
      official: table.official[table.row(id)] === 1,
      historical_category: columns.historical_category[row]!,
      credited_as: columns.credited_as[row]!,
    };
  });
}
