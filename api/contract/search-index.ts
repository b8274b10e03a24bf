/**
 * The index of the distinct titles of films, and that of the distinct names of nominees, as MiniSearch 7 serializes them. Shards cut
 * them by the first letter of a word, so that a search reads those of its words, and by the ids of the texts, so that a write
 * remakes little at any size of the record.
 */

/** Family → where its texts come from. The names of categories are few: the resolver indexes them itself. */
export const searchedTexts = {
  'search/titles': { resource: 'movies', field: 'title' },
  'search/names': { resource: 'nominees', field: 'name' },
} as const;
export type SearchFamily = keyof typeof searchedTexts;
export const searchFamilies = Object.keys(searchedTexts) as SearchFamily[];

/** The words of one block of texts with one first letter. A text is named by the lowest id of the records that have it. */
export interface SearchShard {
  /** `index` of MiniSearch, ascending by code unit: word → field 0 → text → how often it has the word. */
  index: readonly (readonly [word: string, postings: { readonly 0: Readonly<Record<number, number>> }])[];
  /** `fieldLength` of MiniSearch: text → the number of its distinct words. */
  fieldLength: Readonly<Record<number, readonly [number]>>;
  /** Text → the ids of its records, ascending, where several have it. */
  shared: Readonly<Record<number, readonly number[]>>;
}

/** The number of distinct texts, and the sum of their `fieldLength`: MiniSearch scores with them. */
export interface SearchTotals {
  texts: number;
  words: number;
}

/** Ids per block of texts. */
const span = 8192;
/** a to z, digits, all others. */
const letterCount = 28;

/** The number of the first letter of a word. */
export function letterOf(word: string): number {
  const unit = word.charCodeAt(0);
  if (unit >= 97 && unit <= 122) return unit - 97;
  return unit >= 48 && unit <= 57 ? 26 : 27;
}

/** The key of the shard that has a word of a text. */
export const searchKey = (text: number, word: string): number =>
  Math.floor(text / span) * letterCount + letterOf(word);

/** The letter of the words of a shard. */
export const letterOfKey = (key: number): number => key % letterCount;
