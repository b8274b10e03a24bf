/** Messages about unknown names, the distance of two words, and the edits that a searched word can have. */
import { shortened } from './problems.ts';

/**
 * The message about an unknown name. It suggests the nearest valid name, or lists all valid names if none is
 * near.
 * @param kind such as `parameter`
 * @param listIntroduction text before the list, such as `this address takes`
 * @param meant the valid name that is meant, if that is known
 */
export function unknownName(
  kind: string,
  name: string,
  valid: readonly string[],
  listIntroduction: string,
  meant?: string,
): string {
  const shown = shortened(name);
  const nearest = meant ?? nearestName(shown, valid);
  const hint = nearest ? `did you mean "${nearest}"?` : `${listIntroduction} ${valid.join(', ')}`;
  return `unknown ${kind} "${shown}"; ${hint}`;
}

/** The valid name that the fewest edits make of a name, without regard to case; undefined if none is near. */
export function nearestName(name: string, valid: readonly string[]): string | undefined {
  const lowerCase = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of valid) {
    const max = maxEditsBetween(name, candidate);
    const edits = editDistance(lowerCase, candidate.toLowerCase(), max);
    if (edits <= max && edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/**
 * The most edits between an unknown name and the name that is suggested for it. Two edits turn a short name
 * into unrelated short names, so short names allow one edit.
 */
function maxEditsBetween(name: string, candidate: string): number {
  if (Math.min(name.length, candidate.length) < 5) return 1;
  return candidate.length < 9 ? 2 : 3;
}

/** Edits that make a searched word one of the record: none below 4 characters, one below 6, else two. */
export function maxEditsOf(word: string): number {
  const { length } = [...word];
  if (length < 4) return 0;
  return length < 6 ? 1 : 2;
}

/** A word as characters. Strings without surrogates are indexed by character. */
export type Characters = string | readonly string[];

export interface EditRules {
  /**
   * Whether two swapped neighbours are one edit (optimal string alignment), which is the default, or two
   * (Levenshtein).
   */
  swaps?: boolean;
}

/**
 * The fewest edits that make one word the other: characters that are missing, added or replaced, and swapped
 * ones.
 * @returns `max + 1` if there are more than `max`
 */
export function editDistance(
  word: Characters,
  other: Characters,
  max: number,
  { swaps = true }: EditRules = {},
): number {
  for (let edits = 0; edits <= max; edits += 1) if (isWithin(word, 0, other, 0, edits, swaps)) return edits;
  return max + 1;
}

/** Whether at most `max` edits make the rest of a word, from `i`, the rest of another, from `j`. */
function isWithin(
  word: Characters,
  i: number,
  other: Characters,
  j: number,
  max: number,
  swaps: boolean,
): boolean {
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
    isWithin(word, i + 1, other, j + 1, max - 1, swaps) ||
    isWithin(word, i + 1, other, j, max - 1, swaps) ||
    isWithin(word, i, other, j + 1, max - 1, swaps) ||
    (swaps &&
      rest > 1 &&
      restOfOther > 1 &&
      word[i] === other[j + 1] &&
      word[i + 1] === other[j] &&
      isWithin(word, i + 2, other, j + 2, max - 1, swaps))
  );
}
