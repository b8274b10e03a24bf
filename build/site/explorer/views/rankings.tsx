/** @jsxRuntime automatic @jsxImportSource preact */
/** Rankings as bars. */
import type { ParameterFault } from '../../../../api/contract/problems.ts';
import { rankingPath, routeAt } from '../../../../api/contract/routes.ts';
import { count, number } from '../../shared/format.ts';
import { changed, compareHref, rankingHref, type RankingPage } from '../addresses.ts';
import { filterForm, filtersOf, takenAt } from '../filters.tsx';
import { Bars, Heading, inSample, type Page, Pager, Chips, type Visit } from '../parts.tsx';
import { queryIn, Refusal } from '../ask.ts';
import {
  rank,
  rankedKinds,
  type Ranking,
  type RankingOrder,
  rankingOrders,
  rankingTitle,
} from '../ranking.ts';

const tabs = { 'top-nominees': 'People', 'top-movies': 'Films', countries: 'Countries' } as const;

/** People, films or countries by nominations or wins. */
export async function rankingPageOf(visit: Visit, ranking: RankingPage): Promise<Page> {
  const { snapshot, query } = visit;
  const name = ranking === 'top-movies' ? 'top-movies' : 'top-nominees';
  const accepted = routeAt(rankingPath(name));
  const sort = query.get('sort');
  const order = rankingOrders.find((own) => own === sort) ?? 'nominations';
  const byCategory = ranking === 'top-movies' && query.get('count') === 'categories';
  const filters = takenAt(rankingPath(name), query);
  for (const own of ['sort', 'page']) filters.delete(own);
  let found: Ranking | undefined;
  let faults: readonly ParameterFault[] = [];
  try {
    const { page } = queryIn(`page=${query.get('page') ?? 1}`, { parameters: ['page'], includes: [] });
    const own = { official: true, ...queryIn(String(filters), accepted), page };
    found = await rank(snapshot, { of: rankedKinds[ranking], query: own, order, byCategory });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults = error.faults;
  }
  const names = filtersOf(rankingPath(name)).filter((own) => own !== 'official');
  const form = await filterForm(
    visit,
    ranking === 'countries' ? ['yearStart', 'yearEnd', 'limit'] : names,
    faults,
  );
  const title = rankingTitle(ranking, order) + inSample(visit);
  // The filters that all rankings take.
  const shared = new URLSearchParams(
    [...query].filter(([own]) => /^(year|yearStart|yearEnd|sort)$/.test(own)),
  );
  const resource = ranking === 'top-movies' ? 'movies' : 'nominees';
  const ids = found?.ranked.slice(0, 3).map(({ id }) => id) ?? [];
  const body = (
    <>
      <Heading title={title} above="Rankings">
        <Chips
          label="Rankings"
          current={tabs[ranking]}
          links={Object.entries(tabs).map(([own, text]) => [changed(`/rankings/${own}`, shared, {}), text])}
        />
      </Heading>
      {form}
      <section id="results" aria-label="Results">
        {found === undefined ? (
          <p role="status">Correct the marked filters to see the ranking.</p>
        ) : (
          <>
            <p class="total" role="status">
              {leaderText(found, order)}
            </p>
            <Bars resource={resource} ranked={found.ranked} label={title} />
            <Pager visit={visit} pagination={found.pagination} />
          </>
        )}
      </section>
      <p class="advice">{advice(visit, ranking, byCategory)}</p>
      {ids.length > 1 && (
        <p class="links">
          <a href={compareHref(resource, ids)}>Compare the first {ids.length === 2 ? 'two' : 'three'}</a>
        </p>
      )}
    </>
  );
  return {
    title,
    description:
      'The most nominated people, films and countries of the film awards, with filters by year and category.',
    body,
    canonical: rankingHref(ranking, String(query)),
    ...(faults.length > 0 && { isIndexed: false as const }),
  };
}

/** What is counted, and the other way to count. */
function advice({ path, query }: Visit, ranking: RankingPage, byCategory: boolean) {
  if (ranking === 'countries') return 'Countries are nominated in the category of international films.';
  const shared = ranking === 'top-movies' ? 'once' : 'once for each of them';
  const together = `A nomination shared by several people counts ${shared}. Only official nominations count.`;
  if (ranking === 'top-nominees') return `${together} Companies and countries are not ranked.`;
  const href = changed(path, query, { count: byCategory ? undefined : 'categories' });
  return (
    <>
      {byCategory ? 'Each category of a film counts once. ' : `${together} `}
      <a href={href}>{byCategory ? 'Count every nomination' : 'Count each category once'}</a>
    </>
  );
}

function leaderText({ ranked: [first, second], leaders, pagination }: Ranking, order: RankingOrder): string {
  if (pagination.page > 1) return `${number(pagination.total)} in all`;
  if (!first) return 'Nothing on record matches these filters.';
  const total = order === 'wins' ? count(first.wins, 'win') : count(first.nominations, 'nomination');
  if (leaders === 1) return `${first.label} leads with ${total}.`;
  const others = leaders === 2 && second ? second.label : count(leaders - 1, 'other');
  return `${first.label} and ${others} lead with ${total} each.`;
}
