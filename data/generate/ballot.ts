/** The ballot of one ceremony: films, their categories, the number of nominees of each, and the winners. */
import { awardOf, type FilmKind, openCategories, songCategory } from './categories.ts';
import type { Random, Streams } from './random.ts';
import type { Share } from './sizes.ts';

/** A film, or a song of a film, in one category. Each seat becomes a nomination. */
interface Entry {
  category: number;
  movie: number;
  song: number | null;
  seats: number;
  winner: boolean;
}

export interface Ballot {
  films: { id: number; kind: FilmKind }[];
  /** In the order of the nominations: by category, film and song. */
  entries: Entry[];
}

/** Of a thousand features, how many have 1, 2, … categories. A song may add one. */
const featuresPerCategories = [570, 150, 80, 55, 40, 30, 25, 20, 15, 10, 5];
const categoryCounts = featuresPerCategories.map((features, index) => [features, index + 1] as const);

const filmKinds = [
  [80, 'feature'],
  [12, 'short'],
  [8, 'documentary'],
] as const;

/** One film in so many is on the next ballot too, in one category. */
const lateFilmEvery = 250;

/** The ballot of a ceremony, with the numbers of films, songs and nominations of its share. */
export function ballotOf(
  streams: Streams,
  ceremony: number,
  year: number,
  share: Share,
  previous?: Share,
): Ballot {
  const random = streams.of('ballot', ceremony);
  const open = openCategories(year);
  const films: Ballot['films'] = [];
  const entries: Entry[] = [];
  const songs = share.songs.to - share.songs.from;
  for (let id = share.movies.from; id < share.movies.to; id += 1) {
    const own = streams.of('ballot of film', id);
    const wanted = kindOfFilm(own);
    const kind = open[wanted].length > 0 ? wanted : 'feature';
    // Each later film and song needs a nomination too.
    const room = share.nominations - entries.length - songs - (share.movies.to - id - 1);
    for (const category of categoriesOf(own, kind, open[kind], room)) entries.push(entry(category, id));
    films.push({ id, kind });
  }
  addSongs(random, films, entries, share);
  if (previous) addLateFilms(streams, random, open.feature, entries, share, previous);
  entries.sort((a, b) => a.category - b.category || a.movie - b.movie || (a.song ?? 0) - (b.song ?? 0));
  dealSeats(random, entries, share.nominations - entries.length);
  chooseWinners(random, entries);
  return { films, entries };
}

function entry(category: number, movie: number, song: number | null = null): Entry {
  return { category, movie, song, seats: 1, winner: false };
}

const kindOfFilm = (own: Random): FilmKind => own.weighted(filmKinds);

/** Different categories for one film, at least one, and at most as many as there is room for. */
function categoriesOf(own: Random, kind: FilmKind, open: readonly number[], room: number): number[] {
  const wanted = kind === 'feature' ? own.weighted(categoryCounts) : 1;
  const rest = [...open];
  const chosen: number[] = [];
  const count = Math.min(wanted, rest.length, Math.max(room, 1));
  while (chosen.length < count) {
    const id = own.weighted(rest.map((each) => [awardOf(each).weight, each]));
    rest.splice(rest.indexOf(id), 1);
    chosen.push(id);
  }
  return chosen;
}

/** Gives each song to one of the new features. */
function addSongs(random: Random, films: Ballot['films'], entries: Entry[], share: Share): void {
  const features = films.filter((film) => film.kind === 'feature');
  for (let song = share.songs.from; song < share.songs.to; song += 1)
    entries.push(entry(songCategory, random.pick(features.length > 0 ? features : films).id, song));
}

function addLateFilms(
  streams: Streams,
  random: Random,
  open: readonly number[],
  entries: Entry[],
  share: Share,
  previous: Share,
): void {
  const { from, to } = previous.movies;
  const candidates = Math.floor((to - from + random.below(lateFilmEvery)) / lateFilmEvery);
  const late = new Set(Array.from({ length: candidates }, () => from + random.below(to - from)));
  for (const movie of late)
    if (kindOfFilm(streams.of('ballot of film', movie)) === 'feature' && entries.length < share.nominations)
      entries.push(entry(random.pick(open), movie));
}

/** Adds seats, mostly to entries of categories with many seats. An entry gets more than its usual number only as a last resort. */
function dealSeats(random: Random, entries: readonly Entry[], seats: number): void {
  const attempts = 30;
  const maxSeats = 5;
  for (let dealt = 0; dealt < seats; dealt += 1) {
    let chosen = random.pick(entries);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (random.below(maxSeats) < awardOf(chosen.category).seats - chosen.seats) break;
      chosen = random.pick(entries);
    }
    chosen.seats += 1;
  }
}

/** One winner per category, each entry equally likely. The entries must be sorted by category. */
function chooseWinners(random: Random, entries: readonly Entry[]): void {
  for (let start = 0, end = 0; start < entries.length; start = end) {
    while (end < entries.length && entries[end]!.category === entries[start]!.category) end += 1;
    entries[start + random.below(end - start)]!.winner = true;
  }
}
