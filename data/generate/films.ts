/** The films: their records. */
import type { Movie } from '../../api/contract/resources.ts';
import type { FilmKind } from './categories.ts';
import { dayIn } from './dates.ts';
import { filmindexId, moviedbId } from './identifiers.ts';
import { plot, tagline } from './prose.ts';
import type { Streams } from './random.ts';
import { filmTitle } from './titles.ts';

const genres = [
  'Drama',
  'Drama',
  'Drama',
  'Comedy',
  'Comedy',
  'Romance',
  'Thriller',
  'History',
  'War',
  'Music',
  'Crime',
  'Adventure',
  'Action',
  'Fantasy',
  'Science Fiction',
  'Mystery',
  'Western',
  'Family',
  'Film-Noir',
  'Horror',
];
const countryCodes = [
  'US',
  'US',
  'US',
  'US',
  'US',
  'US',
  'GB',
  'GB',
  'FR',
  'FR',
  'IT',
  'DE',
  'CA',
  'JP',
  'SE',
  'ES',
  'AU',
  'IN',
  'MX',
  'PL',
  'DK',
  'NO',
  'BR',
  'AR',
  'KR',
  'CN',
  'HU',
  'CZ',
  'TR',
  'IS',
  'IE',
  'NZ',
  'ZA',
  'SN',
  'IR',
  'GR',
];
const minutes: Record<FilmKind, [from: number, to: number]> = {
  feature: [72, 214],
  documentary: [38, 140],
  short: [2, 40],
};

/** The record of a film of the year before its ceremony. */
export function movieRecord(streams: Streams, id: number, kind: FilmKind, ceremonyYear: number): Movie {
  const random = streams.of('film', id);
  const filmindex = filmindexId('tt', id);
  const chosen = random.sample(genres, random.between(1, 3));
  if (kind === 'documentary') chosen.unshift('Documentary');
  if (kind === 'short' && random.oneIn(2)) chosen.unshift('Animation');
  return {
    id,
    title: filmTitle(streams, id),
    tagline: tagline(random),
    overview: plot(random),
    release_date: dayIn(random, ceremonyYear - 1),
    runtime: random.between(...minutes[kind]),
    genres: [...new Set(chosen)],
    origin_country: [...new Set(random.sample(countryCodes, random.oneIn(4) ? 2 : 1))],
    moviedb_id: moviedbId(id),
    filmindex_id: filmindex,
    poster_path: `https://images.example/poster/${filmindex}.jpg`,
    backdrop_path: `https://images.example/backdrop/${filmindex}.jpg`,
  };
}
