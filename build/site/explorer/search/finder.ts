/**
 * What the words of a search name and mean: records, comparisons, and the totals of the films found. The first search loads
 * this file: pages without a search need neither its vocabulary nor its indexes.
 */
import { tokens } from '../../../../api/contract/text.ts';
import { type RankedResource, compareHref, viewOf, withQuery } from '../addresses.ts';
import { maxRecords } from '../compare.ts';
import { sumOf } from '../counts.ts';
import type { Reading } from '../record.ts';
import { type Finding, find, isTitle, understandIn } from './find.ts';
import { limitIn } from './limits.ts';
import { withoutAliases } from './meaning.ts';
import { filtersMeant } from './meaning-hits.ts';
import { type Hit, type Searchable, searchableOf } from './searchable.ts';
import { isSearch, wordsOf } from './words.ts';

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
  const compared = partsIn(typed);
  const comparison = compared && comparisonOf(texts, typed, compared);
  if (comparison) {
    const finding = find(texts, compared.join(' '));
    const groups = [{ title: 'Compare', hits: [comparison] }, ...finding.groups];
    return { ...finding, groups, isNear: undefined };
  }
  const limit = limitIn(texts, typed);
  // Words that ask for more than the record holds are not mistyped names.
  const allowsEdits = limit?.rest !== '';
  return { ...find(texts, limit?.rest || typed, allowsEdits), limit: limit?.sentence };
}

/** The words without those that ask for more than the record holds, unless no others are left. */
const heldOf = (texts: Searchable, typed: string): string => limitIn(texts, typed)?.rest || typed;

/** A film whose title has all words of a search. */
interface FilmTotals {
  id: number;
  title: string;
  /** Of the film. */
  year: number;
  nominations: number;
  wins: number;
}

/** Films, of which there may be more than are shown, and the totals of all. */
export interface FilmSeries {
  /** The words of all titles: less than was typed if other words mean a year or a category. */
  words: string;
  shown: FilmTotals[];
  films: number;
  nominations: number;
  wins: number;
}

/** No series has as many; a frequent word does. */
const maxShown = 100;

/**
 * The films whose titles have all words as they are, such as those of a series; by year. Undefined for less than two films.
 * @param typed text for which isSearch is true
 * @throws SnapshotUnavailable
 */
export async function findFilms(reading: Reading, typed: string): Promise<FilmSeries | undefined> {
  const texts = await searchable(reading);
  const held = heldOf(texts, typed);
  const asked = wordsOf(held);
  const { names } = understandIn(texts, asked);
  const all = allWithWords(texts, withoutAliases(names));
  if (all.length < 2) return undefined;
  const words = names.length === asked.length ? held.trim() : names.join(' ');
  return { words, shown: all.slice(0, maxShown), films: all.length, ...sumOf(all) };
}

function allWithWords(
  { films, texts: { titles }, filmTally }: Searchable,
  words: readonly string[],
): FilmTotals[] {
  if (words.length === 0) return [];
  return films
    .find(words)
    .map(({ row }) => ({ id: titles.id(row), title: titles.text.values[row]! }))
    .filter(({ title }) => words.every((word) => tokens(title).includes(word)))
    .map(({ id, title }) => {
      const { nominations, wins, years } = filmTally(id)!;
      return { id, title, year: years?.[0] ?? 0, nominations, wins };
    })
    .sort((a, b) => a.year - b.year || a.id - b.id);
}

/**
 * Addresses of the nominations of a search, by the words and by what they mean. The first that finds nominations is used. The
 * search of the API is left out where it finds nothing: it would make suggestions, which takes long, for a page with better hits.
 * Hits that have some of the words only are no better.
 */
export async function addressesOf(reading: Reading, query: string): Promise<string[]> {
  const parameters = new URLSearchParams(query);
  const texts = await searchable(reading);
  const all = parameters.get('q') ?? '';
  const typed = heldOf(texts, all);
  if (typed !== all) parameters.set('q', typed);
  const plain = withQuery('/api/search', typed === all ? query : parameters);
  const words = wordsOf(typed);
  const understood = understandIn(texts, words);
  const { names, category, year, outcome } = understood;
  const filters = filtersMeant(texts, understood);
  if (filters) {
    parameters.delete('q');
    // Nominations have all other orders of a search.
    if (parameters.get('sort')?.endsWith('relevance')) parameters.delete('sort');
    const parameterized = new URLSearchParams({ ...filters, ...Object.fromEntries(parameters) });
    const meant = withQuery('/api/nominations', parameterized);
    // "Best picture" is the category, unless a title or a name has all words; the search of the API finds "The Last Picture Show".
    return isTitle(texts, typed, false) ? [plain, meant] : [meant, plain];
  }
  if (names.length === 0 || names.length === words.length) {
    const isHopeless = !tokens(typed).every((word) => texts.isFound(word));
    // The API reports wrong filters.
    const hasFilters = [...parameters.keys()].some((name) => name !== 'q');
    if (!isHopeless || hasFilters) return [plain];
    const { groups, isNear } = find(texts, typed);
    return groups.length > 0 && !isNear ? [] : [plain];
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

const between = /\s+(?:vs\.?|versus|compared (?:to|with))\s+/i;
const compareTwo = /^compare\s+(.+)\s+(?:and|with|to)\s+(.+)$/i;

interface Named {
  id: number;
  label: string;
}

/** The best film or person for some words. */
function bestOf(searchable: Searchable, words: string, resource: RankedResource): Named | undefined {
  for (const { href, label } of find(searchable, words).groups.flatMap(({ hits }) => hits)) {
    const view = viewOf(href);
    if (view.kind === 'record' && view.resource === resource) return { id: view.id, label };
  }
  return undefined;
}

/** What words such as "emma stone vs frances mcdormand" compare; undefined if they compare nothing. */
function partsIn(typed: string): string[] | undefined {
  const parts = compareTwo.exec(typed.trim())?.slice(1) ?? typed.trim().split(between);
  return parts.length > 1 && parts.length <= maxRecords && parts.every(isSearch) ? parts : undefined;
}

/** The comparison of films or people; undefined for a title such as "Kramer vs. Kramer", and where a part names none of its own. */
function comparisonOf(searchable: Searchable, typed: string, parts: readonly string[]): Hit | undefined {
  if (isTitle(searchable, typed)) return undefined;
  const first = find(searchable, parts[0]!).groups[0]?.hits[0];
  const view = first && viewOf(first.href);
  const resource = view?.kind === 'record' && view.resource === 'movies' ? 'movies' : 'nominees';
  const named = parts.map((part) => bestOf(searchable, part, resource)).filter((own) => own !== undefined);
  const ids = new Set(named.map(({ id }) => id));
  if (ids.size < parts.length) return undefined;
  return {
    href: compareHref(resource, [...ids]),
    label: named.map(({ label }) => label).join(' and '),
    detail: 'Side by side',
  };
}
