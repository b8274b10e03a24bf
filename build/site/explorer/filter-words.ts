/** What filters, orders and their faults are called on pages. */
import { type ParameterName, parameters } from '../../../api/contract/parameters.ts';
import type { ParameterFault } from '../../../api/contract/problems.ts';
import { withParameter } from '../../../api/contract/query-string.ts';
import { capitalized } from '../shared/format.ts';
import { withQuery } from './addresses.ts';

/** A value that a reader can choose, and its text. */
export type Choice = readonly [value: string, text: string];

/** "true=Winners only, false=Did not win" */
const choicesOf = (text: string): Choice[] =>
  text.split(', ').map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]);

export interface Filter {
  label: string;
  /** Shown below "More filters". */
  isRare?: true;
  /** A list of choices instead of a text field. Those that are not given here come from the record. */
  select?: readonly Choice[];
  /** Text of the choice "no filter". */
  none?: string;
}

/** Parameter → its filter. */
export type Wording = Partial<Record<ParameterName, Filter>>;

const isRare = true as const;

/**
 * In the order in which a form shows them. Filters by ids are for links: an address can have them, a form
 * shows them as chips.
 */
const ofAllPages: Wording = {
  nominee: { label: 'Nominee' },
  recipient: { label: 'Recipient' },
  title: { label: 'Title' },
  name: { label: 'Name' },
  artist: { label: 'Writer or artist' },
  movie: { label: 'Film' },
  category: { label: 'Category' },
  category_name: { label: 'Name' },
  category_group: { label: 'Group of categories', select: [] },
  genre: { label: 'Genre', select: [] },
  known_for_department: { label: 'Department', select: [] },
  winner: {
    label: 'Outcome',
    none: 'Won or nominated',
    select: choicesOf('true=Winners only, false=Did not win'),
  },
  class: {
    label: 'Kind of honor',
    select: choicesOf(
      'Special=Honorary and special awards, SciTech=Scientific and technical awards, Competitive=Competitive awards',
    ),
  },
  official: {
    label: 'Status',
    isRare,
    none: 'Official or not',
    select: choicesOf('true=Official nominations, false=Not official'),
  },
  is_song: {
    label: 'Songs',
    isRare,
    none: 'With or without a song',
    select: choicesOf('true=Nominated for a song, false=Not for a song'),
  },
  ceremony_ids: { label: 'Ceremony', isRare, select: [] },
  limit: { label: 'Rows on a page', isRare, none: '25', select: choicesOf('10=10, 50=50, 100=100') },
};

const ofSongs: Wording = {
  ...ofAllPages,
  ceremony_ids: { label: 'Ceremony', select: [] },
  yearStart: { label: 'Recorded from year', isRare },
  yearEnd: { label: 'Recorded to year', isRare },
  year: { label: 'Year of the recording', isRare },
};

/** The filters of a page. */
export const described = (path: string): Wording => (path === '/songs' ? ofSongs : ofAllPages);

/** Page → the orders that it offers, the usual one first. */
const orders: Readonly<Record<string, readonly Choice[]>> = {
  '/movies': choicesOf(
    '-entries=Most nominations, -wins=Most wins, title=Title A–Z, -film_year=Latest film year, film_year=Earliest film year, -release_date=Latest release, release_date=Earliest release, -runtime=Longest',
  ),
  '/nominees': choicesOf(
    '-entries=Most nominations, -wins=Most wins, name=Name A–Z, birthday=Oldest, -birthday=Youngest',
  ),
  '/songs': choicesOf('-id=Latest ceremony, title=Title A–Z, artist=Writer or artist'),
  '/nominations': choicesOf(
    '-year=Latest ceremony, year=Earliest ceremony, category=Category, movie=Film A–Z, nominee=Nominee A–Z',
  ),
  '/search': choicesOf('relevance=Best match, -year=Latest ceremony, year=Earliest ceremony'),
};
const ofRankings = choicesOf('nominations=Most nominations, wins=Most wins, unrewarded=Never won');

export const ordersOf = (path: string): readonly Choice[] | undefined =>
  path.startsWith('/rankings/') ? ofRankings : orders[path];

/** Page → the order in which letters stand together. */
export const orderByText: Readonly<Record<string, string>> = {
  '/movies': 'title',
  '/nominees': 'name',
  '/songs': 'title',
};

/**
 * The address of the API for a list: in the usual order of its page, unless the query names one.
 * @param include added members
 */
export function listAddress(path: string, query: string, include?: string): string {
  const order = orders[path]?.[0]?.[0];
  const isUsual = order === undefined || order === 'relevance' || new URLSearchParams(query).has('sort');
  // The API reports what is wrong in the query as it is.
  const sorted = isUsual ? query : `${query && `${query}&`}sort=${order}`;
  return withQuery(`/api${path}`, include ? withParameter(sorted, 'include', include) : sorted);
}

const idNouns: Partial<Record<ParameterName, string>> = {
  ids: 'records',
  ceremony_ids: 'ceremonies',
  category_ids: 'categories',
  movie_ids: 'films',
  nominee_ids: 'people',
};

/** What is wrong with a value, as a sentence in the words of the page; undefined without a fault. */
export function faultText(fault: ParameterFault | undefined, words: Wording): string | undefined {
  if (fault === undefined) return undefined;
  const name = fault.parameter as ParameterName;
  const { parameter, message } = fault;
  const crossed = /(\d+) is after \w+ (\d+)/.exec(message);
  if (crossed) return `The first year, ${crossed[1]}, is after the last one, ${crossed[2]}.`;
  if (/year/i.test(parameter)) return 'A year is a number, such as 1994.';
  if (idNouns[name]) return `The address names no valid ${idNouns[name]}.`;
  if (name === 'page') return 'There is no such page.';
  if (name === 'sort') return 'There is no such order.';
  const label = words[name]?.label ?? parameter;
  const select = words[name]?.select;
  if (select !== undefined || parameters[name]?.kind === 'boolean')
    return `${label}: choose a value from the list.`;
  return `${label}: ${capitalized(message.replace(/^\S+ /, ''))}.`;
}
