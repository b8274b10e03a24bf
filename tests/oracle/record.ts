/**
 * The whole record as plain arrays, read with SELECTs of its own. The oracle computes every expected answer from these
 * arrays; nothing here is shared with the code that is checked. Rows ascend by id, fields stand in interface order.
 */
import type {
  Category,
  Ceremony,
  Movie,
  Nomination,
  Nominee,
  RecordOf,
  Song,
} from '../../api/contract/resources.ts';
import type { Connection } from '../../data/open.ts';

export interface PlainRecord {
  nominations: Nomination[];
  ceremonies: Ceremony[];
  movies: Movie[];
  nominees: Nominee[];
  categories: Category[];
  songs: Song[];
}

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
const nominationFields = 'id ceremony_id category_id movie_id nominee_id song_id winner';

interface StoredNomination {
  id: number;
  ceremony_id: number;
  category_id: number;
  movie_id: number;
  nominee_id: number;
  song_id: number | null;
  winner: number;
}

/** Reads all six tables. */
export function loadPlainRecord(connection: Connection): PlainRecord {
  const ceremonies = rows<RecordOf['ceremonies']>(connection, 'ceremonies', ceremonyFields);
  const categories = rows<RecordOf['categories']>(connection, 'categories', categoryFields);
  const movies = rows<Omit<Movie, 'genres' | 'origin_country'> & { genres: string; origin_country: string }>(
    connection,
    'movies',
    movieFields,
  ).map(
    // Both arrays keep their place among the fields: replacing a property does not move it.
    (row): Movie => ({
      ...row,
      genres: JSON.parse(row.genres) as string[],
      origin_country: JSON.parse(row.origin_country) as string[],
    }),
  );
  const nominees = rows<RecordOf['nominees']>(connection, 'nominees', nomineeFields);
  const songs = rows<RecordOf['songs']>(connection, 'songs', songFields);
  const stored = rows<StoredNomination>(connection, 'nominations', nominationFields);

  const ceremonyById = byId(ceremonies);
  const categoryById = byId(categories);
  const movieById = byId(movies);
  const nomineeById = byId(nominees);
  const songById = byId(songs);
  const nominations = stored.map(
    (row): Nomination => ({
      id: row.id,
      ceremony_id: row.ceremony_id,
      ceremony_year: ceremonyById.get(row.ceremony_id)!.ceremony_year,
      category_id: row.category_id,
      category: categoryById.get(row.category_id)!.category_name,
      movie_id: row.movie_id,
      movie: movieById.get(row.movie_id)!.title,
      nominee_id: row.nominee_id,
      nominee: nomineeById.get(row.nominee_id)!.name,
      song_id: row.song_id,
      song_title: row.song_id === null ? null : songById.get(row.song_id)!.original_title,
      is_song: row.song_id !== null,
      winner: row.winner === 1,
    }),
  );
  return { nominations, ceremonies, movies, nominees, categories, songs };
}

function rows<Row>(connection: Connection, table: string, fields: string): Row[] {
  return connection
    .prepare<[], Row>(`SELECT ${fields.split(' ').join(', ')} FROM ${table} ORDER BY id`)
    .all();
}

/** Id → record. */
export function byId<Row extends { id: number }>(records: readonly Row[]): Map<number, Row> {
  return new Map(records.map((record) => [record.id, record]));
}
