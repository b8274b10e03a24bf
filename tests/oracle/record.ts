/**
 * The whole record as plain arrays, read with its own SELECTs and without code under test. The oracle computes every
 * expected answer from these arrays. Rows ascend by id; fields are in interface order.
 */
import type { Details, Honor, Movie, Nomination, RecordOf } from '../../api/contract/resources.ts';
import type { Connection } from '../../data/database/open.ts';

export type PlainRecord = { [R in keyof RecordOf]: RecordOf[R][] } & {
  /** Nomination → its details, in interface order. */
  details: Map<number, Details>;
};

const ceremonyFields =
  'id ceremony_year date show_title venue overview movies_eligible wikiurl moment_1_caption moment_2_caption ' +
  'moment_3_caption moment_1_img_url moment_2_img_url moment_3_img_url';
const movieFields =
  'id title tagline overview release_date runtime genres origin_country moviedb_id filmindex_id poster_path backdrop_path';
const nomineeFields =
  'id name biography birthday deathday place_of_birth known_for_department homepage moviedb_person_id filmindex_id ' +
  'profile_path';
const categoryFields = 'id category_name category_group definition era history';
const songFields =
  'id original_title artist_names streaming_id streaming_url streaming_track_name streaming_album_name streaming_year';

const names = (fields: string): readonly string[] => fields.split(' ');

/** Resource → the members of its records in lists. */
export const membersOf: { readonly [R in keyof RecordOf]: readonly string[] } = {
  nominations: names(
    'id ceremony_id ceremony_year category_id category movie_id movie nominee_id nominee song_id song_title is_song winner',
  ),
  ceremonies: names(ceremonyFields),
  movies: names(movieFields),
  nominees: names(nomineeFields),
  categories: names(categoryFields),
  songs: names(songFields),
  honors: names('id ceremony_id ceremony_year class category movie_id movie recipients nominee_ids citation'),
};

/** Reads all six tables. */
export function loadPlainRecord(connection: Connection): PlainRecord {
  const rows = <Row>(table: string, fields: string): Row[] =>
    connection.prepare<[], Row>(`SELECT ${fields.split(' ').join(', ')} FROM ${table} ORDER BY id`).all();
  return {
    nominations: nominationRows(connection).map((row) => ({
      ...row,
      is_song: row.is_song === 1,
      winner: row.winner === 1,
    })),
    ceremonies: rows('ceremonies', ceremonyFields),
    movies: rows<StoredMovie>('movies', movieFields).map((row) => ({
      ...row,
      genres: JSON.parse(row.genres) as string[],
      origin_country: JSON.parse(row.origin_country) as string[],
    })),
    nominees: rows('nominees', nomineeFields),
    categories: rows('categories', categoryFields),
    songs: rows('songs', songFields),
    honors: honorRows(connection),
    details: detailsById(connection),
  };
}

/** With the derived fields, in interface order. */
function honorRows(connection: Connection): Honor[] {
  return connection
    .prepare<[], Omit<Honor, 'nominee_ids'> & { nominee_ids: string }>(
      `SELECT h.id, ceremony_id, ceremony_year, class, category, movie_id, title AS movie, recipients, nominee_ids, citation
       FROM honors h JOIN ceremonies c ON c.id = ceremony_id LEFT JOIN movies m ON m.id = movie_id ORDER BY h.id`,
    )
    .all()
    .map((row) => ({ ...row, nominee_ids: JSON.parse(row.nominee_ids) as number[] }));
}

type StoredMovie = Omit<Movie, 'genres' | 'origin_country'> & { genres: string; origin_country: string };
type StoredNomination = Omit<Nomination, 'is_song' | 'winner'> & { is_song: 0 | 1; winner: 0 | 1 };

/** In a database to download the details are in a table of their own. */
function detailsById(connection: Connection): Map<number, Details> {
  const own = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'details'").get();
  const source = own ? '(SELECT nomination_id AS id, * FROM details)' : 'nominations';
  const rows = connection
    .prepare<[], Omit<Details, 'official'> & { id: number; official: 0 | 1 }>(
      `SELECT id, entry, character, note, official, historical_category, credited_as FROM ${source}`,
    )
    .all();
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, official: row.official === 1 }]));
}

/** With the derived fields, in interface order. */
function nominationRows(connection: Connection): StoredNomination[] {
  return connection
    .prepare<[], StoredNomination>(
      `SELECT n.id, ceremony_id, ceremony_year, category_id, category_name AS category, movie_id, title AS movie,
         nominee_id, name AS nominee, song_id, original_title AS song_title, song_id IS NOT NULL AS is_song, winner
       FROM nominations n
         JOIN ceremonies c ON c.id = ceremony_id
         JOIN categories g ON g.id = category_id
         JOIN movies m ON m.id = movie_id
         JOIN nominees p ON p.id = nominee_id
         LEFT JOIN songs s ON s.id = song_id
       ORDER BY n.id`,
    )
    .all();
}
