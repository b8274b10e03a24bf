/** The expected suggestions of a search that finds nothing: all combinations of similar words, and what each finds. */
import { byCodePoints, characterCount, tokens } from './text.ts';
import type { View } from './view.ts';

const maxEdits = 3;
const maxWords = 8;
const maxSuggestions = 5;

/** The edits from one word to another; a swap of neighbours is one, and no character is edited twice. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const cost = (i: number, j: number) => table[i]![j]!;
  const table = [...a, ''].map((_, i) => [...b, ''].map((_letter, j) => (i === 0 ? j : j === 0 ? i : 0)));
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      table[i]![j] = Math.min(
        cost(i - 1, j) + 1,
        cost(i, j - 1) + 1,
        cost(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? cost(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return cost(a.length, b.length);
}

/** Edits that words of these lengths allow. */
const allowed = (one: string, other: string): number => {
  const length = Math.max(characterCount(one), characterCount(other));
  return length >= 8 ? 2 : length >= 4 ? 1 : 0;
};

interface Option {
  words: string[];
  edits: number;
}

/** What can stand in place of one word. */
function optionsFor(word: string, known: ReadonlySet<string>): Option[] {
  const near = [...known]
    .filter((it) => it !== word && Math.abs(it.length - word.length) <= 4)
    .map((it) => ({ words: [it], edits: editDistance(word, it) }))
    .filter(({ words, edits }) => edits <= allowed(word, words[0]!));
  const characters = [...word];
  const splits = characters
    .map((_, cut) => [characters.slice(0, cut).join(''), characters.slice(cut).join('')])
    .filter((parts) => parts.every((part) => known.has(part)));
  return [{ words: [word], edits: 0 }, ...near, ...splits.map((words) => ({ words, edits: 1 }))];
}

/** The suggestions for a query, nearest first. */
export function suggestionsFor(view: View, query: string): string[] {
  const words = tokens(query);
  if (words.length > maxWords) return [];
  const { known, matches } = view.words;
  const options = words.map((word) => optionsFor(word, known));
  const found = new Map<string, { edits: number; results: number }>();
  const extend = (
    at: number,
    before: readonly string[],
    edits: number,
    ids: ReadonlySet<number> | undefined,
  ) => {
    if (edits > maxEdits || ids?.size === 0) return;
    if (at === words.length) {
      const text = before.join(' ');
      const old = found.get(text);
      if (old === undefined || old.edits > edits) found.set(text, { edits, results: ids!.size });
      return;
    }
    const add = (option: Option, next: number) => {
      let rest = ids;
      for (const word of option.words) {
        const own = matches(word);
        rest = rest ? new Set([...rest].filter((id) => own.has(id))) : own;
      }
      extend(next, [...before, ...option.words], edits + option.edits, rest);
    };
    for (const option of options[at]!) add(option, at + 1);
    const joined = words.slice(at, at + 2).join('');
    if (at + 1 < words.length && known.has(joined)) add({ words: [joined], edits: 1 }, at + 2);
  };
  extend(0, [], 0, undefined);
  return [...found]
    .sort(([one, a], [other, b]) => a.edits - b.edits || b.results - a.results || byCodePoints(one, other))
    .slice(0, maxSuggestions)
    .map(([text]) => text);
}
