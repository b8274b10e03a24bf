/**
 * Similar queries for a search that finds nothing. An edit adds, drops or replaces a character of a word, swaps two
 * neighbours, joins two words, or splits one. Words have one edit from 4 characters and two from 8, a query has three. The
 * words are those of the columns that every search has loaded, so that suggestions need no file of their own.
 */
import { maxSuggestions } from '../contract/parameters.ts';
import { byCodeUnit, withoutApostrophes, wordBounds } from '../contract/text.ts';
import { lastNotAbove, rowAt, type TextColumn } from './columns.ts';
import type { NominationTable, References } from './tables.ts';

const maxEdits = 3;
/** Longer queries have no suggestions. */
const maxWords = 8;

/** A word as characters. Strings without surrogates are indexed by character. */
type Characters = string | readonly string[];

const surrogates = /[\ud800-\udfff]/;
const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

/** The edits that a word of this many characters can have. */
const editsFrom = (characters: number): number => (characters < 4 ? 0 : characters < 8 ? 1 : 2);

/** What a column has like a word. */
interface Similar {
  /** Other words, with the edits that make them. */
  near: Map<string, number>;
  /** The positions at which a first part of the word ends that is a word, and at which such a last part begins. */
  heads: Set<number>;
  tails: Set<number>;
}

/** Words in place of one word of a query, or of two. */
interface Option {
  words: readonly string[];
  edits: number;
}

