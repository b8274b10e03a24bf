/** @jsxRuntime automatic @jsxImportSource preact */
/** Pages of films, people, songs and nominations. */
import { filmYear } from '../../../../api/contract/film-year.ts';
import type {
  Category,
  Ceremony,
  Movie,
  Details,
  Nomination,
  Nominee,
  Song,
} from '../../../../api/contract/resources.ts';
import {
  capitalized,
  ceremonyTitle,
  count,
  country,
  date,
  duration,
  filmYears,
  historicalName,
  joined,
  together,
} from '../../shared/format.ts';
import { awardsOf } from '../awards.ts';
import { tallyOf, totalsByYear } from '../counts.ts';
import { awardHref, compareHref, nominationsHref, rankingHref } from '../addresses.ts';
import {
  elsewhere,
  externalLink,
  Facts,
  Portrait,
  RecordLinks,
  TallyLine,
  TitleCard,
} from '../parts/facts.tsx';
import { ceremonyLink, commaList, NominationTable, recordLink } from '../parts/nominations.tsx';
import { Rows } from '../parts/lists.tsx';
import { Heading, recordPage, Section, useAnswer } from '../parts/page.tsx';
import { PlotLegend, YearPlot } from '../parts/year-plot.tsx';
import type { CeremonySummary, DetailedNomination, Nominated, Reading } from '../record.ts';

interface WholeFilm extends Nominated<Movie> {
  /** At which it was nominated, each once. */
  ceremonies: CeremonySummary[];
}

/** A film with its nominations in the order of the categories, as on the page of a ceremony. */
async function loadFilm(reading: Reading, id: number): Promise<WholeFilm> {
  const film = await reading.nominated<Movie>('movies', id);
  const ids = [...new Set(film.nominations.map(({ ceremony_id }) => ceremony_id))];
  const all = await reading.ceremonies();
  const ceremonies = ids.flatMap((own) => all.find((ceremony) => ceremony.id === own) ?? []);
  const awards = await awardsOf(reading, film.nominations);
  return { ...film, nominations: awards.flatMap(({ nominations }) => nominations), ceremonies };
}

function Film({ record: film }: { record: WholeFilm }) {
  const { nominations, ceremonies } = film;
  const tally = tallyOf(nominations);
  const [first] = ceremonies;
  return (
    <article class="record">
      <TitleCard poster={film.poster_path} year={first && filmYear(first)} wins={tally.wins} />
      <div>
        <Heading title={film.title} above={<a href="/movies">Films</a>}>
          {film.tagline && <p class="tagline">{film.tagline}</p>}
          <TallyLine tally={tally} isOfFilm />
        </Heading>
        {film.overview && <p class="prose">{film.overview}</p>}
        <Facts
          facts={[
            ['Released', film.release_date && date(film.release_date)],
            ['Film year', film.release_date === null && first && filmYears(first.movies_eligible)],
            ['Length', film.runtime && duration(film.runtime)],
            ['Genres', film.genres.length > 0 && commaList(film.genres, genreLink, String)],
            ['Countries', together(film.origin_country.map(country))],
            ['Poster', externalLink(film.poster_path, 'on another site')],
            ['Elsewhere', elsewhere(film.filmindex_id, ['movie', film.moviedb_id])],
          ]}
        />
        {ceremonies.map((ceremony) => (
          <FilmCeremony
            key={ceremony.id}
            nominations={nominations.filter(({ ceremony_id }) => ceremony_id === ceremony.id)}
            ceremony={ceremony}
          />
        ))}
        <RecordLinks resource="movies" id={film.id}>
          <a href={compareHref('movies', [film.id])}>Compare with another film</a>
        </RecordLinks>
      </div>
    </article>
  );
}

const genreLink = (genre: string) => <a href={`/movies?${new URLSearchParams({ genre })}`}>{genre}</a>;

function FilmCeremony(props: { nominations: readonly DetailedNomination[]; ceremony: CeremonySummary }) {
  const { nominations, ceremony } = props;
  const { ceremony_id, ceremony_year } = nominations[0]!;
  const films = filmYears(ceremony.movies_eligible);
  return (
    <Section id={`ceremony-${ceremony_id}`} title={ceremonyLink(ceremony, ceremonyTitle(ceremony))}>
      <p class="tally">{joined(`Held in ${ceremony_year}`, films && `for films of ${films}`)}</p>
      <NominationTable
        caption={`${count(tallyOf(nominations).nominations, 'nomination')} at the ceremony of ${ceremony_year}`}
        nominations={nominations}
        shown={['category', 'nominees', 'outcome']}
      />
    </Section>
  );
}

function Person({ record: person }: { record: Nominated<Nominee> }) {
  const { name, nominations, known_for_department: department } = person;
  return (
    <article class="record">
      <Portrait address={person.profile_path} name={name} />
      <div>
        <Heading title={name} above={<a href="/nominees">People and companies</a>}>
          <TallyLine tally={tallyOf(nominations)} />
        </Heading>
        {person.biography && <p class="prose">{person.biography}</p>}
        <Facts
          facts={[
            ['Known for', department && departmentLink(department)],
            ['First nominated', firstYear(nominations, person.birthday)],
            [
              'First won',
              firstYear(
                nominations.filter(({ winner }) => winner),
                person.birthday,
              ),
            ],
            ['Born', person.birthday && date(person.birthday)],
            ['Died', person.deathday && date(person.deathday)],
            ['Place of birth', person.place_of_birth],
            ['Website', externalLink(person.homepage, 'official website')],
            ['Portrait', externalLink(person.profile_path, 'on another site')],
            ['Elsewhere', elsewhere(person.filmindex_id, ['person', person.moviedb_person_id])],
          ]}
        />
        <Career id={person.id} nominations={nominations} />
        {nominations.length > 0 && (
          <Section id="nominations" title="Nominations">
            <NominationTable
              caption={`Nominations of ${name}, latest first`}
              nominations={[...nominations].reverse()}
              shown={['year', 'film', 'category', 'outcome']}
            />
          </Section>
        )}
        <PersonHonors id={person.id} />
        <RecordLinks resource="nominees" id={person.id}>
          <a href={compareHref('nominees', [person.id])}>Compare with someone else</a>
        </RecordLinks>
      </div>
    </article>
  );
}

