/** The obvious alternative to search shards: one MiniSearch index over all nominations. */
import { writeFileSync } from 'node:fs';
import MiniSearch, { type Options } from 'minisearch';
import type { Nomination } from '../../api/contract/resources.ts';
import { tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';

export const miniSearchOptions: Options<Nomination> = {
  fields: ['nominee', 'movie', 'category'],
  tokenize: tokens,
  processTerm: (term) => term,
  searchOptions: { prefix: (term) => term.length > 1, combineWith: 'AND' },
};

/** The index as JSON. */
export function miniSearchText(record: PlainRecord): string {
  const index = new MiniSearch(miniSearchOptions);
  index.addAll(record.nominations);
  return JSON.stringify(index);
}

export function miniSearchFile(record: PlainRecord, file: string): void {
  writeFileSync(file, miniSearchText(record));
}
