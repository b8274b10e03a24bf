/** @jsxRuntime automatic @jsxImportSource preact */
/** Pages of films, people, songs and honors. */
import { filmYear } from '../../../../api/contract/film-year.ts';
import { isPerson } from '../../../../api/read/named-columns.ts';
import type { Honor, Movie, Nominee, Song } from '../../../../api/contract/resources.ts';
import {
  ceremonyTitle,
  count,
  country,
  date,
  duration,
  filmYears,
  honorTitle,
  initials,
  joined,
  nominationsText,
  titleCased,
  together,
} from '../../shared/format.ts';
import { compareHref, hrefOf, pagesElsewhere, rankingHref } from '../addresses.ts';
import { Chart } from '../chart.tsx';
import { ceremonyLink, NominationTable } from '../nominations.tsx';
import {
  elsewhere,
  externalLink,
  Facts,
  Heading,
  inSample,
  listed,
  type Page,
  Picture,
  RecordLinks,
  recordLink,
  Rows,
  Section,
  TallyLine,
  type Visit,
} from '../parts.tsx';
import { ask } from '../ask.ts';
import {
  awardsOf,
  ceremoniesOf,
  type DetailedNomination,
  entriesOf,
  nominated,
  type Tally,
  tallyOf,
  totalsByYear,
} from '../record.ts';

/** "14 nominations and 11 wins (1998). Won: Directing, Film Editing." */
function tallyText(visit: Visit, tally: Tally, all: readonly DetailedNomination[] = []): string {
  const { wins, years } = tally;
  const won = entriesOf(all.filter(({ winner }) => winner)).map(({ first }) => first.category);
  return [
    nominationsText(tally),
    wins > 0 ? ` and ${count(wins, 'win')}` : '',
    years ? ` (${[...new Set(years)].join('–')})` : '',
    inSample(visit),
    '.',
    won.length > 0 ? ` Won: ${[...new Set(won)].join(', ')}.` : '',
  ].join('');
}

/** "Directing, 1998 (won)", each once. */
export const awardTexts = (nominations: readonly DetailedNomination[]): string[] => [
  ...new Set(
    entriesOf(nominations).map(
      ({ first, winner }) => `${first.category}, ${first.ceremony_year} (${winner ? 'won' : 'nominated'})`,
    ),
  ),
];

const sameAs = (...ids: Parameters<typeof pagesElsewhere>): string[] =>
  pagesElsewhere(...ids).map(([, address]) => address);

const genreLink = (genre: string) => <a href={`/movies?${new URLSearchParams({ genre })}`}>{genre}</a>;

/** A film with its nominations by ceremony, in the order of the categories. @throws Refusal */
export async function filmPage(visit: Visit, id: number): Promise<Page> {
  const { snapshot } = visit;
  const film = await nominated<Movie>(snapshot, 'movies', id);
  const own = new Set(film.nominations.map(({ ceremony_id }) => ceremony_id));
  const ceremonies = (await ceremoniesOf(snapshot)).filter((ceremony) => own.has(ceremony.id)).reverse();
  const nominations = (await awardsOf(snapshot, film.nominations)).flatMap((award) => award.nominations);
  const tally = tallyOf(nominations);
  const [first] = ceremonies;
  const body = (
    <article class="record">
      <div class="portrait">
        <Picture
          visit={visit}
          address={film.poster_path}
          kind="film"
          wins={tally.wins + tally.unofficial_wins}
          year={first && filmYear(first)}
          text={String(first ? filmYear(first) : '')}
        />
      </div>
      <div>
        <Heading title={film.title} above={<a href="/movies">Films</a>}>
          {film.tagline && <p class="tagline">{film.tagline}</p>}
          <TallyLine visit={visit} tally={tally} isOfFilm />
        </Heading>
        {film.overview && <p class="prose">{film.overview}</p>}
        <Facts
          facts={[
            ['Film year', first && filmYear(first)],
            ['Released', film.release_date && date(film.release_date)],
            ['Length', film.runtime && duration(film.runtime)],
            ['Genres', film.genres.length > 0 && listed(film.genres.map(genreLink))],
            ['Countries', together(film.origin_country.map(country))],
            ['Poster', externalLink(film.poster_path, 'on another site')],
            ['Elsewhere', elsewhere(film.filmindex_id, ['movie', film.moviedb_id])],
          ]}
        />
        {ceremonies.map((ceremony) => {
          const here = nominations.filter(({ ceremony_id }) => ceremony_id === ceremony.id);
          const films = filmYears(ceremony.movies_eligible);
          return (
            <Section
              key={ceremony.id}
              id={`ceremony-${ceremony.id}`}
              title={ceremonyLink(ceremony, ceremonyTitle(ceremony))}
            >
              <p class="tally">
                {joined(`Held in ${ceremony.ceremony_year}`, films && `for films of ${films}`)}
              </p>
              <NominationTable
                caption={`Nominations at the ceremony of ${ceremony.ceremony_year}`}
                nominations={here}
                shown={['category', 'nominees', 'outcome']}
              />
            </Section>
          );
        })}
        <RecordLinks visit={visit} resource="movies" id={id}>
          <a href={compareHref('movies', [id])}>Compare with another film</a>
        </RecordLinks>
      </div>
    </article>
  );
  const year = first ? ` (${filmYear(first)})` : '';
  return {
    title: film.title,
    description: `${film.title}${year}: ${tallyText(visit, { ...tally, years: undefined }, nominations)}`,
    body,
    canonical: hrefOf('movies', film),
    type: 'video.movie',
    thing: {
      '@type': 'Movie',
      name: film.title,
      description: film.overview,
      datePublished: film.release_date,
      duration: film.runtime ? `PT${film.runtime}M` : null,
      genre: film.genres,
      countryOfOrigin: film.origin_country.map((name) => ({ '@type': 'Country', name })),
      sameAs: sameAs(film.filmindex_id, ['movie', film.moviedb_id]),
      award: awardTexts(nominations),
    },
  };
}

