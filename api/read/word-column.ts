/** The words of a column of texts: found by their beginning, by their likeness to a mistyped word, or joined. */
import { apostrophes, isOfWord, withoutApostrophes } from '../contract/text.ts';
import { lastNotAbove, rowAt } from './columns.ts';
import { allowedEdits, type Characters, editDistance } from '../contract/word-edits.ts';

const surrogates = /[\ud800-\udfff]/;
const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

/** Folded texts joined by NUL, and the start of each. */
export interface JoinedTexts {
  text: string;
  starts: Int32Array;
}

/** A word of a text, or several neighbours. */
interface FoundWords {
  row: number;
  words: string[];
}

/** What stands between the words of most texts. */
const gap = '[\\x01-/:-`{-\\xa9\\u2000-\\u206f]';
const gaps = new RegExp(`${gap}+`);

/**
 * The words of a column, as tokens() gives them. They are found by searches of one long text: an index of all words would take
 * longer to make than a cold request may.
 */
export class WordColumn {
  /** The folded texts without apostrophes, joined by NUL. */
  readonly #text: string;
  /** The positions in the text where apostrophes were removed, ascending. */
  readonly #removed: readonly number[];
  /** Start of each row in the text with apostrophes. */
  readonly #starts: Int32Array;
  readonly #hasSurrogates: boolean;

  constructor({ text, starts }: JoinedTexts) {
    this.#starts = starts;
    this.#removed = Array.from(text.matchAll(apostrophes), ({ index }, before) => index - before);
    this.#text = withoutApostrophes(text);
    this.#hasSurrogates = surrogates.test(text);
  }

  /** Whether a text has the word. */
  has(word: string): boolean {
    return !this.#matching(word, true).next().done;
  }

  /** The rows of the words with a prefix, or with `whole` of the word itself; ascending, a row once for each of its words. */
  *rowsWith(prefix: string, whole: boolean): Generator<number> {
    let row = 0;
    for (const start of this.#matching(prefix, whole)) {
      row = this.#rowAt(start, row);
      yield row;
    }
  }

  /** The rows that a search finds for a token: by the beginning of their words, or by a whole word if the token has one character. */
  rowsOfToken(token: string): Generator<number> {
    return this.rowsWith(token, charactersOf(token).length === 1);
  }

  /** The words with a prefix, ascending by row. */
  *wordsWith(prefix: string): Generator<FoundWords> {
    let row = 0;
    for (const start of this.#matching(prefix, false)) {
      row = this.#rowAt(start, row);
      yield { row, words: [this.#text.slice(start, this.#endOf(start + prefix.length))] };
    }
  }

  /** Neighbours that have the characters of a word between them, at their beginning: "spider", "man" for "spiderm". */
  *neighboursWith(word: string): Generator<FoundWords> {
    const text = this.#text;
    let row = 0;
    for (const { 0: match, index } of text.matchAll(new RegExp([...word].join(`${gap}*`), 'gu'))) {
      if (match.length === word.length || isOfWord(text, index - 1)) continue;
      row = this.#rowAt(index, row);
      yield { row, words: text.slice(index, this.#endOf(index + match.length)).split(gaps) };
    }
  }

  /**
   * The words that differ from a word by edits within the word, with the number of edits.
   * @param most edits; default those of the longest word that can be near
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

  /** The longer words whose beginning, as long as the word, differs from it by one edit, but not in the first character. */
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

  /** The words that have an unchanged piece of a word where edits can leave it. Some are given several times. */
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

  /** The row of a position. @param from not after it */
  #rowAt(position: number, from: number): number {
    // The first unit of a word has this position in the text with apostrophes.
    return rowAt(this.#starts, position + lastNotAbove(this.#removed, position) + 1, from);
  }

  /** Positions of the words with a prefix, or with `whole` of the word itself, ascending. @param prefix not empty */
  *#matching(prefix: string, whole: boolean): Generator<number> {
    const text = this.#text;
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      if (isOfWord(text, at - 1)) continue;
      if (!whole || !isOfWord(text, at + prefix.length)) yield at;
    }
  }
}

/** A part of a word and its position, in characters. */
interface Piece {
  piece: string;
  offset: number;
}

/**
 * Pieces of a word: each word that some edits make of it contains one of them. The word is cut into one piece more than there are
 * edits. An edit changes one piece, so one stays as it is. A swap across a border changes two: then both, joined and with the
 * swap, count as one piece.
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
