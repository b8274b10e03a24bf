/** An index of short texts, such as names and titles, that tolerates typing mistakes, joined and split words. */
import { tokens } from '../../../../api/contract/text.ts';
import { allowedEdits, editDistance } from '../../../../api/contract/word-edits.ts';

/** How well a typed word matches a term of a text. */
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
  /** Whether the typed words are all of the text, articles aside. */
  isWhole: boolean;
}

/** A word of the texts, or the initials of one. */
interface Term {
  text: string;
  letters: number;
  /** The texts that have it as a word. */
  rows: number[];
  /** The texts that have it as initials, with their number. */
  initials: { row: number; words: number }[];
}

export class TextIndex {
  /** The words of each text. */
  readonly #texts: Term[][] = [];
  readonly #terms = new Map<string, Term>();
  /** Terms by length, for the search with edits. */
  readonly #byLength: Term[][] = [];
  readonly #coverageWeight: number;

  /** @param coverageWeight how much words of a text count against it that were not typed, from 0 to 1 */
  constructor(texts: readonly string[], coverageWeight = 0.25) {
    this.#coverageWeight = coverageWeight;
    for (let row = 0; row < texts.length; row += 1) {
      const own = tokens(texts[row]!).map((word) => this.#term(word));
      for (const term of own) term.rows.push(row);
      this.#texts.push(own);
      for (const initials of initialsIn(own))
        this.#term(textOf(initials)).initials.push({ row, words: initials.length });
    }
  }

  #term(text: string): Term {
    const known = this.#terms.get(text);
    if (known) return known;
    const term = { text, letters: lettersOf(text), rows: [], initials: [] };
    this.#terms.set(text, term);
    this.#byLength[text.length] ??= [];
    this.#byLength[text.length]!.push(term);
    return term;
  }

