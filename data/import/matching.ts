/**
 * Which record of the database each thing in a dataset is. Identity comes first: the id, or the name where no id is known,
 * as sources gave it and, where that finds nothing, as an editor has it. Then *adoption*: a record without an id (of the
 * sample, an editor or an older source) that stands where the source names a thing with an id, under the same name, is
 * that thing. Whole datasets are matched before anything is added, because what decides an adoption may stand far below
 * the first mention.
 */
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

/** The six resources while an import runs. */
export interface Merges {
  ceremonies: RecordMerge;
  categories: RecordMerge;
  movies: RecordMerge;
  nominees: RecordMerge;
  songs: RecordMerge;
  nominations: RecordMerge;
}

/** Key → ids of the records that have it, ascending: of records that cannot be told apart the oldest is meant. */
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

  /** Gives a thing that has no record yet the first of these that no other thing has; answers with it. */
  offer(thing: Thing, ids: readonly number[] = []): number | undefined {
    if (this.#matched.has(thing)) return undefined;
    const id = ids.find((candidate) => !this.#taken.has(candidate));
    if (id === undefined) return undefined;
    this.#matched.set(thing, id);
    this.#taken.add(id);
    return id;
  }

  /** Things → ids; for those that have no record one is added. */
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

/** Films → ids of movies; those the database lacks are added. */
export function matchFilms(
  dataset: Dataset,
  merges: Merges,
  categoryOf: ReadonlyMap<number, number>,
  valuesOf: (film: Film) => Values,
): Map<Film, number> {
  const matching = identified(dataset.films, filmKey, merges.movies, 'title');
  // Two films of one title at one ceremony do occur; where a nominee decides which is meant, it goes first.
  const precise = (ceremony: unknown, title: unknown, category: unknown, nominee: unknown) =>
    [ceremony, title, category, nominee].join('\t');
  const loose = (ceremony: unknown, title: unknown) => [ceremony, title].join('\t');
  for (const clue of [precise, loose]) {
    const places: Index = new Map();
    for (const { current } of merges.nominations.records()) {
      const movie = merges.movies.get(current.movie_id as number)!;
      if (sourceValue(movie, 'filmindex_id') !== null) continue;
      const title = sourceValue(movie, 'title');
      const name = sourceValue(merges.nominees.get(current.nominee_id as number)!, 'name');
      addToIndex(places, clue(current.ceremony_id, title, current.category_id, name), movie.id);
    }
    for (const { ceremony, category, film, titledAs, creditedAs } of dataset.entries)
      if (film.filmindexId !== null)
        matching.offer(film, places.get(clue(ceremony, titledAs, categoryOf.get(category), creditedAs)));
  }
  return matching.addOrUpdate(merges.movies, dataset.films, valuesOf);
}

/** Nominees → ids; those the database lacks are added. */
export function matchNominees(
  dataset: Dataset,
  merges: Merges,
  categoryOf: ReadonlyMap<number, number>,
  movieOf: ReadonlyMap<Film, number>,
  valuesOf: (nominee: Nominee) => Values,
): Map<Nominee, number> {
  const matching = identified(dataset.nominees, nomineeKey, merges.nominees, 'name');
  const places: Index = new Map();
  for (const { current } of merges.nominations.records()) {
    const nominee = merges.nominees.get(current.nominee_id as number)!;
    if (sourceValue(nominee, 'filmindex_id') !== null) continue;
    const { ceremony_id, category_id, movie_id } = current;
    addToIndex(
      places,
      [ceremony_id, category_id, movie_id, sourceValue(nominee, 'name')].join('\t'),
      nominee.id,
    );
  }
  for (const { ceremony, category, film, nominee, creditedAs } of dataset.entries)
    if (nominee.filmindexId !== null)
      matching.offer(
        nominee,
        places.get([ceremony, categoryOf.get(category), movieOf.get(film), creditedAs].join('\t')),
      );
  return matching.addOrUpdate(merges.nominees, dataset.nominees, valuesOf);
}

/** Songs → ids, told apart by film and title; those the database lacks are added. */
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

/** Things that are told by their id, or by their name where no id is known. */
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
