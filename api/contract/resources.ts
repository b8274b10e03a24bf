/**
 * The schemas of the resources. Types and database columns are derived from them. The field order here is the
 * field order of every JSON document. `says` describes a pattern or format in words that follow "must be".
 *
 * `ofWrites` names the keywords that are rules for the bodies of writes only. Imports, other programs and
 * older versions can store other values: the schemas of answers leave these rules out.
 */
import * as Type from 'typebox';
import type { Static } from 'typebox';
import { honorClasses, type ResourceName } from './names.ts';
import { maxTextLength } from './parameters.ts';

const id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const pattern = (regex: string, says: string, description: string, ofWrites: string[] = [], maxLength = 20) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: regex,
    ofWrites: ['maxLength', ...ofWrites],
    says,
    description,
  });
/** A character that shows: no space, and no mark of width 0 or of direction. */
const visible = '[^\\s\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f]';
/** A name or title. No longer than a text parameter, so that a filter can name all of it. */
const text = (description: string, maxLength = maxTextLength) =>
  pattern(visible, 'a text that is not blank', description, ['pattern'], maxLength);
const optionalText = (description: string, maxLength?: number) => nullable(text(description, maxLength));
const maxLongText = 20_000;
const longText = (description: string) => optionalText(description, maxLongText);
/** The text of another record, which an import can have made longer. */
const derivedText = (description: string) =>
  Type.String({ maxLength: maxLongText, ofWrites: ['maxLength'], description });
const maxUrl = 2000;
const httpsUrl = (description: string, ofWrites?: string[]) =>
  nullable(pattern('^https://[^\\s]+$', 'an https address', description, ofWrites, maxUrl));
const webUrl = (description: string) =>
  nullable(pattern('^https?://[^\\s]+$', 'an http or https address', description, ['pattern'], maxUrl));
const names = (item: string, maxLength: number, description: string) =>
  Type.Array(text(item, maxLength), { maxItems: 50, ofWrites: ['maxItems'], description });
const wholeNumber = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));
/** The format accepts the year 0, which does not exist; the pattern does not. */
const date = (description: string) =>
  nullable(
    Type.String({
      format: 'date',
      pattern: '^(?!0000)',
      says: 'a calendar date as YYYY-MM-DD',
      description,
    }),
  );

/** What the source of a nomination tells besides it; `include=details` shows it. */
export const DetailsSchema = Type.Object({
  entry: nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Number of the entry within ceremony and category. Nominations with the same number count as one. Null if an editor added the nomination.',
    }),
  ),
  character: optionalText('The role, for acting.'),
  note: longText('A remark of the source.'),
  official: Type.Boolean({ description: 'False if the source says that it is not an official nomination.' }),
  historical_category: optionalText('Name of the category at the time.'),
  credited_as: optionalText('The name under which the nominee was credited, where it is another one.'),
});
export type Details = Static<typeof DetailsSchema>;

/** Where values of the record come from. */
export const SourceSchema = Type.Object(
  {
    name: Type.String({
      description:
        'oscar_data, sample, generated, film-awards (texts of the project), wikidata or tmdb; import for another source of an import.',
    }),
    title: Type.String({
      description: 'What the source is called; of another source the name of its file or its address.',
    }),
    gives: Type.String({ description: 'What the record has from it.' }),
    licence: nullable(
      Type.String({
        description: 'Its licence, as SPDX names it, or its terms; null if they are not known.',
      }),
    ),
    holder: nullable(Type.String({ description: 'Whom the licence says to name; null if nobody.' })),
    address: nullable(
      Type.String({ description: 'Where the source is; null if it is nowhere in the public.' }),
    ),
  },
  { description: 'Where values of the record come from, and under which licence.' },
);
export type Source = Static<typeof SourceSchema>;

/** What counts as one nomination, as the press counts; `include=counts` shows it. */
export const CountsSchema = Type.Object({
  entries: Type.Integer({ minimum: 0, description: 'Entries: joint nominations count once.' }),
  wins: Type.Integer({ minimum: 0, description: 'Entries that won.' }),
  nominations: Type.Integer({ minimum: 0, description: 'Individual nominations.' }),
});
export type EntryCounts = Static<typeof CountsSchema>;

