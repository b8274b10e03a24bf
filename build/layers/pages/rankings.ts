/**
 * Ranking pages: every ranking without years, with no filter or one, at the default limit.
 * api/stats/<ranking>/<sort>.json and api/stats/<ranking>/<sort>/<filter>/<value>.json, the value folded.
 * Pages of counts: all nominations by each key, api/stats/counts/<by>.json.
 */
import {
  countsPagePath,
  type RankingFilter,
  rankingFilters,
  rankingPagePath,
} from '../../../api/contract/pages.ts';
import { type CountKey, countKeys, defaultQuery, type Query } from '../../../api/contract/parameters.ts';
import { type RankingName, rankingSorts } from '../../../api/contract/accepted.ts';
import { type CountsRoute, countsPath, type RankingRoute, routes } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import type { Page } from './pages.ts';

/** The folded values of each filter in a snapshot. */
type Vocabulary = Record<RankingFilter, ReadonlySet<string>>;

const rankings = Object.keys(rankingFilters) as RankingName[];

function* rankingPages(
  ranking: RankingName,
  filter: RankingFilter | undefined,
  value: string,
  cause: string,
): Generator<Page> {
  const address = `/api/stats/${ranking}`;
  const route = routes.get(address) as RankingRoute;
  for (const sort of rankingSorts) {
    const path = rankingPagePath(address, sort, filter && { name: filter, value });
    const query: Query = { ...defaultQuery, sort, ...(filter && { [filter]: value }) };
    if (path) yield { path, question: { kind: 'query', route, query }, cause };
  }
}

async function vocabularyOf(snapshot: Snapshot): Promise<Vocabulary> {
  const [films, people, categories] = await Promise.all([
    snapshot.films(),
    snapshot.people(),
    snapshot.categories(),
  ]);
  return {
    genre: foldedOf(films.genres.texts.map(([, genre]) => genre)),
    known_for_department: foldedOf(people.department.values),
    category: foldedOf(categories.name.values),
    category_group: foldedOf(categories.group.values),
  };
}

/** The distinct folded texts, without null and the empty text. */
const foldedOf = (texts: readonly (string | null)[]): ReadonlySet<string> =>
  new Set([...new Set(texts)].map((text) => fold(text ?? '')).filter((text) => text !== ''));

function countsPage(by: CountKey, cause: string): Page {
  const route = routes.get(countsPath) as CountsRoute;
  return {
    path: countsPagePath(countsPath, by),
    question: { kind: 'query', route, query: { ...defaultQuery, by } },
    cause,
  };
}

export async function* allRankingPages(snapshot: Snapshot, cause: string): AsyncGenerator<Page> {
  const vocabulary = await vocabularyOf(snapshot);
  for (const by of countKeys) yield countsPage(by, cause);
  for (const ranking of rankings) {
    yield* rankingPages(ranking, undefined, '', cause);
    for (const filter of rankingFilters[ranking])
      for (const value of vocabulary[filter]) yield* rankingPages(ranking, filter, value, cause);
  }
}
