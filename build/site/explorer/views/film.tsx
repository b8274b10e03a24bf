/** @jsxRuntime automatic @jsxImportSource preact */
/** The page of a film. */
import type { FilmYears, Movie, StoredBeside } from '../../../../api/contract/resources.ts';
import { ceremonyTitle, country, date, duration, filmsOf, joined, together } from '../../shared/format.ts';
import { compareHref, hrefOf } from '../addresses.ts';
import { FilmCard, isShown, OpeningFrame } from '../cards.tsx';
import { filmSentence, honorsSentence } from '../happened.ts';
import { Honors, honorsOf } from '../honors.tsx';
import { ceremonyLink, NominationTable } from '../nominations.tsx';
import {
  elsewhere,
  externalLink,
  Facts,
  Happened,
  listed,
  otherNamesFact,
  type Page,
  RecordLinks,
  Section,
  TallyLine,
  type Visit,
} from '../parts.tsx';
import { awardsOf, bestPicture, ceremoniesOf, nominated, tallyOf } from '../record.ts';
import { awardTexts, sameAs, tallyText } from './award-texts.ts';

const genreLink = (genre: string) => <a href={`/movies?${new URLSearchParams({ genre })}`}>{genre}</a>;

/** A film with its nominations by ceremony, in the order of the categories. @throws Refusal */
export async function filmPage(visit: Visit, id: number): Promise<Page> {
  const { snapshot } = visit;
  const film = await nominated<Movie & FilmYears & StoredBeside<'movies'>>(snapshot, 'movies', id);
  const own = new Set(film.nominations.map(({ ceremony_id }) => ceremony_id));
  const ceremonies = (await ceremoniesOf(snapshot)).filter((ceremony) => own.has(ceremony.id)).reverse();
  const nominations = (await awardsOf(snapshot, film.nominations)).flatMap((award) => award.nominations);
  const honors = await honorsOf(snapshot, 'movie', id);
  const tally = tallyOf(nominations);
  const isBestPicture = nominations.some(({ category, winner }) => winner && category === bestPicture);
  const card = {
    title: film.title,
    filmYears: film.film_years ?? undefined,
    wins: tally.wins + tally.unofficial_wins,
    wonBestPicture: isBestPicture,
    poster: film.poster_path,
  };
  const body = (
    <article>
      <div class="opening">
        {isShown(visit, film.poster_path) && <FilmCard visit={visit} film={card} />}
        <OpeningFrame
          title={film.title}
          filmYears={film.film_years ?? undefined}
          wonBestPicture={isBestPicture}
          numeral={film.film_years ?? undefined}
          above={
            <>
              <a href="/movies">Films</a>
              {film.film_years && <span>{film.film_years}</span>}
            </>
          }
          below={
            <>
              {film.tagline && <p class="tagline">{film.tagline}</p>}
              <Happened sentences={[filmSentence(nominations), honorsSentence(honors)]} />
              <TallyLine visit={visit} tally={tally} isOfFilm />
            </>
          }
        >
          <h1 dir="auto">{film.title}</h1>
        </OpeningFrame>
      </div>
      <div class="record film">
        {film.overview && <p class="prose">{film.overview}</p>}
        <Facts
          facts={[
            otherNamesFact(film.other_names),
            ['Released', film.release_date && date(film.release_date)],
            ['Length', film.runtime && duration(film.runtime)],
            ['Genres', film.genres.length > 0 && listed(film.genres.map(genreLink))],
            ['Countries', together(film.origin_country.map(country))],
            ['Poster', externalLink(film.poster_path, 'on another site')],
          ]}
        />
        {ceremonies.map((ceremony) => {
          const here = nominations.filter(({ ceremony_id }) => ceremony_id === ceremony.id);
          return (
            <Section
              key={ceremony.id}
              id={`ceremony-${ceremony.id}`}
              title={ceremonyLink(ceremony, ceremonyTitle(ceremony))}
            >
              <p class="tally">{joined(`Held in ${ceremony.ceremony_year}`, `for ${filmsOf(ceremony)}`)}</p>
              <NominationTable
                caption={`Nominations at the ceremony of ${ceremony.ceremony_year}`}
                nominations={here}
                shown={['category', 'nominees', 'outcome']}
              />
            </Section>
          );
        })}
        <Honors honors={honors} />
        <RecordLinks visit={visit} resource="movies" id={id}>
          <a href={compareHref('movies', [id])}>Compare with another film</a>
          {elsewhere(film.filmindex_id, ['movie', film.moviedb_id])}
        </RecordLinks>
      </div>
    </article>
  );
  const year = film.film_years ? ` (${film.film_years})` : '';
  return {
    title: film.title,
    description: `${film.title}${year}: ${tallyText(visit, { ...tally, years: undefined }, nominations)}`,
    body,
    canonical: hrefOf('movies', film),
    type: 'video.movie',
    thing: {
      '@type': 'Movie',
      name: film.title,
      alternateName: film.other_names,
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
