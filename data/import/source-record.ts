/**
 * What a source says, in memory: things that name each other, with the values that the source gives of them.
 */
import type { Details, Honor, Movie, Nomination } from '../../api/contract/resources.ts';
import { type Columns, storedColumns } from '../record/records.ts';
import type { CeremonyFacts, Reference } from '../reference/reference.ts';

/** A film, a nomination, and so on, as the source gives it. */
export interface Thing {
  /** Values by column, without those of references. */
  columns: Record<string, Columns[string]>;
  /** Id of its record. matchRecords() finds it, or assigns that of a new record; 0 before. */
  id: number;
  /** Whether its record has to be added. */
  isNew: boolean;
}

interface SourceCategory extends Thing {
  /** Its id in the reference. */
  number: number;
  department: string;
}
export interface SourceNominee extends Thing {
  isPerson: boolean;
  /** Spelling → the number of rows with it, and the place of the last one among all credits. */
  spellings: Map<string, { rows: number; latest: number }>;
}
interface SourceSong extends Thing {
  movie: Thing;
}
export interface SourceNomination extends Thing {
  ceremony: number;
  category: SourceCategory;
  movie: Thing;
  nominee: SourceNominee;
  song: SourceSong | null;
  /** The title and the name in this row. */
  titledAs: string;
  creditedAs: string;
}
interface SourceHonor extends Thing {
  /** External ids. */
  movieKey: string | null;
  nomineeKeys: readonly string[];
}

/** `category` is the id in the reference. */
interface GivenNomination extends Pick<Nomination, 'ceremony_id' | 'winner'>, Omit<Details, 'credited_as'> {
  category: number;
  movie: Thing;
  nominee: SourceNominee;
  song: SourceSong | null;
  titled_as: string;
  credited_as: string;
}

interface GivenHonor extends Pick<Honor, 'ceremony_id' | 'category' | 'class' | 'recipients' | 'citation'> {
  /** External ids. */
  movie_key: string | null;
  nominee_keys: readonly string[];
}

/** Only the sample has them. */
type FilmDetails = Pick<Movie, 'release_date' | 'runtime' | 'genres' | 'origin_country'>;
const detailsOf = ({ release_date, runtime, genres, origin_country }: FilmDetails) =>
  storedColumns({ release_date, runtime, genres, origin_country });

/**
 * The identity of a film or nominee: the external id, or else the title or name. The prefix keeps names apart
 * from ids.
 */
export const identityKey = (filmindexId: unknown, name: unknown): string =>
  typeof filmindexId === 'string' ? filmindexId : `named ${name}`;

/** The identity of an honor. */
export const honorKey = ({ ceremony_id, category, recipients, citation }: Columns): string =>
  [ceremony_id, category, recipients ?? '', citation ?? ''].join('\t');

/** All maps are in order of first appearance. */
export class SourceRecord {
  readonly ceremonies = new Map<number, Thing>();
  /** All categories of the reference, by their number. */
  readonly categories: ReadonlyMap<number, SourceCategory>;
  /** By identityKey(). The title is that of the latest row. */
  readonly movies = new Map<string, Thing>();
  /** By identityKey(). deriveNames() chooses the name from the spellings at the end. */
  readonly nominees = new Map<string, SourceNominee>();
  readonly songs = new Map<string, SourceSong>();
  readonly nominations = new Map<string, SourceNomination>();
  /** By honorKey(). */
  readonly honors = new Map<string, SourceHonor>();
  #credits = 0;
  readonly #numbers = new Map<Thing, number>();

  constructor(reference: Reference) {
    this.categories = new Map(
      [...reference.categories.values()].map(({ id, department, ...columns }) => [
        id,
        { ...thing({ ...columns, era: null }), number: id, department },
      ]),
    );
  }

  /** Adds a ceremony. Of equal ones the first stays. */
  ceremony({ id, ...facts }: CeremonyFacts): void {
    if (!this.ceremonies.has(id)) this.ceremonies.set(id, { ...thing({ ...facts, overview: null }), id });
  }

  /** The film with an id, or with a title if the id is null. Added if new; the latest title stays. */
  movie(filmindexId: string | null, title: string, details?: FilmDetails): Thing {
    const movie = found(this.movies, identityKey(filmindexId, title), () =>
      thing({ title, filmindex_id: filmindexId, ...(details && detailsOf(details)) }),
    );
    movie.columns.title = title;
    return movie;
  }

  /**
   * The nominee with an id, or with a name if the id is null. Added if new. Call it once for each row with
   * this spelling.
   */
  nominee(filmindexId: string | null, name: string, isPerson: boolean): SourceNominee {
    const nominee = found(this.nominees, identityKey(filmindexId, name), () => ({
      ...thing({ name, filmindex_id: filmindexId, known_for_department: null }),
      isPerson,
      spellings: new Map(),
    }));
    this.#credits += 1;
    const rows = (nominee.spellings.get(name)?.rows ?? 0) + 1;
    nominee.spellings.set(name, { rows, latest: this.#credits });
    return nominee;
  }

  /** The song of a film with a title. Added if new; the latest artists stay. */
  song(movie: Thing, title: string, artists: string): SourceSong {
    const song = found(this.songs, `${this.#number(movie)} ${title}`, () => ({
      ...thing({ original_title: title }),
      movie,
    }));
    song.columns.artist_names = artists;
    return song;
  }

  /**
   * Adds a nominee of a film in a category of a ceremony. The entry counts the rows of a category at a
   * ceremony, from 1. Of equal nominations the first stays, and one winner makes it a winner.
   */
  nomination(given: GivenNomination): void {
    const { ceremony_id, category, movie, nominee, song, titled_as, credited_as } = given;
    const { winner, entry, character, note, official, historical_category } = given;
    const references = [movie, nominee, ...(song ? [song] : [])].map((each) => this.#number(each));
    const nomination = found(this.nominations, [ceremony_id, category, ...references].join(' '), () => ({
      ...thing({
        ...{
          winner: Number(winner),
          entry,
          character,
          note,
          official: Number(official),
          historical_category,
        },
        credited_as: null,
      }),
      ...{ ceremony: ceremony_id, category: this.categories.get(category)!, movie, nominee, song },
      ...{ titledAs: titled_as, creditedAs: credited_as },
    }));
    if (winner) nomination.columns.winner = 1;
  }

  /** Adds an honor. Of equal honors the first stays. */
  honor({ movie_key, nominee_keys, ...columns }: GivenHonor): void {
    found(this.honors, honorKey(columns), () => ({
      ...thing(columns),
      movieKey: movie_key,
      nomineeKeys: nominee_keys,
    }));
  }

  /** A number for each thing. */
  #number(of: Thing): number {
    return found(this.#numbers, of, () => this.#numbers.size + 1);
  }
}

const thing = (columns: Columns): Thing => ({ columns: { ...columns }, id: 0, isNew: false });

/** The value of a key, which is made if there is none. */
function found<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
