/** The schemas of the lists of films. */
import Type, { type Static } from 'typebox';
import { type ListKind, listKinds } from './lists.ts';

const id = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], { description });
const address = <T extends string = string>(description: string) =>
  Type.Unsafe<T>(Type.String({ pattern: '^/lists/[a-z0-9-]+/[a-z]+\\.[a-z]+$', description }));

/** A film as Radarr takes it from a custom list. */
export const ListedFilmSchema = Type.Object({
  title: Type.String({ description: 'Title.' }),
  imdb_id: Type.String({ description: 'IMDb id, tt…: filmindex_id of the film.' }),
  poster_url: Type.Optional(
    Type.String({ description: 'URL of a poster. Missing if none is known, or if it may not be passed on.' }),
  ),
  year: Type.Integer({
    description: 'Year of the first release; if it is not known, or may not be passed on, the film year.',
  }),
});
export const FilmListSchema = Type.Array(ListedFilmSchema, {
  description: 'Films with a known id, by their latest such nomination, newest first.',
});

export const FilmListIndexSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      title: Type.String({ description: 'What the list holds.' }),
      kind: Type.Enum([...listKinds] as ListKind[], { description: 'Winners are among the nominees.' }),
      category_id: id('The category of the list; null for the list of a ceremony.'),
      ceremony_id: id('The ceremony of the list; null for the list of a category.'),
      films: Type.Integer({ minimum: 0, description: 'Number of films.' }),
      json: address<`/lists/${string}.json`>(
        'Address of the list as JSON, which Radarr takes as a custom list.',
      ),
      rss: address('Address of the list as RSS 2.0.'),
    }),
    { description: 'Categories by id, then ceremonies, newest first.' },
  ),
  count: Type.Integer({ minimum: 0, description: 'Number of lists in data.' }),
});

export type ListedFilm = Static<typeof ListedFilmSchema>;
export type FilmListIndex = Static<typeof FilmListIndexSchema>;
