/** Expected answers of the six lists and of search: which records, in which order, and the page cut from them. */
import type { Category, Ceremony, Movie, Nomination, Nominee, Song } from '../../api/contract/resources.ts';
import {
  amongIds,
  exactBoolean,
  exactNumber,
  exactText,
  inYears,
  nominatedInYears,
  ofGenre,
  partial,
} from './filters.ts';
import type { Given } from './parameters.ts';
import { byId } from './record.ts';
import type { View } from './view.ts';

/** `limit` as it is answered: 25 unless given, never over 100. */
export function effectiveLimit(given: Given): number {
  return Math.min(100, Number(given.get('limit') ?? '25'));
}

function paginated<Row>(rows: readonly Row[], given: Given) {
  const page = Number(given.get('page') ?? '1');
  const limit = effectiveLimit(given);
  const total = rows.length;
  const totalPages = Math.ceil(total / limit);
  return {
    data: rows.slice((page - 1) * limit, page * limit),
    pagination: { total, page, limit, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 },
  };
}

function unpaginated<Row>(rows: readonly Row[]) {
  return { data: rows, count: rows.length };
}

export function nominationsList(view: View, given: Given) {
  return paginated(nominationsFiltered(view, given), given);
}

function nominationsFiltered(view: View, given: Given): Nomination[] {
  const id = amongIds(given, 'ids');
  const year = inYears(given);
  const nominee = partial(view, given, 'nominee');
  const movie = partial(view, given, 'movie');
  const category = partial(view, given, 'category');
  const winner = exactBoolean(given, 'winner');
  const isSong = exactBoolean(given, 'is_song');
  const ceremonyId = amongIds(given, 'ceremony_ids');
  const categoryId = amongIds(given, 'category_ids');
  const movieId = amongIds(given, 'movie_ids');
  const nomineeId = amongIds(given, 'nominee_ids');
  return view.record.nominations.filter(
    (nomination) =>
      id(nomination.id) &&
      year(nomination.ceremony_year) &&
      nominee(nomination.nominee) &&
      movie(nomination.movie) &&
      category(nomination.category) &&
      winner(nomination.winner) &&
      isSong(nomination.is_song) &&
      ceremonyId(nomination.ceremony_id) &&
      categoryId(nomination.category_id) &&
      movieId(nomination.movie_id) &&
      nomineeId(nomination.nominee_id),
  );
}

/** Newest first: by year, and of two in one year the one with the higher id. */
export function ceremoniesList(view: View, given: Given) {
  const id = amongIds(given, 'ids');
  const year = inYears(given);
  const newestFirst = (left: Ceremony, right: Ceremony) =>
    right.ceremony_year - left.ceremony_year || right.id - left.id;
  return unpaginated(
    view.record.ceremonies
      .filter((ceremony) => id(ceremony.id) && year(ceremony.ceremony_year))
      .sort(newestFirst),
  );
}

export function moviesList(view: View, given: Given) {
  const id = amongIds(given, 'ids');
  const nominated = nominatedInYears(view, given, 'movie_id');
  const title = partial(view, given, 'title');
  const moviedbId = exactNumber(given, 'moviedb_id');
  const filmindexId = exactText(given, 'filmindex_id');
  const genres = ofGenre(view, given);
  const fits = (movie: Movie) =>
    id(movie.id) &&
    nominated(movie.id) &&
    title(movie.title) &&
    moviedbId(movie.moviedb_id) &&
    filmindexId(movie.filmindex_id) &&
    genres(movie.genres);
  return paginated(view.record.movies.filter(fits), given);
}

export function nomineesList(view: View, given: Given) {
  const id = amongIds(given, 'ids');
  const nominated = nominatedInYears(view, given, 'nominee_id');
  const name = partial(view, given, 'name');
  const moviedbPersonId = exactNumber(given, 'moviedb_person_id');
  const filmindexId = exactText(given, 'filmindex_id');
  const department = partial(view, given, 'known_for_department');
  const fits = (nominee: Nominee) =>
    id(nominee.id) &&
    nominated(nominee.id) &&
    name(nominee.name) &&
    moviedbPersonId(nominee.moviedb_person_id) &&
    filmindexId(nominee.filmindex_id) &&
    department(nominee.known_for_department);
  return paginated(view.record.nominees.filter(fits), given);
}

export function categoriesList(view: View, given: Given) {
  const id = amongIds(given, 'ids');
  const nominated = nominatedInYears(view, given, 'category_id');
  const name = partial(view, given, 'category_name');
  const group = partial(view, given, 'category_group');
  const fits = (category: Category) =>
    id(category.id) &&
    nominated(category.id) &&
    name(category.category_name) &&
    group(category.category_group);
  return unpaginated(view.record.categories.filter(fits));
}

export function songsList(view: View, given: Given) {
  const id = amongIds(given, 'ids');
  const year = inYears(given);
  const title = partial(view, given, 'title');
  const artist = partial(view, given, 'artist');
  const fits = (song: Song) =>
    id(song.id) && year(song.streaming_year) && title(song.original_title) && artist(song.artist_names);
  return paginated(view.record.songs.filter(fits), given);
}

/** Relevance first, then the filters, then the page. */
export function searchAnswer(view: View, given: Given) {
  const query = given.get('q')!;
  const winner = exactBoolean(given, 'winner');
  const year = inYears(given);
  const nominations = byId(view.record.nominations);
  const found = view.relevance
    .matches(query)
    .map((id) => nominations.get(id)!)
    .filter((nomination) => winner(nomination.winner) && year(nomination.ceremony_year));
  return { query, ...paginated(found, given) };
}
