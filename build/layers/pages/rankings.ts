/**
 * Ranking pages: every ranking without years, with no filter or one, at the default limit.
 * api/stats/<ranking>/<sort>.json and api/stats/<ranking>/<sort>/<filter>/<value>.json, the value folded.
 * Pages of counts: all nominations by each key, api/stats/counts/<by>.json.
 */
import { type Page, queryPage, type RankingFilter, rankingFilters } from './page.ts';
import { countKeys } from '../../../api/contract/parameters.ts';
import { type RankingName, rankingSorts } from '../../../api/contract/accepted.ts';
import { countsPath, rankingPath } from '../../../api/contract/routes.ts';
import { fold } from '../../../api/contract/text.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';

/** The folded values of each filter in a snapshot. */
type Vocabulary = Record<RankingFilter, ReadonlySet<string>>;

const rankings = Object.keys(rankingFilters) as RankingName[];

async function vocabularyOf(snapshot: Snapshot): Promise<Vocabulary> {
  const [films, people, categories] = await Promise.all([
    snapshot.table('films'),
    snapshot.table('people'),
    snapshot.table('categories'),
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

export async function* allRankingPages(snapshot: Snapshot, cause: string): AsyncGenerator<Page> {
  const vocabulary = await vocabularyOf(snapshot);
  for (const by of countKeys) yield* queryPage(countsPath, { by }, cause);
  for (const ranking of rankings) {
    const values = rankingFilters[ranking].flatMap((filter) =>
      [...vocabulary[filter]].map((value) => ({ [filter]: value })),
    );
    for (const filter of [{}, ...values])
      for (const sort of rankingSorts) yield* queryPage(rankingPath(ranking), { ...filter, sort }, cause);
  }
}
