/** Promise: suggestions of the API and the search of the site take the same words for mistyped, but for swapped letters. */
import SearchableMap from 'minisearch/SearchableMap';
import { expect, it } from 'vitest';
import { editDistance, maxEditsOf } from '../../api/contract/nearest.ts';
import type { Choices } from '../records/random.ts';
import { seeded } from '../records/seed.ts';

/** Words of few letters, so that many are near each other; some letters have two code units. */
const randomWord = (choices: Choices): string =>
  Array.from({ length: choices.between(1, 8) }, () => choices.pick([...'aab\u{1d538}'])).join('');

/** The edits with swapped neighbours as one (optimal string alignment), by the whole table. */
function alignmentDistance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => i || j),
  );
  for (let i = 1; i <= one.length; i += 1)
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = table[i - 1]![j - 1]! + Number(one[i - 1] !== other[j - 1]);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? table[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      table[i]![j] = Math.min(replaced, swapped, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1);
    }
  return table[one.length]![other.length]!;
}

it('the words near a word are those of the fuzzy search of MiniSearch, and with swaps those of an alignment', () => {
  const choices = seeded('near words');
  for (let round = 0; round < 200; round += 1) {
    const words = new SearchableMap<true>();
    for (let count = 0; count < 30; count += 1) words.set(randomWord(choices), true);
    const word = randomWord(choices);
    const max = choices.between(0, 2);
    const near = words.fuzzyGet(word, max);
    for (const other of words.keys()) {
      const edits = editDistance(word, other, max, { swaps: false });
      expect(edits, `${word} ${other}`).toBe(near.get(other)?.[1] ?? max + 1);
      const withSwaps = editDistance(word, other, max);
      expect(withSwaps, `${word} ${other}`).toBe(Math.min(alignmentDistance(word, other), max + 1));
      expect(withSwaps).toBeLessThanOrEqual(edits);
    }
  }
});

it('a word below 4 characters is never mistyped, one below 6 has one mistake, a longer one two', () => {
  const edits = ['', 'abc', '\u{1d538}\u{1d538}\u{1d538}', 'abcd', 'abcde', 'abcdef', 'abcdefghij'].map(
    maxEditsOf,
  );
  expect(edits).toEqual([0, 0, 0, 1, 1, 2, 2]);
});
