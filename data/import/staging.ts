/**
 * What a source says, in temporary tables (staging.sql): ceremonies, and nominations that share one row per film, nominee and
 * song. The public record and the sample are staged; ingest.ts brings the record up to date with them.
 */
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Details, Honor, Movie, Nomination } from '../../api/contract/resources.ts';
import type { Connection } from '../open.ts';
import { prepareInsert, storedValue } from '../records.ts';
import type { CeremonyFacts, Reference } from '../reference/reference.ts';

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
/** Only the sample has them. */
export const filmDetailFields = ['release_date', 'runtime', 'genres', 'origin_country'] as const;

/** The category is its id in the reference. `movie`, `nominee` and `song` are numbers that Staging gives; song 0 is none. */
interface StagedNomination extends Pick<Nomination, 'ceremony_id' | 'winner'>, Details {
  category: number;
  movie: number;
  nominee: number;
  song: number;
  titled_as: string;
  credited_as: string;
}

interface StagedHonor extends Pick<Honor, 'ceremony_id' | 'category' | 'recipients' | 'citation'> {
  key: string;
  class: string;
  /** External ids. */
  movie_key: string | null;
  nominee_keys: readonly string[];
}

/** Things that are found again without a look into the table: more than a ceremony has. */
const cachedThings = 2000;

/** The identity of a film or nominee. The prefix keeps names apart from ids. */
const identityKey = (filmindexId: string | null, name: string) => filmindexId ?? `named ${name}`;

export class Staging {
  readonly #connection: Connection;
  /** Adds a ceremony. Of equal ones the first stays. */
  readonly ceremony;
  /**
   * Adds a nominee of a film in a category of a ceremony. The entry counts the rows of a category at a ceremony, from 1. Of
   * equal nominations the first stays, and one winner makes it a winner.
   */
  readonly nomination;
  /** Adds an honor. Of honors with equal keys the first stays. */
  readonly honor;
  readonly #movies;
  readonly #nominees;
  readonly #addSpelling;
  #credits = 0;
  readonly #songs;

  /** Creates the tables, with all categories and without rows of others. */
  constructor(connection: Connection, reference: Reference) {
    this.#connection = connection;
    this.drop();
    connection.exec(readFileSync(new URL('staging.sql', import.meta.url), 'utf8'));
    const category = this.#adding('source_categories');
    for (const { id, ...facts } of reference.categories.values()) category({ n: id, ...facts });
    this.ceremony = this.#adding<CeremonyFacts>('source_ceremonies', 'ON CONFLICT DO NOTHING');
    this.nomination = this.#adding<StagedNomination>(
      'source_nominations',
      'ON CONFLICT DO UPDATE SET winner = max(winner, excluded.winner)',
    );
    this.honor = this.#adding<StagedHonor>('source_honors', 'ON CONFLICT DO NOTHING');
    this.#movies = this.#things('source_movies', 'key', 'title', ['filmindex_id', ...filmDetailFields]);
    this.#nominees = this.#things('source_nominees', 'key', 'name', ['filmindex_id', 'is_person']);
    this.#addSpelling = connection.prepare<[number, string, number]>(
      `INSERT INTO source_spellings (nominee, spelling, rows, latest) VALUES (?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET rows = rows + 1, latest = excluded.latest`,
    );
    this.#songs = this.#things('source_songs', 'movie, original_title', 'artist_names', []);
  }

  drop(): void {
    const tables = this.#connection
      .prepare<[], string>("SELECT name FROM temp.sqlite_schema WHERE type = 'table' AND name GLOB '*_*'")
      .pluck()
      .all();
    for (const table of tables) this.#connection.exec(`DROP TABLE temp.${table}`);
  }

  /** The film with an id, or with a title if the id is null. Added if new; the latest title stays. */
  movie(
    filmindexId: string | null,
    title: string,
    details?: Pick<Movie, (typeof filmDetailFields)[number]>,
  ): number {
    const values = filmDetailFields.map((field) => storedValue(details?.[field] ?? null));
    return this.#movies([identityKey(filmindexId, title)], title, filmindexId, ...values);
  }

  /** The nominee with an id, or with a name if the id is null. Added if new. Call it once for each row with this spelling. */
  nominee(filmindexId: string | null, name: string, isPerson: boolean): number {
    const n = this.#nominees([identityKey(filmindexId, name)], name, filmindexId, Number(isPerson));
    this.#credits += 1;
    this.#addSpelling.run(n, name, this.#credits);
    return n;
  }

  /** The song of a film with a title. Added if new; the latest artists stay. */
  song(movie: number, title: string, artists: string): number {
    return this.#songs([movie, title], artists);
  }

  /** @returns a function that adds a row to a table. All rows have the columns of the first one */
  #adding<Row extends object>(table: string, onConflict?: string): (row: Readonly<Row>) => void {
    let insert: ((row: object) => void) | undefined;
    return (row) => {
      insert ??= prepareInsert(this.#connection, table, Object.keys(row), onConflict);
      insert(row);
    };
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
