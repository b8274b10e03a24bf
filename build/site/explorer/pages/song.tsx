/** The page of a song: who made it, and what it was nominated for. */
import type { Nomination, Song } from '../../../../api/contract/resources.ts';
import { useAnswer } from '../answers.ts';
import { entriesOf } from '../entries.ts';
import { elsewhere, Facts, RecordLinks } from '../parts/facts.tsx';
import { NominationTable } from '../parts/nominations.tsx';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { askRecord } from '../record.ts';

type SongWithNominations = Song & { nominations: Nomination[] };

export function SongPage({ id }: { id: number }) {
  const answer = useAnswer(`songs/${id}`, () => askRecord<SongWithNominations>('songs', id));
  return (
    <Shown answer={answer} what="song">
      {(song) => <SongShown song={song} />}
    </Shown>
  );
}

function SongShown({ song }: { song: SongWithNominations }) {
  const won = entriesOf(song.nominations).some(({ first }) => first.winner);
  return (
    <article>
      <Heading title={`“${song.original_title}”`} above={<a href="/songs">Songs</a>}>
        {song.artist_names && <p class="tagline">{song.artist_names}</p>}
        <p class="tally">{won ? <strong class="won">Won</strong> : 'Nominated'}</p>
      </Heading>
      <Facts
        facts={[
          ['Recording', elsewhere(song.streaming_url, song.streaming_track_name ?? 'listen elsewhere')],
          ['Album', song.streaming_album_name],
          ['Year of the recording', song.streaming_year],
        ]}
      />
      {song.nominations.length > 0 && (
        <Section id="nominations" title="Nominations">
          <NominationTable
            caption={`Nominations of ${song.original_title}`}
            nominations={song.nominations}
            shown={['year', 'film', 'nominees', 'outcome']}
          />
        </Section>
      )}
      <RecordLinks resource="songs" id={song.id} />
    </article>
  );
}
