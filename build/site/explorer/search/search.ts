/** The search of the box and of the page: what the typed words find, and the nominations that match them. */
import type { SearchResult as SearchDocument } from '../../../../api/contract/answers.ts';
import { count, number } from '../../shared/format.ts';
import type { PageContext } from '../page-context.ts';
import type { Finding } from './find.ts';
import { isQuery } from './words.ts';

export interface SearchResult extends Finding {
  /** Number of matching nominations. */
  nominations: number;
  /** Words that find something, if these find nothing. */
  suggestions: readonly string[];
}

/** The code of the search, which is loaded with the first one. */
export const finder = () => import('./finder.ts');

/** Makes the first search fast. @throws SnapshotUnavailable */
export async function prepareSearch(reading: PageContext['reading']): Promise<void> {
  const [record, { searchable }] = await Promise.all([reading(), finder()]);
  await searchable(record);
}

/** What the words name and mean, and what the API finds. @param typed text for which isSearch is true @throws SnapshotUnavailable */
export async function search(reading: PageContext['reading'], typed: string): Promise<SearchResult> {
  const [record, { findRecords }] = await Promise.all([reading(), finder()]);
  const finding = await findRecords(record, typed);
  if (!isQuery(typed)) return { ...finding, nominations: 0, suggestions: [] };
  const query = new URLSearchParams({ q: typed.trim(), limit: '1' });
  const { pagination, suggestions = [] } = await record.ask<SearchDocument>(`/api/search?${query}`);
  return { ...finding, nominations: pagination.total, suggestions };
}

/** For screen readers. */
export const nothingFound = 'Nothing found';

/** Heads the results that have only some of the words. */
export const nearOnly = 'Nothing has all these words.';

/** "3 results shown, 12 nominations match in all", for screen readers. */
export function announcement({ groups, nominations, isNear }: SearchResult): string {
  if (groups.length === 0) return nothingFound;
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const near = isNear ? `${nearOnly} ` : '';
  return `${near}${count(shown, 'result')} shown, ${number(nominations)} nominations match in all`;
}
