/**
 * The fields of all records by name. They are those of the schemas, for code that does not load the schema
 * library.
 */
import type { ResourceName } from './names.ts';
import type { Details, EntryCounts, RecordOf } from './resources.ts';

/** Resource → the fields of its records, in their order. */
export const fieldNames = {
  nominations: [
    'id',
    'ceremony_id',
    'ceremony_year',
    'category_id',
    'category',
    'movie_id',
    'movie',
    'nominee_id',
    'nominee',
    'song_id',
    'song_title',
    'is_song',
    'winner',
  ],
  ceremonies: [
    'id',
    'ceremony_year',
    'date',
    'show_title',
    'venue',
    'overview',
    'movies_eligible',
    'wikiurl',
    'moment_1_caption',
    'moment_2_caption',
    'moment_3_caption',
    'moment_1_img_url',
    'moment_2_img_url',
    'moment_3_img_url',
  ],
  movies: [
    'id',
    'title',
    'tagline',
    'overview',
    'release_date',
    'runtime',
    'genres',
    'origin_country',
    'moviedb_id',
    'filmindex_id',
    'poster_path',
    'backdrop_path',
  ],
  nominees: [
    'id',
    'name',
    'biography',
    'birthday',
    'deathday',
    'place_of_birth',
    'known_for_department',
    'homepage',
    'moviedb_person_id',
    'filmindex_id',
    'profile_path',
  ],
  categories: ['id', 'category_name', 'category_group', 'definition', 'era', 'history'],
  songs: [
    'id',
    'original_title',
    'artist_names',
    'streaming_id',
    'streaming_url',
    'streaming_track_name',
    'streaming_album_name',
    'streaming_year',
  ],
  honors: [
    'id',
    'ceremony_id',
    'ceremony_year',
    'class',
    'winner',
    'category_id',
    'category',
    'movie_id',
    'movie',
    'recipients',
    'nominee_ids',
    'citation',
    'note',
  ],
} as const satisfies { [R in ResourceName]: readonly (keyof RecordOf[R])[] };

/** The fields of the details of a nomination. */
export const detailNames = [
  'entry',
  'character',
  'note',
  'official',
  'historical_category',
  'credited_as',
] as const satisfies readonly (keyof Details)[];

/** Resource → the fields that are stored with its records, and shown where a request asks for them. */
export const requestedFields: { readonly [R in ResourceName]?: readonly ('film_years' | 'other_names')[] } = {
  ceremonies: ['film_years'],
  movies: ['other_names'],
  nominees: ['other_names'],
};

/** The members that a key of `include` adds to a record. */
export const membersOf = (include: string): readonly string[] =>
  include === 'film_year' ? ['film_year', 'film_years'] : [include];

/** The counts of a record. */
export const countNames = [
  'entries',
  'wins',
  'nominations',
] as const satisfies readonly (keyof EntryCounts)[];
