/** An index of short texts, such as names and titles, that tolerates typing mistakes, joined and split words. */
import { LRUCache } from 'lru-cache';
import { tokens } from '../../../../api/contract/text.ts';
import type { TextColumn } from '../../../../api/read/columns.ts';
import { allowedEdits, WordColumn } from './word-column.ts';

/** How well a typed word matches a word of a text. */
const likeness = {
  equal: 1,
  numeral: 0.97,
  joined: 0.95,
  prefix: 0.6,
  oneEdit: 0.75,
  twoEdits: 0.55,
  editedPrefix: 0.45,
};

/** Words that most texts have, and that readers leave out. */
const smallWords: ReadonlySet<string> = new Set('a an and the of in on to for from at or by'.split(' '));
const smallWeight = 0.15;

const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Number in one writing → the same number in the others. */
const sameNumber: ReadonlyMap<string, readonly string[]> = new Map(
  romans.flatMap((roman, i) => {
    const all = [roman, String(i + 1), numberWords[i]!];
    return all.map((own) => [own, all.filter((other) => other !== own)] as const);
  }),
);

/** The row of a text, and how well it matches: from 0 to 1. */
export interface Match {
  row: number;
  score: number;
  /** Whether the typed words are all of the text, a leading article aside. */
  isWhole: boolean;
}

/** What a text has of the typed words. */
interface Sum {
  weight: number;
  /** Weights times likeness. */
  likeness: number;
  /** Words of the text that the typed ones cover. */
  covered: number;
}

/** One search looks for the same words several times. */
const maxKept = { words: 32, findings: 8 };

export class TextIndex {
  readonly #column: TextColumn;
  readonly #wordColumn: WordColumn;
  readonly #coverageWeight: number;
  readonly #rows = new LRUCache<string, Rows>({ max: maxKept.words });
  readonly #editedRows = new LRUCache<string, Rows>({ max: maxKept.words });
  readonly #findings = new LRUCache<string, readonly Match[]>({ max: maxKept.findings });
  /** The words of each text, once it was found. */
  readonly #words: (readonly string[] | undefined)[] = [];

  /** @param coverageWeight how much the words of a text that were not typed count against it, from 0 to 1 */
  constructor(column: TextColumn, coverageWeight = 0.25) {
    this.#column = column;
    this.#wordColumn = new WordColumn(column.joined, column.values.length);
    this.#coverageWeight = coverageWeight;
  }

  /**
   * The texts that match the words, best first; equal ones by row.
   * @param words folded, as tokens() returns them
   * @param share of the weight of the words that a text must match
   * @param allowsEdits whether words may be mistyped
   */
  find(words: readonly string[], share = 1, allowsEdits = true): readonly Match[] {
    const key = `${share} ${allowsEdits} ${words.join(' ')}`;
    const found = this.#findings.get(key) ?? this.#find(words, share, allowsEdits);
    this.#findings.set(key, found);
    return found;
  }

  #find(words: readonly string[], share: number, allowsEdits: boolean): Match[] {
    const best = new Map<number, Match>();
    const rowsOf = (word: string) => {
      // The other ways to look a joined word up take long.
      if (!words.includes(word)) return this.#rowsBeginning(word);
      return allowsEdits ? this.#editedRowsOf(word) : this.#rowsOf(word);
    };
    const bare = withoutArticle(words);
    // A title may lack the article that a reader types: "the joker".
    const variants = bare === words ? variantsOf(words) : [...variantsOf(words), bare];
    for (const variant of variants) {
      const whole = withoutArticle(variant).join('');
      for (const [row, score] of this.#scores(variant, share, rowsOf)) {
        const isWhole = withoutArticle(this.#wordsOf(row)).join('') === whole;
        if (bare !== words && variant === bare && !isWhole) continue;
        const known = best.get(row);
        if (!known || known.score < score || (isWhole && !known.isWhole))
          best.set(row, { row, score: isWhole ? 1 : Math.min(score, 0.99), isWhole });
      }
    }
    return [...best.values()].sort((a, b) => b.score - a.score || a.row - b.row);
  }

