/**
 * Entries: what the Academy and the press count as one nomination. Several nominations can be of one entry.
 */
import { fold } from './text.ts';

/** The references can be ids or row numbers: they are only compared with each other. */
export interface EntryFields {
  ceremony_id: number;
  category_id: number;
  movie_id: number;
  nominee_id: number;
  song_id: number | null;
  /** The number of the entry within ceremony and category; null for a nomination made by an editor. */
  entry: number | null;
}

/** The group of the categories in which each nominee is an entry of their own. */
export const actingGroup = 'Acting';

export const isActingGroup = (categoryGroup: string | null): boolean =>
  categoryGroup !== null && fold(categoryGroup) === fold(actingGroup);

/** The ids of the acting categories. */
export const actingCategories = (
  categories: readonly { id: number; category_group: string | null }[],
): ReadonlySet<number> =>
  new Set(categories.filter(({ category_group }) => isActingGroup(category_group)).map(({ id }) => id));

/**
 * The key of a nomination's entry: nominations of one entry have the same. Where there is no number, the film
 * and the song are the entry, and in the acting group also the nominee. Unofficial nominations are entries
 * like the others: among them are all winners of the second ceremony.
 */
export function entryKey(
  { ceremony_id, category_id, movie_id, nominee_id, song_id, entry }: EntryFields,
  isActing: boolean,
): string {
  if (entry !== null) return `${ceremony_id} ${category_id} ${entry}`;
  return `${ceremony_id} ${category_id} of ${movie_id} ${song_id ?? ''} ${isActing ? nominee_id : ''}`;
}
