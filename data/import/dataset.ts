/**
 * What a source says, in our terms: ceremonies, and award entries that share one object per film, nominee and song.
 * The public record and the sample both become a dataset; only ingest.ts writes one to a database.
 */
import type { CeremonyFacts } from '../reference/reference.ts';

export interface Film {
  /** Identity: the id where the source knows one, else the title. */
  readonly filmindexId: string | null;
  /** As the latest entry has it. */
  title: string;
  readonly details?: FilmDetails | undefined;
}

/** What only the sample knows of a film. */
export interface FilmDetails {
  genres: readonly string[];
  countries: readonly string[];
  releaseDate: string | null;
  runtime: number | null;
}

export interface Nominee {
  /** Identity: the id where the source knows one, else the name. */
  readonly filmindexId: string | null;
  /** As the latest entry has it. */
  name: string;
  /** False for companies, countries and whoever cannot be told from them. */
  readonly isPerson: boolean;
}

export interface Song {
  readonly film: Film;
  readonly title: string;
  artists: string;
}

/** One nomination: a film and one of its nominees in a category of a ceremony. */
export interface AwardEntry {
  readonly ceremony: number;
  readonly category: number;
  readonly film: Film;
  /** Title and name as this very entry has them. */
  readonly titledAs: string;
  readonly nominee: Nominee;
  readonly creditedAs: string;
  readonly song: Song | null;
  winner: boolean;
}

export class Dataset {
  readonly ceremonies: readonly CeremonyFacts[];
  /** True if the source has all categories of its ceremonies, so that totals and records can be told from it. */
  readonly whole: boolean;
  readonly #films = new Map<string, Film>();
  readonly #nominees = new Map<string, Nominee>();
  readonly #songs = new Map<string, Song>();
  readonly #entries = new Map<string, AwardEntry>();

  constructor(ceremonies: readonly CeremonyFacts[], whole: boolean) {
    this.ceremonies = ceremonies;
    this.whole = whole;
  }

  /** The film of an id, or of a title where no id is known. */
  film(filmindexId: string | null, title: string, details?: FilmDetails): Film {
    const film = kept(this.#films, identityKey(filmindexId, title), () => ({ filmindexId, title, details }));
    film.title = title;
    return film;
  }

  /** The nominee of an id, or of a name where no id is known. */
  nominee(filmindexId: string | null, name: string, isPerson: boolean): Nominee {
    const key = identityKey(filmindexId, name);
    const nominee = kept(this.#nominees, key, () => ({ filmindexId, name, isPerson }));
    nominee.name = name;
    return nominee;
  }

  /** A film's song; a film has one of each title. */
  song(film: Film, title: string, artists: string): Song {
    const song = kept(this.#songs, `${filmKey(film)}\t${title}`, () => ({ film, title, artists }));
    song.artists = artists;
    return song;
  }

  /** Adds an entry; one that is there already is the same nomination, won if either says so. */
  add(entry: AwardEntry): void {
    const { ceremony, category, film, nominee, song } = entry;
    const key = [ceremony, category, filmKey(film), nomineeKey(nominee), song?.title ?? ''].join('\t');
    const known = this.#entries.get(key);
    if (known) known.winner ||= entry.winner;
    else this.#entries.set(key, entry);
  }

  /** Each of these in order of first appearance. */
  get films(): Film[] {
    return [...this.#films.values()];
  }
  get nominees(): Nominee[] {
    return [...this.#nominees.values()];
  }
  get songs(): Song[] {
    return [...this.#songs.values()];
  }
  get entries(): AwardEntry[] {
    return [...this.#entries.values()];
  }
}

/** What tells films or nominees apart. No name can be mistaken for an id: names carry a mark that no id has. */
export const identityKey = (filmindexId: string | null, name: string) => filmindexId ?? `named ${name}`;
export const filmKey = (film: Film) => identityKey(film.filmindexId, film.title);
export const nomineeKey = (nominee: Nominee) => identityKey(nominee.filmindexId, nominee.name);

function kept<T>(map: Map<string, T>, key: string, create: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
