/**
 * What the words of a search name and mean. A chunk of its own, loaded with the first search: the other pages do without its
 * vocabulary and its indexes.
 */
import { tokens } from '../../../../api/contract/text.ts';
import { withQuery } from '../addresses.ts';
import type { Reading } from '../record.ts';
import { type FilmSeries, filmsWithWords } from './film-totals.ts';
import { type Finding, find, isTitle, understandIn } from './find.ts';
import { limitIn } from './limits.ts';
import { filtersMeant } from './meaning-hits.ts';
import { type Searchable, searchableOf } from './searchable.ts';
import { comparisonIn } from './versus.ts';
import { wordsOf } from './words.ts';

/** By snapshot: the indexes take longer to make than a search. */
const searchables = new WeakMap<object, Promise<Searchable>>();

/** @throws SnapshotUnavailable */
export async function searchable(reading: Reading): Promise<Searchable> {
  const snapshot = await reading.snapshot();
  const known = searchables.get(snapshot);
  if (known) return known;
  const made = searchableOf(snapshot);
  searchables.set(snapshot, made);
  // The next search tries again.
  made.catch(() => searchables.delete(snapshot));
  return made;
}

/** What the words name and mean. @param typed text for which isSearch is true @throws SnapshotUnavailable */
export async function findRecords(reading: Reading, typed: string): Promise<Finding> {
  const texts = await searchable(reading);
  const comparison = comparisonIn(texts, typed);
  const limit = limitIn(texts, typed);
  const finding = { ...find(texts, limit?.rest || typed), limit: limit?.sentence };
  if (!comparison) return finding;
  const groups = [{ title: 'Compare', hits: [comparison] }, ...finding.groups];
  return { ...finding, groups, isNear: undefined };
}

/** The films whose titles have all words, if there are several. @param typed text for which isSearch is true @throws SnapshotUnavailable */
export const findFilms = async (reading: Reading, typed: string): Promise<FilmSeries | undefined> =>
  filmsWithWords(await searchable(reading), typed);

/**
 * Addresses of the nominations of a search, by the words and by what they mean. The first that finds nominations is used. The
 * search of the API is left out where it finds nothing: it would make suggestions, which takes long, for a page with better hits.
 */
export async function addressesOf(reading: Reading, query: string): Promise<string[]> {
  const parameters = new URLSearchParams(query);
  const plain = withQuery('/api/search', query);
  const typed = parameters.get('q') ?? '';
  const words = wordsOf(typed);
  const texts = await searchable(reading);
  const understood = understandIn(texts, words);
  const { names, category, year, outcome } = understood;
  const filters = filtersMeant(texts, understood);
  if (filters) {
    parameters.delete('q');
    // Nominations have all other orders of a search.
    if (parameters.get('sort')?.endsWith('relevance')) parameters.delete('sort');
    const parameterized = new URLSearchParams({ ...filters, ...Object.fromEntries(parameters) });
    const meant = withQuery('/api/nominations', parameterized);
    // The words of a year find nothing unless a title or a name has them all. Suggestions are then made, which takes long.
    const isOfYears = filters.ceremony_ids !== undefined || filters.yearStart !== undefined;
    return isOfYears && !isTitle(texts, typed) ? [meant, plain] : [plain, meant];
  }
  if (names.length === 0 || names.length === words.length) {
    const isHopeless = !tokens(typed).every((word) => texts.isFound(word));
    // The API reports wrong filters.
    const hasFilters = [...parameters.keys()].some((name) => name !== 'q');
    return isHopeless && !hasFilters && find(texts, typed).groups.length > 0 ? [] : [plain];
  }
  // The API finds the words of categories too.
  parameters.set('q', [...names, ...(category ? [category.name] : [])].join(' '));
  if (year && !['year', 'yearStart', 'yearEnd'].some((name) => parameters.has(name))) {
    // A film of 1997 was nominated in 1998.
    parameters.set('yearStart', String(year.year));
    parameters.set('yearEnd', String(year.year + 1));
  }
  if (outcome?.won && !parameters.has('winner')) parameters.set('winner', 'true');
  return [plain, withQuery('/api/search', parameters)];
}
