/**
 * The first search of a reader. Until the files for searching are there, the server that made the page answers too: its search
 * page has the same results, and is smaller than the files.
 */
import { searchHref } from '../addresses.ts';
import { embeddedIn } from '../embedded.ts';
import type { PageContext } from '../page-context.ts';
import type { Listed } from '../pages/listed.ts';
import { type SearchResult, search } from './search.ts';

let isReady = false;
let request: AbortController | undefined;

/**
 * What typed words find.
 * @param typed text for which isSearch is true
 * @throws SnapshotUnavailable
 */
export async function searchEarly({ reading, browser }: PageContext, typed: string): Promise<SearchResult> {
  const own = search(reading, typed);
  own.then(
    () => {
      isReady = true;
    },
    () => {},
  );
  if (isReady || !browser?.hasServer) return own;
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
