/** The generated records. Each depends on the seed and its arguments only. */
import {
  type Ceremony,
  type Movie,
  resourceSchemas,
  type Nominee,
  type Song,
} from '../../api/contract/resources.ts';
import { ordinal } from '../reference/reference.ts';
import { careerLength } from './cast.ts';
import { type FilmKind, type Guild, guilds } from './categories.ts';
import type { Random, Streams } from './random.ts';
import {
  biography,
  compose,
  fill,
  filmTitle,
  nomineeName,
  plot,
  sentences,
  songTitle,
  wordsOf,
} from './text.ts';

/** The latest year of any generated date. */
const presentYear = 2026;

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A random day of a year, or of some of its months (1 to 12, both included), as YYYY-MM-DD. No Date: it knows time zones. */
function dayIn(random: Random, year: number, firstMonth = 1, lastMonth = 12): string {
  const month = random.between(firstMonth, lastMonth);
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const day = random.between(1, daysOfMonths[month - 1]! + (month === 2 && isLeapYear ? 1 : 0));
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

// Multiplying modulo a prime maps ids below the prime to different numbers.
const moviedbPrime = 9_999_991;
const filmindexPrime = 99_999_989;

/** An id of the external movie database, unique per resource. */
const moviedbId = (id: number): number => (id * 48_271) % moviedbPrime;

/** An id of the external film index: the prefix and 7 or 8 digits, unique per prefix. */
const filmindexId = (prefix: 'tt' | 'nm' | 'co', id: number): string =>
  prefix + String((id * 1_597_463) % filmindexPrime).padStart(7, '0');

const earlyYears = [1929, 1930, 1930, 1931, 1932];

/** The year of a ceremony: 1930 had two, 1933 none. */
export const ceremonyYear = (ceremony: number): number => earlyYears[ceremony - 1] ?? 1928 + ceremony;

/** @param id also the number of the ceremony */
export function ceremonyRecord(streams: Streams, id: number): Ceremony {
  const random = streams.of('ceremony', id);
  const year = ceremonyYear(id);
  const [first, second, third] = sentences(random, 'moment', 3) as [string, string, string];
  const hall = fill(random, '{hall}');
  // In spring, but the second of 1930 and the next two in November.
  const months = id >= 3 && id <= 5 ? ([11, 11] as const) : ([2, 4] as const);
  const image = (moment: number) => `https://images.example/ceremony/${id}/moment-${moment}.jpg`;
  return {
    id,
    ceremony_year: year,
    date: dayIn(random, year, ...months),
    show_title: `${ordinal(id)} Film Awards`,
    venue: fill(random, `${hall}, {place}`),
    overview: `The ${ordinal(id)} ceremony honoured the films of ${year - 1}. ${first}`,
    movies_eligible: `Films released from 1 January to 31 December ${year - 1}.`,
    wikiurl: `https://encyclopedia.example/wiki/${ordinal(id)}_Film_Awards`,
    moment_1_caption: first,
    moment_2_caption: second,
    moment_3_caption: third,
    moment_1_img_url: image(1),
    moment_2_img_url: image(2),
    moment_3_img_url: image(3),
  };
}

const runtimes: Record<FilmKind, [from: number, to: number]> = {
  feature: [72, 214],
  documentary: [38, 140],
  short: [2, 40],
};

/** The film with an invented text or number in each field that has no rule here: a field new in the schema has a value too. */
function completed(random: Random, film: Partial<Movie>): Movie {
  const values: Record<string, unknown> = { ...film };
  for (const [name, schema] of Object.entries(resourceSchemas.movies.properties)) {
    if (name in values) continue;
    const isNumber = /"type":"integer"/.test(JSON.stringify(schema));
    values[name] = isNumber ? random.between(1, 1000) : compose(random, '{determiner} {noun}');
  }
  return values as unknown as Movie;
}

/** A film of the year before its ceremony. */
export function movieRecord(streams: Streams, id: number, kind: FilmKind, year: number): Movie {
  const random = streams.of('film', id);
  const filmindex = filmindexId('tt', id);
  const chosen = random.sample(wordsOf('genre'), random.between(1, 3));
  if (kind === 'documentary') chosen.unshift('Documentary');
  if (kind === 'short' && random.oneIn(2)) chosen.unshift('Animation');
  return completed(random, {
    id,
    title: filmTitle(streams, id),
    tagline: compose(random, '{determiner} {noun} has a {noun}.'),
    overview: plot(random),
    release_date: dayIn(random, year - 1),
    runtime: random.between(...runtimes[kind]),
    genres: [...new Set(chosen)],
    origin_country: [...new Set(random.sample(wordsOf('countryCode'), random.oneIn(4) ? 2 : 1))],
    moviedb_id: moviedbId(id),
    filmindex_id: filmindex,
    poster_path: `https://images.example/poster/${filmindex}.jpg`,
    backdrop_path: `https://images.example/backdrop/${filmindex}.jpg`,
  });
}

/** @param year of the first nomination */
export function nomineeRecord(streams: Streams, id: number, guild: Guild, year: number): Nominee {
  const random = streams.of('nominee', id);
  const department = guilds[guild];
  const isCompany = department === null;
  const name = nomineeName(random, id, isCompany);
  const birth = year - random.between(isCompany ? 1 : 18, isCompany ? 40 : 62);
  // After the last possible nomination: the ceremonies of a career can take two years more than their number.
  const death = Math.max(birth + random.between(45, 98), year + careerLength + 2);
  const filmindex = filmindexId(isCompany ? 'co' : 'nm', id);
  return {
    id,
    name,
    biography: biography(random, name, year, department ?? 'producing films'),
    birthday: dayIn(random, birth),
    deathday: death < presentYear && !isCompany ? dayIn(random, death) : null,
    place_of_birth: compose(random, '{place}, {country}'),
    known_for_department: department,
    homepage: `https://people.example/${filmindex}/`,
    moviedb_person_id: moviedbId(id),
    filmindex_id: filmindex,
    profile_path: `https://images.example/profile/${filmindex}.jpg`,
  };
}

const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

/** @param year of the ceremony */
export function songRecord(streams: Streams, id: number, movieId: number, year: number): Song {
  const random = streams.of('song', id);
  const title = songTitle(random, id);
  const film = filmTitle(streams, movieId);
  const track = Array.from({ length: 22 }, () => random.pick(base62)).join('');
  const artists = Array.from({ length: random.oneIn(3) ? random.between(2, 3) : 1 }, () =>
    compose(random, '{personName}'),
  );
  return {
    id,
    original_title: title,
    artist_names: artists.join(random.oneIn(3) ? ' & ' : ', '),
    streaming_id: track,
    streaming_url: `https://streaming.example/track/${track}`,
    streaming_track_name: `${title} - From "${film}"`,
    streaming_album_name: `${film} (Original Motion Picture Soundtrack)`,
    // Streaming services carry many old songs as late reissues.
    streaming_year: random.oneIn(2) ? year - 1 : random.between(year - 1, presentYear),
  };
}
