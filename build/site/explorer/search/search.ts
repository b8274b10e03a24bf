/** The search of the field and of its page: what the typed words find, and the nominations that match them. */
import type { SearchResult as SearchDocument } from '../../../../api/contract/answers.ts';
import { count, number } from '../../shared/format.ts';
import { searchHref } from '../addresses.ts';
import { embeddedIn } from '../answers.ts';
import type { PageContext } from '../page-context.ts';
import type { Listed } from '../pages/listed.ts';
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
export async function prepareSearch({ reading, resolver }: PageContext): Promise<void> {
  const isWarm = resolver?.().then(({ warm }) => warm());
  const [record, { searchable }] = await Promise.all([reading(), finder(), isWarm]);
  await searchable(record);
}

/**
 * What the words name and mean, and what the API finds.
 * @param typed text for which isSearch is true
 * @throws SnapshotUnavailable
 */
export async function search(reading: PageContext['reading'], typed: string): Promise<SearchResult> {
  const [record, { findRecords }] = await Promise.all([reading(), finder()]);
  const finding = await findRecords(record, typed);
  if (!isQuery(typed)) return { ...finding, nominations: 0, suggestions: [] };
  const query = new URLSearchParams({ q: typed.trim(), limit: '1' });
  const { pagination, suggestions = [] } = await record.ask<SearchDocument>(`/api/search?${query}`);
  return { ...finding, nominations: pagination.total, suggestions };
}

/** Whether the browser has searched itself. */
let isReady = false;
/** The request to the server under way. */
let request: AbortController | undefined;

/**
 * What typed words find. Until the files for searching are there, the server that made the page answers too: its search page
 * has the same results, and is smaller than the files.
 * @param typed text for which isSearch is true
 * @throws SnapshotUnavailable
 */
export async function searchEarly({ reading, hasServer }: PageContext, typed: string): Promise<SearchResult> {
  const own = search(reading, typed);
  own.then(
    () => {
      isReady = true;
    },
    () => {},
  );
  if (isReady || !hasServer) return own;
  request?.abort();
  const ownRequest = new AbortController();
  request = ownRequest;
  const first = Promise.any([own, searchOnServer(typed, ownRequest.signal)]);
  own.finally(() => ownRequest.abort()).catch(() => {});
  // If neither gives results, the browser knows why.
  return first.catch(() => own);
}

/** @throws Error if the server does not answer with results, or if the signal ends the search */
async function searchOnServer(typed: string, signal: AbortSignal): Promise<SearchResult> {
  const response = await fetch(searchHref(typed), { headers: { Accept: 'text/html' }, signal });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const [key, value] of embeddedIn(page)?.answers ?? []) {
    const { found, pagination, suggestions } = (value ?? {}) as Partial<Listed>;
    if (!key.startsWith('/api/search') || !found) continue;
    // With suggestions, no nomination has the words: the page lists those that the words mean.
    const nominations = suggestions ? 0 : (pagination?.total ?? 0);
    return { ...found, nominations, suggestions: suggestions ?? [] };
  }
  throw new Error('the search page has no results');
}

/** For screen readers. */
export const nothingFound = 'Nothing found';

/** Heads the results that have only some of the words. */
export const nearOnly = 'Nothing has all these words.';

/** "3 results shown, 12 nominations match in all", for screen readers. */
export function announcement({ groups, nominations, isNear, limit }: SearchResult): string {
  if (groups.length === 0) return limit ?? nothingFound;
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const lead = limit ?? (isNear && nearOnly);
  return `${lead ? `${lead} ` : ''}${count(shown, 'result')} shown, ${number(nominations)} nominations match in all`;
}
