/** The JSON text of nominations, with or without their details. */
import type { Details, Nomination } from '../contract/resources.ts';
import { blockSpans } from '../contract/snapshot.ts';
import { selected, withMember } from './members.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable } from './tables.ts';

/** A nomination in the form of a list: `{"id":…,…,"winner":…}`. Cached in the table. */
export function nominationText(table: NominationTable, row: number): string {
  const cached = table.texts[row];
  if (cached !== undefined) return cached;
  const text = `${ownMembers(table, row)}}`;
  // Makes V8 flatten the string and release its parts.
  text.charCodeAt(0);
  table.texts[row] = text;
  return text;
}

/** The members of a nomination in the form of a list. */
const ownMembers = (table: NominationTable, row: number): string =>
  nominationMembers(
    table,
    row,
    table.categories.name.quoted(table.category.rows[row]!),
    table.titles.text.quoted(table.movie.rows[row]!),
    table.names.text.quoted(table.nominee.rows[row]!),
  );

/**
 * A nomination as JSON, without its closing brace.
 * @param category text or record, as JSON; so are `movie` and `nominee`
 */
export function nominationMembers(
  table: NominationTable,
  row: number,
  category: string,
  movie: string,
  nominee: string,
): string {
  const { ceremonies, categories, titles, names, songs } = table;
  const ceremony = table.ceremony.rows[row]!;
  const song = table.song.rows[row]!;
  const songMembers =
    song < 0
      ? '"song_id":null,"song_title":null,"is_song":false'
      : `"song_id":${songs.id(song)},"song_title":${songs.title.quoted(song)},"is_song":true`;
  return (
    `{"id":${table.id(row)},"ceremony_id":${ceremonies.id(ceremony)},"ceremony_year":${ceremonies.year[ceremony]}` +
    `,"category_id":${categories.id(table.category.rows[row]!)},"category":${category}` +
    `,"movie_id":${titles.id(table.movie.rows[row]!)},"movie":${movie}` +
    `,"nominee_id":${names.id(table.nominee.rows[row]!)},"nominee":${nominee}` +
    `,${songMembers},"winner":${table.winner[row] === 1}`
  );
}

/** A nomination in the form of a list, as an object. */
export type NominationObject = Record<keyof Nomination | 'details', unknown>;

/** @param details to add to it */
export function nominationRecord(table: NominationTable, row: number, details?: Details): NominationObject {
  const { ceremonies, categories, titles, names, songs } = table;
  const ceremony = table.ceremony.rows[row]!;
  const category = table.category.rows[row]!;
  const movie = table.movie.rows[row]!;
  const nominee = table.nominee.rows[row]!;
  const song = table.song.rows[row]!;
  return {
    id: table.id(row),
    ceremony_id: ceremonies.id(ceremony),
    ceremony_year: ceremonies.year[ceremony]!,
    category_id: categories.id(category),
    category: categories.name.values[category]!,
    movie_id: titles.id(movie),
    movie: titles.text.values[movie]!,
    nominee_id: names.id(nominee),
    nominee: names.text.values[nominee]!,
    song_id: song < 0 ? null : songs.id(song),
    song_title: song < 0 ? null : songs.title.values[song]!,
    is_song: song >= 0,
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

/** Nominations in the form of a list. @param rows of the table */
export async function nominationTexts(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  { details: withDetails, fields }: Shown,
): Promise<string[]> {
  const table = await snapshot.nominations();
  const details = withDetails ? await detailsOf(snapshot, idsOf(table, rows)) : undefined;
  return Array.from(rows, (row, i) => {
    const added = details?.[i];
    if (fields) {
      const text = JSON.stringify(selected(nominationRecord(table, row), fields));
      return added ? withMember(text, 'details', detailsText(added)) : text;
    }
    // Not from the cache: an export of all nominations would fill it with copies of all texts.
    return added ? `${ownMembers(table, row)},"details":${detailsText(added)}}` : nominationText(table, row);
  });
}

/** Details as JSON. Faster than JSON.stringify: most texts are null. */
const detailsText = ({ entry, character, note, official, historical_category }: Details): string =>
  `{"entry":${entry},"character":${quoted(character)},"note":${quoted(note)}` +
  `,"official":${official},"historical_category":${quoted(historical_category)}}`;

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
  const [entries, ...shards] = await Promise.all([
    snapshot.entries(),
    ...keys.map((key) => snapshot.detailBlock(key)),
  ]);
  const blocks = new Map(keys.map((key, i) => [key, shards[i]!]));
  return ids.map((id) => {
    const block = blocks.get(keyOf(id))!;
    const [row, own] = [entries.row(id), block.row(id)];
    return {
      entry: entries.entry[row] || null,
      character: block.character[own]!,
      note: block.note[own]!,
      official: entries.official[row] === 1,
      historical_category: block.historicalCategory(own),
    };
  });
}
