/** The JSON text of nominations, with or without their details. */
import type { Details, Nomination } from '../contract/resources.ts';
import { blockSpans } from '../contract/snapshot.ts';
import { IdColumn } from './columns.ts';
import { selected, withMember } from './members.ts';
import type { NominationTable } from './nomination-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { SongTable, TextTable } from './tables.ts';

/** Nominations with the texts that they show. */
export interface NominationTexts {
  table: NominationTable;
  titles: TextTable;
  names: TextTable;
  songs: SongTable;
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

/** The members of a nomination in the form of a list. */
const ownMembers = (texts: NominationTexts, row: number): string => {
  const { table, titles, names } = texts;
  return nominationMembers(
    texts,
    row,
    table.categories.name.quoted(table.category.rowAt(row)),
    titles.text.quoted(table.movie.rowAt(row)),
    names.text.quoted(table.nominee.rowAt(row)),
  );
};

/**
 * A nomination as JSON, without its closing brace.
 * @param category text or record, as JSON; so are `movie` and `nominee`
 */
export function nominationMembers(
  texts: NominationTexts,
  row: number,
  category: string,
  movie: string,
  nominee: string,
): string {
  const { table } = texts;
  const songMembers = table.song.has(row)
    ? `"song_id":${table.song.idAt(row)},"song_title":${texts.songs.title.quoted(table.song.rowAt(row))},"is_song":true`
    : '"song_id":null,"song_title":null,"is_song":false';
  return (
    `{"id":${table.id(row)},"ceremony_id":${table.ceremony.idAt(row)},"ceremony_year":${table.yearAt(row)}` +
    `,"category_id":${table.category.idAt(row)},"category":${category}` +
    `,"movie_id":${table.movie.idAt(row)},"movie":${movie}` +
    `,"nominee_id":${table.nominee.idAt(row)},"nominee":${nominee}` +
    `,${songMembers},"winner":${table.winner[row] === 1}`
  );
}

/** A nomination in the form of a list, as an object. */
type NominationObject = Record<keyof Nomination | 'details', unknown>;

/** @param details to add to it */
function nominationRecord(texts: NominationTexts, row: number, details?: Details): NominationObject {
  const { table, titles, names } = texts;
  const isSong = table.song.has(row);
  return {
    id: table.id(row),
    ceremony_id: table.ceremony.idAt(row),
    ceremony_year: table.yearAt(row),
    category_id: table.category.idAt(row),
    category: table.categories.name.values[table.category.rowAt(row)]!,
    movie_id: table.movie.idAt(row),
    movie: titles.text.values[table.movie.rowAt(row)]!,
    nominee_id: table.nominee.idAt(row),
    nominee: names.text.values[table.nominee.rowAt(row)]!,
    song_id: isSong ? table.song.idAt(row) : null,
    song_title: isSong ? texts.songs.title.values[table.song.rowAt(row)]! : null,
    is_song: isSong,
    winner: table.winner[row] === 1,
    details,
  };
}

/** What to show of nominations: their details too, and some members only. */
export interface Shown {
  details: boolean;
  /** undefined for all */
  fields?: readonly string[] | undefined;
}

/** Nominations in the form of a list, as objects with all their members. @param rows of the table */
export async function nominationRecords(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  { details: withDetails }: Pick<Shown, 'details'>,
): Promise<NominationObject[]> {
  const texts = await textsOf(snapshot);
  const details = withDetails ? await detailsOf(snapshot, idsOf(texts.table, rows)) : undefined;
  return Array.from(rows, (row, i) => nominationRecord(texts, row, details?.[i]));
}

/** Nominations in the form of a list. @param rows of the table */
export async function nominationTexts(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  { details: withDetails, fields }: Shown,
): Promise<string[]> {
  const texts = await textsOf(snapshot);
  const details = withDetails ? await detailsOf(snapshot, idsOf(texts.table, rows)) : undefined;
  return Array.from(rows, (row, i) => {
    const added = details?.[i];
    if (fields) {
      const text = JSON.stringify(selected(nominationRecord(texts, row), fields));
      return added ? withMember(text, 'details', detailsText(added)) : text;
    }
    const own = ownMembers(texts, row);
    return added ? `${own},"details":${detailsText(added)}}` : `${own}}`;
  });
}

/** Details as JSON. Faster than JSON.stringify: most texts are null. */
const detailsText = (details: Details): string =>
  `{"entry":${details.entry},"character":${quoted(details.character)},"note":${quoted(details.note)}` +
  `,"official":${details.official},"historical_category":${quoted(details.historical_category)}` +
  `,"credited_as":${quoted(details.credited_as)}}`;

const quoted = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));

export const idsOf = (table: NominationTable, rows: ArrayLike<number>): number[] =>
  Array.from(rows, (row) => table.id(row));

/**
 * The details of nominations, in the order of the ids. Reads no columns of the nominations.
 * @param ids of nominations that exist
 */
export async function detailsOf(snapshot: Snapshot, ids: readonly number[]): Promise<Details[]> {
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
      entry: columns.entry[row]!,
      character: columns.character[row]!,
      note: columns.note[row]!,
      official: columns.official[row] === 1,
      historical_category: columns.historical_category[row]!,
      credited_as: columns.credited_as[row]!,
    };
  });
}
