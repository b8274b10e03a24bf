/**
 * Full-text search: every token of the query must match a word of the nomination's nominee, movie or category. Relevance is
 * BM25+ over the three fields as MiniSearch computes it (its defaults), which the tests hold this against; the postings come
 * from the search shards per film and nominee, and the columns turn them into nominations.
 */
import type { Query } from '../contract/parameters.ts';
import { fromDifferences, type TermShard } from '../contract/snapshot.ts';
import { byCodeUnit, tokens } from '../contract/text.ts';
import type { Postings } from './columns.ts';
import { type Document, nominationText, pageText, paginationOf } from './documents.ts';
import { yearFlags } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import type { NominationTable, References } from './tables.ts';
import { descending, highest } from './top-k.ts';

const k = 1.2;
const b = 0.7;
const d = 0.5;
const prefixWeight = 0.375;
/** Scores are compared, and tested, to this many parts of one: beyond it, floating-point sums depend on their order. */
const scoreUnits = 1e6;

/** Tokens whose shards are loaded together. */
const tokensAtOnce = 4;

/** A field of nominations, as the records (films, nominees, categories) whose text it shows. */
class Field {
  readonly #references: References;
  /** Different words in the text of each record. */
  readonly words: ArrayLike<number>;
  #meanWords: number | undefined;
  /** Scores of one token at a time; all 0 between one and the next, which never overlap as nothing is awaited. */
  readonly scores: Float64Array;

  constructor(references: References, words: ArrayLike<number>) {
    this.#references = references;
    this.words = words;
    this.scores = new Float64Array(words.length);
  }

  get postings(): Postings {
    return this.#references.postings;
  }

  /** For each nomination the record it shows. */
  get rows(): Int32Array {
    return this.#references.rows;
  }

  /** Mean of `words` over all nominations. */
  get meanWords(): number {
    if (this.#meanWords === undefined) {
      const { words, postings } = this;
      let sum = 0;
      for (let row = 0; row < words.length; row += 1) sum += words[row]! * postings.count(row);
      this.#meanWords = sum / this.rows.length;
    }
    return this.#meanWords;
  }
}

/** What search needs besides shards of postings; one per snapshot, each field worked out when a word first matches in it. */
export type SearchFields = Record<FieldName, Field>;
type FieldName = 'movie' | 'nominee' | 'category';
const fieldNames = ['movie', 'nominee', 'category'] as const satisfies FieldName[];

export async function answerSearch(snapshot: Snapshot, query: Query): Promise<Document> {
  const terms = tokens(query.q!);
  const unique = [...new Set(terms)];
  const [table, fields] = await Promise.all([snapshot.nominations(), snapshot.searchFields()]);
  const matches = new Matches(table);
  for (let at = 0; at < unique.length && matches.possible; at += tokensAtOnce) {
    const some = unique.slice(at, at + tokensAtOnce);
    const shards = await Promise.all(some.map((token) => snapshot.searchShards(token, isWhole(token))));
    for (const [i, token] of some.entries()) {
      const weight = terms.filter((term) => term === token).length * unique.length;
      matches.narrow(tokenScores(table, fields, token, shards[i]!), fields, weight);
    }
  }
  const rows = filterRows(table, matches.rows(), query);
  const pagination = paginationOf(rows.length, query.page, query.limit);
  const page = pageOf(rows, matches.scoresOf(rows), query);
  return {
    text: pageText(
      page.map((row) => nominationText(table, row)),
      pagination,
      query.q,
    ),
    pagination,
  };
}

/** A token of one character matches whole words only. */
const isWhole = (token: string): boolean => [...token].length === 1;

/** The fields of a nomination table. */
export function searchFields(table: NominationTable): SearchFields {
  const categoryWords = table.categories.tokens.map((words) => new Set(words).size);
  return {
    movie: new Field(table.movie, table.titles.words),
    nominee: new Field(table.nominee, table.names.words),
    category: new Field(table.category, categoryWords),
  };
}

/** Scores of one token, per record of each field, 0 where it does not match; and which records do. */
type TokenScores = Record<FieldName, { scores: Float64Array; rows: number[] }>;

function tokenScores(
  table: NominationTable,
  fields: SearchFields,
  token: string,
  shards: readonly TermShard[],
): TokenScores {
  const { titles, names, categories } = table;
  const scores: TokenScores = {
    movie: { scores: fields.movie.scores, rows: [] },
    nominee: { scores: fields.nominee.scores, rows: [] },
    category: { scores: fields.category.scores, rows: [] },
  };
  const add = (field: FieldName, rows: readonly number[], weight: number) =>
    addTerm(fields[field], scores[field], table.count, rows, weight);
  for (const [term, movies, nominees] of termsOf(shards, token)) {
    const weight = termWeight(term, token);
    add(
      'movie',
      fromDifferences(movies).map((id) => titles.row(id)),
      weight,
    );
    add(
      'nominee',
      fromDifferences(nominees).map((id) => names.row(id)),
      weight,
    );
  }
  for (const [term, rows] of categoryTerms(categories.tokens, token))
    add('category', rows, termWeight(term, token));
  return scores;
}

/** A longer word matched by its beginning counts less, the less the longer it is. */
function termWeight(term: string, token: string): number {
  const distance = term.length - token.length;
  return distance === 0 ? 1 : (prefixWeight * term.length) / (term.length + 0.3 * distance);
}

