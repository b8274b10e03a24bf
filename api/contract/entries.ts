/** Entries: what the Academy and the press count as one nomination. Several nominations can be of one entry. */
import type { Nomination } from './resources.ts';

export interface EntryFields
  extends Pick<Nomination, 'ceremony_id' | 'category_id' | 'movie_id' | 'nominee_id' | 'song_id'> {
  /** The number of the entry within ceremony and category; null for a nomination made by an editor. */
  entry: number | null;
}

export interface EntryCounts {
  /** Different entries. Unofficial nominations count: among them are all winners of the second ceremony. */
  entries: number;
  /** Entries with a nomination that won. */
  wins: number;
  /** Individual nominations. */
  nominations: number;
}

/** The group of the categories in which each nominee is an entry of their own. */
export const actingGroup = 'Acting';

/**
 * The key of a nomination's entry: nominations of one entry have the same. Where there is no number, the film and the song are
 * the entry, and in the acting group also the nominee.
 */
export function entryKey(nomination: EntryFields, categoryGroup: string | null): string {
  const { ceremony_id, category_id, movie_id, nominee_id, song_id, entry } = nomination;
  if (entry !== null) return `${ceremony_id} ${category_id} ${entry}`;
  const nominee = categoryGroup === actingGroup ? nominee_id : 0;
  return `${ceremony_id} ${category_id} of ${movie_id} ${song_id ?? 0} ${nominee}`;
}
