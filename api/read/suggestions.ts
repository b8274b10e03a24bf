/**
 * Similar queries for a search that finds nothing. An edit adds, drops or replaces a character of a word, swaps two
 * neighbours, joins two words, or splits one. Words have one edit from 4 characters and two from 8, a query has three. The
 * words are those of the columns that every search has loaded, so that suggestions need no file of their own.
 */
import { maxSuggestions } from '../contract/parameters.ts';
import { byCodeUnit, withoutApostrophes, wordBounds } from '../contract/text.ts';
import { rowAt, type TextColumn } from './columns.ts';
import type { NominationTable, References } from './tables.ts';
import { allowedEdits, type Characters, editDistance } from './word-edits.ts';

const maxEdits = 3;
/** Longer queries have no suggestions. */
const maxWords = 8;

const surrogates = /[\ud800-\udfff]/;
const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

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
  /** The first two units of a word → the words that begin with them, by position. */
  readonly #byStart = new Map<number, number[]>();

  /** @param references from nominations to the column */
  constructor(column: TextColumn, references: References) {
    this.#references = references;
    this.#text = withoutApostrophes(column.joined.text);
    this.#texts = new Int32Array(column.values.length);
    for (let row = 1; row < this.#texts.length; row += 1)
      this.#texts[row] = this.#text.indexOf('\0', this.#texts[row - 1]) + 1;
    ({ starts: this.#starts, ends: this.#ends } = wordBounds(this.#text));
    this.#hasSurrogates = surrogates.test(this.#text);
    for (const [word, start] of this.#starts.entries()) {
      const key = startOf(this.#text, start, this.#ends[word]!);
      const same = this.#byStart.get(key);
      if (same) same.push(word);
      else this.#byStart.set(key, [word]);
    }
  }

  /** Whether a text has the word. */
  has(word: string): boolean {
    return !this.#matching(word, true).next().done;
  }

  /** Flags the nominations whose text has a word with a prefix, or with `whole` the word itself. */
  find(prefix: string, whole: boolean, found: Uint8Array): void {
    const { postings } = this.#references;
    let row = 0;
    for (const start of this.#matching(prefix, whole)) {
      row = rowAt(this.#texts, start, row);
      const end = postings.offsets[row + 1]!;
      for (let posting = postings.offsets[row]!; posting < end; posting += 1)
        found[postings.rows[posting]!] = 1;
    }
  }

  /** Adds the words that differ from a word by edits within the word, and its parts that are words. */
  compare(word: Characters, { near, heads, tails }: Similar): void {
    const most = allowedEdits(word.length + 2);
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

  /** Positions of the words with a prefix, or with `whole` of the word itself, ascending. */
  *#matching(prefix: string, whole: boolean): Generator<number> {
    for (const word of this.#byStart.get(startOf(prefix, 0, prefix.length)) ?? []) {
      const start = this.#starts[word]!;
      if (whole && this.#ends[word] !== start + prefix.length) continue;
      if (this.#text.startsWith(prefix, start)) yield start;
    }
  }
}

/** The first two units of a word as a number. */
const startOf = (text: string, start: number, end: number): number =>
  text.charCodeAt(start) * 2 ** 16 + (end - start > 1 ? text.charCodeAt(start + 1) : 0);

/** The words of titles, names and categories. One per snapshot. */
export class Vocabulary {
  readonly #columns: readonly WordColumn[];
  /** Number of nominations. */
  readonly nominations: number;

  constructor({ titles, names, categories, movie, nominee, category, count }: NominationTable) {
    this.nominations = count;
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
    const found = new Uint8Array(this.nominations);
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
  const max = Math.min(most, allowedEdits(Math.max(word.length, end - start)));
  const edits = editDistance(word, text, max, start, end);
  return edits > max ? 0 : edits;
}

/**
 * At most five similar queries that find something: the fewest edits first, then the most results, then by text.
 * @param words of a query that finds nothing
 */
export function suggest(vocabulary: Vocabulary, words: readonly string[]): string[] {
  if (words.length > maxWords) return [];
  const queries = new SimilarQueries(vocabulary, words);
  const found = new Map<string, { edits: number; results: number }>();
  for (let edits = 1; edits <= maxEdits && found.size < maxSuggestions; edits += 1)
    for (const [text, results] of queries.withEdits(edits))
      if (!found.has(text)) found.set(text, { edits, results });
  return [...found]
    .sort(
      ([a, one], [b, other]) => one.edits - other.edits || other.results - one.results || byCodeUnit(a, b),
    )
    .slice(0, maxSuggestions)
    .map(([text]) => text);
}

/** An option at a position of the query. */
interface Step extends Option {
  /** Position after the replaced words. */
  next: number;
  /** The nominations that have all words: a flag for each. */
  found: Uint8Array;
}

/** No sum of edits reaches it. */
const impossible = 255;

/** The queries that edits of the words make. */
class SimilarQueries {
  readonly #vocabulary: Vocabulary;
  readonly #steps: readonly (readonly Step[])[];
  /** For each position the fewest edits that let each nomination match the words from there on. */
  readonly #fewest: Uint8Array[] = [];

  constructor(vocabulary: Vocabulary, words: readonly string[]) {
    this.#vocabulary = vocabulary;
    this.#steps = words.map((word, at) => this.#stepsAt(words, word, at));
    this.#fewest[words.length] = new Uint8Array(vocabulary.nominations);
    for (let at = words.length - 1; at >= 0; at -= 1) this.#fewest[at] = this.#fewestAt(this.#steps[at]!);
  }

  #stepsAt(words: readonly string[], word: string, at: number): Step[] {
    const options = [{ words: [word], edits: 0 }, ...this.#vocabulary.similarTo(word)];
    const steps = options.map(
      (option): Step => ({ ...option, next: at + 1, found: this.#find(option.words) }),
    );
    const joined = `${word}${words[at + 1] ?? ''}`;
    if (at + 1 < words.length && this.#vocabulary.has(joined))
      steps.push({ words: [joined], edits: 1, next: at + 2, found: this.#find([joined]) });
    return steps;
  }

  #find(words: readonly string[]): Uint8Array {
    const [first, second] = words.map((word) => this.#vocabulary.find(word));
    return second ? first!.map((flag, row) => flag & second[row]!) : first!;
  }

  #fewestAt(steps: readonly Step[]): Uint8Array {
    const fewest = new Uint8Array(this.#vocabulary.nominations).fill(impossible);
    for (const { edits, next, found } of steps) {
      const rest = this.#fewest[next]!;
      for (let row = found.indexOf(1); row >= 0; row = found.indexOf(1, row + 1))
        fewest[row] = Math.min(fewest[row]!, edits + rest[row]!);
    }
    return fewest;
  }

  /** The queries with exactly this many edits that find something, with the number of results. */
  *withEdits(edits: number): Generator<[text: string, results: number]> {
    const rows: number[] = [];
    for (const [row, fewest] of this.#fewest[0]!.entries()) if (fewest <= edits) rows.push(row);
    if (rows.length > 0) yield* this.#continued(edits, 0, [], rows);
  }

  /** @param rows nominations that match the words so far, and can match the rest with these edits */
  *#continued(
    edits: number,
    at: number,
    before: readonly string[],
    rows: readonly number[],
  ): Generator<[text: string, results: number]> {
    if (at === this.#steps.length) {
      if (edits === 0) yield [before.join(' '), rows.length];
      return;
    }
    for (const step of this.#steps[at]!) {
      const rest = edits - step.edits;
      const fewest = this.#fewest[step.next]!;
      const kept = rows.filter((row) => step.found[row] === 1 && fewest[row]! <= rest);
      if (kept.length > 0) yield* this.#continued(rest, step.next, [...before, ...step.words], kept);
    }
  }
}