/** Official entries, and the others beside them: write-in votes and the like. */
export const OfficialCountsSchema = Type.Object({
  entries: Type.Integer({ minimum: 0, description: 'Official entries: joint nominations count once.' }),
  wins: Type.Integer({ minimum: 0, description: 'Official entries that won.' }),
  unofficial: Type.Integer({ minimum: 0, description: 'Entries that are not official.' }),
  unofficial_wins: Type.Integer({ minimum: 0, description: 'Entries that are not official, and won.' }),
});
export type OfficialCounts = Static<typeof OfficialCountsSchema>;

export const resourceSchemas = {
  nominations: Type.Object({
    id: id('Id of the nomination. The client chooses it.'),
    ceremony_id: id('The ceremony.'),
    ceremony_year: Type.Integer({ description: 'Year of the ceremony; derived.' }),
    category_id: id('The category.'),
    category: derivedText('Category name; derived.'),
    movie_id: id('The film.'),
    movie: derivedText('Film title; derived.'),
    nominee_id: id('The person or company.'),
    nominee: derivedText('Nominee name; derived.'),
    song_id: nullable(id('The song, for a song nomination.')),
    song_title: nullable(derivedText('Song title; derived.')),
    is_song: Type.Boolean({ description: 'True if song_id is not null; derived.' }),
    winner: Type.Boolean({ description: 'True if the nomination won.' }),
  }),
  ceremonies: Type.Object({
    id: id('Number of the ceremony.'),
    ceremony_year: Type.Integer({ minimum: 1, maximum: 9999, description: 'Year of the ceremony.' }),
    date: date('Date of the ceremony.'),
    show_title: optionalText('Ordinal title of the show.'),
    venue: optionalText('Place of the ceremony.'),
    overview: longText('Summary.'),
    movies_eligible: optionalText('The eligibility period in words.'),
    wikiurl: webUrl('URL of an encyclopedia page.'),
    moment_1_caption: optionalText('First highlight.'),
    moment_2_caption: optionalText('Second highlight.'),
    moment_3_caption: optionalText('Third highlight.'),
    moment_1_img_url: httpsUrl('Image URL of the first highlight.', ['pattern']),
    moment_2_img_url: httpsUrl('Image URL of the second highlight.', ['pattern']),
    moment_3_img_url: httpsUrl('Image URL of the third highlight.', ['pattern']),
  }),
  movies: Type.Object({
    id: id('Id of the film.'),
    title: text('Title.'),
    tagline: optionalText('Tagline.'),
    overview: longText('Plot summary.'),
    release_date: date('Date of the first release.'),
    runtime: wholeNumber('Minutes.'),
    genres: names('Genre name.', 100, 'Genre names.'),
    origin_country: names('ISO 3166-1 country code.', 10, 'Countries of origin.'),
    moviedb_id: wholeNumber('TMDB id.'),
    filmindex_id: nullable(pattern('^tt[0-9]+$', 'tt and digits', 'IMDb id, tt…')),
    poster_path: httpsUrl('URL of a poster.'),
    backdrop_path: httpsUrl('URL of a backdrop.'),
  }),
  nominees: Type.Object({
    id: id('Id of the person or company.'),
    name: text('Full name.'),
    biography: longText('Biography.'),
    birthday: date('Date of birth.'),
    deathday: date('Date of death.'),
    place_of_birth: optionalText('City and country.'),
    known_for_department: optionalText(
      'Acting, Directing, Writing and so on; null for companies and countries.',
    ),
    homepage: webUrl('Official website.'),
    moviedb_person_id: wholeNumber('TMDB id of the person.'),
    filmindex_id: nullable(
      pattern('^(nm|co)[0-9]+$', 'nm or co and digits', 'IMDb id: nm… of a person, co… of a company.'),
    ),
    profile_path: httpsUrl('URL of a portrait.'),
  }),
  categories: Type.Object({
    id: id('Id of the category.'),
    category_name: text('Name.'),
    category_group: optionalText('Acting, Craft, Direction and so on.'),
    definition: longText('The achievement that the award honors.'),
    era: optionalText('First and last year of the award.'),
    history: longText('Origin and changes of the category.'),
  }),
  songs: Type.Object({
    id: id('Id of the song.'),
    original_title: text('Title.'),
    artist_names: optionalText('The artists, in one string.'),
    streaming_id: optionalText('Track id at a streaming service.'),
    streaming_url: webUrl('Track URL.'),
    streaming_track_name: optionalText('Track name.'),
    streaming_album_name: optionalText('Album name.'),
    streaming_year: nullable(
      Type.Integer({ minimum: 1, maximum: 9999, description: 'Release year at the streaming service.' }),
    ),
  }),
  /**
   * Honorary, scientific and technical awards. Also awards and nominations of a category for which the source
   * names no film, or no recipient: a nomination needs both.
   */
  honors: Type.Object({
    id: id('Id of the honor.'),
    ceremony_id: id('The ceremony.'),
    ceremony_year: Type.Integer({ description: 'Year of the ceremony; derived.' }),
    class: Type.Enum([...honorClasses], {
      description:
        'Scientific and technical, special, or competitive: an award or nomination of a category without a film or without a recipient.',
    }),
    winner: Type.Boolean({ description: 'True if it was awarded; false for a nomination.' }),
    category_id: nullable(id('The category, if the award is of one.')),
    category: text('Name of the award at the time.'),
    movie_id: nullable(id('The film, if the award names one of the record.')),
    movie: nullable(Type.String({ description: 'Film title; derived.' })),
    recipients: optionalText('The recipients, in words.'),
    nominee_ids: Type.Array(id('A person or company of the record.'), {
      maxItems: 100,
      uniqueItems: true,
      ofWrites: ['maxItems', 'uniqueItems'],
      description: 'The recipients who are among the nominees.',
    }),
    citation: optionalText('What the award is for.'),
    note: longText('A remark of the source.'),
  }),
} as const satisfies Record<ResourceName, Type.TSchema>;

