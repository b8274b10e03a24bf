/** The page of a ranking: who leads, as bars, for the years, genre, department or category chosen. */
import type { RankingName } from '../../../../api/contract/routes.ts';
import { rankingHref, recordHref } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { count } from '../format.ts';
import { usePlace } from '../navigation.ts';
import { Bars, type Ranked } from '../parts/bars.tsx';
import { FilterForm } from '../parts/filter-form.tsx';
import { Heading, Shown } from '../parts/page.tsx';
import { RequestShown } from '../parts/request.tsx';
import { ask } from '../record.ts';
import { faultsOf, settable } from './list.tsx';

interface Totals {
  total_nominations: number;
  total_wins: number;
}
type RankedRecord = Totals & ({ movie_id: number; movie: string } | { nominee_id: number; nominee: string });

const titles: Readonly<Record<RankingName, string>> = {
  'top-nominees': 'Most nominated people',
  'top-movies': 'Most nominated films',
};

export async function rankedFrom(address: string): Promise<Ranked[]> {
  const { data } = await ask<{ data: RankedRecord[] }>(address);
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
  const address = query === '' ? path : `${path}?${query}`;
  const answer = useAnswer(address, () => rankedFrom(address));
  const faults = faultsOf(answer);
  const asked = new URLSearchParams(query);
  const by = asked.get('sort') === 'wins' ? 'wins' : 'nominations';
  return (
    <>
      <Heading title={titles[ranking]} above="Rankings">
        <nav class="tabs" aria-label="Rankings">
          {(Object.keys(titles) as RankingName[]).map((name) => (
            <a
              key={name}
              href={rankingHref(name, shared(asked).toString())}
              aria-current={name === ranking ? 'page' : undefined}
            >
              {name === 'top-movies' ? 'Films' : 'People'}
            </a>
          ))}
        </nav>
      </Heading>
      <FilterForm names={settable(path)} faults={faults} />
      {faults ? (
        <p role="status">Nothing is ranked until the filters above are right.</p>
      ) : (
        <Shown answer={answer} what="ranking">
          {(ranked) => (
            <>
              <p class="total" role="status">
                {leader(ranked, by)}
              </p>
              <Bars ranked={ranked} by={by} label={titles[ranking]} />
            </>
          )}
        </Shown>
      )}
      {ranking === 'top-movies' && (
        <p class="advice">A film counts once in each category, however many people were nominated for it.</p>
      )}
      {!faults && <RequestShown address={address} />}
    </>
  );
}

/** What both rankings can be asked. */
function shared(asked: URLSearchParams): URLSearchParams {
  const other = settable('/api/stats/top-movies').filter((name) =>
    settable('/api/stats/top-nominees').includes(name),
  );
  return new URLSearchParams([...asked].filter(([name]) => (other as readonly string[]).includes(name)));
}

/** Who stands first, in words; several where they are level. */
function leader(ranked: readonly Ranked[], by: 'nominations' | 'wins'): string {
  const [first] = ranked;
  if (!first) return 'Nothing on record matches these filters.';
  const level = ranked.filter((entry) => entry[by] === first[by]);
  const total = count(first[by], by === 'wins' ? 'win' : 'nomination');
  if (level.length === 1) return `${first.label} leads with ${total}.`;
  if (level.length === 2) return `${first.label} and ${level[1]!.label} lead with ${total} each.`;
  return `${first.label} and ${level.length - 1} others lead with ${total} each.`;
}
