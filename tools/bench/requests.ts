/** The requests and edits of the bench: drawn at random from a record, but the same in every run. */
import type { Target } from '../../api/contract/target.ts';
import { fold, tokens } from '../../api/contract/text.ts';
import type { PlainRecord } from '../../tests/records/record.ts';
import { Choices, distinct } from '../../tests/records/random.ts';

type Parameters = Record<string, string | number | boolean>;

export interface RequestKind {
  name: string;
  draw(choices: Choices): Target;
}

export const addressOf = ({ path, queryString }: Target): string =>
  queryString === '' ? path : `${path}?${queryString}`;

/** Up to `count` different requests of a kind. */
export function drawRequests(kind: RequestKind, count: number, seed = 1): Target[] {
  const choices = new Choices(seed);
  return distinct(count, () => kind.draw(choices), addressOf);
}

function request(path: string, parameters: Parameters): Target {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { path, queryString: pairs.join('&') };
}

/** Part of a text as people type it: a word, a few letters from within, sometimes all of it. */
function partOf(choices: Choices, text: string): string {
  const how = choices.fraction();
  const folded = fold(text);
  if (how < 0.4) return choices.pick([...tokens(text), folded]);
  const start = choices.between(0, Math.max(0, folded.length - 3));
  return how < 0.8 ? folded.slice(start, start + choices.between(3, 7)) : text;
}

/** What people type into a search box: a name, a title, a prefix, words of both. */
function searchFor(choices: Choices, { nominations }: PlainRecord): string {
  const { nominee, movie, category } = choices.pick(nominations);
  const wordOf = (text: string) => choices.pick([...tokens(text).filter((word) => word.length > 2), 'music']);
  const word = wordOf(movie);
  const title = movie.length > 1 && tokens(movie).length > 0 ? movie : nominee;
  return choices.pick([
    nominee,
    title,
    word,
    word.slice(0, 3),
    `${wordOf(category)} ${nominee}`,
    `${word} ${wordOf(nominee)}`,
  ]);
}

export function requestKinds(record: PlainRecord): RequestKind[] {
  const { movies, nominees, ceremonies } = record;
  const kind = (name: string, path: string, draw: (choices: Choices) => Parameters): RequestKind => ({
    name,
    draw: (choices) => request(path, draw(choices)),
  });
  const range = (choices: Choices) => {
    const years = choices.picks(ceremonies, 2).map((it) => it.ceremony_year);
    return { yearStart: Math.min(...years), yearEnd: Math.max(...years) };
  };
  const nominee = (choices: Choices) => ({ nominee: partOf(choices, choices.pick(nominees).name) });
  const movie = (choices: Choices) => ({ movie: partOf(choices, choices.pick(movies).title) });
  return [
    {
      name: 'a page of an unfiltered list',
      draw(choices) {
        const resource = choices.pick(['nominations', 'movies', 'nominees'] as const);
        const limit = choices.between(20, 30);
        const page = choices.between(1, Math.ceil(record[resource].length / limit));
        return request(`/api/${resource}`, { page, limit });
      },
    },
    kind('nominations by a part of a name', '/api/nominations', nominee),
    kind('nominations by a part of a title', '/api/nominations', movie),
    kind('nominations by several filters', '/api/nominations', (choices) => ({
      ...(choices.chance(0.5) ? nominee(choices) : movie(choices)),
      ...range(choices),
      winner: choices.chance(0.5),
    })),
    kind('movies by a part of the title', '/api/movies', (choices) => ({ title: movie(choices).movie })),
    kind('ranking of films', '/api/stats/top-movies', (choices) => ({
      sort: choices.pick(['nominations', 'wins']),
      ...range(choices),
      limit: choices.between(20, 30),
    })),
    {
      name: 'a record page',
      draw(choices) {
        const resource = choices.pick(['movies', 'nominees'] as const);
        return request(`/api/${resource}/${choices.pick<{ id: number }>(record[resource]).id}`, {});
      },
    },
    kind('search', '/api/search', (choices) => ({ q: searchFor(choices, record) })),
  ];
}

/** Up to `count` different requests of the kinds with these words in their names, in turn. */
export function requestsOf(record: PlainRecord, words: string, count: number): Target[] {
  const kinds = requestKinds(record).filter(({ name }) => name.includes(words));
  const drawn = kinds.map((kind) => drawRequests(kind, Math.ceil(count / kinds.length)));
  const length = Math.max(...drawn.map((requests) => requests.length));
  return Array.from({ length }, (_, at) => drawn.flatMap((requests) => requests[at] ?? [])).flat();
}

/** The next of many addresses that no cache has. */
export const uncachedAddress = (at: number): string =>
  at % 2 ? `/api/movies?title=zz${at.toString(36)}` : `/api/nominees?ids=${(at % 7000) + 1},${at + 10_000}`;

export interface Edit {
  path: string;
  body: { title: string };
}

/** New titles of films that have nominations, each film once. */
export function drawEdits({ nominations, movies }: PlainRecord, count: number, seed = 1): Edit[] {
  const choices = new Choices(seed);
  const words = [...new Set(movies.flatMap(({ title }) => tokens(title)))];
  const draw = (): Edit => ({
    path: `/api/movies/${choices.pick(nominations).movie_id}`,
    body: { title: choices.picks(words, choices.between(2, 4)).join(' ') },
  });
  return distinct(count, draw, ({ path }) => path);
}
