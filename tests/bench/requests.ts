/** The requests of the bench: drawn at random from a record, but the same in every run. */
import type { Target } from '../../api/contract/target.ts';
import { fold, tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../oracle/record.ts';
import { Choices, distinct } from '../support/random.ts';
import { mixedQueries } from './search-queries.ts';

export interface RequestKind {
  name: string;
  /** The goal for its latency. */
  goal: 'list' | 'search' | 'counts' | 'embedded';
  draw: (choices: Choices) => Target;
}

/** Up to `count` different requests of a kind. */
export function drawRequests(kind: RequestKind, count: number, seed = 1): Target[] {
  const choices = new Choices(seed);
  return distinct(count, () => kind.draw(choices), addressOf);
}

export const addressOf = ({ path, queryString }: Target): string =>
  queryString === '' ? path : `${path}?${queryString}`;

type Parameters = Record<string, string | number | boolean | undefined>;

export function request(path: string, parameters: Parameters = {}): Target {
  const queryString = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll('%2C', ',')}`)
    .join('&');
  return { path, queryString };
}

/** Part of a text as people type it: a word, a few letters from within, sometimes all of it. */
export function partOf(choices: Choices, text: string): string {
  const how = choices.fraction();
  const words = tokens(text);
  if (how < 0.4 && words.length > 0) return choices.pick(words);
  if (how >= 0.8 || text.length <= 3) return text;
  const folded = fold(text);
  const start = choices.between(0, folded.length - 3);
  return folded.slice(start, start + choices.between(3, 7));
}

export type DrawParameters = (choices: Choices) => Parameters;

const kind = (name: string, draw: RequestKind['draw']): RequestKind => ({ name, goal: 'list', draw });
export const list = (path: string, by: string, draw: DrawParameters): RequestKind =>
  kind(`${path.replace('stats/', '')} ${by}`, (choices) => request(`/api/${path}`, draw(choices)));

export const paging = (choices: Choices, pages: number) => ({
  page: choices.between(1, pages),
  limit: choices.between(10, 50),
});

function idList(choices: Choices, records: readonly { id: number }[], max: number): string {
  const picked = choices.picks(records, choices.between(1, max));
  return picked.map(({ id }) => id).join(',');
}

export const yearsOf = (record: PlainRecord) => record.ceremonies.map((ceremony) => ceremony.ceremony_year);

export function yearRange(choices: Choices, years: readonly number[]) {
  const [yearStart, yearEnd] = choices.picks(years, 2).sort((a, b) => a - b);
  return { yearStart, yearEnd };
}

const rankingOver =
  (years: readonly number[]): DrawParameters =>
  (choices) => ({
    sort: choices.pick(['nominations', 'wins']),
    ...yearRange(choices, years),
    limit: choices.between(20, 30),
  });

export const requestKinds = (record: PlainRecord): RequestKind[] => [
  unfilteredLists(record),
  ...nominationLists(record),
  ...otherLists(record),
  ...computedKinds(record),
];

function unfilteredLists(record: PlainRecord): RequestKind {
  return kind('unfiltered list pages', (choices) => {
    const resource = choices.pick(['nominations', 'movies', 'nominees'] as const);
    const limit = choices.between(20, 30);
    const page = choices.between(1, Math.ceil(record[resource].length / limit));
    return request(`/api/${resource}`, { page, limit });
  });
}

function nominationLists(record: PlainRecord): RequestKind[] {
  const { nominations, movies, nominees, categories, ceremonies } = record;
  const years = yearsOf(record);
  const nominee: DrawParameters = (choices) => ({ nominee: partOf(choices, choices.pick(nominees).name) });
  const movie: DrawParameters = (choices) => ({ movie: partOf(choices, choices.pick(movies).title) });
  const category: DrawParameters = (choices) => ({
    category: partOf(choices, choices.pick(categories).category_name),
  });
  const byIds: DrawParameters[] = [
    (choices) => ({ ids: idList(choices, nominations, 50) }),
    (choices) => ({ movie_ids: idList(choices, movies, 20) }),
    (choices) => ({ nominee_ids: idList(choices, nominees, 20) }),
    (choices) => ({
      category_ids: idList(choices, categories, 4),
      ceremony_ids: idList(choices, ceremonies, 4),
    }),
  ];
  const combined: DrawParameters[] = [
    (choices) => ({ ...nominee(choices), ...yearRange(choices, years), winner: choices.chance(0.5) }),
    (choices) => ({ ...movie(choices), ...category(choices) }),
    (choices) => ({ ...category(choices), ...yearRange(choices, years), winner: true, is_song: false }),
    (choices) => ({ ...nominee(choices), ...movie(choices) }),
  ];
  const winners: DrawParameters = (choices) => ({
    year: choices.pick(years),
    winner: choices.chance(0.5),
    ...paging(choices, 3),
  });
  return [
    list('nominations', 'by nominee part', nominee),
    list('nominations', 'by movie part', movie),
    list('nominations', 'by category part', (choices) => ({ ...category(choices), ...paging(choices, 20) })),
    list('nominations', 'by ids lists', (choices) => choices.pick(byIds)(choices)),
    list('nominations', 'by year and winner', winners),
    list('nominations', 'combined', (choices) => choices.pick(combined)(choices)),
  ];
}

function otherLists(record: PlainRecord): RequestKind[] {
  const { movies, nominees, songs } = record;
  const years = yearsOf(record);
  const departments = [...new Set(nominees.map((nominee) => nominee.known_for_department))].filter(
    (name) => name !== null,
  );
  return [
    list('movies', 'by title part', (choices) => ({ title: partOf(choices, choices.pick(movies).title) })),
    list('movies', 'by year', (choices) => ({
      ...(choices.chance(0.5) ? { year: choices.pick(years) } : yearRange(choices, years)),
      ...paging(choices, 4),
    })),
    list('nominees', 'by name part', (choices) => ({ name: partOf(choices, choices.pick(nominees).name) })),
    list('nominees', 'by department', (choices) => ({
      known_for_department: choices.pick(departments),
      ...paging(choices, 20),
    })),
    list('songs', 'by title or artist part', (choices) => {
      const { original_title, artist_names } = choices.pick(songs);
      return choices.chance(0.5) || artist_names === null
        ? { title: partOf(choices, original_title) }
        : { artist: partOf(choices, artist_names) };
    }),
  ];
}

function computedKinds(record: PlainRecord): RequestKind[] {
  const years = yearsOf(record);
  const query = mixedQueries(record);
  const filter = (choices: Choices) => ({
    winner: choices.chance(0.5) || undefined,
    ...yearRange(choices, years),
  });
  const search = list('search', '', (choices) => {
    const filtered = choices.chance(0.3) ? filter(choices) : {};
    return { q: query(choices), ...filtered };
  });
  const recordPage = (choices: Choices) => {
    const resource = choices.pick(['movies', 'nominees', 'nominations'] as const);
    return request(`/api/${resource}/${choices.pick<{ id: number }>(record[resource]).id}`);
  };
  return [
    list('stats/top-movies', 'over years', rankingOver(years)),
    list('stats/top-nominees', 'over years', rankingOver(years)),
    kind('record pages', recordPage),
    { ...search, name: 'search', goal: 'search' },
  ];
}