/** A shorter career needs no chart. */
const minCareer = 8;

/** "1979", or "1979, about 30 years old" where the birthday is known; undefined without nominations. */
function firstYear(nominations: readonly DetailedNomination[], birthday: string | null): string | undefined {
  const year = tallyOf(nominations).years?.[0];
  if (year === undefined) return undefined;
  return birthday === null ? String(year) : `${year}, about ${year - Number(birthday.slice(0, 4))} years old`;
}

/** @throws Refusal */
export async function personPage(visit: Visit, id: number): Promise<Page> {
  const person = await nominated<Nominee>(visit.snapshot, 'nominees', id);
  const { name, nominations, known_for_department: department, birthday } = person;
  const won = nominations.filter(({ winner }) => winner);
  const tally = tallyOf(nominations);
  const totals = totalsByYear(nominations);
  const honors = await honorsOf(visit, id);
  const isCareer = tally.years && totals.length > 2 && tally.years[1] - tally.years[0] >= minCareer;
  const body = (
    <article class="record">
      <div class="portrait">
        <Picture visit={visit} address={person.profile_path} kind="person" text={initials(name)} />
      </div>
      <div>
        <Heading title={name} above={<a href="/nominees">People and companies</a>}>
          <TallyLine visit={visit} tally={tally} />
        </Heading>
        {person.biography && <p class="prose">{person.biography}</p>}
        <Facts
          facts={[
            [
              'Known for',
              department && (
                <a
                  href={rankingHref(
                    'top-nominees',
                    String(new URLSearchParams({ known_for_department: department })),
                  )}
                >
                  {department}
                </a>
              ),
            ],
            ['First nominated', firstYear(nominations, birthday)],
            ['First won', firstYear(won, birthday)],
            ['Born', birthday && date(birthday)],
            ['Died', person.deathday && date(person.deathday)],
            ['Place of birth', person.place_of_birth],
            ['Website', externalLink(person.homepage, 'official website')],
            ['Portrait', externalLink(person.profile_path, 'on another site')],
            ['Elsewhere', elsewhere(person.filmindex_id, ['person', person.moviedb_person_id])],
          ]}
        />
        {isCareer && (
          <Section id="career" title="Career">
            <Chart
              totals={totals}
              label={`Nominations of ${name} by ceremony year`}
              hrefOf={(year) => `/nominations?nominee_ids=${id}&year=${year}`}
              isLow
            />
          </Section>
        )}
        {nominations.length > 0 && (
          <Section id="nominations" title="Nominations">
            <NominationTable
              caption={`Nominations of ${name}, latest first`}
              nominations={[...nominations].reverse()}
              shown={['year', 'film', 'category', 'outcome']}
            />
          </Section>
        )}
        {honors.length > 0 && (
          <Section id="honors" title="Honors">
            <Rows rows={honors} />
          </Section>
        )}
        <RecordLinks visit={visit} resource="nominees" id={id}>
          <a href={compareHref('nominees', [id])}>Compare with someone else</a>
        </RecordLinks>
      </div>
    </article>
  );
  const isOne = isPerson(person.filmindex_id, department);
  return {
    title: name,
    description: `${name}: ${tallyText(visit, tally, nominations)}`,
    body,
    canonical: hrefOf('nominees', person),
    type: 'profile',
    thing: {
      '@type': isOne ? 'Person' : 'Organization',
      name,
      description: person.biography,
      ...(isOne && {
        birthDate: birthday,
        deathDate: person.deathday,
        birthPlace: person.place_of_birth && { '@type': 'Place', name: person.place_of_birth },
        jobTitle: department,
      }),
      sameAs: sameAs(person.filmindex_id, ['person', person.moviedb_person_id]),
      award: awardTexts(nominations),
    },
  };
}

async function honorsOf({ snapshot }: Visit, person: number) {
  const honors = await snapshot.table('honors');
  const ids = honors.nominees.flatMap((nominees, row) => (nominees.includes(person) ? [honors.id(row)] : []));
  const found = await Promise.all(ids.map((id) => ask<Honor>(snapshot, `/api/honors/${id}`)));
  return found.map((honor) => ({
    href: hrefOf('honors', honor),
    label: joined(titleCased(honor.category), String(honor.ceremony_year)),
    detail: honor.citation ?? '',
  }));
}

/** @throws Refusal */
export async function songPage(visit: Visit, id: number): Promise<Page> {
  const song = await nominated<Song>(visit.snapshot, 'songs', id);
  const { nominations, original_title: title } = song;
  const tally = tallyOf(nominations);
  const body = (
    <article>
      <Heading title={`“${title}”`} above={<a href="/songs">Songs</a>}>
        {song.artist_names && <p class="tagline">{song.artist_names}</p>}
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
            shown={['year', 'film', 'nominees', 'outcome']}
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
  const { category, citation, movie, movie_id, ceremony_id, ceremony_year } = honor;
  const people = await Promise.all(
    honor.nominee_ids.map((own) => ask<Nominee>(snapshot, `/api/nominees/${own}?fields=id,name`)),
  );
  const title = honorTitle(honor);
  const body = (
    <article>
      <Heading title={title} above={<a href="/honors">Honors</a>}>
        <p class="tally">
          {titleCased(category)} · {ceremony_year}
        </p>
      </Heading>
      {citation && <p class="prose">{citation}</p>}
      <Facts
        facts={[
          [
            'Recipients with nominations',
            people.length > 0 &&
              listed(people.map((person) => recordLink('nominees', person.id, person.name))),
          ],
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