  #wordsOf(row: number): readonly string[] {
    // Parentheses hold a translation or a subtitle, as in "Birdman or (The Unexpected Virtue of Ignorance)".
    const words = this.#words[row] ?? tokens(this.#column.values[row]!.replace(/( or)? \(.*/, ''));
    this.#words[row] = words;
    return words;
  }

  #scores(words: readonly string[], share: number, rowsOf: (word: string) => Rows): Map<number, number> {
    const total = weightOf(words);
    const needed = total * share - 1e-9;
    const sums = new Map<number, Sum>();
    let remaining = total;
    for (const word of rarestFirst(words)) {
      // No text can match: the other words need not be looked up.
      if (sums.size === 0 && remaining < needed) break;
      const weight = weightOf([word]);
      const rows = rowsOf(word);
      // A text that has none of the words so far needs enough of the others.
      if (remaining >= needed)
        // A number in another writing is not enough: "big five" is not "Henry V".
        for (const [row, { like }] of rows)
          if (!sums.has(row) && (share === 1 || like !== likeness.numeral))
            sums.set(row, { weight: 0, likeness: 0, covered: 0 });
      remaining -= weight;
      for (const [row, sum] of sums) {
        const match = rows.get(row);
        if (match) {
          sum.weight += weight;
          sum.likeness += weight * match.like;
          sum.covered += smallWords.has(word) ? smallWeight : match.covers;
        }
        if (sum.weight + remaining < needed) sums.delete(row);
      }
    }
    const scores = new Map<number, number>();
    for (const [row, { likeness: sum, covered }] of sums) {
      const coverage = Math.min(1, covered / Math.max(1, weightOf(this.#wordsOf(row))));
      scores.set(row, (sum / total) * (1 - this.#coverageWeight * (1 - coverage)));
    }
    return scores;
  }

  /** Whether the search of the API finds a word. */
  hasWord(word: string): boolean {
    return this.#wordColumn.wordsOfToken(word).length > 0;
  }

  /** The texts that have a word, or a longer one that begins with it. */
  #rowsBeginning(word: string): Rows {
    const rows: Rows = new Map();
    for (const { word: own, rows: ofWord } of this.#wordColumn.wordsWith(word)) {
      const like = beginning(word, [own]);
      for (const row of ofWord) note(rows, row, like);
    }
    return rows;
  }

  /** The texts that have a word, its beginning, its parts, or another writing of it. */
  #rowsOf(word: string): Rows {
    const known = this.#rows.get(word);
    if (known) return known;
    const wordColumn = this.#wordColumn;
    const isLetter = word.length === 1;
    const rows = isLetter ? new Map() : this.#rowsBeginning(word);
    for (const other of sameNumber.get(word) ?? []) this.#noteWord(rows, other, likeness.numeral);
    if (isLetter) this.#noteWord(rows, word, likeness.equal);
    else
      for (const { row, words } of wordColumn.neighboursWith(word))
        note(rows, row, beginning(word, words) * likeness.joined, words.length);
    this.#rows.set(word, rows);
    return rows;
  }

  /** The rows of #rowsOf(), and those of texts that have the word with typing mistakes. */
  #editedRowsOf(word: string): Rows {
    const known = this.#editedRows.get(word);
    if (known) return known;
    const rows = new Map(this.#rowsOf(word));
    const wordColumn = this.#wordColumn;
    // A word with a digit, such as a year, is another one after an edit.
    const allowed = hasDigit(word) ? 0 : allowedEdits(word.length);
    if (allowed > 0) {
      for (const [other, edits] of wordColumn.near(word, allowed))
        this.#noteWord(rows, other, edits === 1 ? likeness.oneEdit : likeness.twoEdits);
      if (word.length > 4) {
        for (const other of wordColumn.reordered(word)) this.#noteWord(rows, other, likeness.oneEdit);
        for (const other of wordColumn.beginningLike(word))
          this.#noteWord(rows, other, likeness.editedPrefix);
      }
    }
    this.#editedRows.set(word, rows);
    return rows;
  }

  #noteWord(rows: Rows, word: string, like: number): void {
    for (const row of this.#wordColumn.rowsOf(word)) note(rows, row, like);
  }
}

/** Notes a likeness of a row, if it is its best. @param covers the words of the text that it covers */
function note(rows: Rows, row: number, like: number, covers = 1): void {
  if (like > (rows.get(row)?.like ?? 0)) rows.set(row, { like, covers });
}

/** How well a word matches words that begin with it, joined. */
function beginning({ length }: string, words: readonly string[]): number {
  const all = words.reduce((sum, own) => sum + own.length, 0);
  return all === length ? likeness.equal : likeness.prefix + 0.35 * (length / all);
}

const hasDigit = (word: string): boolean => /\d/.test(word);

/** The words that few texts have come first: numbers, then long words. */
const rarestFirst = (words: readonly string[]): readonly string[] =>
  [...words].sort((a, b) => Number(hasDigit(b)) - Number(hasDigit(a)) || b.length - a.length);

/** Row → how well its best words match a word, and how many they are. */
type Rows = Map<number, { like: number; covers: number }>;

const weightOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (smallWords.has(word) ? smallWeight : 1), 0);

const withoutArticle = (words: readonly string[]): readonly string[] =>
  words.length > 1 && /^(the|an?)$/.test(words[0]!) ? words.slice(1) : words;

/** More words are not joined: each of them makes a variant, and each variant looks up all words. */
const maxJoinable = 12;

/** The end of a text that asks for the first film of a series, whose title rarely has a number: "Rocky 1", "Dune part one". */
const firstOfSeries = /(?<=.) (?:1|part (?:1|one|i))$/;

/** The words, the words without the number of a first part, the words with two neighbours joined, and all joined. */
function variantsOf(words: readonly string[]): readonly (readonly string[])[] {
  if (words.length > maxJoinable) return [words];
  const text = words.join(' ');
  const unnumbered = text.replace(firstOfSeries, '');
  if (unnumbered !== text) return [words, unnumbered.split(' ')];
  const joined = words
    .slice(1)
    .map((word, i) => [...words.slice(0, i), words[i]! + word, ...words.slice(i + 2)]);
  return words.length > 2 ? [words, ...joined, [words.join('')]] : [words, ...joined];
}
