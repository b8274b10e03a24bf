/** The search of the box and of the page: what the typed words find, and the nominations that match them. */
import type { Ceremony, Nomination } from '../../../../api/contract/resources.ts';
import type { Pagination } from '../../../../api/read/documents.ts';
import type { List } from '../../shared/api.ts';
import { count, number } from '../../shared/format.ts';
import { ask, columns } from '../record.ts';
import { type FilmTotals, filmsWithWords } from './film-totals.ts';
import { type Finding, find, isSearch, Searchable } from './find.ts';
import { comparisonIn } from './versus.ts';

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
  const known = searchables.get(snapshot);
  if (known) return known;
  const made = ask<List<Ceremony>>('/api/ceremonies').then(({ data }) => Searchable.of(snapshot, data));
  searchables.set(snapshot, made);
  // The next search tries again.
  made.catch(() => searchables.delete(snapshot));
  return made;
}

/** Makes the first search fast. @throws SnapshotUnavailable */
export const prepareSearch = async (): Promise<void> => void (await searchable());

/** Whether the search of the API takes a text: it takes none of one letter. */
export const isQuery = (typed: string): boolean => isSearch(typed) && [...typed.trim()].length > 1;

/** What the words name and mean. @param typed text for which isSearch is true @throws SnapshotUnavailable */
export async function findRecords(typed: string): Promise<Finding> {
  const texts = await searchable();
  const comparison = comparisonIn(texts, typed);
  const finding = find(texts, typed);
  if (!comparison) return finding;
  return { ...finding, groups: [{ title: 'Compare', hits: [comparison] }, ...finding.groups] };
}

/** The films whose titles have all words. @param typed text for which isSearch is true @throws SnapshotUnavailable */
export const findFilms = async (typed: string): Promise<FilmTotals[]> =>
  filmsWithWords(await searchable(), typed);

/** What the words name and mean, and what the API finds. @param typed text for which isSearch is true @throws SnapshotUnavailable */
export async function search(typed: string): Promise<SearchResult> {
  const finding = await findRecords(typed);
  if (!isQuery(typed)) return { ...finding, nominations: 0, suggestions: [] };
  const query = new URLSearchParams({ q: typed.trim(), limit: '1' });
  const { pagination, suggestions = [] } = await ask<Searched>(`/api/search?${query}`);
  return { ...finding, nominations: pagination.total, suggestions };
}

/** "3 results shown, 12 nominations match in all", for screen readers. */
export function announcement({ groups, nominations }: SearchResult): string {
  if (groups.length === 0) return 'Nothing found';
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return `${count(shown, 'result')} shown, ${number(nominations)} nominations match in all`;
}
