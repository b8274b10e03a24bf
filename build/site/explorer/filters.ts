/** How the pages show each parameter of the API, and which values a reader can choose. */
import { type ParameterName, parameters } from '../../../api/contract/parameters.ts';
import { withParameter } from '../../../api/contract/query-string.ts';
import { capitalized } from '../shared/format.ts';
import { withQuery } from './addresses.ts';

export interface Choice {
  value: string;
  text: string;
}
export type Choices = Partial<Record<ParameterName, readonly Choice[]>>;

export interface Filter {
  label: string;
  /** Shown below "More filters". */
  isRare?: true;
  hint?: string;
  /** A list of choices instead of a text field. */
  isSelect?: true;
  /** Fixed choices; all others are loaded from the record. */
  choices?: readonly Choice[];
  /** Text of the choice "no filter", if not "All". */
  none?: string;
  /** Value that the API uses without the parameter. */
  preset?: string;
}

export const choice = (value: string, text = value): Choice => ({ value, text });
const select = (...choices: Choice[]) => ({ isSelect: true, choices }) as const;
const idHint = { hint: 'such as 12, 15', isRare: true } as const;

/** In the order in which a form shows them. */
const described: Partial<Record<ParameterName, Filter>> = {
  q: { label: 'Words' },
  by: { label: 'Groups' },
  include: { label: 'Added members' },
  fields: { label: 'Members' },
  nominee: { label: 'Nominee' },
  recipient: { label: 'Recipient' },
  movie: { label: 'Film' },
  title: { label: 'Title' },
  name: { label: 'Name' },
  artist: { label: 'Artist' },
  category: { label: 'Category' },
  category_name: { label: 'Name' },
  category_group: { label: 'Group of categories', isSelect: true },
  genre: { label: 'Genre', isSelect: true },
  known_for_department: { label: 'Department', isSelect: true },
  winner: {
    label: 'Outcome',
    none: 'Any outcome',
    ...select(choice('true', 'Winners only'), choice('false', 'Did not win')),
  },
  official: {
    label: 'Status',
    isRare: true,
    none: 'Official and not',
    ...select(choice('true', 'Official only'), choice('false', 'Not official only')),
  },
  is_song: {
    label: 'Songs',
    isRare: true,
    none: 'Songs and others',
    ...select(choice('true', 'Songs only'), choice('false', 'All but songs')),
  },
  yearStart: { label: 'Ceremonies from' },
  yearEnd: { label: 'Ceremonies to' },
  year: { label: 'Ceremony year' },
  filmYear: { label: 'Film year', isRare: true },
  filmYearStart: { label: 'Film years from', isRare: true },
  filmYearEnd: { label: 'Film years to', isRare: true },
  class: {
    label: 'Class',
    none: 'All',
    ...select(choice('Special', 'Special awards'), choice('SciTech', 'Scientific and technical awards')),
  },
  sort: {
    label: 'Order by',
    preset: 'nominations',
    ...select(choice('nominations', 'Nominations'), choice('wins', 'Wins')),
  },
  limit: {
    label: 'How many',
    isRare: true,
    preset: '25',
    ...select(choice('10'), choice('25'), choice('50'), choice('100')),
  },
  ceremony_ids: { label: 'Ceremony', isRare: true, isSelect: true },
  category_ids: { label: 'Category, exactly', isRare: true, isSelect: true },
  movie_ids: { label: 'Numbers of films', ...idHint },
  nominee_ids: { label: 'Numbers of nominees', ...idHint },
  ids: { label: 'Record numbers', ...idHint },
  moviedb_id: { label: 'TMDB ID', isRare: true },
  moviedb_person_id: { label: 'TMDB ID', isRare: true },
  filmindex_ids: { label: 'IMDb IDs', isRare: true, hint: 'such as tt0109830, tt0120338' },
  filmindex_id: { label: 'IMDb ID', isRare: true, hint: 'such as tt0109830 or nm0000158' },
};

/** Every parameter in the order in which a form shows it. One that is not described above comes last, labelled by its name. */
export const filters = {
  ...described,
  ...Object.fromEntries(
    Object.keys(parameters)
      .filter((name) => !Object.hasOwn(described, name))
      .map((name) => [name, { label: capitalized(name.replaceAll('_', ' ')) }]),
  ),
} as Readonly<Record<ParameterName, Filter>>;

/** The years of songs are those of the streaming service. */
const songFilters: Partial<Record<ParameterName, Filter>> = {
  yearStart: { label: 'Streamed from year', isRare: true },
  yearEnd: { label: 'Streamed to year', isRare: true },
  year: { label: 'Year of streaming', isRare: true },
};

const asRecorded = choice('id', 'As recorded');
/** Page of a list → the orders that it offers, the usual one first. */
const orders: Readonly<Record<string, readonly Choice[]>> = {
  '/movies': [
    choice('-entries', 'Nominations'),
    choice('-wins', 'Wins'),
    choice('title', 'Title'),
    choice('-release_date', 'Latest release'),
    choice('release_date', 'Earliest release'),
    choice('-runtime', 'Longest'),
    asRecorded,
  ],
  '/nominees': [
    choice('-entries', 'Nominations'),
    choice('-wins', 'Wins'),
    choice('name', 'Name'),
    choice('birthday', 'Oldest'),
    choice('-birthday', 'Youngest'),
    asRecorded,
  ],
  '/songs': [
    choice('-id', 'Last recorded'),
    choice('title', 'Title'),
    choice('artist', 'Artist'),
    choice('-year', 'Latest recording'),
    asRecorded,
  ],
  '/nominations': [
    choice('-year', 'Latest'),
    choice('year', 'Earliest'),
    asRecorded,
    choice('category', 'Category'),
    choice('movie', 'Film'),
    choice('nominee', 'Nominee'),
  ],
  '/search': [choice('relevance', 'Best match'), choice('-year', 'Latest'), choice('year', 'Earliest')],
};

/** Pages of lists whose rows show counts. */
const countedLists: readonly string[] = ['/movies', '/nominees'];

/** The address of the API for a list: with the usual order of its page, unless the query names one, and the counts of its rows. */
export function listAddress(path: string, query: string): string {
  const order = orders[path]?.[0]?.value;
  const isUsual = order === undefined || order === 'relevance' || new URLSearchParams(query).has('sort');
  // The API reports what is wrong in the query as it is.
  const sorted = isUsual ? query : `${query && `${query}&`}sort=${order}`;
  return withQuery(
    `/api${path}`,
    countedLists.includes(path) ? withParameter(sorted, 'include', 'counts') : sorted,
  );
}

/** @param path of the page */
export function filterOn(path: string, name: ParameterName): Filter {
  const choices = name === 'sort' ? orders[path] : undefined;
  if (choices) return { label: 'Order by', isSelect: true, choices, preset: choices[0]!.value };
  return (path === '/songs' ? songFilters[name] : undefined) ?? filters[name];
}
