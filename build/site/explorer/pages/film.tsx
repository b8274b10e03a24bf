/** The page of a film: what is known of it, and what it was nominated for. */
import type { Movie, Nomination } from '../../../../api/contract/resources.ts';
import { useAnswer } from '../answers.ts';
import { entriesOf, filmTallyOf, groupBy } from '../entries.ts';
import { count, country, date, duration, together } from '../format.ts';
import { elsewhere, Facts, Picture, RecordLinks, TallyLine } from '../parts/facts.tsx';
import { NominationTable } from '../parts/nominations.tsx';
import { Heading, Section, Shown } from '../parts/page.tsx';
import { askRecord } from '../record.ts';

type Film = Movie & { nominations: Nomination[] };

export function FilmPage({ id }: { id: number }) {
  const answer = useAnswer(`movies/${id}`, () => askRecord<Film>('movies', id));
  return (
    <Shown answer={answer} what="film">
      {(film) => <FilmShown film={film} />}
    </Shown>
  );
}

function FilmShown({ film }: { film: Film }) {
  const { nominations } = film;
  const tally = filmTallyOf(nominations);
  const ceremonies = groupBy(nominations, ({ ceremony_id }) => ceremony_id);
  return (
    <article class="record">
      <Picture address={film.poster_path} name={film.title} kind="film" />
      <div>
        <Heading title={film.title} above={<a href="/movies">Films</a>}>
          {film.tagline && <p class="tagline">{film.tagline}</p>}
          <TallyLine tally={tally} />
        </Heading>
        {film.overview && <p class="prose">{film.overview}</p>}
        <Facts
          facts={[
            ['Released', film.release_date && date(film.release_date)],
            ['Length', film.runtime && duration(film.runtime)],
            ['Genres', film.genres.length > 0 && <Genres genres={film.genres} />],
            ['Countries', together(film.origin_country.map(country))],
            ['Poster', elsewhere(film.poster_path, 'on another site')],
          ]}
        />
        {entriesOf(nominations).length > tally.nominations && (
          <p class="advice">A film counts once in each category, however often it was nominated there.</p>
        )}
        {ceremonies.map(([ceremony, own]) => (
          <Section
            key={ceremony}
            id={`ceremony-${ceremony}`}
            title={<a href={`/ceremonies/${ceremony}`}>Ceremony of {own[0]!.ceremony_year}</a>}
          >
            <NominationTable
              caption={`${count(own.length, 'nomination')} at the ceremony of ${own[0]!.ceremony_year}`}
              nominations={own}
              shown={own.some((it) => it.is_song) ? withSongs : withoutSongs}
            />
          </Section>
        ))}
        <RecordLinks resource="movies" id={film.id} />
      </div>
    </article>
  );
}

const withoutSongs = ['category', 'nominees', 'outcome'] as const;
const withSongs = ['category', 'song', 'nominees', 'outcome'] as const;

const Genres = ({ genres }: { genres: readonly string[] }) => (
  <>
    {genres.map((genre, i) => (
      <span key={genre}>
        {i > 0 && ', '}
        <a href={`/movies?${new URLSearchParams({ genre })}`}>{genre}</a>
      </span>
    ))}
  </>
);
