/** Finds the words of a column of texts: by prefix, with typing mistakes, or written together. */
import { byCodeUnit, wordsIn, withoutApostrophes } from '../../../../api/contract/text.ts';
import { lastNotAbove, rowAt, startsOf } from '../../../../api/read/columns.ts';
import { type Characters, editDistance } from '../../../../api/contract/nearest.ts';

const surrogates = /[\ud800-\udfff]/;
const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

/** Typing mistakes that a word of this many characters can have. */
export const allowedEdits = (characters: number): number => (characters < 4 ? 0 : characters < 8 ? 1 : 2);

const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether tokens() takes the character at a position for a part of a word. @param text folded, without apostrophes */
function isOfWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
  // The position can be that of either unit of a surrogate pair.
  const start = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  const code = text.codePointAt(start);
  return code !== undefined && letterOrDigit.test(String.fromCodePoint(code > 0xffff ? code : unit));
}

/** A word, and the rows of the texts that have it: ascending, a row once for each occurrence. */
export interface FoundWord {
  word: string;
  rows: readonly number[];
}

/** All words of a column, ascending by code unit, with their rows. */
interface WordIndex {
  words: readonly string[];
  rows: ReadonlyMap<string, readonly number[]>;
}

/** Lookups before an index of all words is built: more would take longer than the index. */
const maxSearches = 256;

/**
 * Common separators of words: ASCII signs and spaces, signs of Latin-1, general punctuation. NUL is none, so that a match stays in
 * one text.
 */
const gap = '[\\x01-/:-`{-\\xa9\\u2000-\\u206f]';
const gaps = new RegExp(`${gap}+`);

/**
 * The words of a column, as tokens() gives them. The first lookups scan the joined text: building an index of all words takes
 * longer than a cold request may. Later lookups use the index.
 */
export class WordColumn {
  /** The folded texts without apostrophes, joined by NUL. */
  readonly #text: string;
  /** Start of each row in this text. */
  readonly #starts: Int32Array;
  readonly #hasSurrogates: boolean;
  #searches = 0;
  #index: WordIndex | undefined;

  /** @param joined folded texts, joined by NUL @param count number of texts */
  constructor(joined: string, count: number) {
    this.#text = withoutApostrophes(joined);
    this.#starts = startsOf(this.#text, count);
    this.#hasSurrogates = surrogates.test(joined);
  }

  /** Whether a text has the word. */
  has(word: string): boolean {
    const index = this.#indexIfFaster();
    return index ? index.rows.has(word) : !this.#matching(word, true).next().done;
  }

