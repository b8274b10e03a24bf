/** A ranking, as bars. */
import type { RankingName } from '../../../../api/contract/routes.ts';
import type { List } from '../../shared/api.ts';
import { count } from '../../shared/format.ts';
import { rankingHref, recordHref, withQuery } from '../addresses.ts';
import { usePlace } from '../navigation.ts';
import { Filtered, filtersOf } from '../parts/filter-form.tsx';
import { Bars, type Ranked } from '../parts/lists.tsx';
import { Heading, useAnswer } from '../parts/page.tsx';
import { ask } from '../record.ts';

interface Totals {
  total_nominations: number;
  total_wins: number;
}
type RankedRecord = Totals & ({ movie_id: number; movie: string } | { nominee_id: number; nominee: string });

export const rankingTitles: Readonly<Record<RankingName, string>> = {
  'top-nominees': 'Most nominated people',
  'top-movies': 'Most nominated films',
};

/** @param address of the API */
export async function loadRanking(address: string): Promise<Ranked[]> {
  const { data } = await ask<List<RankedRecord>>(address);
  return data.map((record) => ({
    nominations: record.total_nominations,
    wins: record.total_wins,
    ...('movie' in record
      ? { href: recordHref('movies', record.movie_id), label: record.movie }
      : { href: recordHref('nominees', record.nominee_id), label: record.nominee }),
  }));
}

export function RankingPage({ ranking }: { ranking: RankingName }) {
  const { query } = usePlace();
  const path = `/api/stats/${ranking}`;
  const address = withQuery(path, query);
  const answer = useAnswer(address, () => loadRanking(address));
  const parameters = new URLSearchParams(query);
  const by = parameters.get('sort') === 'wins' ? 'wins' : 'nominations';
  const title = rankingTitles[ranking];
  return (
    <>
      <Heading title={title} above="Rankings">
        <nav class="tabs" aria-label="Rankings">
          {(Object.keys(rankingTitles) as RankingName[]).map((name) => (
            <a
              key={name}
              href={rankingHref(name, String(sharedParameters(parameters)))}
              aria-current={name === ranking ? 'page' : undefined}
            >
              {name === 'top-movies' ? 'Films' : 'People'}
            </a>
          ))}
        </nav>
      </Heading>
      <Filtered
        names={filtersOf(path)}
        address={address}
        answer={answer}
        what="ranking"
        invalid="Nothing is ranked until the filters above are right."
        below={
          ranking === 'top-movies' && (
            <p class="advice">
              A film counts once in each category, however many people were nominated for it.
            </p>
          )
        }
      >
        {(ranked) => (
          <>
            <p class="total" role="status">
              {leaderText(ranked, by)}
            </p>
            <Bars ranked={ranked} by={by} label={title} />
          </>
        )}
      </Filtered>
    </>
  );
}

/** The parameters that both rankings have. */
function sharedParameters(parameters: URLSearchParams): URLSearchParams {
  const [films, people] = [filtersOf('/api/stats/top-movies'), filtersOf('/api/stats/top-nominees')];
  const shared: readonly string[] = films.filter((name) => people.includes(name));
  return new URLSearchParams([...parameters].filter(([name]) => shared.includes(name)));
}

function leaderText(ranked: readonly Ranked[], by: 'nominations' | 'wins'): string {
  const [first] = ranked;
  if (!first) return 'Nothing on record matches these filters.';
  const level = ranked.filter((entry) => entry[by] === first[by]);
  const total = count(first[by], by === 'wins' ? 'win' : 'nomination');
  if (level.length === 1) return `${first.label} leads with ${total}.`;
  if (level.length === 2) return `${first.label} and ${level[1]!.label} lead with ${total} each.`;
  return `${first.label} and ${level.length - 1} others lead with ${total} each.`;
}
