/** The words of a column of texts: found by their beginning, or by their likeness to a mistyped word. */
import { isOfWord, withoutApostrophes } from '../contract/text.ts';
import { rowAt, type TextColumn } from './columns.ts';
import type { References } from './tables.ts';
import { allowedEdits, type Characters, editDistance } from './word-edits.ts';

const surrogates = /[\ud800-\udfff]/;
export const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

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
export class WordColumn {
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

/** The edits that make a word the part of a text between two positions; 0 if it is the same, or if they are too many. */
function editsBetween(word: Characters, text: Characters, start: number, end: number, most: number): number {
  const max = Math.min(most, allowedEdits(Math.max(word.length, end - start)));
  const edits = editDistance(word, text, max, start, end);
  return edits > max ? 0 : edits;
}
