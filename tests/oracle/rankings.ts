/** Expected answers of the two rankings. */
import type { Nominee } from '../../api/contract/resources.ts';
import { inYears, ofGenre, partial } from './filters.ts';
import { effectiveLimit } from './lists.ts';
import type { Given } from './parameters.ts';
import type { View } from './view.ts';

interface Totals {
  total_nominations: number;
  total_wins: number;
}

/** Films by distinct categories nominated and won; a film without a nomination in those years is not ranked. */
export function topMovies(view: View, given: Given) {
  const year = inYears(given);
  const genres = ofGenre(view, given);
  const nominated = new Map<number, Set<number>>();
  const won = new Map<number, Set<number>>();
  for (const nomination of view.record.nominations) {
    if (!year(nomination.ceremony_year)) continue;
    if (!genres(view.movieById.get(nomination.movie_id)!.genres)) continue;
    if (!nominated.has(nomination.movie_id)) {
      nominated.set(nomination.movie_id, new Set());
      won.set(nomination.movie_id, new Set());
    }
    nominated.get(nomination.movie_id)!.add(nomination.category_id);
    if (nomination.winner) won.get(nomination.movie_id)!.add(nomination.category_id);
  }
  const rows = [...nominated].map(([id, categories]) => ({
    movie_id: id,
    movie: view.movieById.get(id)!.title,
    total_nominations: categories.size,
    total_wins: won.get(id)!.size,
  }));
  return ranking(rows, given, (row) => row.movie_id);
}

/** People by nominations and wins; companies and countries are not ranked. */
export function topNominees(view: View, given: Given) {
  const year = inYears(given);
  const department = partial(view, given, 'known_for_department');
  const category = partial(view, given, 'category');
  const group = partial(view, given, 'category_group');
  const nominations = new Map<number, number>();
  const wins = new Map<number, number>();
  for (const nomination of view.record.nominations) {
    const nominee = view.nomineeById.get(nomination.nominee_id)!;
    if (!isPerson(nominee) || !department(nominee.known_for_department)) continue;
    if (!year(nomination.ceremony_year)) continue;
    if (!category(nomination.category)) continue;
    if (!group(view.categoryById.get(nomination.category_id)!.category_group)) continue;
    nominations.set(nominee.id, (nominations.get(nominee.id) ?? 0) + 1);
    wins.set(nominee.id, (wins.get(nominee.id) ?? 0) + (nomination.winner ? 1 : 0));
  }
  const rows = [...nominations].map(([id, count]) => ({
    nominee_id: id,
    nominee: view.nomineeById.get(id)!.name,
    total_nominations: count,
    total_wins: wins.get(id)!,
  }));
  return ranking(rows, given, (row) => row.nominee_id);
}

function isPerson(nominee: Nominee): boolean {
  if (nominee.filmindex_id !== null) return !nominee.filmindex_id.startsWith('co');
  return nominee.known_for_department !== null;
}

/** Best first by the total asked for, then by the other one, then by id; cut at the limit. */
function ranking<Row extends Totals>(rows: Row[], given: Given, idOf: (row: Row) => number) {
  const byWins = given.get('sort') === 'wins';
  const first = (row: Row) => (byWins ? row.total_wins : row.total_nominations);
  const second = (row: Row) => (byWins ? row.total_nominations : row.total_wins);
  const data = rows
    .sort(
      (left, right) => first(right) - first(left) || second(right) - second(left) || idOf(left) - idOf(right),
    )
    .slice(0, effectiveLimit(given));
  return { data, count: data.length };
}