  /** The rows of the texts that have the word, as in FoundWord. */
  rowsOf(word: string): readonly number[] {
    const index = this.#indexIfFaster();
    return (index ? index.rows.get(word) : this.#search(word, true)[0]?.rows) ?? [];
  }

  /** The words with a prefix, ascending by code unit. @param prefix not empty */
  wordsWith(prefix: string): readonly FoundWord[] {
    const index = this.#indexIfFaster();
    if (index === undefined) return this.#search(prefix, false);
    const { words, rows } = index;
    const found: FoundWord[] = [];
    const last = lastNotAbove(words, prefix);
    for (let at = words[last] === prefix ? last : last + 1; words[at]?.startsWith(prefix); at += 1)
      found.push({ word: words[at]!, rows: rows.get(words[at]!)! });
    return found;
  }

  /** The words that a search finds for a token: those with it as a prefix, or the word itself if the token has one character. */
  wordsOfToken(token: string): readonly FoundWord[] {
    if (charactersOf(token).length > 1) return this.wordsWith(token);
    const rows = this.rowsOf(token);
    return rows.length === 0 ? [] : [{ word: token, rows }];
  }

  /** Counts one search. @returns the index, if it takes less time than searching the text */
  #indexIfFaster(): WordIndex | undefined {
    this.#searches += 1;
    if (this.#searches > maxSearches) this.#index ??= this.#makeIndex();
    return this.#index;
  }

  #makeIndex(): WordIndex {
    const rows = new Map<string, number[]>();
    let row = 0;
    for (const { 0: word, index } of this.#text.matchAll(wordsIn)) {
      row = rowAt(this.#starts, index, row);
      noteRow(rows, word, row);
    }
    return { words: [...rows.keys()].sort(), rows };
  }

  /** The words with a prefix, or with `whole` the word itself, found in the text; as wordsWith() gives them. */
  #search(prefix: string, whole: boolean): FoundWord[] {
    const found = new Map<string, number[]>();
    let row = 0;
    for (const start of this.#matching(prefix, whole)) {
      row = rowAt(this.#starts, start, row);
      noteRow(found, this.#text.slice(start, this.#endOf(start + prefix.length)), row);
    }
    return [...found]
      .map(([word, rows]) => ({ word, rows }))
      .sort((one, other) => byCodeUnit(one.word, other.word));
  }

  /** Adjacent words that begin with a word when they are written together: "spider", "man" for "spiderm". */
  *neighboursWith(word: string): Generator<{ row: number; words: string[] }> {
    const text = this.#text;
    let row = 0;
    for (const { 0: match, index } of text.matchAll(new RegExp([...word].join(`${gap}*`), 'gu'))) {
      if (match.length === word.length || isOfWord(text, index - 1)) continue;
      row = rowAt(this.#starts, index, row);
      yield { row, words: text.slice(index, this.#endOf(index + match.length)).split(gaps) };
    }
  }

  /**
   * The words within the allowed edit distance of a word, with the number of edits.
   * @param most edits; by default as many as the longest possible match allows
   */
  near(word: string, most = allowedEdits(charactersOf(word).length + 2)): Map<string, number> {
    const near = new Map<string, number>();
    const characters = charactersOf(word);
    const isPlain = typeof characters === 'string' && !this.#hasSurrogates;
    // Longer words are not near. Surrogates are two units of one character: with them there is no limit.
    for (const other of this.#withPieceOf(characters, most, isPlain ? word.length + most : Infinity)) {
      const edits = editsBetween(characters, isPlain ? other : charactersOf(other), most);
      if (edits > 0) near.set(other, edits);
    }
    return near;
  }

  /** The longer words that begin with a word with one edit in it, but not in its first character. */
  beginningLike(word: string): Set<string> {
    const like = new Set<string>();
    for (const other of this.#withPieceOf(word, 1, Infinity))
      if (
        other.length > word.length &&
        other[0] === word[0] &&
        editDistance(word, other.slice(0, word.length), 1) === 1
      )
        like.add(other);
    return like;
  }

  /** The words that have the letters of a word in another order, but the same first letter: "gandhi" for "ghandi". */
  reordered(word: string): Set<string> {
    const text = this.#text;
    const [first, ...rest] = word;
    const sorted = rest.sort().join('');
    const found = new Set<string>();
    for (const { 0: other, index } of text.matchAll(new RegExp(`${first}[${sorted}]{${rest.length}}`, 'gu')))
      if (
        other !== word &&
        !isOfWord(text, index - 1) &&
        !isOfWord(text, index + other.length) &&
        [...other].slice(1).sort().join('') === sorted
      )
        found.add(other);
    return found;
  }

  /** Candidates for near(): words with a piece of a word where edits can leave it. Some come several times. */
  *#withPieceOf(word: Characters, edits: number, maxLength: number): Generator<string> {
    if (edits === 0) return;
    const text = this.#text;
    for (const { piece, offset } of unchangedPieces(word, edits)) {
      const maxBefore = maxLength === Infinity && this.#hasSurrogates ? Infinity : offset + edits;
      for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
        let start = at;
        while (at - start <= maxBefore && isOfWord(text, start - 1)) start -= 1;
        if (at - start > maxBefore) continue;
        const end = this.#endOf(at + piece.length, start + maxLength);
        if (end - start <= maxLength) yield text.slice(start, end);
      }
    }
  }

  /** The end of the word that has a position. @param max position; a word that reaches past it may be cut */
  #endOf(position: number, max = Infinity): number {
    let end = position;
    while (end <= max && isOfWord(this.#text, end)) end += 1;
    return end;
  }

  /** Start positions of the words with a prefix, ascending; with `whole`, of the words equal to it. @param prefix not empty */
  *#matching(prefix: string, whole: boolean): Generator<number> {
    const text = this.#text;
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      if (isOfWord(text, at - 1)) continue;
      if (!whole || !isOfWord(text, at + prefix.length)) yield at;
    }
  }
}

function noteRow(rows: Map<string, number[]>, word: string, row: number): void {
  const known = rows.get(word);
  if (known) known.push(row);
  else rows.set(word, [row]);
}

/** A part of a word and its position, in characters. */
interface Piece {
  piece: string;
  offset: number;
}

/**
 * Pieces of a word by the pigeonhole principle: the word is cut into one piece more than there are edits. An edit changes one
 * piece, so at least one stays unchanged, and each word within that many edits contains it. A swap across a border changes two
 * pieces: then both, joined and with the swap, count as one.
 */
function unchangedPieces(word: Characters, edits: number): Piece[] {
  const characters = [...word];
  const borders = Array.from({ length: edits + 2 }, (_, i) =>
    Math.floor((i * characters.length) / (edits + 1)),
  );
  const pieces: Piece[] = [];
  for (let first = 0; first <= edits; first += 1)
    for (let last = first; last <= edits; last += 1) {
      const swapped = [...characters];
      for (const border of borders.slice(first + 1, last + 1))
        [swapped[border - 1], swapped[border]] = [swapped[border]!, swapped[border - 1]!];
      const [start, end] = [borders[first]!, borders[last + 1]!];
      pieces.push({ piece: swapped.slice(start, end).join(''), offset: start });
    }
  return pieces.filter(({ piece }) => piece !== '');
}

/** The edits that make one word the other; 0 if they are the same, or if they are too many. */
function editsBetween(word: Characters, other: Characters, most: number): number {
  const max = Math.min(most, allowedEdits(Math.max(word.length, other.length)));
  const edits = editDistance(word, other, max);
  return edits > max ? 0 : edits;
}
