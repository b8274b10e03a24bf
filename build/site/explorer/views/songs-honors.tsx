/** @jsxRuntime automatic @jsxImportSource preact */
/** Pages of songs and honors. */
import type { Category, Honor, Nominee, Song } from '../../../../api/contract/resources.ts';
import { honorTitle, joined, titleCased } from '../../shared/format.ts';
import { hrefOf } from '../addresses.ts';
import { ask } from '../ask.ts';
import { isCompetitive, lackOf, outcomeOf, whyHonors } from '../honors.tsx';
import { filmLink, NominationTable } from '../nominations.tsx';
import {
  externalLink,
  Facts,
  Heading,
  listed,
  type Page,
  RecordLinks,
  recordLink,
  Section,
  TallyLine,
  type Visit,
} from '../parts.tsx';
import { firstOfEach, type Nominated, nominated, tallyOf } from '../record.ts';
import { awardTexts, tallyText } from './award-texts.ts';

/** Whether the artists of a song are not only those who were nominated, whom the table names. */
function hasOtherArtists({ artist_names: artists, nominations }: Nominated<Song>): boolean {
  const nominees = new Set(nominations.map(({ nominee }) => nominee));
  return (artists?.split(/, | & | and /) ?? []).some((name) => !nominees.has(name));
}

/** @throws Refusal */
export async function songPage(visit: Visit, id: number): Promise<Page> {
  const song = await nominated<Song>(visit.snapshot, 'songs', id);
  const { nominations, original_title: title } = song;
  const films = firstOfEach(nominations, ({ movie_id }) => movie_id).map(filmLink);
  const tally = tallyOf(nominations);
  const isOfOneFilm = films.length === 1;
  const body = (
    <article>
      <Heading title={`“${title}”`} above={<a href="/songs">Songs</a>}>
        {films.length > 0 && <p class="tagline">From {listed(films)}</p>}
        {hasOtherArtists(song) && <p class="tally">{song.artist_names}</p>}
        <TallyLine visit={visit} tally={tally} />
      </Heading>
      <Facts
        facts={[
          ['Recording', externalLink(song.streaming_url, song.streaming_track_name ?? 'listen elsewhere')],
          ['Album', song.streaming_album_name],
          ['Year of the recording', song.streaming_year],
        ]}
      />
      {nominations.length > 0 && (
        <Section id="nominations" title="Nominations">
          <NominationTable
            caption={`Nominations of ${title}`}
            nominations={nominations}
            shown={isOfOneFilm ? ['year', 'nominees', 'outcome'] : ['year', 'film', 'nominees', 'outcome']}
          />
        </Section>
      )}
      <RecordLinks visit={visit} resource="songs" id={id} />
    </article>
  );
  const by = song.artist_names ? ` by ${song.artist_names}` : '';
  return {
    title: `“${title}”`,
    description: `“${title}”${by}: ${tallyText(visit, tally)}`,
    body,
    canonical: hrefOf('songs', song),
    type: 'music.song',
    thing: {
      '@type': 'MusicComposition',
      name: title,
      composer: [...new Set(nominations.map(({ nominee }) => nominee))],
      award: awardTexts(nominations),
    },
  };
}

/** An honorary, scientific or technical award. @throws Refusal */
export async function honorPage(visit: Visit, id: number): Promise<Page> {
  const { snapshot } = visit;
  const honor = await ask<Honor>(snapshot, `/api/honors/${id}`);
  const { category, category_id, citation, note, movie, movie_id, ceremony_id, ceremony_year } = honor;
  const people = await Promise.all(
    honor.nominee_ids.map((own) => ask<Nominee>(snapshot, `/api/nominees/${own}?fields=id,name`)),
  );
  const own =
    category_id === null
      ? undefined
      : await ask<Category>(snapshot, `/api/categories/${category_id}?fields=category_name`);
  const title = honorTitle(honor);
  const body = (
    <article>
      <Heading title={title} above={<a href="/honors">Honors</a>}>
        <p class="tally">
          {joined(
            titleCased(category),
            String(ceremony_year),
            (isCompetitive(honor) || !honor.winner) && outcomeOf(honor),
            lackOf(honor),
          )}
        </p>
        {isCompetitive(honor) && <p class="advice">{whyHonors}</p>}
      </Heading>
      {citation && <p class="prose">{citation}</p>}
      {note && <p class="prose soft">{note}</p>}
      <Facts
        facts={[
          [
            'Recipients on record',
            people.length > 0 &&
              listed(people.map((person) => recordLink('nominees', person.id, person.name))),
          ],
          ['Category', category_id !== null && recordLink('categories', category_id, own!.category_name)],
          ['Film', movie_id !== null && recordLink('movies', movie_id, movie!)],
          ['Ceremony', recordLink('ceremonies', ceremony_id, String(ceremony_year))],
        ]}
      />
      <RecordLinks visit={visit} resource="honors" id={id} />
    </article>
  );
  const description = joined(
    title,
    honor.recipients && titleCased(category),
    String(ceremony_year),
    citation,
  );
  return { title, description, body, canonical: hrefOf('honors', honor) };
}
