/**
 * Full-text search. Every token of the query must match a word of the nominee, the movie or the category. The score is BM25+
 * over these three fields, computed like MiniSearch with its defaults. Search shards contain postings per film and nominee;
 * the columns map them to nominations.
 */
import type { Query } from '../contract/parameters.ts';
import { fromDifferences } from '../contract/encodings.ts';
import type { TermShard } from '../contract/snapshot.ts';
import { byCodeUnit, tokens } from '../contract/text.ts';
import { answerPage, type Document, nominationSelection, type Selection } from './documents.ts';
import type { NominationTable, References, SearchedTexts } from './nomination-table.ts';
import { ordered, sortRows } from './orders.ts';
import { selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import { suggest } from './suggestions.ts';

/** Parameters of BM25+. */
const k = 1.2;
const b = 0.7;
const d = 0.5;
const prefixWeight = 0.375;
/** Scores are rounded to this many parts of one, because sums of floats depend on their order. */
const scoreUnits = 1e6;
/** Number of tokens whose shards are loaded in parallel. */
const tokensAtOnce = 4;

/** A searched field of nominations. Its texts belong to other records: films, nominees or categories. */
class Field {
  readonly references: References;
  /** Number of distinct words per record. */
  readonly words: ArrayLike<number>;
  /** Score per record of the current token. All 0 between tokens. */
  readonly scores: Float64Array;
  #meanWords: number | undefined;

  constructor(references: References, words: ArrayLike<number>) {
    this.references = references;
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

  /** Adds the BM25 score of one term. @param rows records that contain the term, repeated for each occurrence */
  addTerm(rows: readonly number[], weight: number, nominations: number, matched: number[]): void {
    if (rows.length === 0) return;
    const { references, words, meanWords, scores } = this;
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

const fieldNames = ['movie', 'nominee', 'category'] as const;
type PerField<T> = Record<(typeof fieldNames)[number], T>;
/** One per snapshot. */
export type SearchFields = PerField<Field>;

export function searchFields({ table, titles, names }: SearchedTexts): SearchFields {
  const categoryWords = table.categories.tokens.map((words) => new Set(words).size);
  return {
    movie: new Field(table.movie, titles.words),
    nominee: new Field(table.nominee, names.words),
    category: new Field(table.category, categoryWords),
  };
}

/** Best match first, then ascending by id, unless `sort` says otherwise. */
export async function answerSearch(snapshot: Snapshot, query: Query): Promise<Document> {
  const selection = await selectSearch(snapshot, query);
  return answerPage(selection, query, { words: query.q!, suggestions: selection.suggestions });
}

interface SearchSelection extends Selection {
  /** Similar queries, if the words find nothing before the filters. */
  suggestions: readonly string[] | undefined;
}

/** The nominations that a search finds. */
export async function selectSearch(snapshot: Snapshot, query: Query): Promise<SearchSelection> {
  const terms = tokens(query.q!);
  const unique = [...new Set(terms)];
  const [table, fields] = await Promise.all([snapshot.nominations(), snapshot.searchFields()]);
  const matches = new Matches(table.count, fields);
  let isPossible = true;
  for (let at = 0; at < unique.length && isPossible; at += tokensAtOnce) {
    const some = unique.slice(at, at + tokensAtOnce);
    const shards = await Promise.all(some.map((token) => snapshot.searchShards(token, matchesWhole(token))));
    const foundTerms = some.map((token, i) => termsOf(table, token, shards[i]!));
    // A token that no text has ends the search before anything is scored.
    isPossible = foundTerms.every((own) => own.length > 0);
    for (const [i, token] of some.entries()) {
      if (!isPossible) break;
      const weight = terms.filter((term) => term === token).length * unique.length;
      isPossible = matches.narrow(scoreToken(fields, token, foundTerms[i]!, table.count), weight);
    }
  }
  const found = isPossible ? matches.rows() : new Int32Array(0);
  const suggestions = found.length === 0 ? suggest(await snapshot.vocabulary(), terms) : undefined;
  const rows = await selectNominations(snapshot, query, found);
  const inOrder = await orderOf(snapshot, rows, matches, query);
  return { ...nominationSelection(snapshot, { total: rows.length, rows: inOrder }, query), suggestions };
}

/** The found rows in the order of `sort`. @param rows ascending */
async function orderOf(
  snapshot: Snapshot,
  rows: Int32Array,
  matches: Matches,
  { sort = 'relevance' }: Query,
): Promise<Selection['rows']> {
  if (sort === 'relevance' || sort === '-relevance') {
    const scores = matches.scoresOf(rows);
    return (start, end) =>
      ordered(scores, sort === 'relevance', end)
        .subarray(start, end)
        .map((position) => rows[position]!);
  }
  if (sort === 'id') return (start, end) => rows.subarray(start, end);
  return sortRows(snapshot, 'nominations', sort, rows, (await snapshot.nominations()).count);
}

/** A token of one character matches only whole words. */
const matchesWhole = (token: string): boolean => [...token].length === 1;
const matcherOf = (token: string): ((word: string) => boolean) =>
  matchesWhole(token) ? (word) => word === token : (word) => word.startsWith(token);

/** A word that a token finds, with the rows of the records that contain it; a row occurs once for each occurrence. */
interface FoundTerm {
  term: string;
  rows: Partial<PerField<readonly number[]>>;
}

function termsOf(
  { movie, nominee, categories }: NominationTable,
  token: string,
  shards: readonly TermShard[],
): FoundTerm[] {
  const ofTexts = shards
    .flatMap((shard) => matchingTerms(shard, token))
    .map(([term, movies, nominees]) => ({
      term,
      rows: {
        movie: fromDifferences(movies).map((id) => movie.table.row(id)),
        nominee: fromDifferences(nominees).map((id) => nominee.table.row(id)),
      },
    }));
  const ofCategories = categoryTerms(categories.tokens, token);
  return [...ofTexts, ...ofCategories.map(([term, category]) => ({ term, rows: { category } }))];
}

/** Sets the scores of one token in all fields. @returns the matching records of each field */
function scoreToken(
  fields: SearchFields,
  token: string,
  terms: readonly FoundTerm[],
  nominations: number,
): PerField<number[]> {
  const matched: PerField<number[]> = { movie: [], nominee: [], category: [] };
  for (const { term, rows } of terms)
    for (const field of fieldNames)
      fields[field].addTerm(rows[field] ?? [], termWeight(term, token), nominations, matched[field]);
  return matched;
}

/** A prefix match counts less, the more so the longer the word is. */
function termWeight(term: string, token: string): number {
  const distance = term.length - token.length;
  return distance === 0 ? 1 : (prefixWeight * term.length) / (term.length + 0.3 * distance);
}

/** The terms of a shard that match. They are consecutive, because terms are sorted. */
function matchingTerms(shard: TermShard, token: string): TermShard {
  let low = 0;
  let high = shard.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shard[middle]![0] < token) low = middle + 1;
    else high = middle;
  }
  const matches = matcherOf(token);
  let end = low;
  while (end < shard.length && matches(shard[end]![0])) end += 1;
  return shard.slice(low, end);
}

/** Matching word → the categories whose name contains it, repeated for each occurrence. Ordered by word. */
function categoryTerms(names: readonly (readonly string[])[], token: string): [string, number[]][] {
  const terms = new Map<string, number[]>();
  const matches = matcherOf(token);
  for (const [row, words] of names.entries())
    for (const word of words) if (matches(word)) terms.set(word, [...(terms.get(word) ?? []), row]);
  return [...terms].sort(([one], [other]) => byCodeUnit(one, other));
}

/** The nominations that match all tokens so far, and their scores. */
class Matches {
  readonly #fields: SearchFields;
  readonly #scores: Float64Array;
  /** Number of matched tokens per nomination; a query has at most 250. */
  readonly #matched: Uint8Array;
  #rows = new Int32Array(0);
  #applied = 0;

  constructor(nominations: number, fields: SearchFields) {
    this.#fields = fields;
    this.#scores = new Float64Array(nominations);
    this.#matched = new Uint8Array(nominations);
  }

  /**
   * Keeps the nominations that also match this token, and resets the scores of the fields.
   * @param token its matching records per field
   * @returns whether nominations are left
   */
  narrow(token: PerField<readonly number[]>, weight: number): boolean {
    const before = this.#applied;
    this.#applied += 1;
    const [matched, scores] = [this.#matched, this.#scores];
    const { movie, nominee, category } = this.#fields;
    const [movies, byMovie] = [movie.references.rows, movie.scores];
    const [nominees, byNominee] = [nominee.references.rows, nominee.scores];
    const [categories, byCategory] = [category.references.rows, category.scores];
    const kept: number[] = [];
    for (const name of fieldNames) {
      const { references } = this.#fields[name];
      for (const record of token[name]) {
        const posted = references.nominationsOf(record);
        for (let i = 0; i < posted.length; i += 1) {
          const row = posted[i]!;
          // The row misses an earlier token, or another field has already added it.
          if (matched[row] !== before) continue;
          matched[row] = before + 1;
          scores[row]! +=
            weight * (byMovie[movies[row]!]! + byNominee[nominees[row]!]! + byCategory[categories[row]!]!);
          kept.push(row);
        }
      }
    }
    this.#rows = Int32Array.from(kept);
    for (const name of fieldNames) for (const record of token[name]) this.#fields[name].scores[record] = 0;
    return kept.length > 0;
  }

  /** Ascending. */
  rows(): Int32Array {
    return this.#rows.sort();
  }

  /** Scores as whole numbers from 1: a very common word would otherwise have the score 0. */
  scoresOf(rows: Int32Array): Float64Array {
    const scores = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) scores[i] = 1 + Math.round(this.#scores[rows[i]!]! * scoreUnits);
    return scores;
  }
}
