/** What search engines read about a record: schema.org in JSON-LD. */
import { isPerson } from '../../../api/contract/people.ts';
import type { Ceremony, Movie, Nominee, Song } from '../../../api/contract/resources.ts';
import { pagesElsewhere } from './addresses.ts';
import { entriesOf, groupBy } from './counts.ts';
import type { DetailedNomination, Nominated } from './record.ts';
import { ceremonyTitle } from '../shared/format.ts';

/** Members without a value are left out. */
type Thing = Readonly<Record<string, unknown>>;

const sameAs = (...ids: Parameters<typeof pagesElsewhere>): string[] =>
  pagesElsewhere(...ids).map(([, address]) => address);

/** "Directing, 1998 (won)", each once. */
const awards = (nominations: readonly DetailedNomination[]): string[] => [
  ...new Set(
    entriesOf(nominations).map(
      ({ first, winner }) => `${first.category}, ${first.ceremony_year} (${winner ? 'won' : 'nominated'})`,
    ),
  ),
];

function ofFilm(film: Nominated<Movie>): Thing {
  return {
    '@type': 'Movie',
    name: film.title,
    description: film.overview,
    datePublished: film.release_date,
    duration: film.runtime ? `PT${film.runtime}M` : null,
    genre: film.genres,
    countryOfOrigin: film.origin_country.map((name) => ({ '@type': 'Country', name })),
    sameAs: sameAs(film.filmindex_id, ['movie', film.moviedb_id]),
    award: awards(film.nominations),
  };
}

function ofPerson(person: Nominated<Nominee>): Thing {
  const { filmindex_id, known_for_department } = person;
  const isOne = isPerson(filmindex_id, known_for_department);
  return {
    '@type': isOne ? 'Person' : 'Organization',
    name: person.name,
    description: person.biography,
    ...(isOne && {
      birthDate: person.birthday,
      deathDate: person.deathday,
      birthPlace: person.place_of_birth && { '@type': 'Place', name: person.place_of_birth },
      jobTitle: known_for_department,
    }),
    sameAs: sameAs(filmindex_id, ['person', person.moviedb_person_id]),
    award: awards(person.nominations),
  };
}

/** schema.org gives awards to works, so those of a ceremony stand with its films. */
function ofCeremony({ record: ceremony, nominations }: Describable['ceremonies']): Thing {
  const won = nominations.filter(({ winner }) => winner);
  return {
    '@type': 'Event',
    name: ceremonyTitle(ceremony),
    description: ceremony.overview,
    startDate: ceremony.date ?? String(ceremony.ceremony_year),
    location: ceremony.venue && { '@type': 'Place', name: ceremony.venue, address: ceremony.venue },
    sameAs: ceremony.wikiurl,
    workFeatured: groupBy(won, ({ movie_id }) => movie_id).map(([, own]) => ({
      '@type': 'Movie',
      name: own[0]!.movie,
      award: awards(own),
    })),
  };
}

const ofSong = (song: Nominated<Song>): Thing => ({
  '@type': 'MusicComposition',
  name: song.original_title,
  composer: song.artist_names,
  award: awards(song.nominations),
});

/** The records that schema.org has a type for. */
export interface Describable {
  movies: Nominated<Movie>;
  nominees: Nominated<Nominee>;
  ceremonies: { record: Ceremony; nominations: readonly DetailedNomination[] };
  songs: Nominated<Song>;
}

const things: { readonly [K in keyof Describable]: (value: Describable[K]) => Thing } = {
  movies: ofFilm,
  nominees: ofPerson,
  ceremonies: ofCeremony,
  songs: ofSong,
};

/** @param url of the page */
export function structuredData<K extends keyof Describable>(
  kind: K,
  value: Describable[K],
  url: string,
): Thing {
  const thing = { '@context': 'https://schema.org', '@id': url, url, ...things[kind](value) };
  const isEmpty = (member: unknown) => !member || (Array.isArray(member) && member.length === 0);
  return Object.fromEntries(Object.entries(thing).filter(([, member]) => !isEmpty(member)));
}