/** The years of the films of a ceremony as the source writes them: "2020", "1927/28". */
const filmYearsPattern = '^(?!0000)[0-9]{4}(/[0-9]{2})?$';

/** Fields that are stored with a record, and shown where a request asks for them. */
export const requestedSchemas = {
  ceremonies: {
    film_years: nullable(
      pattern(
        filmYearsPattern,
        'a year, or two as 1927/28',
        'The years of its films, such as 2020 or 1927/28; null for the year before the ceremony. With include=film_years, and in the answer to a write whose body has them.',
      ),
    ),
  },
  movies: {
    other_names: names(
      'A title.',
      500,
      'Original titles and other titles, which the search of the pages finds. With include=other_names, and in the answer to a write whose body has them.',
    ),
  },
  nominees: {
    other_names: names(
      'A name.',
      500,
      'Other names, which the search of the pages finds. With include=other_names, and in the answer to a write whose body has them.',
    ),
  },
} as const;

/**
 * Columns that the downloads add after the fields of a record. Totals count entries: counting rows of
 * nominations would give higher numbers.
 */
const totals = { entries: CountsSchema.properties.entries, wins: CountsSchema.properties.wins };
export const downloadSchemas: { readonly [R in ResourceName]?: Record<string, Type.TSchema> } = {
  ceremonies: { ...requestedSchemas.ceremonies, ...totals },
  movies: {
    film_year: nullable(Type.Integer({ description: 'Year of the film, the last of two.' })),
    film_years: nullable(Type.String({ description: 'Years of the film, such as 2020 or 1927/28.' })),
    ...totals,
  },
  nominees: totals,
};

export type RecordOf = { [R in ResourceName]: Static<(typeof resourceSchemas)[R]> };

/** What is stored of a record besides its fields. */
export type StoredBeside<R extends ResourceName> = R extends 'nominations'
  ? Details
  : R extends 'ceremonies'
    ? { film_years: string | null }
    : R extends 'movies' | 'nominees'
      ? { other_names: string[] }
      : unknown;

export type Nomination = RecordOf['nominations'];
export type Ceremony = RecordOf['ceremonies'];
/** The years of a film, as `include=film_year` shows them. */
export interface FilmYears {
  film_year: number | null;
  film_years: string | null;
}
/** A ceremony with the years of its films. */
export type StoredCeremony = Ceremony & StoredBeside<'ceremonies'>;
export type Movie = RecordOf['movies'];
export type Nominee = RecordOf['nominees'];
export type Category = RecordOf['categories'];
export type Song = RecordOf['songs'];
export type Honor = RecordOf['honors'];
