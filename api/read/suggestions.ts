/**
 * Similar queries for a search that finds nothing. An edit adds, drops or replaces a character of a word, swaps two
 * neighbours, joins two words, or splits one. Words have one edit from 4 characters and two from 8, a query has three. The
 * words are those of the columns that every search has loaded, so that suggestions need no file of their own.
 */
import { maxSuggestions } from '../contract/parameters.ts';
import { byCodeUnit, isOfWord, withoutApostrophes } from '../contract/text.ts';
import { rowAt, type TextColumn } from './columns.ts';
import type { NominationTable, References } from './tables.ts';
import { allowedEdits, type Characters, editDistance } from './word-edits.ts';

const maxEdits = 3;
/** Longer queries have no suggestions. */
const maxWords = 8;

const surrogates = /[\ud800-\udfff]/;
const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

/** Words in place of one word of a query, or of two. */
interface Option {
  words: readonly string[];
  edits: number;
}

/**
 * The words of a text that tokens() gives, in place: a map of all words would take longer than a search. Loops over all of
 * them have no destructuring: before the code is optimized, it costs more than the rest.
 */
class Words {
  readonly count: number;
  /** Start and end of each word. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** For each word its letters, see letterOf(). */
  readonly letters: Int32Array;
  /** Bucket of the first two units of a word → its first word, and the next word of the same bucket; -1 for none. */
  readonly firsts = new Int32Array(2 ** 16).fill(-1);
  readonly nexts: Int32Array;

  /** @param text folded, without apostrophes */
  constructor(text: string) {
    const max = (text.length >> 1) + 1;
    this.starts = new Int32Array(max);
    this.ends = new Int32Array(max);
    this.letters = new Int32Array(max);
    this.nexts = new Int32Array(max);
    this.count = this.#scan(text);
    // From the last word to the first, so that a bucket lists its words in order.
    for (let word = this.count - 1; word >= 0; word -= 1) {
      const bucket = bucketOf(text, this.starts[word]!, this.ends[word]!);
      this.nexts[word] = this.firsts[bucket]!;
      this.firsts[bucket] = word;
    }
  }

  /** Notes each word. @returns their number */
  #scan(text: string): number {
    const { starts, ends, letters } = this;
    let count = 0;
    let start = -1;
    let own = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const unit = at < text.length ? text.charCodeAt(at) : 0;
      const code = unit < 0xd800 || unit > 0xdbff ? unit : text.codePointAt(at)!;
      if (isOfWord(code)) {
        if (start < 0) start = at;
        own |= letterOf(unit);
      } else if (start >= 0) {
        starts[count] = start;
        ends[count] = at;
        letters[count] = own;
        count += 1;
        start = -1;
        own = 0;
      }
      if (code > 0xffff) at += 1;
    }
    return count;
  }
}

/** The words of a column. */
class WordColumn {
  readonly #references: References;
  /** The folded texts without apostrophes, joined by NUL. */
  readonly #text: string;
  /** Start of each text. */
  readonly #texts: Int32Array;
  readonly #words: Words;
  readonly #hasSurrogates: boolean;

  /** @param references from nominations to the column */
  constructor(column: TextColumn, references: References) {
    this.#references = references;
    this.#text = withoutApostrophes(column.joined.text);
    this.#texts = new Int32Array(column.values.length);
    for (let row = 1; row < this.#texts.length; row += 1)
      this.#texts[row] = this.#text.indexOf('\0', this.#texts[row - 1]) + 1;
    this.#words = new Words(this.#text);
    this.#hasSurrogates = surrogates.test(this.#text);
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

  /** Adds the words that differ from a word by edits within the word, with the number of edits. */
  addNear(word: string, near: Map<string, number>): void {
    const characters = charactersOf(word);
    const isPlain = typeof characters === 'string' && !this.#hasSurrogates;
    const most = allowedEdits(characters.length + 2);
    let letters = 0;
    for (let at = 0; at < word.length; at += 1) letters |= letterOf(word.charCodeAt(at));
    const { count, starts, ends, letters: known } = this.#words;
    for (let i = 0; i < count; i += 1) {
      const start = starts[i]!;
      const end = ends[i]!;
      if (isPlain) {
        const longer = end - start - word.length;
        if (longer > most || -longer > most) continue;
        const own = known[i]!;
        if (bitsOf(own & ~letters) > most || bitsOf(letters & ~own) > most) continue;
        const edits = editsBetween(characters, this.#text, start, end, most);
        if (edits > 0) near.set(this.#text.slice(start, end), edits);
      } else {
        const other = this.#text.slice(start, end);
        const text = charactersOf(other);
        const edits = editsBetween(characters, text, 0, text.length, most);
        if (edits > 0) near.set(other, edits);
      }
    }
  }

  /** Positions of the words with a prefix, or with `whole` of the word itself, ascending. */
  *#matching(prefix: string, whole: boolean): Generator<number> {
    const { starts, ends, firsts, nexts } = this.#words;
    // A prefix of one unit is asked for as a whole word only.
    for (let word = firsts[bucketOf(prefix, 0, prefix.length)]!; word >= 0; word = nexts[word]!) {
      const start = starts[word]!;
      if (whole && ends[word] !== start + prefix.length) continue;
      if (this.#text.startsWith(prefix, start)) yield start;
    }
  }
}

/** A bucket of words: those with the same first two units, and some others. */
const bucketOf = (text: string, start: number, end: number): number =>
  ((text.charCodeAt(start) & 0xff) << 8) | (end - start > 1 ? text.charCodeAt(start + 1) & 0xff : 0);

/** A bit for a unit of a word, modulo 32. In the bits of a word, an edit of a unit changes at most one to 1, and one to 0. */
const letterOf = (unit: number): number => 1 << (unit & 31);

/** The number of bits that are 1. */
function bitsOf(number: number): number {
  let count = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

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
    const near = new Map<string, number>();
    for (const column of this.#columns) column.addNear(word, near);
    const characters = [...word];
    const parts = characters.slice(1).map((_, cut): [string, string] => {
      const [head, tail] = [characters.slice(0, cut + 1), characters.slice(cut + 1)];
      return [head.join(''), tail.join('')];
    });
    return [
      ...[...near].map(([own, edits]) => ({ words: [own], edits })),
      ...parts.filter((words) => words.every((part) => this.has(part))).map((words) => ({ words, edits: 1 })),
    ];
  }

  /** The nominations that a search for a word finds: a flag for each. A word of one character must be whole. */
  find(word: string): Uint8Array {
    const found = new Uint8Array(this.nominations);
    for (const column of this.#columns) column.find(word, charactersOf(word).length === 1, found);
    return found;
  }
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
    if (second) for (let row = 0; row < first!.length; row += 1) first![row]! &= second[row]!;
    return first!;
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
    const fewest = this.#fewest[0]!;
    for (let row = 0; row < fewest.length; row += 1) if (fewest[row]! <= edits) rows.push(row);
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