  /**
   * The texts that match the words, best first; equal ones by row.
   * @param words folded, as tokens() returns them
   * @param share of the weight of the words that a text must match
   */
  find(words: readonly string[], share = 1): Match[] {
    const best = new Map<number, Match>();
    const rowsOf = new Map<string, Rows>();
    const variants = variantsOf(words);
    for (const word of new Set(variants.flat())) rowsOf.set(word, this.#rowsOf(word));
    for (const variant of variants) {
      const whole = withoutArticle(variant).join('');
      for (const [row, score] of this.#scores(variant, share, rowsOf)) {
        const isWhole = withoutArticle(this.#wordsOf(row)).join('') === whole;
        const known = best.get(row);
        if (!known || known.score < score || (isWhole && !known.isWhole))
          best.set(row, { row, score: isWhole ? 1 : Math.min(score, 0.99), isWhole });
      }
    }
    return [...best.values()].sort((a, b) => b.score - a.score || a.row - b.row);
  }

  #wordsOf(row: number): string[] {
    return this.#texts[row]!.map(({ text }) => text);
  }

  #scores(words: readonly string[], share: number, rowsOf: ReadonlyMap<string, Rows>): Map<number, number> {
    const total = weightOf(words);
    /** Row → weight of the matched words, times their likeness, and words of the text that they cover. */
    const sums = new Map<number, { weight: number; likeness: number; covered: number }>();
    for (const word of words) {
      const weight = weightOf([word]);
      for (const [row, { like, covers }] of rowsOf.get(word)!) {
        const sum = sums.get(row) ?? { weight: 0, likeness: 0, covered: 0 };
        sum.weight += weight;
        sum.likeness += weight * like;
        sum.covered += smallWords.has(word) ? smallWeight : covers;
        sums.set(row, sum);
      }
    }
    const scores = new Map<number, number>();
    for (const [row, { weight, likeness: sum, covered }] of sums)
      if (weight >= total * share - 1e-9) {
        const coverage = Math.min(1, covered / Math.max(1, weightOf(this.#wordsOf(row))));
        scores.set(row, (sum / total) * (1 - this.#coverageWeight * (1 - coverage)));
      }
    return scores;
  }

  #rowsOf(word: string): Rows {
    const rows: Rows = new Map();
    const noteRow = (row: number, like: number, covers: number) => {
      if (like > (rows.get(row)?.like ?? 0)) rows.set(row, { like, covers });
    };
    const note = ({ rows: own, initials }: Term, like: number) => {
      for (const row of own) noteRow(row, like, 1);
      for (const { row, words } of initials) noteRow(row, like * likeness.joined, words);
    };
    for (const other of sameNumber.get(word) ?? []) {
      const term = this.#terms.get(other);
      if (term) note(term, likeness.numeral);
    }
    const typed = new Typed(word);
    for (let length = typed.minLength; length < this.#byLength.length; length += 1)
      for (const term of this.#byLength[length] ?? []) {
        const like = typed.likenessOf(term.text, term.letters);
        if (like > 0) note(term, like);
      }
    this.#eachJoined(typed, (row, like) => noteRow(row, like * likeness.joined, 2));
    return rows;
  }

  /** Two neighbours that match a word together. To look at all of them takes less time than to index them. */
  #eachJoined(typed: Typed, call: (row: number, like: number) => void): void {
    for (let row = 0; row < this.#texts.length; row += 1) {
      const own = this.#texts[row]!;
      for (let i = 1; i < own.length; i += 1) {
        const one = own[i - 1]!;
        const other = own[i]!;
        const letters = one.letters | other.letters;
        if (!typed.canMatch(one.text, one.text.length + other.text.length, letters)) continue;
        const like = typed.likenessOf(one.text + other.text, letters);
        if (like > 0) call(row, like);
      }
    }
  }
}

/** A typed word. */
class Typed {
  readonly #word: string;
  readonly #letters: number;
  readonly #edits: number;
  /** Characters of the shortest term that can match. */
  readonly minLength: number;

  constructor(word: string) {
    this.#word = word;
    this.#letters = lettersOf(word);
    this.#edits = allowedEdits(word.length);
    this.minLength = Math.max(1, word.length - this.#edits);
  }

  /** Whether a term can match. @param start of the term @param length of all of it */
  canMatch(start: string, length: number, letters: number): boolean {
    if (length < this.minLength) return false;
    return start.charCodeAt(0) === this.#word.charCodeAt(0) || this.#canBeEdited(length, letters);
  }

  /** Each edit adds or removes at most two letters of the set. */
  #canBeEdited(length: number, letters: number): boolean {
    const edits = this.#edits;
    return edits > 0 && length <= this.#word.length + edits && bitCount(this.#letters ^ letters) <= 2 * edits;
  }

  /** How well the word matches a term; 0 for not at all. @param letters of the term */
  likenessOf(term: string, letters: number): number {
    const word = this.#word;
    const { length } = word;
    if (term === word) return likeness.equal;
    if (term.length > length && length > 1 && term.startsWith(word))
      return likeness.prefix + 0.35 * (length / term.length);
    if (this.#canBeEdited(term.length, letters)) {
      const distance = isReordered(word, term) ? 1 : editDistance(word, term, this.#edits);
      if (distance > this.#edits) return 0;
      return distance === 1 ? likeness.oneEdit : likeness.twoEdits;
    }
    const canStart = length >= 5 && term.length > length && term[0] === word[0];
    const isStart =
      canStart &&
      bitCount(this.#letters & ~letters) <= 1 &&
      editDistance(word, term.slice(0, length), 1) === 1;
    return isStart ? likeness.editedPrefix : 0;
  }
}

const textOf = (terms: readonly Term[]): string => terms.map(({ text }) => text).join('');

/** Row → how well its best term matches a word, and how many words of the text that term is. */
type Rows = Map<number, { like: number; covers: number }>;

/** The set of the letters of a word, as bits; letters share some of them. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i += 1) letters |= 1 << (word.charCodeAt(i) % 31);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Runs of three or more single letters: "M*A*S*H" is also "mash". */
function initialsIn(words: readonly Term[]): Term[][] {
  const runs: Term[][] = [];
  for (let i = 0; i < words.length; i += 1)
    if (words[i]!.text.length === 1) {
      if (i > 0 && words[i - 1]!.text.length === 1) runs.at(-1)!.push(words[i]!);
      else runs.push([words[i]!]);
    }
  return runs.filter(({ length }) => length > 2);
}

/** Whether a word has the letters of another one in another order, except the first: "ghandi", "gandhi". */
const isReordered = (word: string, other: string): boolean =>
  word.length > 4 &&
  word.length === other.length &&
  word[0] === other[0] &&
  [...word].sort().join('') === [...other].sort().join('');

const weightOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (smallWords.has(word) ? smallWeight : 1), 0);

const withoutArticle = (words: readonly string[]): readonly string[] =>
  words.length > 1 && /^(the|an?)$/.test(words[0]!) ? words.slice(1) : words;

/** The words, and the words with two neighbours joined. */
function variantsOf(words: readonly string[]): readonly (readonly string[])[] {
  const joined = words
    .slice(1)
    .map((word, i) => [...words.slice(0, i), words[i]! + word, ...words.slice(i + 2)]);
  return words.length > 2 ? [words, ...joined, [words.join('')]] : [words, ...joined];
}
