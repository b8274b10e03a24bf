/** The words of a column of texts: found by their beginning, or by their likeness to a mistyped word. */
import { apostrophes, isOfWord, withoutApostrophes } from '../contract/text.ts';
import { lastNotAbove, rowAt, type TextColumn } from './columns.ts';
import type { References } from './tables.ts';
import { allowedEdits, type Characters, editDistance } from '../contract/word-edits.ts';

const surrogates = /[\ud800-\udfff]/;
export const charactersOf = (word: string): Characters => (surrogates.test(word) ? [...word] : word);

/**
 * The words of a column, as tokens() gives them. They are found by searches of one long text: an index of all words would take
 * longer to make than a cold request may.
 */
export class WordColumn {
  readonly #references: References;
  /** The folded texts without apostrophes, joined by NUL. */
  readonly #text: string;
  /** The positions in the text where apostrophes were removed, ascending. */
  readonly #removed: readonly number[];
  /** Start of each row in the text with apostrophes. */
  readonly #starts: Int32Array;
  readonly #hasSurrogates: boolean;

  /** @param references from nominations to the column */
  constructor(column: TextColumn, references: References) {
    this.#references = references;
    const { text, starts } = column.joined;
    this.#starts = starts;
    this.#removed = Array.from(text.matchAll(apostrophes), ({ index }, before) => index - before);
    this.#text = withoutApostrophes(text);
    this.#hasSurrogates = surrogates.test(text);
  }

  /** Whether a text has the word. */
  has(word: string): boolean {
    return !this.#matching(word, true).next().done;
  }

  /** Flags the nominations whose text has a word with a prefix, or with `whole` the word itself. */
  find(prefix: string, whole: boolean, found: Uint8Array): void {
    let row = 0;
    for (const start of this.#matching(prefix, whole)) {
      // The first unit of the word has this position in the text with apostrophes.
      const position = start + lastNotAbove(this.#removed, start) + 1;
      row = rowAt(this.#starts, position, row);
      for (const nomination of this.#references.nominationsOf(row)) found[nomination] = 1;
    }
  }

  /** Adds the words that differ from a word by edits within the word, with the number of edits. */
  addNear(word: string, near: Map<string, number>): void {
    const characters = charactersOf(word);
    const most = allowedEdits(characters.length + 2);
    if (most === 0) return;
    const text = this.#text;
    const isPlain = typeof characters === 'string' && !this.#hasSurrogates;
    for (const { piece, offset } of unchangedPieces(characters, most)) {
      // Longer words are not near. Surrogates are two units of one character: with them there is no limit.
      const [maxBefore, maxLength] = isPlain ? [offset + most, word.length + most] : [Infinity, Infinity];
      for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
        let start = at;
        while (at - start <= maxBefore && isOfWord(text, start - 1)) start -= 1;
        let end = at + piece.length;
        while (end - start <= maxLength && isOfWord(text, end)) end += 1;
        if (at - start > maxBefore || end - start > maxLength) continue;
        const other = text.slice(start, end);
        const edits = editsBetween(characters, isPlain ? other : charactersOf(other), most);
        if (edits > 0) near.set(other, edits);
      }
    }
  }

  /** Positions of the words with a prefix, or with `whole` of the word itself, ascending. */
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
