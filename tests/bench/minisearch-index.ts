/** The obvious alternative to the shards of titles and names: one MiniSearch index over all nominations. */
import MiniSearch, { type Options } from 'minisearch';
import type { Nomination } from '../../api/contract/resources.ts';
import { tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';

const options: Options<Nomination> = {
  fields: ['nominee', 'movie', 'category'],
  tokenize: tokens,
  processTerm: (term) => term,
  searchOptions: { prefix: (term) => term.length > 1, combineWith: 'AND' },
};

/** The index as JSON. */
export function searchIndex({ nominations }: PlainRecord): string {
  const index = new MiniSearch(options);
  index.addAll(nominations);
  return JSON.stringify(index);
}
