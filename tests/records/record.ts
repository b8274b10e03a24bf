/**
 * The whole record as plain arrays, read without code under test. The oracle computes every expected answer from these arrays.
 * Rows ascend by id; fields are in interface order.
 */
import type { Details, RecordOf } from '../../api/contract/resources.ts';
import type { Connection } from '../../data/database/open.ts';

export type PlainRecord = { [R in keyof RecordOf]: RecordOf[R][] } & {
  /** Nomination → its details, in interface order. */
  details: Map<number, Details>;
  /** Ceremony → the years of its films, null where it is silent. */
  filmYears: Map<number, string | null>;
  /** The other names of each film and nominee. */
  otherNames: Record<'movies' | 'nominees', Map<number, string[]>>;
};

const names = (fields: string): readonly string[] => fields.split(/\s+/);

/** Resource → the members of its records in lists. */
export const membersOf: { readonly [R in keyof RecordOf]: readonly string[] } = {
  nominations:
    names(`id ceremony_id ceremony_year category_id category movie_id movie nominee_id nominee song_id
    song_title is_song winner`),
  ceremonies: names(`id ceremony_year date show_title venue overview movies_eligible wikiurl moment_1_caption
    moment_2_caption moment_3_caption moment_1_img_url moment_2_img_url moment_3_img_url`),
  movies: names(`id title tagline overview release_date runtime genres origin_country moviedb_id filmindex_id
    poster_path backdrop_path`),
  nominees: names(`id name biography birthday deathday place_of_birth known_for_department homepage
    moviedb_person_id filmindex_id profile_path`),
  categories: names('id category_name category_group definition era history'),
  songs: names(`id original_title artist_names streaming_id streaming_url streaming_track_name
    streaming_album_name streaming_year`),
  honors: names(`id ceremony_id ceremony_year class winner category_id category movie_id movie recipients
    nominee_ids citation note`),
};
const detailNames = names('entry character note official historical_category credited_as');

type Stored = Record<string, string | number | null>;

/** Reads all tables, also of a database to download: there the details are in a table of their own. */
export function loadPlainRecord(connection: Connection): PlainRecord {
  const rowsOf = (table: string, key = 'id') =>
    connection.prepare<[], Stored>(`SELECT * FROM ${table} ORDER BY ${key}`).all();
  const lookUp = (table: string, member: string) => {
    const values = new Map(rowsOf(table).map((row) => [row.id, row[member]!]));
    return (id: string | number | null | undefined) => values.get(id ?? null) ?? null;
  };
  const yearOf = lookUp('ceremonies', 'ceremony_year');
  const categoryOf = lookUp('categories', 'category_name');
  const titleOf = lookUp('movies', 'title');
  const nameOf = lookUp('nominees', 'name');
  const songOf = lookUp('songs', 'original_title');
  const parsed =
    (...members: string[]) =>
    (row: Stored) =>
      members.map((member) => [member, JSON.parse(row[member] as string)] as const);
  const derived: Partial<Record<keyof RecordOf, (row: Stored) => (readonly [string, unknown])[]>> = {
    movies: parsed('genres', 'origin_country'),
    honors: (row) => [
      ...parsed('nominee_ids')(row),
      ['ceremony_year', yearOf(row.ceremony_id)],
      ['movie', titleOf(row.movie_id)],
      ['winner', row.winner === 1],
    ],
    nominations: (row) => [
      ['ceremony_year', yearOf(row.ceremony_id)],
      ['category', categoryOf(row.category_id)],
      ['movie', titleOf(row.movie_id)],
      ['nominee', nameOf(row.nominee_id)],
      ['song_title', songOf(row.song_id)],
      ['is_song', row.song_id !== null],
      ['winner', row.winner === 1],
    ],
  };
  const picked = (members: readonly string[], row: object) =>
    Object.fromEntries(members.map((member) => [member, (row as Record<string, unknown>)[member]]));
  const records = Object.entries(membersOf).map(([resource, members]) => [
    resource,
    rowsOf(resource).map((row) =>
      picked(members, {
        ...row,
        ...Object.fromEntries(derived[resource as keyof RecordOf]?.(row) ?? []),
      }),
    ),
  ]);
  const hasOwn = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'details'").get();
  const details = (hasOwn ? rowsOf('details', 'nomination_id') : rowsOf('nominations')).map(
    (row) =>
      [row.nomination_id ?? row.id, picked(detailNames, { ...row, official: row.official === 1 })] as const,
  );
  const filmYears = rowsOf('ceremonies').map((row) => [row.id, row.film_years] as const);
  const otherNamesOf = (table: string) =>
    new Map(rowsOf(table).map((row) => [row.id, JSON.parse((row.other_names ?? '[]') as string)] as const));
  const otherNames = { movies: otherNamesOf('movies'), nominees: otherNamesOf('nominees') };
  return {
    otherNames,
    ...Object.fromEntries(records),
    ...{ details: new Map(details), filmYears: new Map(filmYears) },
  } as PlainRecord;
}
