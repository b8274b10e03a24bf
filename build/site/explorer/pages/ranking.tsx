/** @jsxRuntime automatic @jsxImportSource preact */
/** Rankings, as bars. */
import { parseId } from '../../../../api/contract/query-string.ts';
import { acceptedByRanking } from '../../../../api/contract/accepted.ts';
import { rankingPath } from '../../../../api/contract/routes.ts';
import type { Pagination, RankingOf } from '../../../../api/contract/answers.ts';
import { count, number } from '../../shared/format.ts';
import {
  compareHref,
  countParameter,
  type RankedResource,
  rankingHref,
  type ShownRanking,
  withQuery,
} from '../addresses.ts';
import { placeOf, type Ranked, type RankedBy, type RankingSlice } from '../counts.ts';
import { usePlace } from '../page-context.ts';
import { Filtered, filtersOf } from '../parts/filter-form.tsx';
import { Bars, Pager } from '../parts/lists.tsx';
import { Heading, Section, useAnswer, useInSample } from '../parts/page.tsx';
import type { Reading } from '../record.ts';

/** The title of each ranking, by the total that orders it. */
export const rankingTitles: Readonly<Record<ShownRanking, Readonly<Record<RankedBy, string>>>> = {
  'top-nominees': { nominations: 'Most nominated people', wins: 'People with the most wins' },
  'top-movies': { nominations: 'Most nominated films', wins: 'Films with the most wins' },
};

/** Films or people by entries. @param queryString filters, as the API takes them */
async function loadEntries(
  reading: Reading,
  ranking: ShownRanking,
  queryString: string,
  page: number,
  by: RankedBy,
): Promise<RankingSlice> {
  const query = reading.queryIn(queryString, acceptedByRanking(ranking));
  return reading.ranked(resourceOf(ranking), { ...query, page }, by);
}

/** Films by number of categories. @param address of the ranking of the API */
async function loadFilmsByCategories({ ask }: Reading, address: string, by: RankedBy): Promise<RankingSlice> {
  const { data } = await ask<RankingOf['top-movies']>(address);
  const totals = data.map((record) => record[by === 'wins' ? 'total_wins' : 'total_nominations']);
  const ranked = data.map(({ movie_id, movie, total_nominations, total_wins }, i) => ({
    place: placeOf(totals[i]!, totals),
    id: movie_id,
    label: movie,
    nominations: total_nominations,
    wins: total_wins,
  }));
  const second = ranked.findIndex(({ place }) => place > 1);
  return { ranked, leaders: second < 0 ? undefined : second };
}

const invalid = 'Nothing is ranked until the filters above are right.';
const noneRanked = 'Nothing on record matches these filters.';

/** Parameter of these pages only: the rankings of the API have one page. */
const pageParameter = 'page';
const pageIn = (query: URLSearchParams): number => parseId(query.get(pageParameter) ?? '') ?? 1;

export const resourceOf = (ranking: ShownRanking) => (ranking === 'top-movies' ? 'movies' : 'nominees');

export function RankingPage({ ranking }: { ranking: ShownRanking }) {
  const { query } = usePlace();
  const path = rankingPath(ranking);
  const parameters = new URLSearchParams(query);
  const isFilms = ranking === 'top-movies';
  const byCategory = isFilms && parameters.get(countParameter) === 'categories';
  const by = parameters.get('sort') === 'wins' ? 'wins' : 'nominations';
  const page = pageIn(parameters);
  for (const name of [countParameter, pageParameter]) parameters.delete(name);
  const address = withQuery(path, parameters);
  const answer = useAnswer(withQuery(path, query), (reading) =>
    byCategory
      ? loadFilmsByCategories(reading, address, by)
      : loadEntries(reading, ranking, String(parameters), page, by),
  );
  const resource = resourceOf(ranking);
  const title = rankingTitles[ranking][by] + useInSample();
  return (
    <>
      <Heading title={title} above="Rankings">
        <RankingTabs current={ranking} parameters={parameters} />
      </Heading>
      <Filtered
        names={filtersOf(path)}
        // The API counts categories and individual nominations.
        address={byCategory ? address : undefined}
        answer={answer}
        invalid={invalid}
        below={isFilms && <CountAdvice parameters={parameters} byCategory={byCategory} />}
      >
        {({ ranked, leaders, pagination }) => (
          <>
            <p class="total" role="status">
              {pagination && page > 1
                ? `${number(pagination.total)} in all.`
                : leaderText(ranked, leaders, by)}
            </p>
            <Bars resource={resource} ranked={ranked} by={by} label={title} />
            {pagination && <Pager pagination={pagination} />}
            <CompareLeaders resource={resource} ranked={ranked} />
          </>
        )}
      </Filtered>
    </>
  );
}

