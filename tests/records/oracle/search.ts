/** The expected results of a search, by three MiniSearch indexes of the whole record, and its suggestions. */
import MiniSearch from 'minisearch';
import type { Nomination } from '../../../api/contract/resources.ts';
import { byCodePoints, characterCount, tokens, type View } from './view.ts';

export interface Found {
  nomination: Nomination;
  score: number;
}

/** The nominations that match a search and their scores, most relevant first; equal scores (to 1e-6) by id. */
export function search(view: View, q: string): Found[] {
  const { movies, nominees, categories, nominations } = view.record;
  const indexes = view.once('search indexes', () => [
    { index: indexOf(movies.map((it) => it.title)), textOf: (it: Nomination) => it.movie },
    { index: indexOf(nominees.map((it) => it.name)), textOf: (it: Nomination) => it.nominee },
    { index: indexOf(categories.map((it) => it.category_name)), textOf: (it: Nomination) => it.category },
  ]);
  let found: Found[] = nominations.map((nomination) => ({ nomination, score: 0 }));
  for (const word of tokens(q)) {
    const hits = indexes.map(({ index, textOf }) => {
      const scores = new Map(index.search(word).map(({ id, score }) => [id as string, score]));
      return (it: Nomination) => scores.get(textOf(it)) ?? 0;
    });
    found = found.flatMap(({ nomination, score }) => {
      const own = hits.reduce((sum, scoreOf) => sum + scoreOf(nomination), 0);
      return own === 0 ? [] : [{ nomination, score: score + own }];
    });
  }
  return found
    .map(({ nomination, score }) => ({ nomination, score: Math.round(score * 1e6) }))
    .sort((left, right) => right.score - left.score || left.nomination.id - right.nomination.id);
}

/** MiniSearch with its defaults over the distinct texts, and with the tokens of the oracle. */
function indexOf(texts: readonly string[]): MiniSearch<{ id: string }> {
  const index = new MiniSearch<{ id: string }>({
    fields: ['id'],
    tokenize: tokens,
    processTerm: (term) => term,
    searchOptions: { prefix: (term) => characterCount(term) > 1 },
  });
  index.addAll([...new Set(texts)].map((id) => ({ id })));
  return index;
}

/** The edits from one word to another: letters added, dropped, replaced. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(one[i - 1] !== other[j - 1])));
    row = next;
  }
  return row.at(-1)!;
}

/** Edits that a word of the query can have. */
const allowed = (word: string): number => (characterCount(word) >= 6 ? 2 : characterCount(word) >= 4 ? 1 : 0);
const firstOf = (word: string): string => [...word][0]!;
/** The words of an initial are in one file. A split reads the file of its second part, at most three more than the query. */
const initialOf = (word: string): string =>
  /^[a-z]/.test(word) ? firstOf(word) : /^[0-9]/.test(word) ? 'digits' : 'others';
const limits = { words: 8, edits: 3, suggestions: 5, furtherInitials: 3 };

/** What stands in place of one word or of two, and its edits. */
type Option = readonly [words: readonly string[], edits: number];

/** The suggestions for a query that finds nothing, nearest first: all combinations of similar words, and what each finds. */
export function suggestionsFor(view: View, query: string): string[] {
  const words = tokens(query);
  if (words.length > limits.words) return [];
  const { movies, nominees, categories, nominations } = view.record;
  const known = view.once('words', () => {
    const texts = [movies.map((it) => it.title), nominees.map((it) => it.name)];
    return new Set([...texts.flat(), ...categories.map((it) => it.category_name)].flatMap(tokens));
  });
  /** The nominations that a search for one word finds. */
  const matches = (word: string) =>
    view.once(`matches of ${word}`, () => {
      const isMatch = (own: string) => (characterCount(word) > 1 ? own.startsWith(word) : own === word);
      const has = (text: string) => view.once(`tokens of ${text}`, () => tokens(text)).some(isMatch);
      return new Set(nominations.filter((it) => has(it.nominee) || has(it.movie) || has(it.category)));
    });
  const initials = new Set(words.map(initialOf));
  const most = initials.size + limits.furtherInitials;
  const optionsOf = (word: string): Option[] => {
    const near = [...known]
      .filter((it) => it !== word && firstOf(it) === firstOf(word) && Math.abs(it.length - word.length) <= 2)
      .map((it): Option => [[it], editDistance(word, it)])
      .filter(([, edits]) => edits <= allowed(word));
    const characters = [...word];
    const splits = characters
      .map((_, cut) => [characters.slice(0, cut).join(''), characters.slice(cut).join('')] as const)
      .reverse()
      .filter(([head, tail]) => {
        if (head === '' || !known.has(head)) return false;
        if (initials.size < most) initials.add(initialOf(tail));
        return initials.has(initialOf(tail)) && known.has(tail);
      });
    return [[[word], 0], ...near, ...splits.map((parts): Option => [parts, 1])];
  };
  const options = words.map(optionsOf);
  const best = new Map<string, { edits: number; results: number }>();
  const extend = (at: number, before: readonly string[], edits: number, found: readonly Nomination[]) => {
    if (edits > limits.edits || found.length === 0) return;
    if (at === words.length) {
      const text = before.join(' ');
      if (edits < (best.get(text)?.edits ?? Infinity)) best.set(text, { edits, results: found.length });
      return;
    }
    const add = ([parts, more]: Option, next: number) => {
      const rest = [...found].filter((it) => parts.every((word) => matches(word).has(it)));
      extend(next, [...before, ...parts], edits + more, rest);
    };
    for (const option of options[at]!) add(option, at + 1);
    const joined = words.slice(at, at + 2).join('');
    if (at + 1 < words.length && known.has(joined)) add([[joined], 1], at + 2);
  };
  extend(0, [], 0, nominations);
  return [...best]
    .sort(([one, a], [other, b]) => a.edits - b.edits || b.results - a.results || byCodePoints(one, other))
    .slice(0, limits.suggestions)
    .map(([text]) => text);
}
