/** The expected suggestions of a search that finds nothing: all combinations of similar words, and what each finds. */
import { byCodePoints, characterCount, tokens } from './text.ts';
import type { View } from './view.ts';

const maxEdits = 3;
const maxWords = 8;
const maxSuggestions = 5;

/** The edits from one word to another: letters added, dropped, replaced. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [one.split(''), other.split('')];
  const cost = (i: number, j: number) => table[i]![j]!;
  const table = [...a, ''].map((_, i) => [...b, ''].map((_letter, j) => (i === 0 ? j : j === 0 ? i : 0)));
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1)
      table[i]![j] = Math.min(
        cost(i - 1, j) + 1,
        cost(i, j - 1) + 1,
        cost(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
  return cost(a.length, b.length);
}

/** Edits that a word of the query can have. */
const allowed = (word: string): number => (characterCount(word) >= 6 ? 2 : characterCount(word) >= 4 ? 1 : 0);

const firstOf = (word: string): string => [...word][0]!;
/** Words with the same are in one shard. */
const shardOf = (word: string): string =>
  /^[a-z]/.test(word) ? firstOf(word) : /^[0-9]/.test(word) ? 'digits' : 'others';
const maxFurtherShards = 3;

interface Option {
  words: string[];
  edits: number;
}

/** What can stand in place of one word. @param shards that are read; a split reads the shard of its second part */
function optionsFor(word: string, known: ReadonlySet<string>, shards: Set<string>, most: number): Option[] {
  const near = [...known]
    .filter((it) => it !== word && firstOf(it) === firstOf(word) && Math.abs(it.length - word.length) <= 2)
    .map((it) => ({ words: [it], edits: editDistance(word, it) }))
    .filter(({ edits }) => edits <= allowed(word));
  const characters = [...word];
  const splits = characters
    .map((_, cut) => [characters.slice(0, cut).join(''), characters.slice(cut).join('')] as const)
    .reverse()
    .filter(([head, tail]) => {
      if (head === '' || !known.has(head)) return false;
      if (shards.size < most) shards.add(shardOf(tail));
      return shards.has(shardOf(tail)) && known.has(tail);
    });
  return [{ words: [word], edits: 0 }, ...near, ...splits.map((words) => ({ words: [...words], edits: 1 }))];
}

/** The suggestions for a query, nearest first. */
export function suggestionsFor(view: View, query: string): string[] {
  const words = tokens(query);
  if (words.length > maxWords) return [];
  const { known, matches } = view.words;
  const shards = new Set(words.map(shardOf));
  const most = shards.size + maxFurtherShards;
  const options = words.map((word) => optionsFor(word, known, shards, most));
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
