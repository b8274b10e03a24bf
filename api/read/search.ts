/**
 * Full-text search. Every token of the query must match a word of the nominee, the movie or the category: as a prefix, or
 * exactly if the token has one character. The score is BM25+ over these three fields, with the formula and the default
 * parameters of MiniSearch. Words are found in the columns of titles, names and categories; the references of nominations to
 * these tables lead from a matching text to its nominations.
 */
import type { Query } from '../contract/parameters.ts';
import { tokens } from '../contract/text.ts';
import { answerPage, type Document, nominationSelection, type Selection } from './documents.ts';
import { rowsByValue, sortRows } from './orders.ts';
import { fieldNames, type PerField, perField, type SearchFields, searchFields } from './search-fields.ts';
import { selectNominations } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import { suggest } from './suggestions.ts';
import type { FoundWord } from './word-column.ts';

/** Scores are rounded to 1e-6, because sums of floats depend on the order of addition. */
const scoreUnits = 1e6;

/** Best match first, then ascending by id, unless `sort` says otherwise. */
export async function answerSearch(snapshot: Snapshot, query: Query): Promise<Document> {
  const { selection, isFound } = await search(snapshot, query);
  const suggestions = isFound ? undefined : suggest(await searchFields(snapshot), tokens(query.q!));
  return answerPage(selection, query, { words: query.q!, suggestions });
}

/** The nominations that a search finds. */
export const selectSearch = async (snapshot: Snapshot, query: Query): Promise<Selection> =>
  (await search(snapshot, query)).selection;

/** @returns whether the words find anything before the filters, too */
async function search(snapshot: Snapshot, query: Query): Promise<{ selection: Selection; isFound: boolean }> {
  const terms = tokens(query.q!);
  const unique = [...new Set(terms)];
  const [table, fields] = await Promise.all([snapshot.table('nominations'), searchFields(snapshot)]);
  const matches = new Matches(table.count, fields);
  const words = unique.map((token) => wordsOf(fields, token));
  // A token that no text has ends the search before anything is scored.
  let isPossible = words.every((own) => fieldNames.some((name) => own[name].length > 0));
  for (const [i, token] of unique.entries()) {
    if (!isPossible) break;
    // As MiniSearch: by the occurrences of the token, and by the number of distinct tokens.
    const weight = terms.filter((term) => term === token).length * unique.length;
    isPossible = matches.narrow(scoreToken(fields, token, words[i]!), weight);
  }
  const found = isPossible ? matches.rows() : new Int32Array(0);
  const rows = await selectNominations(snapshot, query, found);
  const inOrder = await orderOf(snapshot, rows, matches, query);
  const selection = nominationSelection(snapshot, { total: rows.length, rows: inOrder }, query);
  return { selection, isFound: found.length > 0 };
}

/** The found rows in the order of `sort`. @param rows ascending */
async function orderOf(
  snapshot: Snapshot,
  rows: Int32Array,
  matches: Matches,
  { sort = 'relevance' }: Query,
): Promise<Selection['rows']> {
  if (sort === 'relevance' || sort === '-relevance')
    return rowsByValue(rows, matches.scoresOf(rows), sort === 'relevance');
  if (sort === 'id') return (start, end) => rows.subarray(start, end);
  return sortRows(snapshot, 'nominations', sort, rows, (await snapshot.table('nominations')).count);
}

/** The words of each field that match a token. */
const wordsOf = (fields: SearchFields, token: string): PerField<readonly FoundWord[]> =>
  perField((name) => fields[name].column.wordsOfToken(token));

/** Sets the scores of one token in all fields. @returns the matching records of each field */
const scoreToken = (
  fields: SearchFields,
  token: string,
  words: PerField<readonly FoundWord[]>,
): PerField<number[]> =>
  perField((name) => {
    const matched: number[] = [];
    for (const word of words[name]) fields[name].addWord(word, token, matched);
    return matched;
  });

/** The nominations that match all tokens so far, and their scores. */
class Matches {
  readonly #fields: SearchFields;
  readonly #scores: Float64Array;
  /** Number of matched tokens per nomination. A byte is enough: `q` has at most 500 characters, so at most 250 tokens. */
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

  /** Scores in units of 1e-6. */
  scoresOf(rows: Int32Array): Float64Array {
    const scores = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) scores[i] = Math.round(this.#scores[rows[i]!]! * scoreUnits);
    return scores;
  }
}
