/** Rankings as their pages have them: nominations count as the press counts them, official ones. */
import type { Accepted } from '../contract/addresses.ts';
import { summaryOf } from '../contract/problems.ts';
import { rankingPath, routeAt } from '../contract/routes.ts';
import { rankingHref, recordHref, type RankingPage } from '../../build/site/explorer/addresses.ts';
import { queryIn, Refusal } from '../../build/site/explorer/ask.ts';
import { rank, rankedKinds, rankingOrders, rankingTitle } from '../../build/site/explorer/ranking.ts';
import { CallFault, type Values } from './arguments.ts';
import type { Context } from './reading.ts';
import { orMeant } from './unknown-names.ts';

const rankings = Object.keys(rankedKinds) as RankingPage[];

/** Countries are nominees. */
const addressed = (ranking: RankingPage) =>
  routeAt(rankingPath(ranking === 'top-movies' ? 'top-movies' : 'top-nominees'));

/** The arguments of a ranking. */
export const rankingParameters: readonly string[] = [
  ...new Set(rankings.flatMap((own): string[] => [...addressed(own).parameters])),
];

export interface RankedRow {
  place: number;
  id: number;
  title: string;
  film_years?: string;
  nominations: number;
  wins: number;
  page: string;
}

/**
 * A ranking.
 * @param values its filters, sort and limit
 * @throws CallFault
 */
export async function rankingOf(
  context: Context,
  name: string | undefined,
  values: Values,
): Promise<{ title: string; page: string; rows: RankedRow[] }> {
  const ranking = rankings.find((own) => own === name);
  if (!ranking) throw new CallFault(`ranking must be one of ${rankings.join(', ')}`);
  const { sort = 'nominations', ...filters } = values;
  // Rankings are descending.
  const order = rankingOrders.find((own) => own === sort.replace(/^-/, ''));
  if (!order) throw new CallFault(`sort must be one of ${rankingOrders.join(', ')}`);
  const answer = await orMeant(context, filters, 'category_group', async (meant) => {
    const query = { official: true, ...parsed(meant, addressed(ranking)) };
    const { ranked } = await context.record.answered((snapshot) =>
      rank(snapshot, { of: rankedKinds[ranking], query, order }),
    );
    const shown = String(
      new URLSearchParams({ ...meant, ...(values.sort !== undefined && { sort: order }) }),
    );
    return { data: ranked, page: context.origin + rankingHref(ranking, shown) };
  });
  const resource = ranking === 'top-movies' ? 'movies' : 'nominees';
  return {
    title: rankingTitle(ranking, order),
    page: answer.page,
    rows: answer.data.map(({ label: title, filmYears: film_years, id, ...own }) => ({
      place: own.place,
      id,
      title,
      ...(film_years !== undefined && { film_years }),
      nominations: own.nominations,
      wins: own.wins,
      page: context.origin + recordHref(resource, id, title),
    })),
  };
}

function parsed(values: Values, accepted: Accepted) {
  try {
    return queryIn(String(new URLSearchParams(values)), accepted);
  } catch (error) {
    if (error instanceof Refusal) throw new CallFault(summaryOf(error.faults));
    throw error;
  }
}
