/** What the parameters of the interface are called here, and what can be chosen for them. */
import type { ParameterName } from '../../../api/contract/parameters.ts';
import type { Category, Ceremony } from '../../../api/contract/resources.ts';
import { ask, snapshot } from './record.ts';

export interface Label {
  label: string;
  /** Chosen among what the record has. */
  chosen?: true;
  /** Used seldom, so it stands apart. */
  seldom?: true;
  hint?: string;
}

export const labels: Readonly<Record<ParameterName, Label>> = {
  q: { label: 'Words' },
  nominee: { label: 'Nominee' },
  movie: { label: 'Film' },
  title: { label: 'Title' },
  name: { label: 'Name' },
  artist: { label: 'Artist' },
  category: { label: 'Category' },
  category_name: { label: 'Name' },
  category_group: { label: 'Group of categories', chosen: true },
  genre: { label: 'Genre', chosen: true },
  known_for_department: { label: 'Department', chosen: true },
  winner: { label: 'Outcome' },
  is_song: { label: 'Songs' },
  yearStart: { label: 'From year' },
  yearEnd: { label: 'To year' },
  year: { label: 'Year of the ceremony' },
  sort: { label: 'Order by' },
  limit: { label: 'How many' },
  page: { label: 'Page' },
  ceremony_ids: { label: 'Ceremony', seldom: true, chosen: true },
  category_ids: { label: 'Category, exactly', seldom: true, chosen: true },
  movie_ids: { label: 'Numbers of films', seldom: true, hint: 'such as 12, 15' },
  nominee_ids: { label: 'Numbers of nominees', seldom: true, hint: 'such as 12, 15' },
  ids: { label: 'Record numbers', seldom: true, hint: 'such as 12, 15' },
  moviedb_id: { label: 'Number in the movie database', seldom: true },
  moviedb_person_id: { label: 'Number in the movie database', seldom: true },
  filmindex_id: { label: 'Number in the film index', seldom: true, hint: 'such as tt0109830 or nm0000158' },
};

/** The years of a list of songs are those of the streaming service. */
const labelsOfSongs: Partial<Record<ParameterName, Label>> = {
  yearStart: { label: 'Streamed from year', seldom: true },
  yearEnd: { label: 'Streamed to year', seldom: true },
  year: { label: 'Year of streaming', seldom: true },
};

/** What a parameter is called on a page. @param path of the page */
export const labelOf = (name: ParameterName, path: string): Label =>
  (path === '/songs' ? labelsOfSongs[name] : undefined) ?? labels[name];

export interface Choice {
  value: string;
  text: string;
}
export type Choices = Partial<Record<ParameterName, readonly Choice[]>>;

const named = (value: string, text = value): Choice => ({ value, text });
const limits = [10, 25, 50, 100].map((limit) => named(String(limit)));

/** Choices that need nothing of the record. */
const fixed: Choices = {
  winner: [named('true', 'Winners only'), named('false', 'All but winners')],
  is_song: [named('true', 'Songs only'), named('false', 'All but songs')],
  sort: [named('nominations', 'Nominations'), named('wins', 'Wins')],
  limit: limits,
};

/** What stands for "no filter", where that is not just anything. */
export const withoutFilter: Partial<Record<ParameterName, string>> = {
  winner: 'Winners and others',
  is_song: 'With and without',
};

/** Whether one of the choices is taken when nothing is said. */
export const alwaysChosen: Partial<Record<ParameterName, string>> = { sort: 'nominations', limit: '25' };

export const choicesWithoutRecord = (name: ParameterName): readonly Choice[] | undefined => fixed[name];

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values)].filter((value) => value !== null).sort();

const capitalised = (text: string): string =>
  text.replaceAll(/(^|[\s-])\p{Ll}/gu, (first) => first.toUpperCase());

/** The names that the record has for some parameters. @param wanted loads only what is needed for these */
export async function loadChoices(wanted: readonly ParameterName[]): Promise<Choices> {
  const choices: Choices = {};
  if (wanted.some((name) => name.startsWith('category'))) {
    const { data } = await ask<{ data: Category[] }>('/api/categories');
    choices.category = choices.category_name = data.map((category) => named(category.category_name));
    choices.category_group = distinct(data.map((category) => category.category_group)).map((it) => named(it));
    choices.category_ids = data.map((category) => named(String(category.id), category.category_name));
  }
  if (wanted.includes('ceremony_ids')) {
    const { data } = await ask<{ data: Ceremony[] }>('/api/ceremonies');
    choices.ceremony_ids = data.map(({ id, show_title, ceremony_year }) =>
      named(String(id), `${ceremony_year}${show_title === null ? '' : ` · ${show_title}`}`),
    );
  }
  if (wanted.includes('genre'))
    choices.genre = [...(await (await snapshot()).films()).genres].sort().map((it) => named(capitalised(it)));
  if (wanted.includes('known_for_department')) {
    const { department } = await (await snapshot()).people();
    choices.known_for_department = distinct(department.values).map((it) => named(it));
  }
  return choices;
}

/** Those that are chosen among what the record has, even before it is known what that is. */
export const isChosen = (name: ParameterName): boolean => labels[name].chosen ?? false;

/** Those that are written freely, the choices being proposals. */
export const isFree = (name: ParameterName): boolean => name === 'category' || name === 'category_name';
