/** Nominations put together as a reader thinks of them: those who were nominated jointly, for one film, are one entry. */
import type { Nomination } from '../../../api/contract/resources.ts';

export interface Entry {
  /** The same for all of `nominations`: ceremony, category, film, song and outcome. */
  first: Nomination;
  nominations: Nomination[];
}

/** Entries in the order in which their first nominations come. */
export function entriesOf(nominations: readonly Nomination[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const nomination of nominations) {
    const { ceremony_id, category_id, movie_id, song_id, winner } = nomination;
    const key = [ceremony_id, category_id, movie_id, song_id, winner].join();
    const entry = entries.get(key);
    if (entry) entry.nominations.push(nomination);
    else entries.set(key, { first: nomination, nominations: [nomination] });
  }
  return [...entries.values()];
}

/** Items in groups, in the order in which the groups first appear. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

export interface Tally {
  nominations: number;
  wins: number;
  years: [number, number] | undefined;
}

/** What a person was nominated for and won: every nomination counts. */
export const tallyOf = (nominations: readonly Nomination[]): Tally => ({
  nominations: nominations.length,
  wins: nominations.filter(({ winner }) => winner).length,
  years: yearsOf(nominations),
});

/** The same for a film: a category counts once, however many were nominated in it. */
export function filmTallyOf(nominations: readonly Nomination[]): Tally {
  const categories = (chosen: readonly Nomination[]) =>
    new Set(chosen.map(({ category_id }) => category_id)).size;
  return {
    nominations: categories(nominations),
    wins: categories(nominations.filter(({ winner }) => winner)),
    years: yearsOf(nominations),
  };
}

function yearsOf(nominations: readonly Nomination[]): [number, number] | undefined {
  const years = nominations.map(({ ceremony_year }) => ceremony_year);
  return years.length === 0 ? undefined : [Math.min(...years), Math.max(...years)];
}
