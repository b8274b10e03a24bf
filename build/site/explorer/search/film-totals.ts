/** The films whose titles have the words of a search, such as those of a series, with their totals. */
import { tokens } from '../../../../api/contract/text.ts';
import { sumOf } from '../counts.ts';
import type { Searchable } from './find.ts';
import { understand, withoutAliases } from './meaning.ts';

/** A film whose title has all words of a search. */
interface FilmTotals {
  id: number;
  title: string;
  /** Year of its first ceremony. */
  year: number;
  nominations: number;
  wins: number;
}

/** Films, of which there may be more than are shown, and the totals of all. */
export interface FilmSeries {
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
  const all = allWithWords(searchable, typed);
  if (all.length < 2) return undefined;
  return { shown: all.slice(0, maxShown), films: all.length, ...sumOf(all) };
}

function allWithWords({ films, table, filmTally }: Searchable, typed: string): FilmTotals[] {
  const words = withoutAliases(understand(tokens(typed)).names);
  if (words.length === 0) return [];
  return films
    .find(words)
    .map(({ row }) => ({ id: table.titles.id(row), title: table.titles.text.values[row]! }))
    .filter(({ title }) => words.every((word) => tokens(title).includes(word)))
    .map(({ id, title }) => {
      const { nominations, wins, years } = filmTally(id)!;
      return { id, title, year: years?.[0] ?? 0, nominations, wins };
    })
    .sort((a, b) => a.year - b.year || a.id - b.id);
}
