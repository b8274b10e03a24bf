/**
 * Full-text search. Every token of the query must match a word of the nominee, the movie or the category: as
 * a prefix, or exactly if the token has one character. The score of a nomination is the sum of those of
 * MiniSearch.
 */
import type { Query } from '../contract/addresses.ts';
import type { Asked, SearchRoute } from '../contract/routes.ts';
import { letterOf, maxSuggestions } from '../contract/search-index.ts';
import { byCodePoint, tokens } from '../contract/text.ts';
import { type Document, documentOf } from './documents.ts';
import { rowsByValue, sortRows } from './orders.ts';
import { recordsIn, type Selection } from './records.ts';
import type { SearchIndex } from './search-index.ts';
import { selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

/** Scores are rounded to 1e-6, because sums of floats depend on the order of addition. */
const scoreUnits = 1e6;

/**
 * Best match first, then ascending by id, unless `sort` says otherwise. With `fuzzy`, words that find nothing
 * stand for the first suggestion.
 */
export async function answerSearch(snapshot: Snapshot, asked: Asked<SearchRoute>): Promise<Document> {
  const { query } = asked;
  const words = tokens(query.q!);
  const found = await findNominations(snapshot, words);
  const search = { query: query.q! };
  if (found.rows.length > 0) return documentOf(await select(snapshot, query, found), asked, search);
  const suggestions = await suggest(await snapshot.table('search'), words);
  const corrected = query.fuzzy === true ? suggestions[0] : undefined;
  if (corrected === undefined)
    return documentOf(await select(snapshot, query, found), asked, { ...search, suggestions });
  const other = await findNominations(snapshot, tokens(corrected));
  return documentOf(await select(snapshot, query, other), asked, { ...search, corrected });
}

interface Found {
  /** The nominations that have all words, ascending. */
  rows: Int32Array;
  /** By row. */
  scores: Float64Array;
}

/** The nominations that have all words; none for no words. */
export async function findNominations(snapshot: Snapshot, words: readonly string[]): Promise<Found> {
  const [{ count }, index] = await Promise.all([snapshot.table('nominations'), snapshot.table('search')]);
  await index.load(words);
  const scores = new Float64Array(count);
  let rows: number[] | undefined;
  // A word that is there several times counts as often.
  for (const [word, times] of countsOf(words)) {
    const own = new Float64Array(count);
    const matching: number[] = [];
    index.find(word, (row, score) => {
      if (own[row] === 0) matching.push(row);
      own[row]! += score;
    });
    rows = rows ? rows.filter((row) => own[row]! > 0) : matching;
    if (rows.length === 0) break;
    for (const row of rows) scores[row]! += times * own[row]!;
  }
  return { rows: Int32Array.from(rows ?? []).sort(), scores };
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The found nominations that pass the filters, in the order of `sort`. */
async function select(snapshot: Snapshot, query: Query, found: Found): Promise<Selection> {
  const selected = await selectNominations(snapshot, query, found.rows);
  const rows = await inOrder(snapshot, query, selected, found.scores);
  return {
    total: rows.length,
    records: (start, end) => recordsIn(snapshot, 'nominations', rows.subarray(start, end), query),
  };
}

/** @param rows ascending @param scores by row */
async function inOrder(
  snapshot: Snapshot,
  { sort = 'relevance' }: Query,
  rows: Int32Array,
  scores: Float64Array,
): Promise<Int32Array> {
  if (sort === 'id') return rows;
  if (sort !== 'relevance' && sort !== '-relevance')
    return sortRows(snapshot, 'nominations', sort, rows, scores.length);
  const rounded = Float64Array.from(rows, (row) => Math.round(scores[row]! * scoreUnits));
  return rowsByValue(rows, rounded, sort === 'relevance');
}

/** Edits of a whole query. */
const maxEdits = 3;
/** Longer queries have no suggestions. */
const maxWords = 8;
/**
 * To split a word in two, the shards of the first letter of the second part are needed. At most this many
 * further letters are loaded; each needs a shard of titles and one of names.
 */
const maxFurtherLetters = 3;

/** Words in place of one word of a query, or of two. */
interface Option {
  words: readonly string[];
  edits: number;
  /** The number of words of the query that they replace. */
  replaced: number;
}

/**
 * At most `maxSuggestions` similar queries that find something: the fewest edits first, then the most
 * results, then by text.
 * @param words of a query that finds nothing, whose shards are loaded
 */
async function suggest(index: SearchIndex, words: readonly string[]): Promise<string[]> {
  if (words.length > maxWords) return [];
  const splits = await splitsOf(index, words);
  const options = words.map((word, at): Option[] => [
    { words: [word], edits: 0, replaced: 1 },
    ...similarTo(index, word),
    ...splits.filter((split) => split.at === at),
    ...joinedAt(index, words, at),
  ]);
  const found = new Map<string, { edits: number; results: number }>();
  const matches = cached((word: string) => {
    const rows = new Set<number>();
    index.find(word, (row) => rows.add(row));
    return rows;
  });
  const extend = (at: number, before: readonly string[], edits: number, rows?: ReadonlySet<number>) => {
    if (at === words.length) {
      const text = before.join(' ');
      const known = found.get(text);
      if (!known || known.edits > edits) found.set(text, { edits, results: rows!.size });
      return;
    }
    for (const option of options[at]!) {
      if (edits + option.edits > maxEdits) continue;
      let kept = rows;
      for (const word of option.words) kept = both(kept, matches(word));
      if (kept!.size > 0)
        extend(at + option.replaced, [...before, ...option.words], edits + option.edits, kept);
    }
  };
  extend(0, [], 0);
  return [...found]
    .sort(
      ([a, one], [b, other]) => one.edits - other.edits || other.results - one.results || byCodePoint(a, b),
    )
    .slice(0, maxSuggestions)
    .map(([text]) => text);
}

/** The words near a word. Swapped letters are two edits, as in the fuzzy search of MiniSearch. */
function similarTo(index: SearchIndex, word: string): Option[] {
  const near = index.wordsNear(word, { swaps: false });
  return [...near].map(([own, edits]) => ({ words: [own], edits, replaced: 1 }));
}

/** The word that two neighbours make together. */
function joinedAt(index: SearchIndex, words: readonly string[], at: number): Option[] {
  const joined = `${words[at]}${words[at + 1] ?? ''}`;
  return at + 1 < words.length && index.has(joined) ? [{ words: [joined], edits: 1, replaced: 2 }] : [];
}

/**
 * The words that are two words of the record written together. The shards of the second parts are loaded: for
 * the first words of the query first, and for the longest first parts.
 */
async function splitsOf(index: SearchIndex, words: readonly string[]): Promise<(Option & { at: number })[]> {
  const letters = new Set(words.map(letterOf));
  const allowed = letters.size + maxFurtherLetters;
  const splits: { at: number; head: string; tail: string }[] = [];
  for (const [at, word] of words.entries()) {
    const characters = [...word];
    for (let cut = characters.length - 1; cut > 0; cut -= 1) {
      const [head, tail] = [characters.slice(0, cut).join(''), characters.slice(cut).join('')];
      if ((letters.size === allowed && !letters.has(letterOf(tail))) || !index.has(head)) continue;
      letters.add(letterOf(tail));
      splits.push({ at, head, tail });
    }
  }
  await index.load(splits.map(({ tail }) => tail));
  return splits
    .filter(({ tail }) => index.has(tail))
    .map(({ at, head, tail }) => ({ at, words: [head, tail], edits: 1, replaced: 1 }));
}

const both = (some: ReadonlySet<number> | undefined, others: ReadonlySet<number>): ReadonlySet<number> =>
  some ? new Set([...some].filter((row) => others.has(row))) : others;

/** Remembers the results of a function. */
function cached<T>(make: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>();
  return (word) => {
    const value = known.get(word) ?? make(word);
    known.set(word, value);
    return value;
  };
}
