/** What stands on the ballot of one ceremony: which films in which categories, how many nominees each, and who wins. */
import { awardOf, type FilmKind, openCategories, songCategory } from './categories.ts';
import type { Random, Streams } from './random.ts';
import type { Share } from './sizes.ts';

export interface Film {
  id: number;
  kind: FilmKind;
}

/** One film (or one of its songs) in one category; each of its seats becomes a nomination. */
interface Entry {
  category: number;
  movie: number;
  song: number | null;
  seats: number;
  winner: boolean;
}

export interface Ballot {
  /** The films that are new at this ceremony, by id. */
  films: Film[];
  /** By category, film and song; that is the order of the nominations. */
  entries: Entry[];
}

/** Index k: of a thousand films, how many stand in k + 1 categories; a song may add a twelfth. */
const breadths = [570, 150, 80, 55, 40, 30, 25, 20, 15, 10, 5];

/** One film in so many is on the ballot of the next ceremony again, in one category. */
const lateFilms = 250;

/** The ballot of a ceremony: as many films, songs and nominations as its share says. */
export function ballotOf(
  streams: Streams,
  ceremony: number,
  year: number,
  share: Share,
  previous?: Share,
): Ballot {
  const random = streams.of('ballot', ceremony);
  const open = openCategoriesByKind(year);
  const films: Film[] = [];
  const entries: Entry[] = [];
  const songs = share.songs.to - share.songs.from;
  for (let id = share.movies.from; id < share.movies.to; id += 1) {
    const own = streams.of('ballot of film', id);
    const wanted = kindOfFilm(own);
    const kind = open[wanted].length > 0 ? wanted : 'feature';
    // Every film and song to come needs a nomination too.
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

function openCategoriesByKind(year: number): Record<FilmKind, number[]> {
  return {
    feature: openCategories(year, 'feature'),
    documentary: openCategories(year, 'documentary'),
    short: openCategories(year, 'short'),
  };
}

function kindOfFilm(own: Random): FilmKind {
  const kinds: FilmKind[] = ['feature', 'short', 'documentary'];
  return kinds[own.weighted([80, 12, 8])]!;
}

/** Different categories for one film, at least one, and at most as many as there is room for. */
function categoriesOf(own: Random, kind: FilmKind, open: readonly number[], room: number): number[] {
  const breadth = kind === 'feature' ? 1 + own.weighted(breadths) : 1;
  const rest = [...open];
  const chosen: number[] = [];
  const count = Math.min(breadth, rest.length, Math.max(room, 1));
  while (chosen.length < count) {
    const index = own.weighted(rest.map((id) => awardOf(id).weight));
    chosen.push(rest.splice(index, 1)[0]!);
  }
  return chosen;
}

/** Gives each song to one of the new features. */
function addSongs(random: Random, films: readonly Film[], entries: Entry[], share: Share): void {
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
  const candidates = Math.floor((to - from + random.below(lateFilms)) / lateFilms);
  const late = new Set(Array.from({ length: candidates }, () => from + random.below(to - from)));
  for (const movie of late)
    if (kindOfFilm(streams.of('ballot of film', movie)) === 'feature' && entries.length < share.nominations)
      entries.push(entry(random.pick(open), movie));
}

/** Deals further seats, mostly where many are usual, to full entries only when it keeps hitting those. */
function dealSeats(random: Random, entries: readonly Entry[], seats: number): void {
  const attempts = 30;
  const most = 5;
  for (let dealt = 0; dealt < seats; dealt += 1) {
    let chosen = random.pick(entries);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (random.below(most) < awardOf(chosen.category).seats - chosen.seats) break;
      chosen = random.pick(entries);
    }
    chosen.seats += 1;
  }
}

/** One winner in each category, all of them equally likely; the entries must be sorted by category. */
function chooseWinners(random: Random, entries: readonly Entry[]): void {
  for (let start = 0, end = 0; start < entries.length; start = end) {
    while (end < entries.length && entries[end]!.category === entries[start]!.category) end += 1;
    entries[start + random.below(end - start)]!.winner = true;
  }
}
