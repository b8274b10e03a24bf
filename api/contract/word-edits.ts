/** The distance of two words: how many characters are missing, added, replaced or swapped with their neighbour. */

/** A word as characters. Strings without surrogates are indexed by character. */
export type Characters = string | readonly string[];

/** Typing mistakes that a word of this many characters can have. */
export const allowedEdits = (characters: number): number => (characters < 4 ? 0 : characters < 8 ? 1 : 2);

/**
 * The fewest edits that make one word the other (optimal string alignment).
 * @returns `max + 1` if there are more than `max`
 */
export function editDistance(word: Characters, other: Characters, max: number): number {
  for (let edits = 0; edits <= max; edits += 1) if (isWithin(word, 0, other, 0, edits)) return edits;
  return max + 1;
}

/** Whether at most `max` edits make the rest of a word, from `i`, the rest of another, from `j`. */
function isWithin(word: Characters, i: number, other: Characters, j: number, max: number): boolean {
  while (i < word.length && j < other.length && word[i] === other[j]) {
    i += 1;
    j += 1;
  }
  const rest = word.length - i;
  const restOfOther = other.length - j;
  if (Math.abs(rest - restOfOther) > max) return false;
  if (rest === 0 || restOfOther === 0) return true;
  if (max === 0) return false;
  return (
    isWithin(word, i + 1, other, j + 1, max - 1) ||
    isWithin(word, i + 1, other, j, max - 1) ||
    isWithin(word, i, other, j + 1, max - 1) ||
    (rest > 1 &&
      restOfOther > 1 &&
      word[i] === other[j + 1] &&
      word[i + 1] === other[j] &&
      isWithin(word, i + 2, other, j + 2, max - 1))
  );
}