/** "1979", or "1979, about 30 years old" where the birthday is known; undefined without nominations. */
function firstYear(nominations: readonly DetailedNomination[], birthday: string | null): string | undefined {
  const year = tallyOf(nominations).years?.[0];
  if (year === undefined) return undefined;
  return birthday === null ? String(year) : `${year}, about ${year - Number(birthday.slice(0, 4))} years old`;
}

/** A shorter career needs no timeline. */
const minCareer = 8;

function Career({ id, nominations }: { id: number; nominations: readonly DetailedNomination[] }) {
  const totals = totalsByYear(nominations);
  const { years } = tallyOf(nominations);
  if (!years || totals.length < 3 || years[1] - years[0] < minCareer) return null;
  return (
    <Section id="career" title="Career">
      <PlotLegend />
      <YearPlot
        totals={totals}
        years={years}
        hrefOf={(first, last) => nominationsHref(`nominee_ids=${id}`, first, last)}
        label="Nominations and wins by year; the table below has them all"
        isLow
      />
    </Section>
  );
}

function PersonHonors({ id }: { id: number }) {
  const { value: rows = [] } = useAnswer(`honors/${id}`, ({ honorsOf }) => honorsOf(id));
  if (rows.length === 0) return null;
  return (
    <Section id="honors" title="Honors">
      <Rows rows={rows} />
    </Section>
  );
}

function departmentLink(name: string) {
  const query = new URLSearchParams({ known_for_department: name });
  return <a href={rankingHref('top-nominees', String(query))}>{name}</a>;
}

function SongContent({ record: song }: { record: Nominated<Song> }) {
  const won = song.nominations.some(({ winner }) => winner);
  return (
    <article>
      <Heading title={`“${song.original_title}”`} above={<a href="/songs">Songs</a>}>
        {song.artist_names && <p class="tagline">{song.artist_names}</p>}
        <p class="tally">{won ? <strong class="won">Won</strong> : 'Nominated'}</p>
      </Heading>
      <Facts
        facts={[
          ['Recording', externalLink(song.streaming_url, song.streaming_track_name ?? 'listen elsewhere')],
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
            isOfSong
          />
        </Section>
      )}
      <RecordLinks resource="songs" id={song.id} />
    </article>
  );
}

/** A nomination with the records it refers to. */
type WholeNomination = Omit<Nomination, 'category' | 'movie' | 'nominee'> & {
  category: Category;
  movie: Movie;
  nominee: Nominee;
  ceremony: Ceremony;
  song?: Song;
  details: Details;
};

async function loadNomination(reading: Reading, id: number): Promise<WholeNomination> {
  const record = await reading.record<Omit<WholeNomination, 'details'>>('nominations', id);
  const [details] = await reading.details([id]);
  return { ...record, details: details! };
}

function NominationContent({ record }: { record: WholeNomination }) {
  const { id, category, movie, nominee, ceremony, song, winner, details } = record;
  return (
    <article>
      <Heading
        title={`${nominee.name}, ${movie.title}`}
        above={ceremonyLink(ceremony, ceremonyTitle(ceremony))}
      >
        <p class="tally">
          {winner ? <strong class="won">Won</strong> : 'Nominated, did not win'} · {category.category_name} ·{' '}
          {ceremony.ceremony_year}
        </p>
      </Heading>
      {!details.official && <p class="advice">This is not an official nomination.</p>}
      {details.note !== null && <p class="prose">{capitalized(details.note)}</p>}
      <Facts
        facts={[
          ['Category', recordLink('categories', category.id, category.category_name)],
          ['Category at the time', historicalName(details.historical_category, category.category_name)],
          ['Film', recordLink('movies', movie.id, movie.title)],
          ['Song', song && recordLink('songs', song.id, song.original_title)],
          ['Nominated', recordLink('nominees', nominee.id, nominee.name)],
          ['Role', details.character],
          ['Ceremony', ceremonyLink(ceremony, ceremonyTitle(ceremony))],
          ['Held on', ceremony.date && date(ceremony.date)],
          ['Films eligible', ceremony.movies_eligible],
        ]}
      />
      <RecordLinks resource="nominations" id={id}>
        <a href={awardHref(ceremony, category.id)}>Everyone nominated in this category that year</a>
      </RecordLinks>
    </article>
  );
}

export const FilmPage = recordPage('movies', Film, loadFilm);
export const PersonPage = recordPage('nominees', Person, ({ nominated }, id) =>
  nominated<Nominee>('nominees', id),
);
export const SongPage = recordPage('songs', SongContent, ({ nominated }, id) => nominated<Song>('songs', id));
export const NominationPage = recordPage('nominations', NominationContent, loadNomination);
