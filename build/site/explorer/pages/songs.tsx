/** @jsxRuntime automatic @jsxImportSource preact */
/** The songs of a decade by ceremony, under the years of their films; one row a song. */
import { filmYear } from '../../../../api/contract/film-year.ts';
import type { CountsList } from '../../../../api/contract/answers.ts';
import type { Nomination } from '../../../../api/contract/resources.ts';
import { everyPage } from '../../shared/api.ts';
import { capitalized, count, filmYears } from '../../shared/format.ts';
import { decadeParameter, songYearsPath, withQuery } from '../addresses.ts';
import { groupBy, tallyOf } from '../counts.ts';
import { usePlace } from '../page-context.ts';
import { Decades, decadeOf, decadesOf } from '../parts/lists.tsx';
import { ceremonyLink, NominationTable } from '../parts/nominations.tsx';
import { Heading, Section, Shown, useAnswer } from '../parts/page.tsx';
import type { CeremonySummary, DetailedNomination, Reading } from '../record.ts';

interface SongDecade {
  decade: number;
  /** The decades of films with songs, latest first. */
  decades: number[];
  /** Latest first; two ceremonies can share a film year. */
  ceremonies: { ceremony: CeremonySummary; nominations: DetailedNomination[] }[];
}

/** @param asked decade; the latest if there is no such decade @throws ApiError */
async function loadSongs(reading: Reading, asked: number): Promise<SongDecade> {
  const [all, { data: counted }] = await Promise.all([
    reading.ceremonies(),
    reading.ask<CountsList>('/api/stats/counts?by=year&is_song=true'),
  ]);
  const years = new Set(counted.map(({ key }) => key));
  const ceremonies = all.filter(({ ceremony_year }) => years.has(ceremony_year));
  const decades = decadesOf(ceremonies.map(filmYear));
  const decade = decades.includes(asked) ? asked : (decades[0] ?? 0);
  const held = ceremonies.filter((ceremony) => decadeOf(filmYear(ceremony)) === decade);
  if (held.length === 0) return { decade, decades, ceremonies: [] };
  const ids = held.map(({ id }) => id).join();
  const nominations = await everyPage<Nomination>(
    reading.ask,
    `/api/nominations?is_song=true&ceremony_ids=${ids}`,
  );
  const groups = new Map(groupBy(await reading.withDetails(nominations), ({ ceremony_id }) => ceremony_id));
  const withSongs = held.filter(({ id }) => groups.has(id)).sort((a, b) => b.id - a.id);
  return {
    decade,
    decades,
    ceremonies: withSongs.map((ceremony) => ({ ceremony, nominations: groups.get(ceremony.id)! })),
  };
}

export function SongYearsPage() {
  const asked = Number(new URLSearchParams(usePlace().query).get(decadeParameter));
  const answer = useAnswer(`songs?${asked}`, (reading) => loadSongs(reading, asked));
  return (
    <>
      <Heading title="Songs by film year" above={<a href="/songs">Songs</a>}>
        <p class="tally">
          The songs of a year are those of its films; their ceremony is usually a year later.
        </p>
      </Heading>
      <Shown answer={answer}>{(songs) => <SongYears songs={songs} />}</Shown>
    </>
  );
}

function SongYears({ songs: { decade, decades, ceremonies } }: { songs: SongDecade }) {
  return (
    <>
      <Decades
        decades={decades}
        hrefOf={(other) => withQuery(songYearsPath, `${decadeParameter}=${other}`)}
        chosen={decade}
      />
      {ceremonies.length === 0 && <p role="status">No song of these years was nominated.</p>}
      {ceremonies.map(({ ceremony, nominations }) => (
        <CeremonySongs key={ceremony.id} ceremony={ceremony} nominations={nominations} />
      ))}
    </>
  );
}

function CeremonySongs(props: { ceremony: CeremonySummary; nominations: readonly DetailedNomination[] }) {
  const { ceremony, nominations } = props;
  const films = `films of ${filmYears(ceremony.movies_eligible) ?? filmYear(ceremony)}`;
  const songs = count(tallyOf(nominations).nominations, 'song');
  return (
    <Section id={`ceremony-${ceremony.id}`} title={capitalized(films)}>
      <p class="tally">
        {songs} at the {ceremonyLink(ceremony, `ceremony of ${ceremony.ceremony_year}`)}
      </p>
      <NominationTable
        caption={`${songs} of ${films}`}
        nominations={nominations}
        shown={['film', 'nominees', 'outcome']}
        filmTitle="Song"
      />
    </Section>
  );
}
