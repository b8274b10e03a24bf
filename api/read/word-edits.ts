/** The distance of two words: how many characters are missing, added, replaced or swapped with their neighbour. */

/** A word as characters. Strings without surrogates are indexed by character. */
export type Characters = string | readonly string[];

/** Typing mistakes that a word of this many characters can have. */
export const allowedEdits = (characters: number): number => (characters < 4 ? 0 : characters < 8 ? 1 : 2);

/**
 * The fewest edits that make a word the part of a text between two positions (optimal string alignment).
 * @returns `max + 1` if there are more than `max`
 */
export function editDistance(
  word: Characters,
  text: Characters,
  max: number,
  start = 0,
  end = text.length,
): number {
  for (let edits = 0; edits <= max; edits += 1) if (isWithin(word, 0, text, start, end, edits)) return edits;
  return max + 1;
}

/** Whether at most `max` edits make the rest of a word, from `i`, the part of a text from `j` to `end`. */
function isWithin(
  word: Characters,
  i: number,
  text: Characters,
  j: number,
  end: number,
  max: number,
): boolean {
  while (i < word.length && j < end && word[i] === text[j]) {
    i += 1;
    j += 1;
  }
  const rest = word.length - i;
  const restOfText = end - j;
  if (Math.abs(rest - restOfText) > max) return false;
  if (rest === 0 || restOfText === 0) return true;
  if (max === 0) return false;
  return (
    isWithin(word, i + 1, text, j + 1, end, max - 1) ||
    isWithin(word, i + 1, text, j, end, max - 1) ||
    isWithin(word, i, text, j + 1, end, max - 1) ||
    (rest > 1 &&
      restOfText > 1 &&
      word[i] === text[j + 1] &&
      word[i + 1] === text[j] &&
      isWithin(word, i + 2, text, j + 2, end, max - 1))
  );
}
