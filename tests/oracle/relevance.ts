/**
 * Relevance, defined by one MiniSearch index over all nominations with the oracle's own tokens. A test holds its matches
 * against brute-force.ts.
 */
import MiniSearch from 'minisearch';
import type { Nomination } from '../../api/contract/resources.ts';
import { characterCount, tokens } from './text.ts';

interface SearchDocument {
  id: number;
  nominee: string;
  movie: string;
  category: string;
}

export class RelevanceIndex {
  readonly #index = new MiniSearch<SearchDocument>({
    fields: ['nominee', 'movie', 'category'],
    tokenize: (text) => tokens(text),
    processTerm: (term) => term,
    searchOptions: { prefix: (term) => characterCount(term) > 1, combineWith: 'AND' },
  });

  constructor(nominations: readonly Nomination[]) {
    this.#index.addAll(
      nominations.map(({ id, nominee, movie, category }) => ({ id, nominee, movie, category })),
    );
  }

  /** Ids of the matching nominations, most relevant first; equal scores (to 1e-6) by id. */
  matches(q: string): number[] {
    return this.#index
      .search(q)
      .map((result) => ({ id: result.id as number, score: Math.round(result.score * 1e6) }))
      .sort((left, right) => right.score - left.score || left.id - right.id)
      .map((match) => match.id);
  }
}