/** The words of a column, in place: a map of all words would take longer than a search. */
class WordColumn {
  readonly #references: References;
  /** The folded texts without apostrophes, joined by NUL. */
  readonly #text: string;
  /** Start of each text. */
  readonly #texts: Int32Array;
  /** Start and end of each word. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #hasSurrogates: boolean;

  /** @param references from nominations to the column */
  constructor(column: TextColumn, references: References) {
    this.#references = references;
    this.#text = withoutApostrophes(column.joined.text);
    this.#texts = new Int32Array(column.values.length);
    for (let row = 1; row < this.#texts.length; row += 1)
      this.#texts[row] = this.#text.indexOf('\0', this.#texts[row - 1]) + 1;
    ({ starts: this.#starts, ends: this.#ends } = wordBounds(this.#text));
    this.#hasSurrogates = surrogates.test(this.#text);
  }

  /** Whether a text has the word. */
  has(word: string): boolean {
    return this.#next(word, 0, true) >= 0;
  }

  /** Flags the nominations whose text has a word with a prefix, or with `whole` the word itself. */
  find(prefix: string, whole: boolean, found: Uint8Array): void {
    const { postings } = this.#references;
    let at = this.#next(prefix, 0, whole);
    for (let row = 0; at >= 0; at = this.#next(prefix, this.#texts[row + 1]!, whole)) {
      row = rowAt(this.#texts, at, row);
      const end = postings.offsets[row + 1]!;
      for (let posting = postings.offsets[row]!; posting < end; posting += 1)
        found[postings.rows[posting]!] = 1;
      if (row + 1 === this.#texts.length) return;
    }
  }

  /** Adds the words that differ from a word by edits within the word, and its parts that are words. */
  compare(word: Characters, { near, heads, tails }: Similar): void {
    const most = editsFrom(word.length + 2);
    const [text, starts, ends] = [this.#text, this.#starts, this.#ends];
    const isPlain = typeof word === 'string' && !this.#hasSurrogates;
    for (let i = 0; i < starts.length; i += 1) {
      const [start, end] = [starts[i]!, ends[i]!];
      const known = isPlain ? text : charactersOf(text.slice(start, end));
      const [from, to] = isPlain ? [start, end] : [0, known.length];
      const length = to - from;
      if (length < word.length) {
        if (isPart(word, 0, known, from, to)) heads.add(length);
        if (isPart(word, word.length - length, known, from, to)) tails.add(word.length - length);
      }
      if (Math.abs(length - word.length) > most) continue;
      const edits = editsBetween(word, known, from, to, most);
      if (edits > 0) near.set(text.slice(start, end), edits);
    }
  }

  /** Position of the next such word; -1 for none. */
  #next(prefix: string, from: number, whole: boolean): number {
    for (let at = this.#text.indexOf(prefix, from); at >= 0; at = this.#text.indexOf(prefix, at + 1)) {
      const word = lastNotAbove(this.#starts, at);
      if (this.#starts[word] === at && (!whole || this.#ends[word] === at + prefix.length)) return at;
    }
    return -1;
  }
}

/** The words of titles, names and categories. One per snapshot. */
export class Vocabulary {
  readonly #columns: readonly WordColumn[];
  readonly #nominations: number;

  constructor({ titles, names, categories, movie, nominee, category, count }: NominationTable) {
    this.#nominations = count;
    this.#columns = [
      new WordColumn(titles.text, movie),
      new WordColumn(names.text, nominee),
      new WordColumn(categories.name, category),
    ];
  }

  has(word: string): boolean {
    return this.#columns.some((column) => column.has(word));
  }

  /** One or two words that edits make of a word. */
  similarTo(word: string): Option[] {
    const characters = charactersOf(word);
    const similar: Similar = { near: new Map(), heads: new Set(), tails: new Set() };
    for (const column of this.#columns) column.compare(characters, similar);
    const cuts = [...similar.heads].filter((cut) => similar.tails.has(cut));
    const part = (from: number, to?: number) => [...characters].slice(from, to).join('');
    return [
      ...[...similar.near].map(([own, edits]) => ({ words: [own], edits })),
      ...cuts.map((cut) => ({ words: [part(0, cut), part(cut)], edits: 1 })),
    ];
  }

  /** The nominations that a search for a word finds: a flag for each. A word of one character must be whole. */
  find(word: string): Uint8Array {
    const found = new Uint8Array(this.#nominations);
    for (const column of this.#columns) column.find(word, charactersOf(word).length === 1, found);
    return found;
  }
}

/** Whether a word has, from a position on, the part of a text between two positions. */
function isPart(word: Characters, at: number, text: Characters, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (word[at + i - start] !== text[i]) return false;
  return true;
}

/** The edits that make a word the part of a text between two positions; 0 if it is the same, or if they are too many. */
function editsBetween(word: Characters, text: Characters, start: number, end: number, most: number): number {
  const max = Math.min(most, editsFrom(Math.max(word.length, end - start)));
  for (let edits = 0; edits <= max; edits += 1) if (isWithin(word, 0, text, start, end, edits)) return edits;
  return 0;
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
  const [rest, restOfText] = [word.length - i, end - j];
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

/**
 * At most five similar queries that find something: the fewest edits first, then the most results, then by text.
 * @param words of a query that finds nothing
 */
export function suggest(vocabulary: Vocabulary, words: readonly string[]): string[] {
  if (words.length > maxWords) return [];
  const search = new SimilarQueries(vocabulary, words);
  const found = new Map<string, { edits: number; results: number }>();
  for (let edits = 1; edits <= maxEdits && found.size < maxSuggestions; edits += 1)
    for (const [text, results] of search.withEdits(edits))
      if (!found.has(text)) found.set(text, { edits, results });
  return [...found]
    .sort(
      ([a, one], [b, other]) => one.edits - other.edits || other.results - one.results || byCodeUnit(a, b),
    )
    .slice(0, maxSuggestions)
    .map(([text]) => text);
}

/** Options that begin at a word of the query. */
interface Step extends Option {
  /** Position of the word after the replaced ones. */
  next: number;
}

/** The queries that edits of the words make. */
class SimilarQueries {
  readonly #vocabulary: Vocabulary;
  readonly #steps: readonly (readonly Step[])[];
  /** The fewest edits of the words from each position on. */
  readonly #fewest: number[];
  readonly #found = new Map<string, Uint8Array>();

  constructor(vocabulary: Vocabulary, words: readonly string[]) {
    this.#vocabulary = vocabulary;
    this.#steps = words.map((word, at) => this.#stepsAt(words, word, at));
    this.#fewest = [...words.map(() => Number.POSITIVE_INFINITY), 0];
    for (let at = words.length - 1; at >= 0; at -= 1)
      for (const { edits, next } of this.#steps[at]!)
        this.#fewest[at] = Math.min(this.#fewest[at]!, edits + this.#fewest[next]!);
  }

  #stepsAt(words: readonly string[], word: string, at: number): Step[] {
    const options = this.#vocabulary.similarTo(word);
    if (this.#find(word).includes(1)) options.unshift({ words: [word], edits: 0 });
    const steps = options.map((option): Step => ({ ...option, next: at + 1 }));
    const joined = `${word}${words[at + 1] ?? ''}`;
    if (at + 1 < words.length && this.#vocabulary.has(joined))
      steps.push({ words: [joined], edits: 1, next: at + 2 });
    return steps;
  }

  #find(word: string): Uint8Array {
    const found = this.#found.get(word) ?? this.#vocabulary.find(word);
    this.#found.set(word, found);
    return found;
  }

  /** The queries with exactly this many edits that find something, with the number of results. */
  *withEdits(
    edits: number,
    at = 0,
    before: readonly string[] = [],
    rows?: Int32Array,
  ): Generator<[string, number]> {
    if (at === this.#steps.length) {
      if (edits === 0) yield [before.join(' '), rows!.length];
      return;
    }
    for (const step of this.#steps[at]!) {
      const rest = edits - step.edits;
      if (rest < this.#fewest[step.next]!) continue;
      const found = step.words.reduce<Int32Array | undefined>(
        (all, word) => narrow(all, this.#find(word)),
        rows,
      )!;
      if (found.length > 0) yield* this.withEdits(rest, step.next, [...before, ...step.words], found);
    }
  }
}

/** The rows that are flagged too. @param rows undefined for all */
function narrow(rows: Int32Array | undefined, flags: Uint8Array): Int32Array {
  if (rows) return rows.filter((row) => flags[row] === 1);
  const all: number[] = [];
  for (let row = flags.indexOf(1); row >= 0; row = flags.indexOf(1, row + 1)) all.push(row);
  return Int32Array.from(all);
}