function* termsOf(shards: readonly TermShard[], token: string): Generator<TermShard[number]> {
  const whole = isWhole(token);
  for (const shard of shards) {
    let low = 0;
    let high = shard.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shard[middle]![0] < token) low = middle + 1;
      else high = middle;
    }
    for (; low < shard.length; low += 1) {
      const posting = shard[low]!;
      if (whole ? posting[0] !== token : !posting[0].startsWith(token)) break;
      yield posting;
    }
  }
}

/** The words of category names that match, each with the categories that have it (as often as they do). */
function categoryTerms(names: readonly (readonly string[])[], token: string): [string, number[]][] {
  const terms = new Map<string, number[]>();
  const whole = isWhole(token);
  names.forEach((words, row) => {
    for (const word of words) {
      if (whole ? word !== token : !word.startsWith(token)) continue;
      const rows = terms.get(word);
      if (rows === undefined) terms.set(word, [row]);
      else rows.push(row);
    }
  });
  return [...terms].sort(([a], [c]) => byCodeUnit(a, c));
}

/** Adds the BM25 score of one term to the records that have it. @param rows of those records, repeated for each occurrence */
function addTerm(
  field: Field,
  into: { scores: Float64Array; rows: number[] },
  documents: number,
  rows: readonly number[],
  weight: number,
): void {
  if (rows.length === 0) return;
  const { postings, words, meanWords } = field;
  const { scores } = into;
  let matching = 0;
  for (let i = 0; i < rows.length; i += 1) if (rows[i] !== rows[i - 1]) matching += postings.count(rows[i]!);
  const inverseFrequency = Math.log(1 + (documents - matching + 0.5) / (matching + 0.5));
  for (let i = 0; i < rows.length; ) {
    const row = rows[i]!;
    let frequency = 0;
    for (; rows[i] === row; i += 1) frequency += 1;
    if (scores[row] === 0) into.rows.push(row);
    const length = k * (1 - b + (b * words[row]!) / meanWords);
    scores[row]! += weight * inverseFrequency * (d + (frequency * (k + 1)) / (frequency + length));
  }
}

/** The nominations that match every token so far, with their scores. */
class Matches {
  readonly #scores: Float64Array;
  /** How many tokens a nomination matches, of those applied; a query has no more than 250. */
  readonly #matched: Uint8Array;
  #rows: Int32Array;
  #applied = 0;

  constructor(table: NominationTable) {
    this.#scores = new Float64Array(table.count);
    this.#matched = new Uint8Array(table.count);
    this.#rows = new Int32Array(0);
  }

  /** Whether a further token can still match: once nothing is left, a long query costs no more. */
  get possible(): boolean {
    return this.#applied === 0 || this.#rows.length > 0;
  }

  /** Keeps the nominations that match one more token. */
  narrow(token: TokenScores, fields: SearchFields, weight: number): void {
    const before = this.#applied;
    this.#applied += 1;
    const matched = this.#matched;
    const scores = this.#scores;
    const [movies, nominees, categories] = [fields.movie.rows, fields.nominee.rows, fields.category.rows];
    const { scores: byMovie } = token.movie;
    const { scores: byNominee } = token.nominee;
    const { scores: byCategory } = token.category;
    const kept: number[] = [];
    for (const name of fieldNames) {
      for (const record of token[name].rows) {
        const posted = fields[name].postings.of(record);
        for (let i = 0; i < posted.length; i += 1) {
          const row = posted[i]!;
          // Either matched too few tokens, or reached already through another field.
          if (matched[row] !== before) continue;
          matched[row] = before + 1;
          scores[row]! +=
            weight * (byMovie[movies[row]!]! + byNominee[nominees[row]!]! + byCategory[categories[row]!]!);
          kept.push(row);
        }
      }
    }
    this.#rows = Int32Array.from(kept);
    for (const name of fieldNames) for (const record of token[name].rows) token[name].scores[record] = 0;
  }

  /** Rows that matched every token, ascending. */
  rows(): Int32Array {
    return this.#rows.sort();
  }

  /** Scores of some of them, in whole units from 1 on: the most common word of a large record would come to 0. */
  scoresOf(rows: Int32Array): Float64Array {
    const scores = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) scores[i] = 1 + Math.round(this.#scores[rows[i]!]! * scoreUnits);
    return scores;
  }
}

function filterRows(table: NominationTable, rows: Int32Array, query: Query): Int32Array {
  const ceremonies = yearFlags(table.ceremonies, query);
  if (ceremonies === undefined && query.winner === undefined) return rows;
  return rows.filter(
    (row) =>
      (ceremonies === undefined || ceremonies[table.ceremony.rows[row]!] === 1) &&
      (query.winner === undefined || (table.winner[row] === 1) === query.winner),
  );
}

/** One page of the rows by descending score, ties by id. */
function pageOf(rows: Int32Array, scores: Float64Array, { page, limit }: Query): number[] {
  const start = (page - 1) * limit;
  const end = start + limit;
  if (start >= rows.length) return [];
  // A short way from the top is picked, a long one sorted.
  const order = end <= 200 ? highest(scores, end) : descending(scores);
  return order.slice(start, end).map((position) => rows[position]!);
}
