/**
 * Ranking pages: every ranking without years, with no filter or one, at the default limit.
 * api/stats/<ranking>/<sort>.json and api/stats/<ranking>/<sort>/<filter>/<value>.json, the value folded.
 * Pages of counts: all nominations by each key, api/stats/counts/<by>.json.
 */
import {
  countKeys,
  type Filter,
  type Query,
  rankingNames,
  rankingSorts,
} from '../../../api/contract/parameters.ts';
import { countsPath, rankingPath } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import { TagColumn, type TextColumn } from '../../../api/read/columns.ts';
import { columnOf } from '../../../api/read/named-columns.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { type Page, queryPage, rankingFilters } from './page.ts';

/** The distinct folded texts in the column of a filter, without null and the empty text. */
async function valuesOf(snapshot: Snapshot, { column }: Filter): Promise<string[]> {
  const own = (await columnOf(snapshot, column)) as TagColumn | TextColumn;
  const texts = own instanceof TagColumn ? own.texts : own.values;
  return [...new Set(texts.map((text) => fold(text ?? '')))].filter((text) => text !== '');
}

export async function* allRankingPages(snapshot: Snapshot, cause: string): AsyncGenerator<Page> {
  for (const by of countKeys) yield* queryPage(countsPath, { by }, cause);
  for (const ranking of rankingNames) {
    const selections: Partial<Query>[] = [{}];
    for (const filter of rankingFilters(ranking))
      for (const value of await valuesOf(snapshot, filter)) selections.push({ [filter.name]: value });
    for (const selection of selections)
      for (const sort of rankingSorts) yield* queryPage(rankingPath(ranking), { ...selection, sort }, cause);
  }
}
