/** @jsxRuntime automatic @jsxImportSource preact */
/** The songs of a decade by the year of their films, one row a song. */
import type { CountsList } from '../../../../api/contract/answers.ts';
import type { Ceremony, Nomination } from '../../../../api/contract/resources.ts';
import { everyPage, type List } from '../../shared/api.ts';
import { count, filmYear } from '../../shared/format.ts';
import { decadeParameter, songYearsPath, withQuery } from '../addresses.ts';
import { groupBy, tallyOf } from '../counts.ts';
import { usePlace } from '../navigation.ts';
import { Decades, decadeOf } from '../parts/lists.tsx';
import { ceremonyLink, NominationTable } from '../parts/nominations.tsx';
import { Heading, Section, Shown, useAnswer } from '../parts/page.tsx';
import { ask, type DetailedNomination, withDetails } from '../record.ts';

interface SongDecade {
  decade: number;
  /** The decades of films with songs, latest first. */
  decades: number[];
  /** By film year, latest first. */
  years: [year: number, nominations: DetailedNomination[]][];
}

/** @param asked decade; the latest if there is no such decade @throws ApiError */
async function loadSongs(asked: number): Promise<SongDecade> {
  const [{ data: all }, { data: counted }] = await Promise.all([
    ask<List<Ceremony>>('/api/ceremonies'),
    ask<CountsList>('/api/stats/counts?by=year&is_song=true'),
  ]);
  const years = new Set(counted.map(({ key }) => key));
  const ceremonies = all.filter(({ ceremony_year }) => years.has(ceremony_year));
  const yearOf = new Map(ceremonies.map((ceremony) => [ceremony.id, filmYear(ceremony)]));
  const decades = [...new Set([...yearOf.values()].map(decadeOf))].sort((a, b) => b - a);
  const decade = decades.includes(asked) ? asked : (decades[0] ?? 0);
  const held = ceremonies.filter((ceremony) => decadeOf(filmYear(ceremony)) === decade);
  if (held.length === 0) return { decade, decades, years: [] };
  const ids = held.map(({ id }) => id).join();
  const nominations = await everyPage<Nomination>(ask, `/api/nominations?is_song=true&ceremony_ids=${ids}`);
  const byYear = groupBy(await withDetails(nominations), ({ ceremony_id }) => yearOf.get(ceremony_id)!);
  return { decade, decades, years: byYear.sort(([a], [b]) => b - a) };
}

export function SongYearsPage() {
  const asked = Number(new URLSearchParams(usePlace().query).get(decadeParameter));
  const answer = useAnswer(`songs?${asked}`, () => loadSongs(asked));
  return (
    <>
      <Heading title="Songs by film year" above={<a href="/songs">Songs</a>}>
        <p class="tally">The songs of a year are those of its films; their ceremony is a year later.</p>
      </Heading>
      <Shown answer={answer} what="song">
        {(songs) => <SongYears songs={songs} />}
      </Shown>
    </>
  );
}

function SongYears({ songs: { decade, decades, years } }: { songs: SongDecade }) {
  return (
    <>
      <Decades
        decades={decades}
        hrefOf={(other) => withQuery(songYearsPath, `${decadeParameter}=${other}`)}
        chosen={decade}
      />
      {years.length === 0 && <p role="status">No song of these years was nominated.</p>}
      {years.map(([year, nominations]) => {
        const { ceremony_id, ceremony_year } = nominations[0]!;
        const songs = count(tallyOf(nominations).nominations, 'song');
        return (
          <Section key={year} id={`year-${year}`} title={`Films of ${year}`}>
            <p class="tally">
              {songs} at the{' '}
              {ceremonyLink({ id: ceremony_id, ceremony_year }, `ceremony of ${ceremony_year}`)}
            </p>
            <NominationTable
              caption={`${songs} of films of ${year}`}
              nominations={nominations}
              shown={['film', 'nominees', 'outcome']}
              filmTitle="Song"
            />
          </Section>
        );
      })}
    </>
  );
}
