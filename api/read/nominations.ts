/** The JSON text of nominations, with or without their details. */
import { blockSpans } from '../contract/snapshot.ts';
import type { Details } from '../contract/resources.ts';
import type { Snapshot } from './snapshot.ts';
import type { DetailBlock, NominationTable } from './tables.ts';

/** A nomination in the form of a list: `{"id":…,…,"winner":…}`. Cached in the table. */
export function nominationText(table: NominationTable, row: number): string {
  const cached = table.texts[row];
  if (cached !== undefined) return cached;
  const text = nominationMembers(
    table,
    row,
    table.categories.name.quoted(table.category.rows[row]!),
    table.titles.text.quoted(table.movie.rows[row]!),
    table.names.text.quoted(table.nominee.rows[row]!),
  );
  // Makes V8 flatten the string and release its parts.
  text.charCodeAt(0);
  table.texts[row] = text;
  return text;
}

/** @param category text or record, as JSON; so are `movie` and `nominee` */
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
    `,${songMembers},"winner":${table.winner[row] === 1}}`
  );
}

/** Nominations in the form of a list, with `details` if asked for. @param rows of the table */
export async function nominationTexts(
  snapshot: Snapshot,
  rows: ArrayLike<number>,
  withDetails: boolean,
): Promise<string[]> {
  const table = await snapshot.nominations();
  const texts = Array.from(rows, (row) => nominationText(table, row));
  if (!withDetails) return texts;
  const details = await detailTexts(snapshot, rows);
  return texts.map((text, i) => withMember(text, 'details', details[i]!));
}

/** The details of nominations as JSON, in the order of the rows. */
export async function detailTexts(snapshot: Snapshot, rows: ArrayLike<number>): Promise<string[]> {
  const table = await snapshot.nominations();
  const details = await detailsOf(
    snapshot,
    Array.from(rows, (row) => table.id(row)),
  );
  return details.map((own) => JSON.stringify(own));
}

/** The details of nominations, in the order of the ids. Reads no columns but their entries. @param ids of nominations that exist */
export async function detailsOf(snapshot: Snapshot, ids: readonly number[]): Promise<Details[]> {
  const entries = await snapshot.entries();
  const blocks = new Map<number, Promise<DetailBlock>>();
  const blockOf = (id: number) => {
    const key = Math.floor(id / blockSpans.details);
    const block = blocks.get(key) ?? snapshot.detailBlock(key);
    blocks.set(key, block);
    return block;
  };
  return Promise.all(
    ids.map(async (id) => {
      const block = await blockOf(id);
      const row = entries.row(id);
      const own = block.row(id);
      return {
        entry: entries.entry[row] || null,
        character: block.character[own]!,
        note: block.note[own]!,
        official: entries.official[row] === 1,
        historical_category: block.historicalCategory(own),
      };
    }),
  );
}

/** A JSON object with one more member at its end. @param value as JSON */
export const withMember = (object: string, name: string, value: string): string =>
  `${object.slice(0, -1)},"${name}":${value}}`;