/** Leads to the first of a ranking side by side, where others can take their places. */
function CompareLeaders({ resource, ranked }: { resource: RankedResource; ranked: readonly Ranked[] }) {
  const ids = ranked.slice(0, 3).map(({ id }) => id);
  if (ids.length < 2) return null;
  return (
    <p class="links">
      <a href={compareHref(resource, ids)}>Compare the first {ids.length === 2 ? 'two' : 'three'}</a>
    </p>
  );
}

/** Says what counts, and leads to the other way of counting. */
function CountAdvice(props: { parameters: URLSearchParams; byCategory: boolean }) {
  const { parameters, byCategory } = props;
  const other = new URLSearchParams(parameters);
  if (!byCategory) other.set(countParameter, 'categories');
  const href = rankingHref('top-movies', String(other));
  return (
    <p class="advice">
      {byCategory
        ? 'A film counts once in each category here, as in the API. '
        : 'People who were nominated together count as one nomination, as the press counts. '}
      <a href={href}>{byCategory ? 'Count all nominations' : 'Count categories'}</a>
    </p>
  );
}

function RankingTabs({ current, parameters }: { current: string; parameters: URLSearchParams }) {
  const shared = sharedParameters(parameters);
  const tabs = [
    ['top-nominees', 'People'],
    ['top-movies', 'Films'],
    ['without-win', 'Without a win'],
  ] as const;
  return (
    <nav class="tabs" aria-label="Rankings">
      {tabs.map(([name, text]) => (
        <a
          key={name}
          href={withQuery(`/rankings/${name}`, shared)}
          aria-current={name === current ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Those with the most nominations and no win. */
export function UnrewardedPage() {
  const { path, query } = usePlace();
  const parameters = new URLSearchParams(query);
  const page = pageIn(parameters);
  parameters.delete(pageParameter);
  const ranking = 'top-nominees';
  const inSample = useInSample();
  const answer = useAnswer(withQuery(path, query), async ({ queryIn, ranked }) => {
    const filters = { ...queryIn(String(parameters), acceptedByRanking(ranking)), page };
    return Promise.all([ranked('nominees', filters, 'unrewarded'), ranked('movies', filters, 'unrewarded')]);
  });
  return (
    <>
      <Heading title={`Most nominated without a win${inSample}`} above="Rankings">
        <RankingTabs current="without-win" parameters={parameters} />
      </Heading>
      <Filtered
        // Those that films have too.
        names={filtersOf(rankingPath(ranking)).filter((name) => !/sort|department/.test(name))}
        address={undefined}
        answer={answer}
        invalid={invalid}
        below={<p class="advice">A win that does not match the filters does not count.</p>}
      >
        {([people, films]) => (
          <>
            {people.ranked.length + films.ranked.length === 0 && <p class="total">{noneRanked}</p>}
            <div class="columns">
              <Unrewarded id="people" title="People" resource="nominees" slice={people} />
              <Unrewarded id="films" title="Films" resource="movies" slice={films} />
            </div>
            <Pager pagination={longer(people.pagination, films.pagination)} />
          </>
        )}
      </Filtered>
    </>
  );
}

/** One of the two rankings; nothing behind its last page. */
function Unrewarded(props: {
  id: string;
  title: string;
  resource: RankedResource;
  slice: Required<RankingSlice>;
}) {
  const { id, title, resource, slice } = props;
  if (slice.ranked.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <Bars resource={resource} ranked={slice.ranked} by="nominations" label={`${title} without a win`} />
      <CompareLeaders resource={resource} ranked={slice.ranked} />
    </Section>
  );
}

const longer = (a: Pagination, b: Pagination): Pagination => (a.total > b.total ? a : b);

/** The parameters that both rankings have. */
function sharedParameters(parameters: URLSearchParams): URLSearchParams {
  const [films, people] = [filtersOf('/api/stats/top-movies'), filtersOf('/api/stats/top-nominees')];
  const shared: readonly string[] = films.filter((name) => people.includes(name));
  return new URLSearchParams([...parameters].filter(([name]) => shared.includes(name)));
}

function leaderText([first, second]: readonly Ranked[], leaders: number | undefined, by: RankedBy): string {
  if (!first) return noneRanked;
  const total = count(first[by], by === 'wins' ? 'win' : 'nomination');
  if (leaders === undefined) return second ? `All of these have ${total}.` : `${first.label} has ${total}.`;
  if (leaders === 1) return `${first.label} leads with ${total}.`;
  const others = leaders === 2 && second ? second.label : count(leaders - 1, 'other');
  return `${first.label} and ${others} lead with ${total} each.`;
}
