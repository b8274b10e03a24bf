/**
 * Finds the record of each thing in a dataset. First by identity: the id, or the name if there is no id, compared with the
 * values that sources gave last and then with the current values. Then by *adoption*: a record without an id, in the same
 * nomination and under the same name, is the thing, which brings its id. Whole datasets are matched before records are added,
 * because the last entry of a dataset may decide an adoption.
 */
import type { ResourceName } from '../../api/contract/names.ts';
import {
  type Dataset,
  type Film,
  filmKey,
  identityKey,
  type Nominee,
  nomineeKey,
  type Song,
} from './dataset.ts';
import { type RecordMerge, sourceValue, type Values } from './record-merge.ts';

export type Merges = Record<ResourceName, RecordMerge>;

/** Key → ids of its records, ascending. The first that is free matches. */
export type Index = Map<string, number[]>;

export function addToIndex(index: Index, key: string, id: number): void {
  const ids = index.get(key);
  if (ids) ids.push(id);
  else index.set(key, [id]);
}

/** Pairs things with records, one to one. */
export class Matching<Thing> {
  readonly #matched = new Map<Thing, number>();
  readonly #taken = new Set<number>();

  /** Matches a thing that has no record yet with the first free id. @returns that id, if both exist */
  offer(thing: Thing, ids: readonly number[] = []): number | undefined {
    if (this.#matched.has(thing)) return undefined;
    const id = ids.find((candidate) => !this.#taken.has(candidate));
    if (id === undefined) return undefined;
    this.#matched.set(thing, id);
    this.#taken.add(id);
    return id;
  }

  /** Updates the matched records and adds the missing ones. @returns thing → id */
  addOrUpdate(
    merge: RecordMerge,
    things: readonly Thing[],
    valuesOf: (thing: Thing) => Values,
  ): Map<Thing, number> {
    return new Map(
      things.map((thing) => [thing, merge.addOrUpdate(this.#matched.get(thing), valuesOf(thing))]),
    );
  }
}

/** Matches all films and merges their values. @returns film → id */
export function matchFilms(
  dataset: Dataset,
  merges: Merges,
  categoryOf: ReadonlyMap<number, number>,
  valuesOf: (film: Film) => Values,
): Map<Film, number> {
  const matching = identified(dataset.films, filmKey, merges.movies, 'title');
  // A ceremony can have two films with one title, so the precise match comes first.
  const precise = (...place: unknown[]) => place.join('\t');
  const loose = (ceremony: unknown, title: unknown) => [ceremony, title].join('\t');
  for (const keyOf of [precise, loose]) {
    const places: Index = new Map();
    for (const { current } of merges.nominations.records()) {
      const movie = merges.movies.get(current.movie_id as number)!;
      if (sourceValue(movie, 'filmindex_id') !== null) continue;
      const title = sourceValue(movie, 'title');
      const name = sourceValue(merges.nominees.get(current.nominee_id as number)!, 'name');
      addToIndex(places, keyOf(current.ceremony_id, title, current.category_id, name), movie.id);
    }
    for (const { ceremony, category, film, titledAs, creditedAs } of dataset.entries)
      if (film.filmindexId !== null)
        matching.offer(film, places.get(keyOf(ceremony, titledAs, categoryOf.get(category), creditedAs)));
  }
  return matching.addOrUpdate(merges.movies, dataset.films, valuesOf);
}

/** Matches all nominees and merges their values. @returns nominee → id */
export function matchNominees(
  dataset: Dataset,
  merges: Merges,
  categoryOf: ReadonlyMap<number, number>,
  movieOf: ReadonlyMap<Film, number>,
  valuesOf: (nominee: Nominee) => Values,
): Map<Nominee, number> {
  const matching = identified(dataset.nominees, nomineeKey, merges.nominees, 'name');
  const keyOf = (...place: unknown[]) => place.join('\t');
  const places: Index = new Map();
  for (const { current } of merges.nominations.records()) {
    const nominee = merges.nominees.get(current.nominee_id as number)!;
    if (sourceValue(nominee, 'filmindex_id') !== null) continue;
    const { ceremony_id, category_id, movie_id } = current;
    addToIndex(places, keyOf(ceremony_id, category_id, movie_id, sourceValue(nominee, 'name')), nominee.id);
  }
  for (const { ceremony, category, film, nominee, creditedAs } of dataset.entries) {
    if (nominee.filmindexId === null) continue;
    const place = keyOf(ceremony, categoryOf.get(category), movieOf.get(film), creditedAs);
    matching.offer(nominee, places.get(place));
  }
  return matching.addOrUpdate(merges.nominees, dataset.nominees, valuesOf);
}

/** Matches all songs by film and title, and merges their values. @returns song → id */
export function matchSongs(
  dataset: Dataset,
  merges: Merges,
  movieOf: ReadonlyMap<Film, number>,
  valuesOf: (song: Song) => Values,
): Map<Song, number> {
  const bySource: Index = new Map();
  const byAny: Index = new Map();
  for (const nomination of merges.nominations.records()) {
    const movies = [sourceValue(nomination, 'movie_id'), nomination.current.movie_id];
    for (const id of [sourceValue(nomination, 'song_id'), nomination.current.song_id]) {
      const song = merges.songs.get(id as number);
      if (!song) continue;
      const titles = [sourceValue(song, 'original_title'), song.current.original_title];
      addToIndex(bySource, `${movies[0]}\t${titles[0]}`, song.id);
      for (const movie of movies)
        for (const title of titles) addToIndex(byAny, `${movie}\t${title}`, song.id);
    }
  }
  const matching = new Matching<Song>();
  for (const index of [bySource, byAny])
    for (const song of dataset.songs)
      matching.offer(song, index.get(`${movieOf.get(song.film)}\t${song.title}`));
  return matching.addOrUpdate(merges.songs, dataset.songs, valuesOf);
}

/** Matches things by their id, or by their name if there is no id. */
function identified<Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => string,
  merge: RecordMerge,
  nameField: string,
): Matching<Thing> {
  const bySource: Index = new Map();
  const byCurrent: Index = new Map();
  for (const { id, current, fromSource } of merge.records()) {
    addToIndex(bySource, recordKey({ ...current, ...fromSource }, nameField), id);
    addToIndex(byCurrent, recordKey(current, nameField), id);
  }
  const matching = new Matching<Thing>();
  for (const index of [bySource, byCurrent])
    for (const thing of things) matching.offer(thing, index.get(keyOf(thing)));
  return matching;
}

const recordKey = (values: Values, nameField: string) =>
  identityKey(values.filmindex_id as string | null, values[nameField] as string);
