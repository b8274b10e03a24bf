/** Lists as the site shows them. Films and people are in the order of the numbers that their rows show. */
import type { Pagination } from '../../../api/contract/answers.ts';
import { paginationOf } from '../../../api/read/documents.ts';
import { rowsByValue } from '../../../api/read/orders.ts';
import { recordsIn } from '../../../api/read/records.ts';
import { selectRows } from '../../../api/read/selection.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { answerTo, askedAt } from './ask.ts';
import { officialCountsOf } from './ranking.ts';

export interface Listed<T> {
  data: T[];
  pagination?: Pagination;
  count?: number;
}

/** Whether a sort counts nominations: the API counts all of them, the site the official ones. */
export const isByCounts = (sort: string | null | undefined): boolean => /^-?(entries|wins)$/.test(sort ?? '');

/**
 * The list at an address of the API such as `/api/movies?sort=-entries`. The API sorts by all nominations.
 * Rows of the site show the official ones, so the site sorts by these.
 * @throws Refusal
 * @throws SnapshotUnavailable
 */
export async function askList<T>(snapshot: Snapshot, address: string): Promise<Listed<T>> {
  const asked = askedAt(address);
  const { route, query } = asked;
  if (route.kind !== 'list' || !isByCounts(query.sort)) return answerTo(snapshot, asked);
  const { resource } = route;
  const { sort = '', page, limit } = query;
  const selected = await selectRows(snapshot, resource, query);
  const counts = await officialCountsOf(snapshot, resource === 'movies' ? 'films' : 'people');
  const counted = counts[sort.endsWith('wins') ? 'wins' : 'entries'];
  const values = Array.from(selected, (row) => counted[row]!);
  const rows = rowsByValue(selected, values, sort.startsWith('-'));
  const shown = rows.subarray((page - 1) * limit, page * limit);
  return {
    data: (await recordsIn(snapshot, resource, shown, query)) as T[],
    pagination: paginationOf(rows.length, page, limit),
  };
}
