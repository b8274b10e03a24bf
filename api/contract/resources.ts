/**
 * The six resources: one schema each, from which the types and the column lists of the database layer derive. The order of
 * the fields here is the order in every JSON document; tests hold the documents of the resolver to it. `says` is what a pattern
 * or a format demands, in words that follow "must be".
 */
import Type, { type Static } from 'typebox';
import type { ResourceName } from './names.ts';

const id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => Type.String({ minLength: 1, description });
const optionalText = (description: string) => nullable(text(description));
// The format lets the year 0 pass, which no calendar has.
const date = (description: string) =>
  nullable(
    Type.String({
      format: 'date',
      pattern: '^(?!0000)',
      says: 'a calendar date as YYYY-MM-DD',
      description,
    }),
  );
const httpsUrl = (description: string) =>
  nullable(Type.String({ pattern: '^https://[^\\s]+$', says: 'an https address', description }));
const whole = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

export const NominationSchema = Type.Object({
  id: id('Supplied with the record, never generated.'),
  ceremony_id: id('The ceremony.'),
  ceremony_year: Type.Integer({ description: 'Year in which the ceremony was held; derived.' }),
  category_id: id('The category.'),
  category: Type.String({ description: 'Category name; derived.' }),
  movie_id: id('The film.'),
  movie: Type.String({ description: 'Film title; derived.' }),
  nominee_id: id('The person or company.'),
  nominee: Type.String({ description: 'Nominee name; derived.' }),
  song_id: nullable(id('The song, for a song nomination.')),
  song_title: nullable(Type.String({ description: 'Song title; derived.' })),
  is_song: Type.Boolean({ description: 'True exactly when song_id is not null; derived.' }),
  winner: Type.Boolean({ description: 'True if the nomination won.' }),
});

export const CeremonySchema = Type.Object({
  id: id('Number of the ceremony.'),
  ceremony_year: Type.Integer({ minimum: 1, maximum: 9999, description: 'Year in which it was held.' }),
  date: date('Day on which it was held.'),
  show_title: optionalText('Ordinal title of the show.'),
  venue: optionalText('Where it was held.'),
  overview: optionalText('Summary.'),
  movies_eligible: optionalText('The eligibility window in words.'),
  wikiurl: optionalText('Address of an encyclopedia page.'),
  moment_1_caption: optionalText('First highlight.'),
  moment_2_caption: optionalText('Second highlight.'),
  moment_3_caption: optionalText('Third highlight.'),
  moment_1_img_url: optionalText('Image of the first highlight.'),
  moment_2_img_url: optionalText('Image of the second highlight.'),
  moment_3_img_url: optionalText('Image of the third highlight.'),
});

export const MovieSchema = Type.Object({
  id: id('Id of the film.'),
  title: text('Title.'),
  tagline: optionalText('Tagline.'),
  overview: optionalText('Plot summary.'),
  release_date: date('First release.'),
  runtime: whole('Minutes.'),
  genres: Type.Array(text('Genre name.'), { description: 'Genre names.' }),
  origin_country: Type.Array(text('ISO 3166-1 country code.'), { description: 'Countries of origin.' }),
  moviedb_id: whole('Id in an external movie database.'),
  filmindex_id: nullable(
    Type.String({
      pattern: '^tt[0-9]+$',
      says: 'tt and digits',
      description: 'Id in an external film index.',
    }),
  ),
  poster_path: httpsUrl('Full address of a poster.'),
  backdrop_path: httpsUrl('Full address of a backdrop.'),
});

export const NomineeSchema = Type.Object({
  id: id('Id of the person or company.'),
  name: text('Full name.'),
  biography: optionalText('Biography.'),
  birthday: date('Date of birth.'),
  deathday: date('Date of death.'),
  place_of_birth: optionalText('City and country.'),
  known_for_department: optionalText(
    'Acting, Directing, Writing and so on; null for companies and countries.',
  ),
  homepage: optionalText('Official website.'),
  moviedb_person_id: whole('Id in the external movie database.'),
  filmindex_id: nullable(
    Type.String({
      pattern: '^(nm|co)[0-9]+$',
      says: 'nm or co and digits',
      description: 'Id in the external film index.',
    }),
  ),
  profile_path: httpsUrl('Full address of a portrait.'),
});

export const CategorySchema = Type.Object({
  id: id('Id of the category.'),
  category_name: text('Name.'),
  category_group: optionalText('Acting, Craft, Direction and so on.'),
  definition: optionalText('What the award honours.'),
  era: optionalText('First to last year in which it was given.'),
  history: optionalText('How the category came about and changed.'),
});

export const SongSchema = Type.Object({
  id: id('Id of the song.'),
  original_title: text('Title.'),
  artist_names: optionalText('The artists, in one string.'),
  streaming_id: optionalText('Track id at a streaming service.'),
  streaming_url: optionalText('Track address.'),
  streaming_track_name: optionalText('Track name.'),
  streaming_album_name: optionalText('Album name.'),
  streaming_year: nullable(
    Type.Integer({ minimum: 1, maximum: 9999, description: 'Release year at the streaming service.' }),
  ),
});

export type Nomination = Static<typeof NominationSchema>;
export type Ceremony = Static<typeof CeremonySchema>;
export type Movie = Static<typeof MovieSchema>;
export type Nominee = Static<typeof NomineeSchema>;
export type Category = Static<typeof CategorySchema>;
export type Song = Static<typeof SongSchema>;

/** The record type behind each collection name. */
export interface RecordOf {
  nominations: Nomination;
  ceremonies: Ceremony;
  movies: Movie;
  nominees: Nominee;
  categories: Category;
  songs: Song;
}

/** Collection name → schema, in the order in which the interface introduces them. */
export const resourceSchemas = {
  nominations: NominationSchema,
  ceremonies: CeremonySchema,
  movies: MovieSchema,
  nominees: NomineeSchema,
  categories: CategorySchema,
  songs: SongSchema,
} as const satisfies Record<ResourceName, Type.TSchema>;
