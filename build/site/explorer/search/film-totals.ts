/** The films whose titles have the words of a search, such as those of a series, with their totals. */
import { tokens } from '../../../../api/contract/text.ts';
import { sumOf } from '../counts.ts';
import { understandIn } from './find.ts';
import { withoutAliases } from './meaning.ts';
import type { Searchable } from './searchable.ts';
import { wordsOf } from './words.ts';

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
 * The films whose titles have all words as they are, such as those of a series; by year.
 * @param typed as for find()
 * @returns undefined for less than two films
 */
export function filmsWithWords(searchable: Searchable, typed: string): FilmSeries | undefined {
  const asked = wordsOf(typed);
  const { names } = understandIn(searchable, asked);
  const all = allWithWords(searchable, withoutAliases(names));
  if (all.length < 2) return undefined;
  const words = names.length === asked.length ? typed.trim() : names.join(' ');
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
