/** The filters of lists, search and rankings as predicates; a parameter that is not given keeps everything. */
import { type Given, idsIn } from './parameters.ts';
import { fold } from './text.ts';
import type { View } from './view.ts';

export type Filter<Value> = (value: Value) => boolean;

/** Partial match of a text parameter; an unknown value matches nothing. */
export function partial(view: View, given: Given, parameter: string): Filter<string | null> {
  const sought = given.get(parameter);
  if (sought === undefined) return () => true;
  const folded = fold(sought);
  return (value) => value !== null && view.folded(value).includes(folded);
}

/** One of the genres is the one asked for, both folded. */
export function ofGenre(view: View, given: Given): Filter<readonly string[]> {
  const sought = given.get('genre');
  if (sought === undefined) return () => true;
  const folded = fold(sought);
  return (genres) => genres.some((genre) => view.folded(genre) === folded);
}

/** Exact text, as sent. */
export function exactText(given: Given, parameter: string): Filter<string | null> {
  const sought = given.get(parameter);
  return sought === undefined ? () => true : (value) => value === sought;
}

export function exactNumber(given: Given, parameter: string): Filter<number | null> {
  const sought = given.get(parameter);
  return sought === undefined ? () => true : (value) => value === Number(sought);
}

export function exactBoolean(given: Given, parameter: string): Filter<boolean> {
  const sought = given.get(parameter);
  return sought === undefined ? () => true : (value) => value === (sought === 'true');
}

export function amongIds(given: Given, parameter: string): Filter<number> {
  const sought = given.get(parameter);
  if (sought === undefined) return () => true;
  const ids = idsIn(sought);
  return (id) => ids.has(id);
}

/** All three year parameters at once; an unknown year is in no range. */
export function inYears(given: Given): Filter<number | null> {
  const [year, start, end] = ['year', 'yearStart', 'yearEnd'].map((parameter) => given.get(parameter));
  if (year === undefined && start === undefined && end === undefined) return () => true;
  return (value) =>
    value !== null &&
    (year === undefined || value === Number(year)) &&
    (start === undefined || value >= Number(start)) &&
    (end === undefined || value <= Number(end));
}

/** Keeps the records (movies, nominees, categories) that have a nomination in the years asked for. */
export function nominatedInYears(
  view: View,
  given: Given,
  reference: 'movie_id' | 'nominee_id' | 'category_id',
): Filter<number> {
  if (!given.has('year') && !given.has('yearStart') && !given.has('yearEnd')) return () => true;
  const fits = inYears(given);
  const ids = new Set<number>();
  for (const nomination of view.record.nominations)
    if (fits(nomination.ceremony_year)) ids.add(nomination[reference]);
  return (id) => ids.has(id);
}
