/**
 * The index of the distinct titles of films, and that of the distinct names of nominees, with what MiniSearch
 * 7 serializes. Shards cut them by the first letter of a word, so that a search reads those of its words, and
 * by the ids of the texts, so that a write remakes little at any size of the record.
 */

/** Similar queries in the answer of a search that finds nothing. */
export const maxSuggestions = 5;

/** Family → where its texts come from. The names of categories are few: the resolver indexes them itself. */
export const searchedTexts = {
  'search/titles': { resource: 'movies', field: 'title' },
  'search/names': { resource: 'nominees', field: 'name' },
} as const;
export type SearchFamily = keyof typeof searchedTexts;
export const searchFamilies = Object.keys(searchedTexts) as SearchFamily[];

/**
 * A word of a shard, and the texts that have it, ascending: each with how often it has the word, the number
 * of its distinct words, and the ids of its other records, ascending. A text is named by the lowest id of the
 * records that have it.
 */
export type SearchWord = readonly [
  word: string,
  texts: readonly (readonly [text: number, times: number, length: number, ...others: number[]])[],
];
/**
 * The words of one block of texts with one first letter, ascending by code unit, each a SearchWord as JSON: a
 * search parses those that it looks up, and a write remakes those that it changes.
 */
export type SearchShard = readonly string[];

/** The word of a line: JSON escapes no character of a word. */
export const wordOf = (line: string): string => line.slice(2, line.indexOf('"', 2));

/** Binary search: the position of the first word that is not below `word`. */
export function firstNotBelow(shard: SearchShard, word: string): number {
  let [low, high] = [0, shard.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wordOf(shard[middle]!) < word) low = middle + 1;
    else high = middle;
  }
  return low;
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
