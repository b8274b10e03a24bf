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
import { countsFamilies } from '../../../api/read/group-counts.ts';
import type { Snapshot } from '../../../api/read/snapshot.ts';
import { type Affected, differs } from '../affected.ts';
import type { Page } from './pages.ts';

/** The cause of every page of a full update. */
export const everyPageCause = 'every page is made';

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
    genre: new Set(films.genres.texts.map(([genre]) => genre).filter((genre) => genre !== '')),
    known_for_department: people.department.distinct,
    category: categories.name.distinct,
    category_group: categories.group.distinct,
  };
}

function countsPage(by: CountKey, cause: string): Page {
  const route = routes.get(countsPath) as CountsRoute;
  return {
    path: countsPagePath(countsPath, by),
    question: { kind: 'query', route, query: { ...defaultQuery, by } },
    cause,
  };
}

/** The pages of counts that depend on a family of shards that differs. */
export function* affectedCountsPages(before: Snapshot, after: Snapshot): Generator<Page> {
  for (const by of countKeys) {
    const family = countsFamilies(by).find((name) => differs(name, before, after));
    if (family) yield countsPage(by, `a record of ${family} changed`);
  }
}

export async function* allRankingPages(snapshot: Snapshot): AsyncGenerator<Page> {
  const vocabulary = await vocabularyOf(snapshot);
  for (const by of countKeys) yield countsPage(by, everyPageCause);
  for (const ranking of rankings) {
    yield* rankingPages(ranking, undefined, '', everyPageCause);
    for (const filter of rankingFilters[ranking])
      for (const value of vocabulary[filter]) yield* rankingPages(ranking, filter, value, everyPageCause);
  }
}

export async function* affectedRankingPages(
  affected: Affected,
  before: Snapshot,
  after: Snapshot,
): AsyncGenerator<Page> {
  const involved: Record<RankingFilter, Set<string>> = {
    genre: new Set(),
    known_for_department: new Set(),
    category: new Set(),
    category_group: new Set(),
  };
  const causes = new Map<RankingName, string>();
  for (const snapshot of [before, after]) await involve(affected, snapshot, involved, causes);
  const [was, is] = [await vocabularyOf(before), await vocabularyOf(after)];
  for (const [ranking, cause] of causes) {
    yield* rankingPages(ranking, undefined, '', cause);
    for (const filter of rankingFilters[ranking]) {
      for (const value of new Set([...was[filter], ...is[filter]])) {
        // A genre must be equal. The other filters match a part, so one value may contain another.
        const isAffected =
          filter === 'genre'
            ? involved.genre.has(value)
            : [...involved[filter]].some((text) => text.includes(value));
        if (!isAffected) continue;
        for (const page of rankingPages(ranking, filter, value, cause))
          yield { ...page, exists: is[filter].has(value) };
      }
    }
  }
}

/** Collects the folded filter values under which a changed movie, nominee, nomination or category is counted. */
async function involve(
  { changed }: Affected,
  snapshot: Snapshot,
  involved: Record<RankingFilter, Set<string>>,
  causes: Map<RankingName, string>,
): Promise<void> {
  const [table, films, people, categories] = await Promise.all([
    snapshot.nominations(),
    snapshot.films(),
    snapshot.people(),
    snapshot.categories(),
  ]);
  const movies = new Map<number, string>();
  const nominees = new Map<number, string>();
  for (const [id, cause] of changed.movies) movies.set(table.movie.table.row(id), cause);
  for (const [id, cause] of changed.nominees) nominees.set(table.nominee.table.row(id), cause);
  for (const [id, cause] of changed.nominations) {
    const row = table.row(id);
    if (row < 0) continue;
    movies.set(table.movie.rows[row]!, cause);
    nominees.set(table.nominee.rows[row]!, cause);
  }
  for (const [id, cause] of changed.categories) {
    const category = categories.row(id);
    if (category < 0) continue;
    causes.set('top-nominees', cause);
    addText(involved.category, categories.name.values[category]);
    addText(involved.category_group, categories.group.values[category]);
  }
  for (const [row, cause] of movies) {
    causes.set('top-movies', cause);
    for (const [genre] of films.genres.texts)
      if (films.genres.with(genre)[row] === 1) involved.genre.add(genre);
  }
  for (const [row, cause] of nominees) {
    causes.set('top-nominees', cause);
    if (row < 0) continue;
    addText(involved.known_for_department, people.department.values[row]);
    for (const nomination of table.nominee.postings.of(row)) {
      addText(involved.category, categories.name.values[table.category.rows[nomination]!]);
      addText(involved.category_group, categories.group.values[table.category.rows[nomination]!]);
    }
  }
}

function addText(values: Set<string>, text: string | null | undefined): void {
  if (text) values.add(fold(text));
}
