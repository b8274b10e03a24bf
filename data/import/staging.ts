/**
 * What a source says, in temporary tables (staging.sql): ceremonies, and nominations that share one row per film, nominee and
 * song. The public record and the sample are staged; ingest.ts brings the record up to date with them.
 */
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Connection } from '../open.ts';
import { prepareInsert } from '../records.ts';
import type { CeremonyFacts, Reference } from '../reference/reference.ts';

/** Only the sample has them. */
export interface FilmDetails {
  genres: readonly string[];
  countries: readonly string[];
  releaseDate: string | null;
  runtime: number | null;
}

/** A nominee of a film in a category of a ceremony. Categories by their id in the reference; others as staged. */
export interface StagedNomination {
  ceremony: number;
  category: number;
  movie: number;
  nominee: number;
  song: number | null;
  /** Title and name in this row. */
  titledAs: string;
  creditedAs: string;
  winner: boolean;
  /** The row, counted within ceremony and category from 1. */
  entry: number;
  character: string | null;
  note: string | null;
  official: boolean;
  historicalCategory: string | null;
}

export interface StagedHonor {
  ceremony: number;
  awardClass: string;
  category: string;
  recipients: string | null;
  citation: string | null;
  /** Valid external ids. */
  movie: string | null;
  nominees: readonly string[];
}

/** The tables of the source, and the columns that a source gives: the others of the record are not its concern. */
export const sourceFields = {
  ceremonies: ['ceremony_year', 'date', 'show_title', 'venue', 'overview', 'movies_eligible', 'wikiurl'],
  categories: ['category_name', 'category_group', 'definition', 'history', 'era'],
  movies: ['title', 'filmindex_id'],
  nominees: ['name', 'filmindex_id', 'known_for_department'],
  songs: ['original_title', 'artist_names'],
  nominations: [
    ...['ceremony_id', 'category_id', 'movie_id', 'nominee_id', 'song_id', 'winner', 'entry'],
    ...['character', 'note', 'official', 'historical_category'],
  ],
  honors: ['ceremony_id', 'class', 'category', 'movie_id', 'recipients', 'nominee_ids', 'citation'],
} as const;
export const filmDetailFields = ['release_date', 'runtime', 'genres', 'origin_country'] as const;

/** Things that are found again without a look into the table: more than a ceremony has. */
const cachedThings = 2000;

/** The identity of a film or nominee. The prefix keeps names apart from ids. */
const identityKey = (filmindexId: string | null, name: string) => filmindexId ?? `named ${name}`;

export class Staging {
  readonly #connection: Connection;
  readonly #insertCeremony;
  readonly #insertNomination;
  readonly #insertHonor;
  readonly #movies;
  readonly #nominees;
  readonly #songs;

  /** Creates the tables, with all categories and without rows of others. */
  constructor(connection: Connection, reference: Reference) {
    this.#connection = connection;
    this.drop();
    connection.exec(readFileSync(new URL('staging.sql', import.meta.url), 'utf8'));
    const insertCategory = prepareInsert(connection, 'source_categories', [
      ...['n', 'category_name', 'category_group', 'definition', 'history', 'department'],
    ]);
    for (const { id, name, group, definition, history, department } of reference.categories.values())
      insertCategory.run(id, name, group, definition, history, department);
    this.#insertCeremony = prepareInsert(connection, 'source_ceremonies', [
      ...['id', 'ceremony_year', 'date', 'show_title', 'venue', 'movies_eligible', 'wikiurl'],
    ]);
    this.#insertNomination = connection.prepare<unknown[]>(
      `INSERT INTO source_nominations (ceremony_id, category, movie, nominee, song, titled_as, credited_as, winner, entry,
         character, note, official, historical_category) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET winner = max(winner, excluded.winner)`,
    );
    this.#insertHonor = connection.prepare<unknown[]>(
      `INSERT INTO source_honors (key, ceremony_id, class, category, recipients, citation, movie_key, nominee_keys)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#movies = this.#things('source_movies', 'key', 'title', ['filmindex_id', ...filmDetailFields]);
    this.#nominees = this.#things('source_nominees', 'key', 'name', ['filmindex_id', 'is_person']);
    this.#songs = this.#things('source_songs', 'movie, original_title', 'artist_names', []);
  }

  drop(): void {
    const tables = this.#connection
      .prepare<[], string>("SELECT name FROM temp.sqlite_schema WHERE type = 'table' AND name GLOB '*_*'")
      .pluck()
      .all();
    for (const table of tables) this.#connection.exec(`DROP TABLE temp.${table}`);
  }

  ceremony({ number, ...facts }: CeremonyFacts): void {
    const { year, date, showTitle, venue, moviesEligible, encyclopediaUrl } = facts;
    this.#insertCeremony.run(number, year, date, showTitle, venue, moviesEligible, encyclopediaUrl);
  }

  /** The film with an id, or with a title if the id is null. Added if new; the latest title stays. */
  movie(filmindexId: string | null, title: string, details?: FilmDetails): number {
    const { releaseDate = null, runtime = null, genres, countries } = details ?? {};
    const lists = [genres, countries].map((list) => (list ? JSON.stringify(list) : null));
    return this.#movies(
      [identityKey(filmindexId, title)],
      title,
      filmindexId,
      releaseDate,
      runtime,
      ...lists,
    );
  }

  /** The nominee with an id, or with a name if the id is null. Added if new; the latest name stays. */
  nominee(filmindexId: string | null, name: string, isPerson: boolean): number {
    return this.#nominees([identityKey(filmindexId, name)], name, filmindexId, Number(isPerson));
  }

  /** The song of a film with a title. Added if new; the latest artists stay. */
  song(movie: number, title: string, artists: string): number {
    return this.#songs([movie, title], artists);
  }

  /** Adds a nomination. Of equal ones the first stays, and one winner makes it a winner. */
  nomination(nomination: StagedNomination): void {
    const { ceremony, category, movie, nominee, song, titledAs, creditedAs, winner, entry } = nomination;
    const { character, note, official, historicalCategory } = nomination;
    this.#insertNomination.run(
      ceremony,
      category,
      movie,
      nominee,
      song ?? 0,
      titledAs,
      creditedAs,
      Number(winner),
      entry,
      character,
      note,
      Number(official),
      historicalCategory,
    );
  }

  /** Adds an honor. Of equal ones the first stays. */
  honor({ ceremony, awardClass, category, recipients, citation, movie, nominees }: StagedHonor): void {
    const key = [ceremony, category, recipients ?? '', citation ?? ''].join('\t');
    const nomineeKeys = JSON.stringify([...new Set(nominees)]);
    this.#insertHonor.run(...[key, ceremony, awardClass, category, recipients, citation, movie, nomineeKeys]);
  }

  /** Finds or adds the row with a key, and gives it its latest name. @returns a function that answers its number */
  #things(table: string, key: string, name: string, others: readonly string[]) {
    const columns = [...key.split(', '), name, ...others];
    const upsert = this.#connection
      .prepare<unknown[], number>(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
         ON CONFLICT (${key}) DO UPDATE SET ${name} = excluded.${name} RETURNING n`,
      )
      .pluck();
    const cache = new LRUCache<string, { n: number; named: string }>({ max: cachedThings });
    return (keys: readonly (string | number)[], named: string, ...values: unknown[]): number => {
      const cacheKey = keys.join('\t');
      const known = cache.get(cacheKey);
      if (known?.named === named) return known.n;
      const n = upsert.get(...keys, named, ...values)!;
      cache.set(cacheKey, { n, named });
      return n;
    };
  }
}
