/**
 * Similar queries for a search that finds nothing. An edit adds, drops or replaces a character of a word, swaps two adjacent
 * characters, joins two words, or splits one. One edit is allowed if the longer of the two words has at least 4 characters, two
 * if it has at least 8; a query has at most three. The words come from the columns that every search has loaded, so
 * suggestions need no file of their own.
 */
import { maxSuggestions } from '../contract/parameters.ts';
import { byCodePoint } from '../contract/text.ts';
import { positionsOf } from './columns.ts';
import { fieldNames, type SearchFields } from './search-fields.ts';

const maxEdits = 3;
/** Longer queries have no suggestions. */
const maxWords = 8;

/** Words in place of one word of a query, or of two. */
interface Option {
  words: readonly string[];
  edits: number;
}

/** The words of titles, names and categories. */
class Vocabulary {
  readonly #fields: readonly SearchFields[(typeof fieldNames)[number]][];
  readonly nominations: number;

  constructor(fields: SearchFields) {
    this.#fields = fieldNames.map((name) => fields[name]);
    this.nominations = fields.movie.references.rows.length;
  }

  has(word: string): boolean {
    return this.#fields.some(({ column }) => column.has(word));
  }

  /** Corrections of a word: similar words, and the word split in two. */
  similarTo(word: string): Option[] {
    const near = new Map(this.#fields.flatMap(({ column }) => [...column.near(word)]));
    const characters = [...word];
    const parts = characters.slice(1).map((_, cut): [string, string] => {
      const [head, tail] = [characters.slice(0, cut + 1), characters.slice(cut + 1)];
      return [head.join(''), tail.join('')];
    });
    return [
      ...[...near].map(([own, edits]) => ({ words: [own], edits })),
      ...parts.filter(([head, tail]) => this.#hasBoth(head, tail)).map((words) => ({ words, edits: 1 })),
    ];
  }

  #hasBoth(head: string, tail: string): boolean {
    // The longer part is usually rarer: most checks stop at it.
    const [longer, shorter] = head.length > tail.length ? [head, tail] : [tail, head];
    return this.has(longer) && this.has(shorter);
  }

  /** The nominations that a search for a word finds: a flag for each. A word of one character must be whole. */
  find(word: string): Uint8Array {
    const found = new Uint8Array(this.nominations);
    for (const { column, references } of this.#fields)
      for (const { rows } of column.wordsOfToken(word))
        for (const row of rows) for (const nomination of references.nominationsOf(row)) found[nomination] = 1;
    return found;
  }
}

/**
 * At most `maxSuggestions` similar queries that find something: the fewest edits first, then the most results, then by text.
 * @param words of a query that finds nothing
 */
export function suggest(fields: SearchFields, words: readonly string[]): string[] {
  if (words.length > maxWords) return [];
  const queries = new SimilarQueries(new Vocabulary(fields), words);
  const found = new Map<string, { edits: number; results: number }>();
  for (let edits = 1; edits <= maxEdits && found.size < maxSuggestions; edits += 1)
    for (const [text, results] of queries.withEdits(edits))
      if (!found.has(text)) found.set(text, { edits, results });
  return [...found]
    .sort(
      ([a, one], [b, other]) => one.edits - other.edits || other.results - one.results || byCodePoint(a, b),
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

/** Stands for infinity. Math.min() keeps sums from overflowing a byte. */
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
    const [found, second] = words.map((word) => this.#vocabulary.find(word));
    if (second) for (const row of positionsOf(found!, 1)) found![row] = second[row]!;
    return found!;
  }

  #fewestAt(steps: readonly Step[]): Uint8Array {
    const fewest = new Uint8Array(this.#vocabulary.nominations).fill(impossible);
    for (const { edits, next, found } of steps) {
      const rest = this.#fewest[next]!;
      for (const row of positionsOf(found, 1)) fewest[row] = Math.min(fewest[row]!, edits + rest[row]!);
    }
    return fewest;
  }

  /** The queries with exactly this many edits that find something, with the number of results. */
  *withEdits(edits: number): Generator<[text: string, results: number]> {
    const rows: number[] = [];
    for (let fewest = 0; fewest <= edits; fewest += 1)
      for (const row of positionsOf(this.#fewest[0]!, fewest)) rows.push(row);
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
