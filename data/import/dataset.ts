/**
 * The content of a source: ceremonies, and award entries that share one object per film, nominee and song. The public record
 * and the sample become datasets; ingest.ts writes a dataset to a database.
 */
import type { CeremonyFacts } from '../reference/reference.ts';

export interface Film {
  /** The identity; if null, the title is. */
  readonly filmindexId: string | null;
  /** Of the latest entry. */
  title: string;
  readonly details?: FilmDetails | undefined;
}

/** Only the sample has them. */
export interface FilmDetails {
  genres: readonly string[];
  countries: readonly string[];
  releaseDate: string | null;
  runtime: number | null;
}

export interface Nominee {
  /** The identity; if null, the name is. */
  readonly filmindexId: string | null;
  /** Of the latest entry. */
  name: string;
  /** False for companies, countries and nominees that may be either. */
  readonly isPerson: boolean;
}

export interface Song {
  readonly film: Film;
  readonly title: string;
  artists: string;
}

/** One nomination: a nominee of a film in a category of a ceremony. */
export interface AwardEntry {
  readonly ceremony: number;
  readonly category: number;
  readonly film: Film;
  /** Title and name in this entry. */
  readonly titledAs: string;
  readonly nominee: Nominee;
  readonly creditedAs: string;
  readonly song: Song | null;
  winner: boolean;
}

export class Dataset {
  readonly ceremonies: readonly CeremonyFacts[];
  /** Whether the source has all categories of its ceremonies. */
  readonly isComplete: boolean;
  // All in order of first appearance.
  readonly films: Film[] = [];
  readonly nominees: Nominee[] = [];
  readonly songs: Song[] = [];
  readonly entries: AwardEntry[] = [];
  readonly #byKey = new Map<string, object>();

  constructor(ceremonies: readonly CeremonyFacts[], isComplete: boolean) {
    this.ceremonies = ceremonies;
    this.isComplete = isComplete;
  }

  /** The film with an id, or with a title if the id is null. Created if new. */
  film(filmindexId: string | null, title: string, details?: FilmDetails): Film {
    const key = identityKey(filmindexId, title);
    const film = this.#kept(this.films, `film\t${key}`, () => ({ filmindexId, title, details }));
    film.title = title;
    return film;
  }

  /** The nominee with an id, or with a name if the id is null. Created if new. */
  nominee(filmindexId: string | null, name: string, isPerson: boolean): Nominee {
    const key = identityKey(filmindexId, name);
    const nominee = this.#kept(this.nominees, `nominee\t${key}`, () => ({ filmindexId, name, isPerson }));
    nominee.name = name;
    return nominee;
  }

  /** The song of a film with a title. Created if new. */
  song(film: Film, title: string, artists: string): Song {
    const key = `${filmKey(film)}\t${title}`;
    const song = this.#kept(this.songs, `song\t${key}`, () => ({ film, title, artists }));
    song.artists = artists;
    return song;
  }

  /** Adds an entry. Of equal entries the first stays, and one winner makes it a winner. */
  add(entry: AwardEntry): void {
    const { ceremony, category, film, nominee, song } = entry;
    const key = [ceremony, category, filmKey(film), nomineeKey(nominee), song?.title ?? ''].join('\t');
    this.#kept(this.entries, `entry\t${key}`, () => entry).winner ||= entry.winner;
  }

  #kept<T extends object>(list: T[], key: string, create: () => T): T {
    const known = this.#byKey.get(key) as T | undefined;
    if (known !== undefined) return known;
    const created = create();
    this.#byKey.set(key, created);
    list.push(created);
    return created;
  }
}

/** The identity of a film or nominee. The prefix keeps names apart from ids. */
export const identityKey = (filmindexId: string | null, name: string) => filmindexId ?? `named ${name}`;
export const filmKey = (film: Film) => identityKey(film.filmindexId, film.title);
export const nomineeKey = (nominee: Nominee) => identityKey(nominee.filmindexId, nominee.name);
