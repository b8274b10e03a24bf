/** @jsxRuntime automatic @jsxImportSource preact */
/** Films side by side on a shelf, with what their cards show. */
import { filmYears } from '../../../api/read/named-columns.ts';
import type { Movie } from '../../../api/contract/resources.ts';
import { recordHref } from './addresses.ts';
import { ask } from './ask.ts';
import { type CardFilm, FilmCard } from './cards.tsx';
import type { Visit } from './parts.tsx';
import { bestPicture, talliesOf } from './record.ts';

/**
 * Films in the order of their ids in a list; unknown ones are left out.
 * @param captionOf default the year of the film
 * @throws SnapshotUnavailable
 */
export async function shelfFilms(
  visit: Visit,
  ids: readonly number[],
  captionOf: (film: { id: number; filmYears: string | undefined }) => string = (film) => film.filmYears ?? '',
): Promise<ShelfFilm[]> {
  const { snapshot } = visit;
  const [table, titles, years, tallies] = await Promise.all([
    snapshot.table('nominations'),
    snapshot.table('titles'),
    filmYears(snapshot),
    talliesOf(snapshot, 'movies', ids),
  ]);
  const posters = await postersOf(visit, ids);
  const picture = table.categories.name.values.indexOf(bestPicture);
  return ids.flatMap((id, at) => {
    const row = titles.row(id);
    if (row < 0) return [];
    const own = [...table.movie.nominationsOf(id)];
    const { nominations, wins, unofficial_wins } = tallies[at]!;
    const released = years[row]?.film_years;
    return [
      {
        id,
        title: titles.text.values[row]!,
        filmYears: released,
        nominations,
        wins: wins + unofficial_wins,
        wonBestPicture: own.some((one) => table.category.rows[one] === picture && table.winner[one] === 1),
        poster: posters.get(id) ?? null,
        caption: captionOf({ id, filmYears: released }),
      },
    ];
  });
}

/** The addresses of posters; none where no other host may show them. */
async function postersOf(
  { snapshot, imageOrigins }: Visit,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  if (imageOrigins.size < 2 || ids.length === 0) return new Map();
  const address = `/api/movies?ids=${ids.join()}&limit=${ids.length}&fields=id,poster_path`;
  const { data } = await ask<{ data: Pick<Movie & { id: number }, 'id' | 'poster_path'>[] }>(
    snapshot,
    address,
  );
  return new Map(data.map(({ id, poster_path }) => [id, poster_path]));
}

/** The films that won Best Picture, each with its ceremony, the latest first. @throws SnapshotUnavailable */
export async function bestPictures({ snapshot }: Visit): Promise<{ film: number; ceremony: number }[]> {
  const { categories, category, ceremony, movie, winner, ceremonies } = await snapshot.table('nominations');
  const row = categories.name.values.indexOf(bestPicture);
  if (row < 0) return [];
  const won = [...category.nominationsOf(categories.id(row))].filter((own) => winner[own] === 1);
  const pairs = new Map(
    won.map((own) => {
      const [film, at] = [movie.idAt(own), ceremony.rows[own]!];
      return [`${film} ${at}`, { film, ceremony: ceremonies.id(at), year: ceremonies.year[at]! }] as const;
    }),
  );
  return [...pairs.values()].sort((a, b) => b.year - a.year || b.ceremony - a.ceremony || a.film - b.film);
}

/** A film on a shelf. */
export interface ShelfFilm extends CardFilm {
  id: number;
  /** What the reader sees below the card. */
  caption: string;
}

/** Films side by side, each with its title in words: a card is a picture. */
export const Shelf = ({
  visit,
  films,
  label,
}: {
  visit: Visit;
  films: readonly ShelfFilm[];
  label: string;
}) => (
  <ul class="shelf" aria-label={label}>
    {films.map((film) => (
      <li key={film.id}>
        <a href={recordHref('movies', film.id, film.title)}>
          <FilmCard visit={visit} film={film} />
          <span class="visually-hidden">{film.title}, </span>
          <span class="caption">{film.caption}</span>
        </a>
      </li>
    ))}
  </ul>
);
