/** An index of short texts, such as names and titles, that tolerates typing mistakes, joined and split words. */
import { tokens } from '../../../../api/contract/text.ts';
import { allowedEdits, editDistance } from '../../../../api/read/word-edits.ts';

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
const smallWords: ReadonlySet<string> = new Set([
  'a',
  'an',
  'and',
  'the',
  'of',
  'in',
  'on',
  'to',
  'for',
  'from',
  'at',
  'or',
  'by',
]);
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

interface Posting {
  row: number;
  /** Words of the text that the term stands for: 2 for two joined ones. */
  words: number;
}

export class TextIndex {
  readonly #lengths: number[] = [];
  readonly #wholes: string[] = [];
  readonly #postings = new Map<string, Posting[]>();
  /** Terms by length, for the search with edits, each with the set of its letters. */
  readonly #byLength: { term: string; letters: number }[][] = [];

  readonly #coverageWeight: number;

  /** @param coverageWeight how much words of a text count against it that were not typed, from 0 to 1 */
  constructor(texts: readonly string[], coverageWeight = 0.25) {
    this.#coverageWeight = coverageWeight;
    for (const [row, text] of texts.entries()) {
      const own = tokens(text);
      this.#lengths.push(Math.max(1, weightOf(own)));
      this.#wholes.push(withoutArticle(own).join(''));
      for (const [i, term] of own.entries()) {
        this.#add(term, { row, words: 1 });
        if (i > 0) this.#add(own[i - 1]! + term, { row, words: 2 });
      }
      for (const initials of initialsIn(own)) this.#add(initials.join(''), { row, words: initials.length });
    }
  }

  #add(term: string, posting: Posting): void {
    const postings = this.#postings.get(term);
    if (postings) postings.push(posting);
    else {
      this.#postings.set(term, [posting]);
      this.#byLength[term.length] ??= [];
      this.#byLength[term.length]!.push({ term, letters: lettersOf(term) });
    }
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
        const isWhole = this.#wholes[row] === whole;
        const known = best.get(row);
        if (!known || known.score < score || (isWhole && !known.isWhole))
          best.set(row, { row, score: isWhole ? 1 : Math.min(score, 0.99), isWhole });
      }
    }
    return [...best.values()].sort((a, b) => b.score - a.score || a.row - b.row);
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
        const coverage = Math.min(1, covered / this.#lengths[row]!);
        scores.set(row, (sum / total) * (1 - this.#coverageWeight * (1 - coverage)));
      }
    return scores;
  }

  #rowsOf(word: string): Rows {
    const rows: Rows = new Map();
    const note = (term: string, like: number) => {
      for (const { row, words } of this.#postings.get(term) ?? []) {
        const own = words === 1 ? like : like * likeness.joined;
        if (own > (rows.get(row)?.like ?? 0)) rows.set(row, { like: own, covers: words });
      }
    };
    note(word, likeness.equal);
    for (const other of sameNumber.get(word) ?? []) note(other, likeness.numeral);
    const { length } = word;
    const edits = allowedEdits(length);
    const letters = lettersOf(word);
    for (let other = Math.max(1, length - edits); other < this.#byLength.length; other += 1)
      for (const { term, letters: own } of this.#byLength[other] ?? []) {
        if (other > length && length > 1 && term.startsWith(word))
          note(term, likeness.prefix + 0.35 * (length / other));
        // Each edit adds or removes at most two letters of the set.
        else if (edits > 0 && other <= length + edits && bitCount(letters ^ own) <= 2 * edits) {
          const distance = isReordered(word, term) ? 1 : editDistance(word, term, edits);
          if (distance <= edits) note(term, distance === 1 ? likeness.oneEdit : likeness.twoEdits);
        } else if (length >= 5 && other > length && term[0] === word[0] && bitCount(letters & ~own) <= 1) {
          if (editDistance(word, term.slice(0, length), 1) === 1) note(term, likeness.editedPrefix);
        }
      }
    return rows;
  }
}

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
function initialsIn(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const [i, word] of words.entries())
    if (word.length === 1) {
      if (i > 0 && words[i - 1]!.length === 1) runs.at(-1)!.push(word);
      else runs.push([word]);
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
