/** The kinds of requests the bench makes, each drawn at random from a record. */
import type { PlainRecord } from '../oracle/record.ts';
import type { Choices } from './random.ts';
import { type Parameters, partOf, type RequestKind, request } from './requests.ts';
import { mixedQueries } from './search-queries.ts';

export function requestKinds(record: PlainRecord): RequestKind[] {
  return [
    unfilteredLists(record),
    ...nominationKinds(record),
    ...recordKinds(record),
    ...computedKinds(record),
  ];
}

/** Kinds that ask for genres, which the public record has none of. */
export function genreKinds(record: PlainRecord): RequestKind[] {
  const genres = [...new Set(record.movies.flatMap((movie) => movie.genres))];
  const years = yearsOf(record);
  return [
    {
      name: 'movies by genre',
      goal: 'list',
      draw: (choices) => request('/api/movies', { genre: choices.pick(genres), ...paging(choices, 20) }),
    },
    {
      name: 'top-movies by genre and years',
      goal: 'list',
      draw: (choices) =>
        request('/api/stats/top-movies', { genre: choices.pick(genres), ...rankingYears(choices, years) }),
    },
  ];
}

const yearsOf = (record: PlainRecord) => record.ceremonies.map((ceremony) => ceremony.ceremony_year);
const paging = (choices: Choices, pages: number) => ({
  page: choices.between(1, pages),
  limit: choices.between(10, 50),
});
const idList = (choices: Choices, records: readonly { id: number }[], most: number) =>
  choices
    .picks(records, choices.between(1, most))
    .map((picked) => picked.id)
    .join(',');

function yearRange(choices: Choices, years: readonly number[]) {
  const [yearStart, yearEnd] = choices.picks(years, 2).sort((a, b) => a - b);
  return { yearStart, yearEnd };
}

const rankingYears = (choices: Choices, years: readonly number[]) => ({
  sort: choices.pick(['nominations', 'wins']),
  ...yearRange(choices, years),
  limit: choices.between(20, 30),
});

function nominationKinds(record: PlainRecord): RequestKind[] {
  const { nominations, movies, nominees, categories } = record;
  const years = yearsOf(record);
  const kind = (name: string, draw: (choices: Choices) => Parameters): RequestKind => ({
    name: `nominations ${name}`,
    goal: 'list',
    draw: (choices) => request('/api/nominations', draw(choices)),
  });
  const nominee = (choices: Choices) => partOf(choices, choices.pick(nominees).name);
  const movie = (choices: Choices) => partOf(choices, choices.pick(movies).title);
  const category = (choices: Choices) => partOf(choices, choices.pick(categories).category_name);
  return [
    kind('by nominee part', (choices) => ({ nominee: nominee(choices) })),
    kind('by movie part', (choices) => ({ movie: movie(choices) })),
    kind('by category part', (choices) => ({ category: category(choices), ...paging(choices, 20) })),
    kind('by ids lists', (choices) =>
      choices.pick([
        () => ({ ids: idList(choices, nominations, 50) }),
        () => ({ movie_ids: idList(choices, movies, 20) }),
        () => ({ nominee_ids: idList(choices, nominees, 20) }),
        () => ({
          category_ids: idList(choices, categories, 4),
          ceremony_ids: idList(choices, record.ceremonies, 4),
        }),
      ])(),
    ),
    kind('by year and winner', (choices) => ({
      year: choices.pick(years),
      winner: choices.chance(0.5),
      ...paging(choices, 3),
    })),
    kind('combined', (choices) =>
      choices.pick<() => Parameters>([
        () => ({ nominee: nominee(choices), ...yearRange(choices, years), winner: choices.chance(0.5) }),
        () => ({ movie: movie(choices), category: category(choices) }),
        () => ({ category: category(choices), ...yearRange(choices, years), winner: true, is_song: false }),
        () => ({ nominee: nominee(choices), movie: movie(choices) }),
      ])(),
    ),
  ];
}

/** Pages of the unfiltered lists. */
function unfilteredLists(record: PlainRecord): RequestKind {
  return {
    name: 'unfiltered list pages',
    goal: 'list',
    draw: (choices) => {
      const resource = choices.pick(['nominations', 'movies', 'nominees'] as const);
      const limit = choices.between(20, 30);
      return request(`/api/${resource}`, {
        page: choices.between(1, Math.ceil(record[resource].length / limit)),
        limit,
      });
    },
  };
}

function recordKinds(record: PlainRecord): RequestKind[] {
  const { movies, nominees, songs } = record;
  const years = yearsOf(record);
  const departments = [...new Set(nominees.map((nominee) => nominee.known_for_department))].filter(
    (name) => name !== null,
  );
  const kind = (path: string, by: string, draw: (choices: Choices) => Parameters): RequestKind => ({
    name: `${path} ${by}`,
    goal: 'list',
    draw: (choices) => request(`/api/${path}`, draw(choices)),
  });
  return [
    kind('movies', 'by title part', (choices) => ({ title: partOf(choices, choices.pick(movies).title) })),
    kind('movies', 'by year', (choices) => ({
      ...(choices.chance(0.5) ? { year: choices.pick(years) } : yearRange(choices, years)),
      ...paging(choices, 4),
    })),
    kind('nominees', 'by name part', (choices) => ({ name: partOf(choices, choices.pick(nominees).name) })),
    kind('nominees', 'by department', (choices) => ({
      known_for_department: choices.pick(departments),
      ...paging(choices, 20),
    })),
    kind('songs', 'by title or artist part', (choices) => {
      const { original_title, artist_names } = choices.pick(songs);
      return choices.chance(0.5) || artist_names === null
        ? { title: partOf(choices, original_title) }
        : { artist: partOf(choices, artist_names) };
    }),
  ];
}

function computedKinds(record: PlainRecord): RequestKind[] {
  const years = yearsOf(record);
  const search = mixedQueries(record);
  const page = (choices: Choices, resource: 'movies' | 'nominees' | 'nominations') =>
    request(`/api/${resource}/${choices.pick<{ id: number }>(record[resource]).id}`);
  return [
    {
      name: 'top-movies over years',
      goal: 'list',
      draw: (choices) => request('/api/stats/top-movies', rankingYears(choices, years)),
    },
    {
      name: 'top-nominees over years',
      goal: 'list',
      draw: (choices) => request('/api/stats/top-nominees', rankingYears(choices, years)),
    },
    {
      name: 'record pages',
      goal: 'list',
      draw: (choices) => page(choices, choices.pick(['movies', 'nominees', 'nominations'])),
    },
    {
      name: 'search',
      goal: 'search',
      draw: (choices) => {
        const filter = choices.chance(0.3)
          ? { winner: choices.chance(0.5) || undefined, ...yearRange(choices, years) }
          : {};
        return request('/api/search', { q: search(choices), ...filter });
      },
    },
  ];
}
