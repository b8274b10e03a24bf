/** The search of the box and of the page: what the typed words find, and the nominations that match them. */
import type { Ceremony, Nomination } from '../../../../api/contract/resources.ts';
import { tokens } from '../../../../api/contract/text.ts';
import type { Pagination } from '../../../../api/read/documents.ts';
import type { List } from '../../shared/api.ts';
import { count, number } from '../../shared/format.ts';
import { ask, columns } from '../record.ts';
import { type Finding, find, Searchable } from './find.ts';

export interface SearchResult extends Finding {
  /** Number of matching nominations. */
  nominations: number;
  /** Words that find something, if these find nothing. */
  suggestions: readonly string[];
}

interface Searched extends List<Nomination> {
  pagination: Pagination;
  suggestions?: string[];
}

/** By snapshot: the indexes take longer to make than a search. */
const searchables = new WeakMap<object, Promise<Searchable>>();

/** @throws SnapshotUnavailable */
async function searchable(): Promise<Searchable> {
  const snapshot = await columns();
  const known = searchables.get(snapshot) ?? prepare();
  searchables.set(snapshot, known);
  return known;
  async function prepare(): Promise<Searchable> {
    const { data } = await ask<List<Ceremony>>('/api/ceremonies');
    return Searchable.of(snapshot, data);
  }
}

/** Makes the first search fast. @throws SnapshotUnavailable */
export const prepareSearch = async (): Promise<void> => void (await searchable());

/** @param typed text for which isSearch is true @throws SnapshotUnavailable */
export async function search(typed: string): Promise<SearchResult> {
  const finding = find(await searchable(), typed);
  return { ...finding, ...(await matchingNominations(typed)) };
}

/** What the search of the API finds. It takes no text of one letter. */
async function matchingNominations(
  typed: string,
): Promise<Pick<SearchResult, 'nominations' | 'suggestions'>> {
  if ([...typed.trim()].length < 2 || tokens(typed).length === 0) return { nominations: 0, suggestions: [] };
  const query = new URLSearchParams({ q: typed.trim(), limit: '1' });
  const { pagination, suggestions = [] } = await ask<Searched>(`/api/search?${query}`);
  return { nominations: pagination.total, suggestions };
}

/** "3 results shown, 12 nominations match in all", for screen readers. */
export function announcement({ groups, nominations }: SearchResult): string {
  if (groups.length === 0) return 'Nothing found';
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return `${count(shown, 'result')} shown, ${number(nominations)} nominations match in all`;
}
