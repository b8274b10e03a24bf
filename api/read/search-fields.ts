/** The fields that search looks through, and their BM25+ scores: those of MiniSearch with its defaults. */
import type { References } from './nomination-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { FoundWord, WordColumn } from './word-column.ts';

/** Parameters of BM25+. */
const k = 1.2;
const b = 0.7;
const d = 0.5;
/** Most that a word with the token as a prefix weighs; an exact match weighs 1. */
const prefixWeight = 0.375;

/** A searched field of nominations. Its texts belong to other records: films, nominees or categories. */
class Field {
  readonly references: References;
  readonly column: WordColumn;
  /** Field length of BM25+: the number of distinct words per record. */
  readonly words: ArrayLike<number>;
  /** Score per record of the current token. `Matches` in search.ts sets them back to 0 after each token. */
  readonly scores: Float64Array;
  #meanWords: number | undefined;

  constructor(references: References, column: WordColumn, words: ArrayLike<number>) {
    this.references = references;
    this.column = column;
    this.words = words;
    this.scores = new Float64Array(words.length);
  }

  /** Mean of `words` over all nominations. */
  get meanWords(): number {
    if (this.#meanWords === undefined) {
      const { rows } = this.references;
      let sum = 0;
      for (let nomination = 0; nomination < rows.length; nomination += 1)
        sum += this.words[rows[nomination]!]!;
      this.#meanWords = sum / rows.length;
    }
    return this.#meanWords;
  }

  /** Adds the BM25+ score of a word to its records, and appends the records without a score so far to `matched`. */
  addWord({ word, rows }: FoundWord, token: string, matched: number[]): void {
    const weight = weightOf(word, token);
    const { references, words, meanWords, scores } = this;
    const nominations = references.rows.length;
    let matching = 0;
    for (let i = 0; i < rows.length; i += 1)
      if (rows[i] !== rows[i - 1]) matching += references.countOf(rows[i]!);
    const inverseFrequency = Math.log(1 + (nominations - matching + 0.5) / (matching + 0.5));
    for (let i = 0; i < rows.length; ) {
      const row = rows[i]!;
      let frequency = 0;
      for (; rows[i] === row; i += 1) frequency += 1;
      if (scores[row] === 0) matched.push(row);
      const length = k * (1 - b + (b * words[row]!) / meanWords);
      scores[row]! += weight * inverseFrequency * (d + (frequency * (k + 1)) / (frequency + length));
    }
  }
}

export const fieldNames = ['movie', 'nominee', 'category'] as const;
export type PerField<T> = Record<(typeof fieldNames)[number], T>;
/** One per snapshot. */
export type SearchFields = PerField<Field>;

/** The fields of a snapshot. */
export const searchFields = (snapshot: Snapshot): Promise<SearchFields> =>
  snapshot.derive('search fields', ['nominations', 'titles', 'names'], async () => {
    const [table, titles, names] = await Promise.all([
      snapshot.table('nominations'),
      snapshot.table('titles'),
      snapshot.table('names'),
    ]);
    const categoryWords = table.categories.tokens.map((words) => new Set(words).size);
    return {
      movie: new Field(table.movie, titles.text.wordColumn, titles.words),
      nominee: new Field(table.nominee, names.text.wordColumn, names.words),
      category: new Field(table.category, table.categories.name.wordColumn, categoryWords),
    };
  });

export const perField = <T>(make: (name: (typeof fieldNames)[number]) => T): PerField<T> => ({
  movie: make('movie'),
  nominee: make('nominee'),
  category: make('category'),
});

/** A prefix match weighs less than an exact match, and less for longer words. */
function weightOf(word: string, token: string): number {
  const distance = word.length - token.length;
  return distance === 0 ? 1 : (prefixWeight * word.length) / (word.length + 0.3 * distance);
}
